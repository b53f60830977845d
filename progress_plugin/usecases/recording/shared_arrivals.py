"""Take the entries that others put into `shared/` into our log."""

from progress_plugin.core import data_directory
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.usecases.project_writes import keeps_output


def take_in_arrivals(project: Project, timeout: float) -> int:
    """Add to our log what is new in `shared/`, and return how many entries; `shared_history.take_in`."""
    if not data_directory.has_shared(project.directory):
        return 0
    from progress_plugin.usecases.recording.shared_history import take_in  # noqa: PLC0415 - only where history is shared

    return take_in(project, timeout)


def take_in_latest(project: Project, timeout: float = DEFAULT_TIMEOUT_S) -> None:
    """Add to our log what is new in `shared/`, unless nothing may be written.

    Every command that shows something of the history calls this first. `timeout` is the lock's, in seconds.
    """
    if keeps_output(project):
        take_in_arrivals(project, timeout)
