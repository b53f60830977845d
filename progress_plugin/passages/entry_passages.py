"""Read the entries of our own log into passages: what each of their fields says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from progress_plugin.core.memo import Memo
from progress_plugin.log.entry import data_of, text_of, texts_of
from progress_plugin.log.recent_entries import scope_change
from progress_plugin.model.event import SCOPE_CHANGE
from progress_plugin.passages.noise import telling_of_field
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.labels import single_spaced
from progress_plugin.text.safe_output import items, one_line, points, sentences
from progress_plugin.text.section_names import SectionKind

FIELDS: dict[str, tuple[SectionKind, str]] = {
    "issue": (SectionKind.STATUS, "Blocked by"),
    "root_cause": (SectionKind.GOTCHA, "Root cause"),
    "resolution": (SectionKind.LEARNED, "Resolution"),
    "suggested_resolution": (SectionKind.NEXT, "Suggested"),
    "next_steps": (SectionKind.NEXT, "Next"),
    "learnings": (SectionKind.LEARNED, ""),
    "description": (SectionKind.WORK, ""),
    "notes": (SectionKind.NOTES, ""),
    "reason": (SectionKind.OTHER, "Reason"),
    "context": (SectionKind.NOTES, ""),
}
"""What a field announces, and the name it needs beside its text; other fields of text count as notes."""
_Stated = Callable[[dict[str, Any]], tuple[tuple[str, str, str], ...]]
_SECTIONS = {section.value: section for section in SectionKind}
_PARTED = {"learnings": items, "notes": points}
"""What parts a field into statements; all others are told in sentences."""
_SCOPE = ("description", "requested_tasks", "reason")
"""Fields of a change of scope that are one statement: no part of it is told as if it were all."""
_FEWEST_WORDS = 2
_FILES = ("files_modified", "files")
_NO_STATEMENT = frozenset(
    {*_FILES, "duration_minutes", "session_id", "started_at", "completed_at", "resolves", "retracts"}
    | {"supplements", "key", "plan", "client_task", "mutes", "commit", "tasks_completed"}
)


def read_entries(entries: Sequence[dict[str, Any]], source: str, memo: Memo | None = None) -> Reading:
    """Return what the entries say, oldest first as they are given; `line` counts entries from 1.

    `memo` remembers what they state from one process to the next.
    """
    stated = memo.of_value(_statements) if memo is not None else _statements
    found = [
        passage for place, entry in enumerate(entries, 1) for passage in _of(entry, source, place, stated)
    ]
    return Reading(tuple(found), len(entries))


def _of(entry: dict[str, Any], source: str, place: int, stated: _Stated) -> Iterator[Passage]:
    when, story = text_of(entry, "timestamp"), text_of(entry, "task_id")
    for nth, (section, label, text) in enumerate(stated(entry)):
        yield Passage(
            text=text,
            line=place,
            last=place,
            source=source,
            form=Form.ITEM,
            section=_SECTIONS[section],
            label=label,
            lead=label,
            entry=place,
            story=story,
            when=when,
            nth=nth,
            depth=1,
        )


def _visible(text: str) -> str:
    """Return a text as one line without what cannot be seen: it is compared with lines that are shown."""
    line = single_spaced(text)
    return line if line.isprintable() else one_line(line)


def _is_clients_reason(entry: dict[str, Any]) -> bool:
    """Return whether it is a word of the client's for why a session ended (`other`), and no statement."""
    reason = text_of(data_of(entry), "reason") or ""
    return entry.get("type") == "session_ended" and len(reason.split()) < _FEWEST_WORDS


def _statements(entry: dict[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """Return section, label and text of all that the fields of an entry state, as plain values."""
    return tuple([(section.value, label, text) for section, label, text in _fields(entry)])


def _fields(entry: dict[str, Any]) -> Iterator[tuple[SectionKind, str, str]]:
    data = data_of(entry)
    if entry.get("type") == SCOPE_CHANGE:
        for piece in telling_of_field(_visible(scope_change(data, text_of(entry, "task_id")))):
            yield SectionKind.WORK, "", piece
        data = {name: value for name, value in data.items() if name not in _SCOPE}
    ordered = (*(name for name in FIELDS if name in data), *(name for name in data if name not in FIELDS))
    for name in ordered:
        if name in _NO_STATEMENT or (name == "reason" and _is_clients_reason(entry)):
            continue
        section, label = FIELDS.get(name, (SectionKind.NOTES, name.replace("_", " ").capitalize()))
        for text in texts_of(data, name):
            for point in _PARTED.get(name, sentences)(text):
                for piece in telling_of_field(_visible(point)):
                    yield section, label, piece
    files = [path for name in _FILES for path in texts_of(data, name)]
    if files:
        yield SectionKind.FILES, "Files", ", ".join(dict.fromkeys(files))
