"""What a log itself says of the state of the work: what it is at, what blocks it, what comes next (S18.6).

Which line is about a blocker at all is decided in `text.section_names` (`section_of`: labels) and
`passages.table_rows` (`blocked_row`) and `passages.reader` (`_is_marked_blocked`: boxes, marks); an entry's
own status, in `authored.heading`.

Which of several logs is believed is decided here (`state_of_logs`). What our own log says, and which blockers
are open in all, is decided in `usecases.summarizing.open_blockers`.

Memory banks, `STATE.md`, hand-offs and many logs without a plan keep this in sections that are renewed in
place (`Current focus`, `Blockers`, `Next steps`); others say it at the end of each entry: of entries only the
newest one's counts.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from progress_plugin.core.known_paths import is_state_document, rank_for_the_present
from progress_plugin.core.light_typing import TYPE_CHECKING, NamedTuple
from progress_plugin.model.event import Event
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import ALL_MARKS, DONE_MARKS, Status, parse_mark
from progress_plugin.passages.entry_owners import between_entries
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.passages.stated_focus import (
    counts_of_all,
    focus_of,
    key_of,
    named,
    statement_of_waiting,
    unless_all_done,
)
from progress_plugin.text.blocker_words import (
    BEGINS_OVER,
    OVER,
    ends_something,
    holds,
    subjects_of_blocker,
    subjects_of_end,
)
from progress_plugin.text.labels import split_label, unemphasised
from progress_plugin.text.section_names import SectionKind, section_of

if TYPE_CHECKING:
    from progress_plugin.authored.reader import AuthoredLog
    from progress_plugin.passages.document_phases import DocumentPhases

_BEGINS_WITH_NEXT = re.compile(
    r"(?:\d+[.)] )?(?:immediate |suggested |recommended |planned |(?:plan|steps|work) for (?:the )?)?next\b|"
    r"[^\x00-\x7f]"
)
_TELLS_NEXT = re.compile(r"\W*(?:next|remaining)\b", re.IGNORECASE)
_BOX = re.compile(r"\[.\]\s+")
_BEFORE_WORDS = "".join(mark for mark in ALL_MARKS if mark not in DONE_MARKS) + "\ufe0f "
_ANNOUNCED = frozenset({SectionKind.BLOCKED, SectionKind.NEXT})
_OF_ITS_TIME = frozenset({SectionKind.STATUS, *_ANNOUNCED})
_NOT_SAID = frozenset({Form.DONE, Form.HEADING, Form.CODE, Form.QUOTE})
_IDEAS = re.compile(
    r"\b(?:possib(?:le|ly|ilities)|optional(?:ly)?|ideas?|nice[- ]to[- ]haves?|some ?day|"
    r"if (?:needed|wanted|desired|(?:the )?(?:user|owner)s? (?:wants?|asks?|wish\w*|requests?)))\b|"
    r"可能性|必要に応じ|指示があれば|可选|如有需要",
    re.IGNORECASE,
)
"""What a list of steps is led by that nobody has asked for yet."""
_NO_STEP = frozenset({"plan", "plans"})
_NAME = re.compile(r"\b[A-Za-z][A-Za-z0-9]{0,9}[-.]\d{1,5}\b|\b[A-Z]{1,4}\d{1,4}\b")
"""A story's id in a text."""
_REMEMBERED = 3
"""Entries after which a blocker of a finished entry that nobody repeats is no longer told."""
_HEAD = 64 * 1024
"""Bytes of a document in which it may give its day."""
_UPDATED = re.compile(
    rb"(?:updated|modified|last[ _-]?(?:session|activity|change))\W{0,12}"
    rb"(?:(?:at|on)\W{1,4})?(20\d\d-\d\d-\d\d)",
    re.IGNORECASE,
)
"""How a document says when it was changed last: `**Last updated:** 2026-03-01`, `last_activity: …`."""
_SHOWN = 6
"""Next steps that are shown, as far as they are told whole."""
_LONGEST_LINE = 300
"""Characters of the next steps that are shown in one line."""
_BLOCKERS = 5


class StatedStatus(NamedTuple):
    """The newest statements of logs, each with its place."""

    focus: Cited | None = None
    """What is being worked on."""
    next: Cited | None = None
    """What comes next; several steps are joined by semicolons."""
    blockers: tuple[Cited, ...] = ()
    texts: tuple[str, ...] = ()
    """The statements that focus and blockers are made of, and older ones of where the work stood, as they are
    in the log."""
    waits: Cited | None = None
    """A sentence that says that work waits for something, where nothing is called a blocker."""
    speaks_of_blockers: bool = False
    """Whether it has a word on blockers, be it that there are none."""
    steps: tuple[str, ...] = ()
    """The statements that `next` is made of: where that is not told, they are told as anything else."""


def stated_status(
    reading: Reading,
    *,
    events: Sequence[Event] = (),
    finished: Collection[str] = (),
    past: Iterable[tuple[int, int]] = (),
    data: bytes = b"",
) -> StatedStatus:
    """Return what a log says of the state of the work.

    `events` are its entries, none of a document that has only sections; `finished` are the ids of stories,
    in lower case, that somebody else knows to be finished; `past` are the lines between entries that are as
    old as these (`between_entries`), and `data` are those of a document's file.
    """
    has_entries = bool(events)
    reading, old = _parted(reading, list(past))
    said = [each for each in reading.passages if each.form not in _NOT_SAID or _is_step(each)]
    phases = None if has_entries else _phases_of(said, data)
    if phases is not None:
        # A concern may still teach something.
        old += (each for each in said if phases.is_past(each) and each.section is not SectionKind.BLOCKED)
        said = [each for each in said if not phases.is_past(each)]
    now = [each for each in said if not has_entries or each.entry in {0, reading.entries}]
    # Below an entry `Status` and `Task` are those of the entry.
    first = min((event.line for event in events if event.line), default=0)
    called = focus_of([each for each in now if not (has_entries and each.entry)], first)
    focus = phases.corrected(called) if phases else called
    counts = counts_of_all(said) if has_entries else []
    focus = focus or [each for each in counts[-1:] if each.entry > reading.entries - _REMEMBERED]
    steps = [each for each in now if _announced(each) is SectionKind.NEXT and not _is_count(each)]
    steps = _named_steps(steps) or _of_last_section(_preferred(steps))
    steps = [each for each in steps if parse_mark(each.text) is not Status.DONE and not OVER.match(each.text)]
    steps = _in_one_line(_without_ideas(steps))
    words = _on_blockers(said, reading, events) if has_entries else _of_section(said)
    stuck = [each for each in words if holds(_said(each))]
    later = _later(stuck, said, events) if stuck else _Later({}, {})
    solved = _before_solutions(said) if stuck else set()
    stuck = [each for each in stuck if (each.line, each.nth) not in solved]
    stuck = [each for each in stuck if not _is_over(each, later, finished)]
    stuck = stuck[-_BLOCKERS:] if has_entries else stuck[:_BLOCKERS]
    waits = None if words or reading.unblocked else statement_of_waiting(_of_now(reading, has_entries))
    focus = unless_all_done(focus) if has_entries and (waits or stuck) else focus
    over = [*counts[:-1], *filter(_is_of_its_time, old)]
    return StatedStatus(
        focus=_joined(focus, [text for _, text in named(focus)]),
        next=_joined(steps, [_said(each) for each in steps]),
        blockers=tuple(_joined([each], [_with_story(each, reading.entries)]) or Cited("") for each in stuck),
        texts=tuple(each.text for each in (*called, *focus, *stuck, *over)),
        waits=waits,
        speaks_of_blockers=bool(words or reading.unblocked),
        steps=tuple(each.text for each in steps),
    )


def _of_now(reading: Reading, has_entries: bool) -> list[Passage]:
    return [each for each in reading.passages if not has_entries or each.entry in {0, reading.entries}]


def _parted(reading: Reading, past: Sequence[tuple[int, int]]) -> tuple[Reading, list[Passage]]:
    """Return a reading without what stands outside of entries in these stretches of lines, and that."""
    starts = [start for start, _ in past]
    kept: list[Passage] = []
    old: list[Passage] = []
    for each in reading.passages:
        at = bisect_right(starts, each.line) - 1 if past and not each.entry else -1
        is_past = at >= 0 and each.line < past[at][1]
        (old if is_past else kept).append(each)
    return (reading._replace(passages=tuple(kept)) if old else reading), old


def ended_blockers(reading: Reading, events: Sequence[Event]) -> frozenset[int]:
    """Return the lines of the blockers that a log itself calls over, or that newer entries have ended."""
    said = [each for each in reading.passages if each.form not in _NOT_SAID]
    words = _of_section(said)
    later = _later(words, said, events) if words else _Later({}, {})
    over = (each for each in words if OVER.match(_said(each)) or _is_over(each, later, ()))
    return frozenset(each.line for each in over)


def state_of_logs(
    logs: Sequence[tuple[AuthoredLog, Reading]],
    read: Callable[[str], bytes | None],
    finished: Collection[str],
) -> StatedStatus:
    """Return what several logs say of the state of the work; `read` reads the file of one.

    Documents of the present come first, those of one folder; a log without entries is such a document, too.
    Which folder leads is said by the dates in them and by their names, never by the times of files: a clone
    has those of its own. `finished` as for `stated_status`.
    """
    documents = [pair for pair in logs if is_state_document(pair[0].source) or not pair[0].events]
    documents.sort(key=lambda pair: rank_for_the_present(pair[0].source))
    folders: dict[str, list[tuple[AuthoredLog, Reading]]] = {}
    for pair in documents:
        folders.setdefault(posixpath.dirname(pair[0].source), []).append(pair)
    leading = max(
        folders.values(),
        key=lambda each: max(_updated(read(log.source) or b"") for log, _ in each),
        default=[],
    )
    others = [pair for pair in logs if pair[0].events and not is_state_document(pair[0].source)]
    present = of_documents(stated_status(reading, data=read(log.source) or b"") for log, reading in leading)
    told = [
        stated_status(reading, events=log.events, finished=finished, past=between_entries(log))
        for log, reading in others
    ]
    return united([present, *told])


def _updated(data: bytes) -> bytes:
    """Return the newest day that a document gives as that of its last change; empty where it gives none."""
    return max(_UPDATED.findall(data[:_HEAD]), default=b"")


def of_documents(documents: Iterable[StatedStatus]) -> StatedStatus:
    """Return what the documents of one folder state, the leading one first."""
    found = list(documents)
    speaker = next((each for each in found if each.speaks_of_blockers), StatedStatus())
    return united(found)._replace(blockers=speaker.blockers)


def united(logs: Iterable[StatedStatus]) -> StatedStatus:
    """Return what several logs state: the first focus, the first next steps, every blocker once."""
    logs = list(logs)
    return StatedStatus(
        next((each.focus for each in logs if each.focus), None),
        next((each.next for each in logs if each.next), None),
        tuple({text.casefold(): text for each in logs for text in each.blockers}.values()),
        tuple(text for each in logs for text in each.texts),
        next((each.waits for each in logs if each.waits), None),
        any(each.speaks_of_blockers for each in logs),
        tuple(text for each in logs for text in each.steps),
    )


def _phases_of(said: Sequence[Passage], data: bytes) -> DocumentPhases:
    from progress_plugin.passages.document_phases import phases_of  # noqa: PLC0415 - where there is a document

    return phases_of(said, data)


def _is_of_its_time(passage: Passage) -> bool:
    if _TELLS_NEXT.match(passage.text):
        return True
    return passage.section in _OF_ITS_TIME or section_of(split_label(passage.text)[0]) in _OF_ITS_TIME


def _is_step(passage: Passage) -> bool:
    """Return whether a heading or label below `Next steps` names one of them: what is below it says how.

    Such headings are numbered (`Priority 1: …`, `W4c — …`); others say when: `Short term`.
    """
    if passage.section is not SectionKind.NEXT:
        return False
    if passage.form is Form.HEADING:
        return any(map(str.isdigit, "".join(passage.text.split(maxsplit=2)[:2])))
    return passage.text == passage.label


def _is_count(passage: Passage) -> bool:
    """Return whether a statement says how much is left, and not what: `Pending: 0`."""
    return _said(passage).strip(" .").isdecimal()


def _without_ideas(steps: Sequence[Passage]) -> Sequence[Passage]:
    """Return the steps without those in a list of what might come one day, where there are others."""
    kept: list[Passage] = []
    above: int | None = None
    """How deep the item is nested that such a list is below."""
    for at, step in enumerate(steps):
        if above is not None and step.depth <= above:
            above = None
        leads = step.text == step.label or (at + 1 < len(steps) and steps[at + 1].depth > step.depth)
        others, _, last = step.text.rpartition("; ")
        if above is None and leads and _IDEAS.search(last):
            above = step.depth
            kept += [step] if others else []  # short items that are told as one
        if above is None and not (step.lead and _IDEAS.search(step.lead)):
            kept.append(step)
    return kept or steps


def _is_done(step: Passage) -> bool:
    return parse_mark(step.text) is Status.DONE or bool(OVER.match(step.text))


def _in_one_line(steps: Sequence[Passage]) -> list[Passage]:
    """Return the first steps, as many as are told whole in one line; the others are told by worth."""
    shown: list[Passage] = []
    room = _LONGEST_LINE
    for step in steps[:_SHOWN]:
        room -= len(_said(step)) + len("; ")
        if shown and room < 0:
            break
        shown.append(step)
    return shown


def _named_steps(steps: Sequence[Passage]) -> list[Passage]:
    """Return the steps of the newest entry, or section, that has names for them."""
    named = [each for each in steps if _is_step(each)]
    headings = _preferred([each for each in named if each.form is Form.HEADING])
    if headings:
        last = max(reversed(headings), key=lambda each: each.entry).label
        return [each for each in headings if each.label == last]
    newest = max((each.entry for each in named), default=0)
    names = {each.label for each in named}
    return [
        each
        for each in steps
        if each.entry == newest
        and (_is_step(each) or (named and each.label not in names and _is_beside(each, named[-1])))
    ]


def _is_beside(step: Passage, other: Passage) -> bool:
    """Return whether a step is an item of the list that another is in."""
    return step.form in {Form.ITEM, Form.OPEN} and step.form is other.form and step.depth == other.depth


def _of_section(said: Iterable[Passage]) -> list[Passage]:
    return [each for each in said if each.section is SectionKind.BLOCKED]


def _on_blockers(said: Sequence[Passage], reading: Reading, events: Iterable[Event]) -> list[Passage]:
    """Return the last word on blockers: what stands outside of entries, and the newest entry that has one.

    Who says nothing of them has not resolved them. But what a finished entry had in its way is soon history.
    """
    words = _of_section(said)
    last = max((*(each.entry for each in words), *reading.unblocked), default=0)
    unfinished = {event.position for event in events if event.status is not Status.DONE}
    if reading.entries - last > _REMEMBERED and last not in unfinished:
        last = 0
    return [each for each in words if each.entry in {0, last}]


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
    text = _said(blocker)
    head = text.partition(" — ")[0].casefold() if blocker.form is Form.ROW else ""
    names = {word.casefold() for word in _NAME.findall(text)} | {(blocker.story or "").casefold()}
    if not names.isdisjoint(finished):
        return True
    if any(later.entries.get(name, 0) > blocker.entry for name in (*names, head)):
        return True
    return blocker.entry > 0 and any(
        later.ends.get(name, 0) > blocker.entry for name in subjects_of_blocker(text)
    )


def _announced(passage: Passage) -> SectionKind | None:
    """Return what the label of a statement announces, its own before the one it is under."""
    name, rest = split_label(passage.text)
    if name and rest:
        # `Plan: 2 of 3` says which plan is at work.
        return (section_of(name) if key_of(name) not in _NO_STEP else None) or passage.section
    return passage.section


def _preferred(steps: Sequence[Passage]) -> Sequence[Passage]:
    """Return what is under `next`, where anything does: what is left or planned comes later."""
    named = (
        each for each in steps if _BEGINS_WITH_NEXT.match(key_of(split_label(each.text)[0] or each.label))
    )
    return list(named) or steps


def _of_last_section(passages: Sequence[Passage]) -> list[Passage]:
    """Return the statements of the newest entry's section, else of the last section outside of entries."""
    sections = [list(group) for _, group in groupby(passages, key=lambda each: (each.entry, each.label))]
    return max(reversed(sections), key=lambda section: section[0].entry, default=[])


def _said(passage: Passage) -> str:
    """Return a statement without the label that only says what it is."""
    name, rest = split_label(passage.text)
    announces = name and rest and section_of(name) in _ANNOUNCED
    text = _BOX.sub("", rest if announces else passage.text, count=1)
    return text.lstrip(_BEFORE_WORDS)


def _with_story(passage: Passage, newest: int) -> str:
    """Return a blocker; one of an older entry with the story that it was about."""
    said = _said(passage)
    is_older = passage.story and 0 < passage.entry < newest and passage.story not in said
    return f"{passage.story}: {said}" if is_older else said


def _joined(passages: Sequence[Passage], texts: Sequence[str]) -> Cited | None:
    """Return statements as one text that knows where each is from."""
    said = dict.fromkeys(unemphasised(text).rstrip(" .;") for text in texts)
    if not passages or not any(said):
        return None
    first, last = passages[0], max(each.last for each in passages)
    return Cited("; ".join(said), Origin(source=first.source, line=first.line, last=last))
