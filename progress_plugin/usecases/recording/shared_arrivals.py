"""The entries of others that came in `shared/`, taken into our log; where there is none that costs one look.

Only entries: that a plan or log changed by a pull is nobody's work here is decided in
`usecases.recording.entries_from_signals` (`_news`), `usecases.summarizing.accepted_baselines` and
`plans.status_changes`; whether a commit was made here or fetched, in `core.git.git_files`
(`Checkout.committed_since`).
"""

from progress_plugin.core.files import data_directory
from progress_plugin.core.project import Project


def take_in_arrivals(project: Project, timeout: float) -> int:
    """Add to our log what is new in `shared/`, and return how many entries; `shared_history.take_in`."""
    if not data_directory.has_shared(project.directory):
        return 0
    from progress_plugin.usecases.recording.shared_history import take_in  # noqa: PLC0415 - only where history is shared

    return take_in(project, timeout)
