"""The one line a person sees at a session start (S9.7)."""

from __future__ import annotations

from progress_plugin.model.status import Status
from progress_plugin.summary.build import current_story
from progress_plugin.summary.facts import Facts
from progress_plugin.summary.history import History
from progress_plugin.text.escape import one_line


def user_line(facts: Facts, history: History) -> str:
    """Return `progress: 12/14, US-013 next, 1 blocker`; empty where there is nothing to say."""
    counted = [story for story in history.stories if story.status is not Status.SKIPPED]
    parts = []
    if counted:
        done = sum(story.status is Status.DONE for story in counted)
        parts.append(f"{done}/{len(counted)}")
    story = current_story(history)
    if story is not None:
        verb = "in progress" if story.status is Status.ACTIVE else "next"
        parts.append(f"{one_line(story.label, 60)} {verb}")
    labels = {story.label.casefold() for story in history.stories if story.status is Status.BLOCKED}
    blockers = len(labels | {blocker.label.casefold() for blocker in facts.blockers})
    if blockers:
        parts.append(f"{blockers} blocker{'s' if blockers > 1 else ''}")
    return f"progress: {', '.join(parts)}" if parts else ""
