"""What the recorded sessions prove of the completions in our log, by the entries' ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from progress_plugin.log.entry import data_of, text_of, texts_of, time_of, writer_of
from progress_plugin.log.timestamp import moment
from progress_plugin.transcripts.evidence import (
    FAILED,
    STALE,
    UNCHECKED,
    UNKNOWN,
    Completion,
    Evidence,
    evidence_of,
    last_edit,
)
from progress_plugin.transcripts.timeline import WROTE

if TYPE_CHECKING:
    from progress_plugin.log.history import LogHistory
    from progress_plugin.transcripts.record import SessionRecord
    from progress_plugin.transcripts.timeline import Timeline

_A_START = 30.0
"""Seconds in which the hooks of a start have run."""
_UP_TO = 5.0
"""Seconds that an entry may be younger than the last line of a transcript that was read to its end."""


def evidence_by_entry(
    log: LogHistory, sessions: Sequence[SessionRecord], most: int | None = None
) -> dict[str, Evidence]:
    """Return what is known of each completion whose session was read; the others are left out.

    With `most` only of so many of the newest.
    """
    # What supplements an entry may be of another session than the one that finished the task.
    first = {name: entry for entry in reversed(log.log.entries) if (name := text_of(entry, "id"))}
    by_session: dict[str, list[tuple[str, Completion]]] = {}
    done_entries = list(completions(log))
    for entry in done_entries if most is None else done_entries[-most:]:
        when, name = time_of(entry), text_of(entry, "id")
        record = _session_of(first.get(name or "", entry), sessions)
        if when is None or name is None or record is None or not _is_read(record, when.timestamp()):
            continue
        data = data_of(entry)
        done_by = moment(data.get("completed_at"))
        if done_by is not None:
            if not _has_begun(record, done_by.timestamp()):
                continue
            when = min(when, done_by)
        files = (*texts_of(data, "files_modified"), *texts_of(data, "files"))
        by_session.setdefault(record.session, []).append((name, Completion(when.timestamp(), files)))
    found = {}
    for record in sessions:
        finished = by_session.get(record.session, [])
        times = [done.when for _, done in finished]
        whole = _with_edits_beside(record, sessions, max(times)) if finished else record.timeline
        for name, done in finished:
            evidence = evidence_of(whole, done, times)
            if evidence is not None and evidence.state == UNCHECKED and not evidence.files:
                evidence = _of_session_before(record, sessions, done, times, by_session) or evidence
            if evidence is not None:
                found[name] = evidence
    return found


def _with_edits_beside(record: SessionRecord, sessions: Sequence[SessionRecord], until: float) -> Timeline:
    """Return a session's timeline with what others have written of its files meanwhile."""
    beside = [
        step
        for other in sessions
        if other is not record and record.started <= other.ended
        for step in other.timeline.steps
        if step.kind == WROTE and step.what in record.files and step.when < until + 1
    ]
    return record.timeline.merged(beside) if beside else record.timeline


def _of_session_before(
    record: SessionRecord,
    sessions: Sequence[SessionRecord],
    done: Completion,
    times: Sequence[float],
    by_session: Mapping[str, Sequence[tuple[str, Completion]]],
) -> Evidence | None:
    """Return what the session before leaves open of what this one has only called done; None without it.

    That a check passed there proves nothing: who knows what was written in between.
    """
    earlier = [
        each
        for each in sessions
        if each.ended <= record.started and each.branch == record.branch and each.files
    ]
    if not earlier:
        return None
    before = max(earlier, key=lambda each: each.ended)
    finished = [each.when for _, each in by_session.get(before.session, ())]
    if last_edit(before.timeline) <= max(finished, default=0.0):
        return None  # what it wrote was for a task that it has finished itself
    found = evidence_of(record.timeline.merged(before.timeline.steps), done, [*times, *finished])
    return found if found is not None and found.state in (FAILED, STALE, UNKNOWN) else None


def completions(log: LogHistory) -> Iterator[dict[str, Any]]:
    """Yield the entries by which a person, an agent or a signal calls a task done here, oldest first.

    What came from another clone was done in sessions that are not to be read here.
    """
    for entry in (*log.newest_archived(), *log.entries):
        if entry.get("type") == "task_completed" and writer_of(entry) is None:
            yield entry


def _session_of(entry: dict[str, Any], sessions: Sequence[SessionRecord]) -> SessionRecord | None:
    """Return the session that an entry names; where it names none, the only one of that time."""
    name = text_of(data_of(entry), "session_id")
    if name is not None:
        return next((record for record in sessions if record.session == name), None)
    when = text_of(entry, "timestamp") or ""
    # Both are ISO 8601 in UTC; an entry has no fraction of a second.
    around = [record for record in sessions if record.started[:19] <= when[:19] <= record.ended[:19]]
    return around[0] if len(around) == 1 and when.endswith("Z") else None


def _has_begun(record: SessionRecord, when: float) -> bool:
    """Return whether something had been asked in a session by then: else it found the task done.

    Only a start says by when a task was done that no signal has reported; it runs beside the first request.
    """
    first = moment(record.requests[0].when) if record.requests else None
    return first is not None and first.timestamp() + _A_START < when


def _is_read(record: SessionRecord, when: float) -> bool:
    """Return whether a transcript was read beyond a moment: of what a session is at, nothing is claimed."""
    ended = moment(record.ended)
    return record.over or (ended is not None and ended.timestamp() + _UP_TO >= when)
