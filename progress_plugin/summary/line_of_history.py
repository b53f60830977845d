"""The lines a person sees while an agent works: at a session start, and below the prompt."""

from __future__ import annotations

from progress_plugin.model.status import Status
from progress_plugin.summary.merged_story_status import StoryHistory
from progress_plugin.summary.next_work import NextWork, next_work
from progress_plugin.summary.shown_blockers import blocked, count_blockers
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

_CELLS = 8
_LONGEST_LABEL = 60
_UNREAD = "plan not read"
"""Said where a plan cannot be read, since what is left to do is unknown then; the context names the file."""


def user_line(facts: Facts, history: StoryHistory, work: NextWork | None = None) -> str:
    """Return `progress: 12/14, US-013 next, 1 blocker`; empty where there is nothing to say.

    `work` is what `next_work` says, where the caller has asked.
    """
    counts = history.counts()
    parts = []
    if counts.counted:
        parts.append(_done(history))
    story = (work or next_work(facts, history)).current
    if story is not None:
        verb = "in progress" if story.status is Status.ACTIVE else "next"
        parts.append(f"{one_line(story.label, _LONGEST_LABEL)} {verb}")
    blockers = count_blockers(blocked(history))
    if blockers:
        parts.append(counted(blockers, "blocker"))
    if story is None and facts.focus:
        parts.insert(0, one_line(facts.focus, _LONGEST_LABEL))
    if history.broken_plans:
        parts.append(_UNREAD)
    return f"progress: {', '.join(parts)}" if parts else ""


def status_line(facts: Facts, history: StoryHistory, work: NextWork | None = None) -> str:
    """Return `US-013 12/14 ▓▓▓▓▓▓░░ !1`: current story, completion, open blockers; empty without any.

    `work` as for `user_line`.
    """
    counts = history.counts()
    story = (work or next_work(facts, history)).current
    blockers = count_blockers(blocked(history))
    parts = [one_line(story.label, _LONGEST_LABEL)] if story is not None else []
    if counts.counted:
        parts.append(_done(history))
    if history.broken_plans:
        parts.append(_UNREAD)
    elif counts.counted:
        parts.append(bar(counts.done, counts.counted, _CELLS))
    if blockers:
        parts.append(f"!{blockers}")
    return " ".join(parts)


def _done(history: StoryHistory) -> str:
    """Return `12/14`; `12 done` where the plan that says of how many cannot be read."""
    counts = history.counts()
    is_known = not history.broken_plans or any(story.planned for story in history.stories)
    return f"{counts.done}/{counts.counted}" if is_known else f"{counts.done} done"


def bar(done: int, counted: int, cells: int) -> str:
    """Return a bar of so many cells; full only where all is done, empty only where nothing is."""
    filled = done * cells // counted if counted else 0
    if done and not filled:
        filled = 1
    return "▓" * filled + "░" * (cells - filled)
