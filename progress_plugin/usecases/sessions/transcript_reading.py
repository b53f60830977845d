"""A transcript read from where the last reading stopped, into the record of its session."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside, read_range
from progress_plugin.core.project import Project
from progress_plugin.log.timestamp import moment
from progress_plugin.text.redact import redact_value
from progress_plugin.transcripts.begun_transcripts import end_begun
from progress_plugin.transcripts.clients.json_members import text
from progress_plugin.transcripts.clients.readers import can_read, place_of, reader_of
from progress_plugin.transcripts.events import Happening
from progress_plugin.transcripts.reading_pause import Pause, end_pause
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile, is_of, of_subagents
from progress_plugin.transcripts.transcript_lines import MOST, Place
from progress_plugin.usecases.sessions.forks import CopiedPart, copied_part

if TYPE_CHECKING:
    from progress_plugin.transcripts.clients.opencode_rows import Rows
    from progress_plugin.transcripts.clients.readers import Reader

_META = ".meta.json"
_PROJECT_MARK = ".project_root"
"""Where Gemini CLI says of which project the chats beside it are."""
_LARGEST_META = 64 * 1024


class Foreign(Exception):
    """A transcript tells of work in another project."""


class Part(Foreign):
    """A transcript is a sub-agent's: what it tells is told with the session that it works for."""


class Outcome(NamedTuple):
    """What came of a reading."""

    record: SessionRecord | None
    """None where it was of another project, or told nothing."""
    is_new: bool
    """Whether anything was read that was not known."""


def read_transcript(
    store: SessionStore, file: TranscriptFile, *, over: bool, is_whole: bool = True, most: int = MOST
) -> Outcome:
    """Read what is new in a transcript, and keep the record. Caller holds the store's lock.

    `over` says that the session ends now; one that had ended before has ended until something is asked in it
    again. Where it is not `is_whole` the session stays one that has begun, so that the next start looks at it
    again. `most` bounds the bytes. Raises AgentProgressError where the record cannot be written.
    """
    records = {record.session: record for record in store.records()}
    known = records.pop(file.session, None)
    record = known or SessionRecord(file.client, file.session, store.project.root)
    if not can_read(record.client):
        return Outcome(None, is_new=False)
    end = end_pause(store.project.root)
    asked = record.requests[-1:]
    try:
        is_new = _main(store.project, record, file.path, list(records.values()), most, end)
        for path in of_subagents(file.path):
            is_new |= _subagent(record, path, most, end)
    except Part:
        end_begun(store.project, file.client, file.session)  # no later start has anything to read of it
        return Outcome(None, is_new=False)
    except Foreign:
        return Outcome(None, is_new=False)
    if not record.reading:
        return Outcome(None, is_new=False)
    if is_new:
        _date(record)
        _commits(store.project, record)
    # Lines follow the end of every session; one that goes on does so with a request.
    ended = over or (record.over and (record.requests[-1:] == asked or record.requests[-1].is_to_client))
    if is_new or ended != record.over or known is None:
        record.over = ended
        store.put([record])
    if over and is_whole:
        end_begun(store.project, file.client, file.session)
    return Outcome(record, is_new)


def unread(record: SessionRecord | None, file: TranscriptFile) -> int:
    """Return the bytes of a transcript that its record does not know of."""
    state = record.reading.get(file.path) if record is not None else None
    return place_of(file.client, file.session, file.path, state).unread


def _main(  # noqa: PLR0913, PLR0917 - what one file is read with
    project: Project,
    record: SessionRecord,
    path: str,
    others: list[SessionRecord],
    most: int,
    end: datetime | None,
) -> bool:
    place, reader = _opened(record, path, "")
    pause, aside = Pause(end), reader_of(record.client, None)
    is_new = record.client == "claude" and not place.is_begun
    copied = copied_part(path, others) if is_new else CopiedPart(set())
    is_known_ours = place.is_begun or _told_outside(project, record.client, path)
    before = place.offset
    for line in place.lines(most):
        if not is_known_ours and (directory := reader.directory(line)):
            if not is_of(project, directory):
                raise Foreign(path)
            is_known_ours = True
        if copied.covers(line):
            continue
        _take(record, line, reader, aside, pause)
        if reader.is_part or aside.is_part:
            raise Part(path)
    if is_known_ours and record.client == "copilot" and place.offset > before and not pause.has_hidden:
        for event in _copilots_todos(path, record.ended):
            record.take(event)
    if is_known_ours:
        _keep(record, path, place, reader)
    return is_known_ours and place.offset > before


def _take(record: SessionRecord, line: dict[str, Any], reader: Reader, aside: Reader, pause: Pause) -> None:
    """Take in what a line tells; one of a pause goes to `aside`, of which nothing is kept."""
    if pause.covers(line):
        for _ in aside.events(line):
            pass
        return
    for event in reader.events(line):
        if not pause.hides(event):
            record.take(event)


def _told_outside(project: Project, client: str, path: str) -> bool:
    """Return whether a file beside the transcript tells its project, where the transcript does not."""
    if client != "gemini":
        return False
    mark = os.path.join(os.path.dirname(os.path.dirname(path)), _PROJECT_MARK)
    named = read_range(None, mark, 0, _LARGEST_META).decode("utf-8", "replace").strip()
    if not named or not is_of(project, named):
        raise Foreign(path)
    return True


def _copilots_todos(path: str, when: str) -> Iterable[Happening]:
    from progress_plugin.transcripts.clients.copilot_todos import todos  # noqa: PLC0415 - SQLite: 7 ms, for one client

    return todos(path, when)


def _subagent(record: SessionRecord, path: str, most: int, end: datetime | None) -> bool:
    place, reader = _opened(record, path, _agent(path))
    pause, aside = Pause(end), reader_of(record.client, None)
    before = place.offset
    for line in place.lines(most):
        _take(record, line, reader, aside, pause)
    _keep(record, path, place, reader)
    return place.offset > before


def _opened(record: SessionRecord, path: str, agent: str) -> tuple[Place | Rows, Reader]:
    state: Any = record.reading.get(path)
    place = place_of(record.client, record.session, path, state)
    if not place.still_fits():
        state, place = None, place_of(record.client, record.session, path)
    return place, reader_of(record.client, state.get("carried") if isinstance(state, dict) else None, agent)


def _keep(record: SessionRecord, path: str, place: Place | Rows, reader: Reader) -> None:
    # Commands without a result yet wait here: they are kept, so they are redacted.
    record.reading[path] = place.as_json() | {"carried": redact_value(reader.carried)[0]}


def _agent(path: str) -> str:
    meta = path.removesuffix(".jsonl") + _META
    try:
        data = read_inside(None, meta, _LARGEST_META)
        told = json.loads(data) if data else None
    except (BadInput, ValueError, RecursionError):
        told = None
    return text(told, "agentType") or "sub-agent"


def _date(record: SessionRecord) -> None:
    """Have a session end by now whose clock was years ahead: it would be the last one until then."""
    now = datetime.now(UTC)
    if record.ended[:4] > str(now.year + 1):
        record.ended = now.strftime("%Y-%m-%dT%H:%M:%SZ")
        record.started = min(record.started, record.ended)


def _commits(project: Project, record: SessionRecord) -> None:
    """Take the session's own of the commits made here while it ran from git's own record of moves.

    Git's times have no fraction, and nobody commits in the second in which a session begins.
    """
    first, last = moment(record.started), moment(record.ended)
    if project.repository is None or not first or not last:
        return
    from progress_plugin.transcripts.own_commits import own_commits  # noqa: PLC0415 - only to read more

    made = project.repository.local_commits(first.timestamp() + 1, last.timestamp() + 1)
    known = {commit.id for commit in record.commits}
    own = own_commits(
        made,
        record.commit_calls,
        known,
        record.files,
        partial(project.repository.files_of_each, directory=project.root),
    )
    record.made((commit.id, commit.subject) for commit in own)
