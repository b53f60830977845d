"""Whether the clients' transcripts are read here, and what was read last (S19.6).

Whether they are read is decided in `usecases.summarizing.session_input` (`reads_transcripts`).
"""

from __future__ import annotations

from collections.abc import Iterator

from progress_plugin.core.project import Project
from progress_plugin.transcripts.passed_over import passed_over
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript_files import claude_folders, claude_transcripts
from progress_plugin.usecases.doctor.finding import Finding, note, ok
from progress_plugin.usecases.summarizing.session_input import reads_transcripts

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
    broken = sum(map(_broken, records))
    if broken:
        yield note(_AREA, f"{broken} lines of transcripts could not be read; they were passed over")
    mute = [record for record in records if not record.asked and not record.keys]
    if mute:
        yield note(_AREA, f"{len(mute)} transcripts tell of no request: their format may be a new one")
    known = {record.session for record in records}
    files = [file for folder in claude_folders(project) for file in claude_transcripts(folder)]
    silent = passed_over(project.root).keys() & {file.session for file in files} - known
    if silent:
        told = "tell no work in this directory: they are empty, or of a new format"
        yield note(_AREA, f"{len(silent)} of Claude Code's {told}")
    waiting = [file for file in files if file.session not in known | silent]
    if waiting:
        yield ok(_AREA, f"{len(waiting)} of Claude Code's were not read: they are running, or older")
    elif not records:
        yield ok(_AREA, "none was read here yet; they are read before compactions and at sessions' ends")


def _last_read(record: SessionRecord) -> Finding:
    when = record.ended[:16].replace("T", " ")
    return ok(_AREA, f"last read: {record.client}, session {record.session[:8]}, up to {when} UTC")


def _broken(record: SessionRecord) -> int:
    states = (state for state in record.reading.values() if isinstance(state, dict))
    return sum(number for state in states if isinstance(number := state.get("broken"), int))
