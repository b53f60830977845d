"""Take the entries that others put into `shared/` into our log."""

from progress_plugin.core import data_directory
from progress_plugin.core.project import Project


def take_in_arrivals(project: Project, timeout: float) -> int:
    """Add to our log what is new in `shared/`, and return how many entries; `shared_history.take_in`."""
    if not data_directory.has_shared(project.directory):
        return 0
    from progress_plugin.usecases.recording.shared_history import take_in  # noqa: PLC0415 - only where history is shared

    return take_in(project, timeout)
