"""What git took from the log comes back by itself, and that is said.

Git overwrites a file that it ignores: where others track their log, a pull puts it in the place of ours. And
where a shared history was moved over, the pull that takes the tracked log out of git takes it from the disk.
"""

from __future__ import annotations

from datetime import UTC, datetime

from progress_plugin.core.project import Project
from progress_plugin.log import earlier_versions, repair, store, verify
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import text_of
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.project_writes import lock_of
from progress_plugin.usecases.reading import read_log, read_settings

_KEEP_APART = "`agent-progress config set share true` keeps the logs of several machines apart"

_GIT_TIMEOUT = 1.5
"""Seconds for one look of git's: a start has other things to do in its time."""


def returned(project: Project, timeout: float) -> str | None:
    """Bring back the entries that git took away with the log, and return a line for the user; else None.

    What a commit holds is another branch's, and comes with that. `timeout` is the lock's, in seconds. Raises
    what `repair.repair` raises.
    """
    directory = project.log_directory
    log = store.load(directory)
    if log.damage or log.read_only:
        return None
    gone = [item for items in verify.missing(directory).values() for item in items]
    if not gone or not _took(project, gone[-1], is_there=log.raw is not None):
        if log.raw is not None:
            with lock_of(project, timeout):
                _take_for_seen(directory, log.raw)
        return None
    reading = read_log(project)
    with lock_of(project, timeout):
        repair.repair(
            directory,
            now=datetime.now(UTC),
            project_name=reading.name,
            limits=limits_of(reading.settings),
        )
    number = counted(len(gone), "entry", "entries")
    if log.raw is None:
        return f"the log was gone from here; {number} came back from the copies"
    return f"git had put another progress.json in the place of this one; {number} came back. {_KEEP_APART}"


def _took(project: Project, entry: dict[str, object], *, is_there: bool) -> bool:
    """Return whether git took this entry, and no commit of it can give it back."""
    if project.repository is None:
        return False
    if not is_there:
        return read_settings(project).stored.share
    words = ["ls-files", "--", store.LOG_FILE]
    tracked = project.repository.run(words, project.log_directory, timeout=_GIT_TIMEOUT)
    name = text_of(entry, "id")
    if not tracked or name is None:
        return False
    words = ["log", "--all", "-1", "--format=%H", f"-S{name}", "--", store.LOG_FILE]
    return project.repository.run(words, project.log_directory, timeout=_GIT_TIMEOUT) == b""


def _take_for_seen(directory: str, data: bytes) -> None:
    """Note this version, so that the next start need not ask git again. Caller holds the lock."""
    if store.raw(directory) == data:
        earlier_versions.note_seen(directory, data)
