"""Find evidence for the completions of our log in the recorded sessions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from progress_plugin.log.entry import data_of, text_of, texts_of, time_of, writer_of
from progress_plugin.log.store import LogHistory
from progress_plugin.log.timestamp import moment
from progress_plugin.transcripts.evidence import Completion, Evidence, evidence_of
from progress_plugin.transcripts.record import SessionRecord

START_S = 30.0  # in which the hooks of a start have run
UP_TO_S = 5.0  # that an entry may be younger than the last line of a transcript that was read to its end


def evidence_by_entry(
    log: LogHistory, sessions: Sequence[SessionRecord], most: int | None = None
) -> dict[str, Evidence]:
    """Return the evidence by entry id, for the completions whose session was read.

    With `most` only of so many of the newest.
    """
    # What supplements an entry may be of another session than the one that finished the task.
    first = {name: entry for entry in reversed(log.log.entries) if (name := text_of(entry, "id"))}
    finished: defaultdict[str, dict[str, Completion]] = defaultdict(dict)
    for entry in list(completions(log))[-most if most else 0 :]:
        name = text_of(entry, "id") or ""
        record = _session_of(first.get(name, entry), sessions)
        done = _completion(entry, record) if record is not None else None
        if name and record is not None and done is not None:
            finished[record.session][name] = done
    found = {
        name: evidence_of(record.steps, done, [each.when for each in finished[record.session].values()])
        for record in sessions
        for name, done in finished[record.session].items()
    }
    return {name: evidence for name, evidence in found.items() if evidence is not None}


def completions(log: LogHistory) -> Iterator[dict[str, Any]]:
    """Yield the entries by which a person, an agent or a signal calls a task done here, oldest first.

    What came from another clone was done in sessions that are not to be read here.
    """
    for entry in log.effective_entries:
        if entry.get("type") == "task_completed" and writer_of(entry) is None:
            yield entry


def _completion(entry: dict[str, Any], record: SessionRecord) -> Completion | None:
    """Return when a session called a task done; None if it is not read so far, or if it found it done.

    Only a start says by when a task was done that no signal has reported; it runs beside the first request.
    """
    when, data = time_of(entry), data_of(entry)
    read_until = moment(record.ended)
    is_read = record.over or (when and read_until and (when - read_until).total_seconds() <= UP_TO_S)
    if when is None or not is_read:
        return None
    done_by = moment(data.get("completed_at"))
    if done_by is not None:
        asked = moment(record.requests[0].when) if record.requests else None
        if asked is None or (done_by - asked).total_seconds() <= START_S:
            return None
        when = min(when, done_by)
    return Completion(when.timestamp(), (*texts_of(data, "files_modified"), *texts_of(data, "files")))


def _session_of(entry: dict[str, Any], sessions: Sequence[SessionRecord]) -> SessionRecord | None:
    """Return the session that an entry names; if it names none, the only one of that time."""
    name = text_of(data_of(entry), "session_id")
    if name is not None:
        return next((record for record in sessions if record.session == name), None)
    when = text_of(entry, "timestamp") or ""
    # Both are ISO 8601 in UTC; an entry has no fraction of a second.
    around = [record for record in sessions if record.started[:19] <= when[:19] <= record.ended[:19]]
    return around[0] if len(around) == 1 and when.endswith("Z") else None
