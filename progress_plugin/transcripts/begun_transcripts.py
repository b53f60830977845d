"""The transcripts of begun sessions, of clients that keep those of all projects in one place."""

import os
import time
from collections.abc import Iterable

from progress_plugin.core.files import list_inside, read_range
from progress_plugin.core.paths import is_outside
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import folder_of_begun
from progress_plugin.transcripts.clients.readers import can_read
from progress_plugin.transcripts.transcript_files import TranscriptFile, usual_path

_MOST = 20
"""Notes that are followed, the newest; the others go."""
_KEPT_FOR = 30 * 86400
"""Seconds after which a note goes: a session without an end is not resumed for so long."""
_LONGEST_PATH = 4096


def begun_transcripts(project: Project, *, besides: str | None = None) -> list[TranscriptFile]:
    """Return the transcripts of sessions that have begun and not ended, but for one session's."""
    found = []
    for name, noted in _notes(project)[:_MOST]:
        client, session, path = _told(project, name)
        if session == besides or not path or not can_read(client) or not is_outside(path, project.root):
            continue
        # A transcript may be written later; a database is that of all sessions: the note knows when it began.
        changed = noted if client == "opencode" else max(noted, _changed(path))
        found.append(TranscriptFile(client, session, path, changed))
    return found


def _told(project: Project, name: str) -> tuple[str, str, str | None]:
    """Return client, session and transcript of a note."""
    client, _, session = name.partition(".")
    told = read_range(None, os.path.join(folder_of_begun(project.root) or "", name), 0, _LONGEST_PATH)
    return client, session, os.fsdecode(told) or usual_path(client, session, project.root)


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return 0


def end_begun(project: Project, client: str, session: str) -> None:
    """Take away the note of a session that has ended."""
    _take_away(project, [f"{client}.{session}"])


def forget_begun(project: Project) -> None:
    """Take away the notes that are too many or too old."""
    since = (time.time() - _KEPT_FOR) * 1e9
    notes = _notes(project)
    _take_away(
        project, [name for place, (name, noted) in enumerate(notes) if place >= _MOST or noted < since]
    )


def _take_away(project: Project, names: Iterable[str]) -> None:
    folder = folder_of_begun(project.root)
    for name in names if folder else ():
        try:
            os.unlink(os.path.join(folder or "", name))
        except (OSError, ValueError):  # a session can be named with a null byte, no note can
            continue


def _notes(project: Project) -> list[tuple[str, int]]:
    """Return the names of notes and when each was made, in ns, the newest first."""
    folder = folder_of_begun(project.root)
    found = []
    for name in list_inside(None, folder) if folder else ():
        try:
            found.append((name, os.stat(os.path.join(folder or "", name)).st_mtime_ns))
        except OSError:
            continue
    return sorted(found, key=lambda note: note[1], reverse=True)
