"""What a log says is in the way, and what has ended that since."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from progress_plugin.model.event import Event
from progress_plugin.model.status import Status
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.passages.stated_focus import without_label
from progress_plugin.text.blocker_words import (
    BEGINS_OVER,
    OVER,
    ends_something,
    holds,
    subjects_of_blocker,
    subjects_of_end,
    work_of_box,
)
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind

_NAME = LazyPattern(r"\b[A-Za-z][A-Za-z0-9]{0,9}[-.]\d{1,5}\b|\b[A-Z]{1,4}\d{1,4}\b")
"""A story's id in a text."""
_NUMBER = "0123456789."
NOT_SAID = frozenset({Form.DONE, Form.HEADING, Form.CODE, Form.QUOTE})
"""How a statement is written that says nothing of the state of the work."""
REMEMBERED = 3
"""Entries after which a blocker of a finished entry that nobody repeats is no longer told."""


def open_among(
    words: Sequence[Passage], said: Sequence[Passage], events: Sequence[Event], finished: Collection[str]
) -> list[Passage]:
    """Return which of the `words` on blockers still hold, by all that is `said` and the entries.

    `finished` are the ids of stories, in lower case, that somebody else knows to be finished.
    """
    stuck = [each for each in words if holds(without_label(each))]
    if not stuck:
        return []
    later, solved = _later(stuck, said, events), _before_solutions(said)
    return [
        each for each in stuck if (each.line, each.nth) not in solved and not _is_over(each, later, finished)
    ]


def ended_blockers(reading: Reading, events: Sequence[Event]) -> frozenset[int]:
    """Return the lines of the blockers that a log itself calls over, or that newer entries have ended."""
    said = [each for each in reading.passages if each.form not in NOT_SAID]
    words = of_section(said)
    later = _later(words, said, events) if words else _Later({}, {})
    over = (each for each in words if OVER.match(without_label(each)) or _is_over(each, later, ()))
    return frozenset(each.line for each in over)


def of_section(said: Iterable[Passage]) -> list[Passage]:
    """Return what stands where blockers are told of."""
    return [each for each in said if each.section is SectionKind.BLOCKED]


def on_blockers(said: Sequence[Passage], reading: Reading, events: Sequence[Event]) -> list[Passage]:
    """Return the last word on blockers: what stands outside of entries, and the newest entry that has one.

    Who says nothing of them has not resolved them. But what a finished entry had in its way is soon history.
    Of a story whose own last entry is blocked that entry has the last word, whatever those of others say,
    unless a newer one says that nothing is in the way.
    """
    words = of_section(said)
    last = max((*(each.entry for each in words), *reading.unblocked), default=0)
    unfinished = {event.position for event in events if event.status is not Status.DONE}
    if reading.entries - last > REMEMBERED and last not in unfinished:
        last = 0
    ticked = {work_of_box(each.text): each.entry for each in reading.passages if each.form is Form.DONE}
    telling = {0, last, *_blocked(events, max(reading.unblocked, default=0))}
    return [
        each
        for each in words
        if each.entry in telling and ticked.get(work_of_box(each.text), 0) <= each.entry
    ]


def _blocked(events: Sequence[Event], since: int) -> list[int]:
    """Return the positions of the entries after `since` that are blocked, and the last on their story."""
    last = {name.casefold(): event for event in events for name in event.stories[:1]}
    blocked = (event.position for event in last.values() if event.status is Status.BLOCKED)
    return [position for position in blocked if position > since]


class _Later(NamedTuple):
    """What newer entries say, by word, so that each blocker is compared with all of them at once."""

    entries: Mapping[str, int]
    """By the name of a story or the title of an entry, in lower case: the newest that is not blocked."""
    ends: Mapping[str, int]
    """By a word: the newest entry with a statement that something has ended."""


def _later(blockers: Iterable[Passage], said: Iterable[Passage], events: Iterable[Event]) -> _Later:
    entries: dict[str, int] = {}
    ends: dict[str, int] = {}
    # Statements are looked at from the first blocked entry on: hardly ever are there many, and what is older
    # than a blocker ends nothing.
    since = min((each.entry for each in blockers if each.entry), default=None)
    for event in events:
        if event.status is not Status.BLOCKED:
            for name in (*event.stories, event.title or ""):
                entries[name.casefold()] = max(event.position, entries.get(name.casefold(), 0))
    entries.pop("", None)
    for each in said:
        if since is not None and each.entry > since and ends_something(each.text):
            _note(ends, each.text, each.entry)
    for event in events:
        if since is not None and event.position > since and ends_something(event.title or ""):
            _note(ends, event.title or "", event.position)
    return _Later(entries, ends)


def _note(ends: dict[str, int], text: str, entry: int) -> None:
    for subject in subjects_of_end(text):
        ends[subject] = max(entry, ends.get(subject, 0))


def _before_solutions(said: Sequence[Passage]) -> set[tuple[int, int]]:
    """Return line and number of the blockers right behind which the same entry says that they are over."""
    return {
        (blocker.line, blocker.nth)
        for blocker, after in pairwise(said)
        if blocker.entry == after.entry
        and blocker.section is SectionKind.BLOCKED
        and BEGINS_OVER.match(after.text)
    }


def _is_over(blocker: Passage, later: _Later, finished: Collection[str]) -> bool:
    """Return whether anybody newer went on with the work that is blocked, or says that nothing blocks it."""
    text = without_label(blocker)
    head = text.partition(" — ")[0].casefold() if blocker.form is Form.ROW else ""
    names = _stories_of(blocker, text)
    if not names.isdisjoint(finished):
        return True
    if any(later.entries.get(name, 0) > blocker.entry for name in (*names, head)):
        return True
    return blocker.entry > 0 and any(
        later.ends.get(name, 0) > blocker.entry for name in subjects_of_blocker(text)
    )


def _stories_of(blocker: Passage, text: str) -> set[str]:
    """Return the stories that a blocker is about, in lower case: those it names, else that of its entry.

    What looks like an id and is none of the entry's kind (`UTF-8`) is looked at beside that.
    """
    own, named = (blocker.story or "").casefold(), {word.casefold() for word in _NAME.findall(text)}
    of_its_kind = {name for name in named if own and name.rstrip(_NUMBER) == own.rstrip(_NUMBER)}
    return named if of_its_kind else {*named, own}
