"""The lines a person sees while an agent works: at a session start, and below the prompt (S9.7, S13)."""

from __future__ import annotations

from progress_plugin.model.status import Status
from progress_plugin.summary.blocked import blocked, count_blockers
from progress_plugin.summary.facts import Facts
from progress_plugin.summary.history import History
from progress_plugin.summary.next_work import current_story
from progress_plugin.text.shown import one_line

_CELLS = 8
_LONGEST_LABEL = 60


def user_line(facts: Facts, history: History) -> str:
    """Return `progress: 12/14, US-013 next, 1 blocker`; empty where there is nothing to say."""
    done, counted = _finished(history)
    parts = []
    if counted:
        parts.append(f"{done}/{counted}")
    story = current_story(history)
    if story is not None:
        verb = "in progress" if story.status is Status.ACTIVE else "next"
        parts.append(f"{one_line(story.label, _LONGEST_LABEL)} {verb}")
    blockers = count_blockers(blocked(facts, history))
    if blockers:
        parts.append(f"{blockers} blocker{'s' if blockers > 1 else ''}")
    if story is None and facts.focus:
        parts.insert(0, one_line(facts.focus, _LONGEST_LABEL))
    return f"progress: {', '.join(parts)}" if parts else ""


def status_line(facts: Facts, history: History) -> str:
    """Return `US-013 12/14 ▓▓▓▓▓▓░░ !1`: current story, completion, open blockers; empty without any."""
    done, counted = _finished(history)
    story = current_story(history)
    blockers = count_blockers(blocked(facts, history))
    parts = [one_line(story.label, _LONGEST_LABEL)] if story is not None else []
    if counted:
        parts += [f"{done}/{counted}", bar(done, counted, _CELLS)]
    if blockers:
        parts.append(f"!{blockers}")
    return " ".join(parts)


def bar(done: int, counted: int, cells: int) -> str:
    """Return a bar of so many cells; full only where all is done, empty only where nothing is."""
    filled = done * cells // counted if counted else 0
    if done and not filled:
        filled = 1
    return "▓" * filled + "░" * (cells - filled)


def _finished(history: History) -> tuple[int, int]:
    counts = history.counts()
    return counts[Status.DONE], counts.total() - counts[Status.SKIPPED]
