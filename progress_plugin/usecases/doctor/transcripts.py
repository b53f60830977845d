"""Whether the clients' transcripts are read here, and what was read last."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.core.clients import CLIENTS
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted
from progress_plugin.transcripts.begun_transcripts import begun_transcripts, begun_without_transcript
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import claude_folders, claude_transcripts
from progress_plugin.transcripts.transcripts_of_other_projects import passed_over
from progress_plugin.usecases.doctor.finding import Finding, note, ok
from progress_plugin.usecases.summarizing.last_session import reads_transcripts

_AREA = "transcripts"


def look_at_transcripts(project: Project) -> Iterator[Finding]:
    """Say what was read last, what was not understood, and what waits."""
    if not reads_transcripts(project):
        yield note(_AREA, "switched off: no session is told of the last one", "`config set transcripts true`")
        return
    store = SessionStore(project)
    if store.path is None:
        yield note(_AREA, "without a home nothing is kept of sessions")
        return
    records = store.records()
    if records:
        yield _last_read(records[-1])
    yield from _not_understood(records)
    yield from _not_found(project)
    known = {record.session for record in records}
    files = [file for folder in claude_folders(project) for file in claude_transcripts(folder)]
    files += [file for file in begun_transcripts(project) if os.path.exists(file.path)]
    passed = passed_over(project.root).keys() - known
    silent = Counter(file.client for file in files if file.session in passed)
    for client, number in silent.items():
        told = "tell no work in this directory: they are empty, or of a new format"
        yield note(_AREA, f"{number} of {_title(client)}'s {told}")
    waiting = Counter(file.client for file in files if file.session not in known | passed)
    for client, number in waiting.items():
        yield ok(_AREA, f"{number} of {_title(client)}'s were not read: they are running, or older")
    if not waiting and not records:
        yield ok(_AREA, "none was read here yet; they are read before compactions and at sessions' ends")


def _not_understood(records: Sequence[SessionRecord]) -> Iterator[Finding]:
    """Say of which clients' transcripts lines, or all requests, were not understood."""
    damaged = [record for record in records if _broken(record)]
    if damaged:
        told = f"{sum(map(_broken, damaged))} lines of transcripts could not be read ({_clients(damaged)})"
        yield note(_AREA, f"{told}; they were passed over")
    mute = [record for record in records if not record.asked and not record.keys]
    if mute:
        told = counted(len(mute), "transcript tells", "transcripts tell")
        yield note(_AREA, f"{told} of no request ({_clients(mute)}): the format may be a new one")


def _not_found(project: Project) -> Iterator[Finding]:
    """Say which clients' sessions have begun whose transcripts are not where they are sought."""
    found: dict[str, list[str]] = {}
    for client, path in begun_without_transcript(project):
        found.setdefault(client, []).append(path)
    for client, paths in found.items():
        place = f"at {paths[0]}" if paths[0] else "at a place that is known"
        told = f"{len(paths)} begun sessions of {_title(client)} have no transcript {place}"
        yield note(_AREA, f"{told}: it is written later, or kept elsewhere")


def _clients(records: Iterable[SessionRecord]) -> str:
    return ", ".join(sorted({_title(record.client) for record in records}))


def _title(client: str) -> str:
    return CLIENTS[client].title if client in CLIENTS else client


def _last_read(record: SessionRecord) -> Finding:
    when = record.ended[:16].replace("T", " ")
    return ok(_AREA, f"last read: {record.client}, session {record.short}, up to {when} UTC")


def _broken(record: SessionRecord) -> int:
    states = (state for state in record.reading.values() if isinstance(state, dict))
    return sum(number for state in states if isinstance(number := state.get("broken"), int))
