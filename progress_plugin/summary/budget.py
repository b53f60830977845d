"""What of a summary fits: whole items by priority, and a receipt for the rest (S10.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby

from progress_plugin.summary.content import MARKS, Content, Recent, Row, Statement, Work
from progress_plugin.summary.tokens import estimate
from progress_plugin.text.length import utf16_length

FLOOR = 350
"""Tokens that a summary may have however short its source (S10.1)."""
SHARE = 0.16
"""Share of the source's tokens that it may have beyond them (S10.1)."""
CHARACTERS = 8_600
"""UTF-16 units of the summary: the client's cap of 9,000 less what stands around it in a hook's output."""

_CORE_LEARNINGS = 3
_TABLE_SPARES = 0.5
"""Share of the free tokens that the ranges of the table leave to what is told at length."""
_NEAR = 8
"""Pending stories in a row that are named one by one; those behind them come as a range."""

SECTIONS = ("blockers", "progress", "recent", "learnings", "table")
"""In the order in which they are filled; the status itself is never left out."""


class _Room:
    """Tokens and UTF-16 units still free."""

    __slots__ = ("characters", "tokens")

    def __init__(self, tokens: int, characters: int) -> None:
        self.tokens = tokens
        self.characters = characters

    def take(self, text: str, *, spare: float = 0.0) -> bool:
        """Take the room of one more line if it is there, leaving a share of the tokens untouched."""
        tokens, characters = estimate(text) + 1, utf16_length(text) + 1
        if tokens > self.tokens * (1 - spare) or characters > self.characters:
            return False
        self.tokens -= tokens
        self.characters -= characters
        return True


def limit(source_tokens: int, most: int) -> int:
    """Return how many tokens a summary may have (S10.1)."""
    return max(min(most, FLOOR + int(SHARE * source_tokens)), 100)


def section_order(prioritize: Sequence[str]) -> tuple[str, ...]:
    """Return all sections, the named ones first; `learnings` stands for gotchas and patterns."""
    known = [name for name in dict.fromkeys(prioritize) if name in _FILLERS]
    rest = [name for name in SECTIONS if name not in known]
    if {"gotchas", "patterns"} & set(known) and "learnings" in rest:
        place = rest.index("learnings")
        rest[place : place + 1] = [name for name in ("gotchas", "patterns") if name not in known]
    return (*known, *rest)


def fit(
    content: Content, tokens: int, order: Sequence[str], *, learnings: int, archive_only: int = 0
) -> Content:
    """Return the content that fits into `tokens`; `learnings` is how many there are in all.

    `archive_only` is how many more stand in the archive beyond its index.

    Each section first gets its core (the newest story with its first bullets, three learnings of a kind,
    the table as ranges), so that none is shut out by a long one before it; then they are filled in order.
    """
    kept = _Kept()
    room = _Room(tokens - _frame(content), CHARACTERS - 700 - utf16_length(content.name))
    kept.notes = [note for note in content.notes[:6] if room.take(note)]
    for core in (True, False):
        for section in order:
            _FILLERS[section](content, kept, room, core=core)
    fitted = content._replace(**vars(kept))
    return fitted._replace(receipt=_receipt(content, fitted, learnings, archive_only))


class _Kept:
    """What has found room so far, by its name in `Content`."""

    def __init__(self) -> None:
        self.blocked: list[str] = []
        self.notes: list[str] = []
        self.work: Work | None = None
        self.rows: list[Row] = []
        self.patterns: list[Statement] = []
        self.gotchas: list[Statement] = []
        self.dependencies: list[Statement] = []
        self.recent: list[Recent] = []


def _frame(content: Content) -> int:
    """Return the tokens of headings, status lines and footer, which always stand."""
    lines = (content.name, content.branch, content.stories, content.current, content.next, content.sources)
    return 130 + sum(estimate(line) for line in (*lines, content.sources))


def _blockers(content: Content, kept: _Kept, room: _Room, *, core: bool) -> None:
    wanted = content.blocked[:3] if core else content.blocked
    for line in wanted[len(kept.blocked) :]:
        if not room.take(line):
            return
        kept.blocked.append(line)


def _progress(content: Content, kept: _Kept, room: _Room, *, core: bool) -> None:
    if content.work is None or not core:
        return
    whole = content.work
    text = [whole.note, whole.goal]
    if not room.take("\n".join(text)):
        return
    next_steps, blockers, completed = (
        [line for line in lines[:6] if room.take(line, spare=0.5)]
        for lines in (whole.next_steps, whole.blockers, whole.completed)
    )
    other = whole.other if whole.other and room.take(whole.other, spare=0.5) else ""
    kept.work = whole._replace(next_steps=next_steps, blockers=blockers, completed=completed, other=other)


def _recent(content: Content, kept: _Kept, room: _Room, *, core: bool) -> None:
    for number, story in enumerate(content.recent[:1] if core else content.recent):
        if number == len(kept.recent):
            if not room.take(f"### {story.heading}\n"):
                return
            kept.recent.append(story._replace(bullets=(), files=()))
        most = 2 if core else len(story.bullets)
        kept.recent[number] = _filled(story, kept.recent[number], room, most=most)


def _filled(story: Recent, kept: Recent, room: _Room, *, most: int) -> Recent:
    for bullet in story.bullets[len(kept.bullets) : most]:
        if not room.take(f"- {bullet}"):
            return kept
        kept = kept._replace(bullets=(*kept.bullets, bullet))
    if most == len(story.bullets) and story.files and not kept.files and room.take(", ".join(story.files)):
        return kept._replace(files=story.files)
    return kept


def _learnings(*names: str) -> Callable[..., None]:
    """Return what fills learnings of these kinds: first a few of each, then the others of all by worth."""

    def filler(content: Content, kept: _Kept, room: _Room, *, core: bool) -> None:
        few = slice(None, _CORE_LEARNINGS) if core else slice(_CORE_LEARNINGS, None)
        wanted = [
            (place, statement, name)
            for name in names
            for place, statement in enumerate(getattr(content, name)[few])
        ]
        for _, statement, name in wanted if core else sorted(wanted, key=lambda each: each[0]):
            if room.take(f"- {statement.text}"):
                getattr(kept, name).append(statement)

    return filler


def _table(content: Content, kept: _Kept, room: _Room, *, core: bool) -> None:
    """Choose ranges first, so that nothing shuts out the plan; all rows at the end if they fit (S6.3)."""
    if not content.rows:
        return
    if core:
        short = ranges(content.rows)
        if room.take(_TABLE_FRAME, spare=_TABLE_SPARES):
            kept.rows = [row for row in short if room.take(_line(row), spare=_TABLE_SPARES)]
    elif len(kept.rows) < len(content.rows):
        more = "\n".join(_line(row) for row in content.rows if row not in kept.rows)
        if kept.rows and room.take(more):
            kept.rows = list(content.rows)


_TABLE_FRAME = "## Story Status\n| ID | Title | Status |\n|---|---|---|\n✓ complete, ○ pending"


def _line(row: Row) -> str:
    worked = f" {row.agent} | {row.attempts} |" if row.agent or row.attempts else ""
    return f"| {row.id} | {row.title} | {row.mark} |{worked}"


def ranges(rows: Sequence[Row]) -> list[Row]:
    """Return the table with runs of finished and of far pending stories as one row each."""
    result: list[Row] = []
    for mark, group in groupby(rows, key=lambda row: row.mark):
        run = list(group)
        if run[0].finished:
            result += _in_ranges(run)
        elif mark == MARKS["pending"]:
            result += [*run[:_NEAR], *_in_ranges(run[_NEAR:])]
        else:
            result += run
    return result


def _in_ranges(run: Sequence[Row]) -> list[Row]:
    """Return rows that stand alike as one, its ids as ranges where they run on: none is hidden in between."""
    if len(run) <= _FEW:
        return list(run)
    found: list[list[str]] = []
    for row in run:
        name = row.id or row.title
        if found and _runs_on(found[-1][-1], name):
            found[-1].append(name)
        else:
            found.append([name])
    names = [_range(ids) for ids in found]
    shown = names[:_MOST_RANGES]
    more = sum(map(len, found[_MOST_RANGES:]))
    label = ", ".join(shown) + (f" and {more} more" if more else "")
    number = sum(row.stories for row in run)
    return [run[0]._replace(id=label, title=f"{number} stories", agent="", attempts="", stories=number)]


def _range(ids: Sequence[str]) -> str:
    return f"{ids[0]} – {ids[-1]}" if len(ids) > _FEW else ", ".join(ids)


def _runs_on(before: str, after: str) -> bool:
    first, second = _NUMBERED.fullmatch(before), _NUMBERED.fullmatch(after)
    return bool(first and second and first[1] == second[1] and int(second[2]) == int(first[2]) + 1)


_NUMBERED = re.compile(r"(.*?)(\d{1,9})")
_FEW = 1
"""So many rows in a run are told one by one."""
_MOST_RANGES = 8


_FILLERS: dict[str, Callable[..., None]] = {
    "blockers": _blockers,
    "progress": _progress,
    "recent": _recent,
    "gotchas": _learnings("gotchas"),
    "patterns": _learnings("patterns", "dependencies"),
    "learnings": _learnings("gotchas", "patterns", "dependencies"),
    "table": _table,
}


def _receipt(content: Content, kept: Content, learnings: int, archive_only: int) -> list[str]:
    """Say what was left out, and how to see it."""
    shown = kept.learnings_shown
    lines = []
    if shown < learnings:
        lines.append(f"{shown} of {learnings} learnings shown; all: `agent-progress status --json`.")
    if archive_only:
        lines.append(f"{archive_only:,} older learnings stand in archive/ alone.")
    if len(kept.blocked) < len(content.blocked):
        lines.append(
            f"{len(kept.blocked)} of {len(content.blocked)} blocked shown; all: `agent-progress status`."
        )
    if len(kept.recent) < len(content.recent):
        lines.append(f"{len(kept.recent)} of {len(content.recent)} recent stories shown.")
    if len(kept.notes) < len(content.notes):
        lines.append(f"{len(kept.notes)} of {len(content.notes)} notes shown; all: `agent-progress status`.")
    open_rows = sum(row.stories for row in content.rows if not row.finished)
    open_shown = sum(row.stories for row in kept.rows if not row.finished)
    if open_shown < open_rows:
        lines.append(f"{open_shown} of {open_rows} open stories shown; all: `agent-progress status`.")
    return lines
