"""Read the entries of our own log as records that decide a status, and as a log that can be shown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.agent_logs.noise import is_noise
from progress_plugin.agent_logs.sections import section_of
from progress_plugin.agent_logs.statements import shape
from progress_plugin.core.git import ALREADY_MERGED
from progress_plugin.log.entry import data_of, is_signal, text_of, texts_of, time_of, writer_of
from progress_plugin.log.merge import read_blockers
from progress_plugin.log.progress_md import headline, headline_field
from progress_plugin.model.status import STATUS_OF_TYPE, Status
from progress_plugin.model.work import AgentLog, Entry, Learning, Report, Source, Statement
from progress_plugin.state.matching import shares_words
from progress_plugin.state.state import Record
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import points

PATH = "progress.json"
MAX_OPEN_STEP_AGE = 10  # an open next step is no longer shown after so many entries
MIN_LISTED = 3  # a line with so many parts between `;` is a list; with two parts it is a sentence

SESSION_TYPES = frozenset({"session_started", "session_ended"})
_FIELDS = {
    "description": (None, ""),
    "notes": ("notes", ""),
    "learnings": ("learned", ""),
    "issue": ("blocked", "Issue"),
    "suggested_resolution": ("blocked", "Suggested resolution"),
    "root_cause": ("gotcha", "Root cause"),
    "resolution": ("gotcha", "Resolution"),
    "focus_task": ("focus", "Focus"),
    "context": ("notes", ""),
    "requested_tasks": ("notes", "The user asked for"),
    "reason": ("notes", "Reason"),
    "next_steps": ("next", "Next"),
}
"""By the name of a field in an entry's data: the section of its texts, and their label."""
_WORK_FIELDS = frozenset({"description", "notes"})
_BETWEEN_POINTS = LazyPattern(r"; (?![^(]*\))")  # in brackets it may be code
_FIELDS_SHOWN_ELSEWHERE = frozenset(
    {"files_modified", "files", "resolves", "retracts", "supplements", "mutes"}
    | {"session_id", "started_at", "completed_at", "duration_minutes", "key", "plan", "client_task", "commit"}
)


@dataclass(frozen=True)
class OwnLog:
    """Our own log: its records for `decide`, its open steps and blockers, and its entries to show."""

    records: tuple[Record, ...] = ()
    stated: AgentLog = AgentLog(PATH, "log")  # steps and blockers only  # noqa: RUF009 - it is frozen
    entries: Sequence[dict[str, Any]] = ()  # as they were logged, without claims
    merge_times: Mapping[str, int] | None = None
    muted: tuple[str, ...] = ()  # learnings that the user does not want to see

    @cached_property
    def log(self) -> AgentLog:
        """The entries as they are shown; made only if needed."""
        return read_entries(self.entries, self.merge_times)


def read_own_log(
    entries: Sequence[dict[str, Any]], merge_times: Mapping[str, int] | None = None, muted: Sequence[str] = ()
) -> OwnLog:
    """Read effective entries, the oldest first, numbered from 1; the number is the line of the source.

    `merge_times` maps a branch to the time of its merge base with HEAD; None if no branch is checked out. An
    entry of a branch after that time does not finish its story here, and its title names the branch.
    """
    open_ids = {id(entry) for entry in read_blockers(entries).open}
    records = [
        _record(entry, _is_elsewhere(entry, merge_times), is_open=id(entry) in open_ids) for entry in entries
    ]
    blockers = [
        Report(Status.BLOCKED, _named_blocker(entry), _source(number, entry), record=record.id)
        for number, (entry, record) in enumerate(zip(entries, records, strict=True), 1)
        if record.status is Status.BLOCKED and not record.is_repeated
    ]
    stated = AgentLog(PATH, "log", next_steps=tuple(_open_steps(entries)), blockers=tuple(blockers))
    texts = [text for entry in entries for text in texts_of(data_of(entry), "mutes")]
    return OwnLog(tuple(records), stated, entries, merge_times, tuple(dict.fromkeys([*muted, *texts])))


def read_entries(entries: Sequence[dict[str, Any]], merge_times: Mapping[str, int] | None = None) -> AgentLog:
    """Return the entries as they are shown; none of them may be a claim."""
    shown = (
        _entry(number, entry, _is_elsewhere(entry, merge_times)) for number, entry in enumerate(entries, 1)
    )
    stated_by_entry = [list(_statements(number, entry)) for number, entry in enumerate(entries, 1)]
    statements = [each for of_entry in stated_by_entry for each in shape(of_entry)]
    learnings = [
        Learning(each.text, kind_of(each), each.source, each.entry, each.story)
        for of_entry in stated_by_entry
        for each in of_entry
        if each.section in {"learned", "gotcha"}
    ]
    return AgentLog(PATH, "log", tuple(shown), tuple(statements), tuple(learnings))


def newest_plan(entries: Sequence[dict[str, Any]]) -> str:
    """Return the plan of the newest entry that names one: its path, or the name of its folder."""
    return next((plan for entry in reversed(entries) if (plan := _plan_of(entry))), "")


def _plan_of(entry: dict[str, Any]) -> str:
    story = entry.get("story")
    planned = story if isinstance(story, dict) else {}
    return text_of(planned, "plan") or text_of(entry, "spec") or ""


def _is_elsewhere(entry: dict[str, Any], merge_times: Mapping[str, int] | None) -> bool:
    """Return whether an entry is about work on another branch that is not part of HEAD.

    A deleted branch of this clone counts as merged. An unknown branch of another clone does not.
    """
    branch, when = text_of(entry, "branch"), time_of(entry)
    if branch is None or merge_times is None:
        return False
    until = merge_times.get(branch, 0 if writer_of(entry) else ALREADY_MERGED)
    return until != ALREADY_MERGED and (when is None or when.timestamp() >= until)


def _record(entry: dict[str, Any], is_elsewhere: bool, *, is_open: bool) -> Record:
    kind, story = text_of(entry, "type") or "", entry.get("story")
    planned = story if isinstance(story, dict) else {}
    status = STATUS_OF_TYPE.get(kind)
    is_blocker = status is Status.BLOCKED
    return Record(
        id=text_of(entry, "id") or "",
        story=text_of(entry, "task_id") or text_of(planned, "title") or headline(entry),
        text=_blocker_text(entry) if is_blocker else headline(entry),
        date=_date(entry),
        status=None if (not is_open if is_blocker else is_elsewhere) else status,
        plan=_plan_of(entry),
        is_repeated=is_blocker and is_signal(entry),
        is_stated=not is_signal(entry) or writer_of(entry) is not None,
        time_s=int(when.timestamp()) if (when := time_of(entry)) else 0,
        writer=writer_of(entry) or "",
        title=text_of(planned, "title") or "",
    )


def _blocker_text(entry: dict[str, Any]) -> str:
    data = data_of(entry)
    parts = [text_of(data, name) for name in ("issue", "suggested_resolution")]
    return "; ".join(part for part in parts if part) or headline(entry)


def _named_blocker(entry: dict[str, Any]) -> str:
    """Return the text of a blocker, with its spec and task in front if the text does not name them."""
    text = _blocker_text(entry)
    names = [name for field in ("spec", "task_id") if (name := text_of(entry, field)) and name not in text]
    return f"{' '.join(names)}: {text}" if names else text


def _open_steps(entries: Sequence[dict[str, Any]]) -> Iterator[Report]:
    """Yield the next steps of the newest entry that has any, except those that a later entry is about."""
    later: list[str] = []
    for number, entry in [*enumerate(entries, 1)][: -MAX_OPEN_STEP_AGE - 1 : -1]:
        steps = [point for text in texts_of(data_of(entry), "next_steps") for point in points(text)]
        for step in steps:
            if not any(shares_words(step, text) for text in later):
                yield Report(Status.PENDING, step, _source(number, entry))
        if steps:
            return
        later.append(headline(entry))


def _entry(number: int, entry: dict[str, Any], is_elsewhere: bool) -> Entry:
    data, story, task = data_of(entry), entry.get("story"), text_of(entry, "task_id")
    planned = text_of(story, "title") if isinstance(story, dict) else None
    is_named = bool(task) or _is_bare_session(entry)  # then the title is the plan's, or there is none
    title = planned or ("" if is_named else headline(entry))
    branch = text_of(entry, "branch")
    status = STATUS_OF_TYPE.get(text_of(entry, "type") or "")
    return Entry(
        number,
        f"{title} (on branch {branch}, not merged)".lstrip() if is_elsewhere and (title or task) else title,
        _source(number, entry),
        (task,) if task else (),
        _date(entry),
        None if is_elsewhere and status is not Status.BLOCKED else status,
        tuple(dict.fromkeys([*texts_of(data, "files_modified"), *texts_of(data, "files")])),
    )


def _is_bare_session(entry: dict[str, Any]) -> bool:
    """Return whether an entry says only that a session began or ended."""
    return text_of(entry, "type") in SESSION_TYPES and headline_field(entry) in {None, "reason"}


def _statements(number: int, entry: dict[str, Any]) -> Iterator[Statement]:
    """Yield the texts of an entry's fields; the name of an unknown field becomes the label of its text."""
    data, nth = data_of(entry), 0
    is_blocker = text_of(entry, "type") == "task_blocked"
    names = [name for name in _FIELDS if name in data]
    names += [name for name in data if name not in _FIELDS and name not in _FIELDS_SHOWN_ELSEWHERE]
    source, story = _source(number, entry), text_of(entry, "task_id")
    for name in names:
        words = name.replace("_", " ")
        section, label = _FIELDS.get(name) or (section_of(words), words.capitalize())
        section = "blocked" if is_blocker and name == "description" else section
        for text in _points_of(data, name):
            if is_noise(text) or (name == "reason" and _is_bare_session(entry)):
                continue
            labelled = f"{label}: {text}" if label else text
            yield Statement(labelled, source, section, form="item", entry=number, nth=nth, story=story)
            nth += 1


def _points_of(data: dict[str, Any], name: str) -> Iterator[str]:
    """Yield the points of a field; a description is often a list on one line: `Add X; mend Y; drop Z`."""
    for point in (point for text in texts_of(data, name) for point in points(text)):
        parts = _BETWEEN_POINTS.split(point) if name in _WORK_FIELDS else []
        yield from parts if len(parts) >= MIN_LISTED else [point]


def _source(number: int, entry: dict[str, Any]) -> Source:
    return Source(PATH, number, date=_date(entry), writer=writer_of(entry) or "")


def _date(entry: dict[str, Any]) -> dt.date | None:
    when = time_of(entry)
    return when.astimezone().date() if when else None
