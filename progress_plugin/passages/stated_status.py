"""What a log itself says of the state of the work: what it is at, what blocks it, what comes next.

Which steps come next is read in `passages.stated_steps`, what is in the way, in `passages.stated_blockers`.
Which of several logs is believed is decided here (`state_of_logs`).

Memory banks, `STATE.md`, hand-offs and many logs without a plan keep this in sections that are renewed in
place (`Current focus`, `Blockers`, `Next steps`); others say it at the end of each entry: of entries only the
newest one's counts.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.core.known_paths import is_state_document, rank_for_the_present
from progress_plugin.model.event import Event
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.passages.entry_owners import between_entries
from progress_plugin.passages.passage import Passage, Reading
from progress_plugin.passages.stated_blockers import (
    NOT_SAID,
    REMEMBERED,
    of_section,
    on_blockers,
    open_among,
)
from progress_plugin.passages.stated_focus import (
    ANNOUNCED,
    counts_of_all,
    focus_of,
    named,
    statement_of_waiting,
    unless_all_done,
    without_label,
)
from progress_plugin.passages.stated_steps import is_step, next_steps
from progress_plugin.text.labels import split_label, unemphasised
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, puts_off, section_of

if TYPE_CHECKING:
    from progress_plugin.authored.reader import AuthoredLog
    from progress_plugin.passages.document_phases import DocumentPhases

_TELLS_NEXT = LazyPattern(r"\W*(?:next|remaining)\b", re.IGNORECASE)
_OF_ITS_TIME = frozenset({SectionKind.STATUS, *ANNOUNCED})
_HEAD = 64 * 1024
"""Bytes of a document in which it may give its day."""
_UPDATED = re.compile(
    rb"(?:updated|modified|last[ _-]?(?:session|activity|change))\W{0,12}"
    rb"(?:(?:at|on)\W{1,4})?(20\d\d-\d\d-\d\d)",
    re.IGNORECASE,
)
"""How a document says when it was changed last: `**Last updated:** 2026-03-01`, `last_activity: …`."""
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
    step_entry: int = 0
    """Place in true order of the entry that they are in; 0 for what is outside of entries."""


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
    said = [
        each
        for each in reading.passages
        if (each.form not in NOT_SAID or is_step(each)) and not puts_off(each.label)
    ]
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
    focus = focus or [each for each in counts[-1:] if each.entry > reading.entries - REMEMBERED]
    steps = next_steps(now)
    words = on_blockers(said, reading, events) if has_entries else of_section(said)
    stuck = open_among(words, said, events, finished)
    stuck = stuck[-_BLOCKERS:] if has_entries else stuck[:_BLOCKERS]
    waits = None if words or reading.unblocked else statement_of_waiting(_of_now(reading, has_entries))
    focus = unless_all_done(focus) if has_entries and (waits or stuck) else focus
    over = [*counts[:-1], *filter(_is_of_its_time, old)]
    return StatedStatus(
        focus=_joined(focus, [text for _, text in named(focus)]),
        next=_joined(steps, [without_label(each) for each in steps]),
        blockers=tuple(_joined([each], [_with_story(each, reading.entries)]) or Cited("") for each in stuck),
        texts=tuple(each.text for each in (*called, *focus, *stuck, *over)),
        waits=waits,
        speaks_of_blockers=bool(words or reading.unblocked),
        steps=tuple(each.text for each in steps),
        step_entry=steps[0].entry if steps else 0,
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
    leading = next((each for each in logs if each.next), StatedStatus())
    return StatedStatus(
        next((each.focus for each in logs if each.focus), None),
        leading.next,
        tuple({text.casefold(): text for each in logs for text in each.blockers}.values()),
        tuple(text for each in logs for text in each.texts),
        next((each.waits for each in logs if each.waits), None),
        any(each.speaks_of_blockers for each in logs),
        tuple(text for each in logs for text in each.steps),
        leading.step_entry,
    )


def _phases_of(said: Sequence[Passage], data: bytes) -> DocumentPhases:
    from progress_plugin.passages.document_phases import phases_of  # noqa: PLC0415 - where there is a document

    return phases_of(said, data)


def _is_of_its_time(passage: Passage) -> bool:
    if _TELLS_NEXT.match(passage.text):
        return True
    return passage.section in _OF_ITS_TIME or section_of(split_label(passage.text)[0]) in _OF_ITS_TIME


def _with_story(passage: Passage, newest: int) -> str:
    """Return a blocker; one of an older entry with the story that it was about."""
    said = without_label(passage)
    is_older = passage.story and 0 < passage.entry < newest and passage.story not in said
    return f"{passage.story}: {said}" if is_older else said


def _joined(passages: Sequence[Passage], texts: Sequence[str]) -> Cited | None:
    """Return statements as one text that knows where each is from."""
    said = dict.fromkeys(unemphasised(text).rstrip(" .;") for text in texts)
    if not passages or not any(said):
        return None
    first, last = passages[0], max(each.last for each in passages)
    return Cited("; ".join(said), Origin(source=first.source, line=first.line, last=last))
