"""The context of a case, as the summary would tell it: what always stands there, then chosen passages."""

from __future__ import annotations

from collections.abc import Sequence

from progress_plugin.model.status import Status
from progress_plugin.model.story import Story
from progress_plugin.summary.tokens import estimate
from progress_plugin.text.bounds import utf16_length
from progress_plugin.worth.choice import Candidate, Room, choose
from progress_plugin.worth.said_already import Coverage, words_of
from training.cases import UNITS, Case

_OPEN_ROWS = 8
_LAST = 3
_FOOT = (
    "---",
    "41 of 90 statements shown; all: `agent-progress recall WORDS`.",
    "Auto-generated from prd.json, progress.md. Full history preserved in them.",
)
LEAST = {"recent": 0.15}
"""The share of the room that the last two stories get first."""


def context_of(case: Case, worths: Sequence[float], size: float = 1.0) -> str:
    """Return the context made with these worths, at `size` times what is allowed."""
    passages = case.reading.passages
    frame = "\n".join(_frame(case, []))
    told = Coverage()
    told.add_text(frame, here=True)
    newest = case.reading.entries - 1
    candidates = [
        Candidate(p.shown, worth, "recent" if p.entry >= max(1, newest) else "learnt")
        for p, worth in zip(passages, worths, strict=True)
    ]
    room = Room(int(case.limit * size) - estimate(frame), UNITS - utf16_length(frame))
    chosen = choose(candidates, room, price, told=told, concern=_concern(case), least=LEAST)
    return "\n".join(_frame(case, sorted(chosen)))


def price(text: str) -> int:
    """Return the estimated tokens of a statement as one bullet."""
    return estimate(f"- {text}\n")


def _concern(case: Case) -> frozenset[str]:
    stories = (
        [story for story in case.plan.stories if story.status is not Status.DONE][:2] if case.plan else []
    )
    return frozenset().union(*(words_of(f"{story.title} {story.description}") for story in stories))


def _frame(case: Case, chosen: Sequence[int]) -> list[str]:
    passages = case.reading.passages
    last = {event.position: event for event in case.log.events[-_LAST:]}
    lines = [*_status(case), "## Key Learnings (Extracted)", "### Repository Patterns"]
    lines += [f"- {passages[at].shown}" for at in chosen if passages[at].entry not in last]
    lines += ["### Gotchas & Warnings", "## Recent Context (Last 3 Stories)"]
    for position in sorted(last, reverse=True):
        event = last[position]
        title = (event.title or event.label)[:90]
        lines.append(f"### {': '.join(filter(None, (', '.join(event.stories), title)))} (✓)")
        lines += [f"- {passages[at].shown}" for at in chosen if passages[at].entry == position]
    return [*lines, *_FOOT]


def _status(case: Case) -> list[str]:
    name = case.plan.name if case.plan and case.plan.name else case.name
    lines = [
        "agent-progress: recorded progress of X. More: `agent-progress recall WORDS`, `status`, `recent`.",
        f"# Progress Summary: {name}",
        "Branch: main",
        "Last updated: 2026-01-01 10:00",
        "## Completion Status",
    ]
    if case.plan is None:
        return [
            *lines,
            f"Stories: {len(case.log.events)}/{len(case.log.events)} complete (100%)",
            "Blocked: None",
        ]
    counted = [story for story in case.plan.stories if story.status is not Status.SKIPPED]
    opened = [story for story in counted if story.status is not Status.DONE]
    done = len(counted) - len(opened)
    lines.append(f"Stories: {done}/{len(counted)} complete ({100 * done // max(1, len(counted))}%)")
    lines += [f"Current: {story.id} (attempt 1): {story.title}" for story in opened[:1]]
    lines.append("Blocked: None")
    lines += [f"Next: {story.id}: {story.title}" for story in opened[1:2]]
    return [*lines, "## Story Status", *_rows(case.plan.stories)]


def _rows(stories: Sequence[Story]) -> list[str]:
    lines: list[str] = []
    done: list[Story] = []
    opened = 0
    for story in (*stories, None):
        if story is not None and story.status is Status.DONE:
            done.append(story)
            continue
        if done:
            lines.append(f"| {done[0].id} – {done[-1].id} | {len(done)} stories | ✓ |")
            done = []
        if story is not None:
            opened += 1
            lines += [f"| {story.id} | {story.title} | ○ |"] if opened <= _OPEN_ROWS else []
    return [*lines, *([f"| … | {opened - _OPEN_ROWS} stories | ○ |"] if opened > _OPEN_ROWS else [])]
