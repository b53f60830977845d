"""The log with what a pull has just brought, for whatever is about to read it.

Starts and recording hooks take it in within their own time (`start_output`,
`recording.entries_from_signals`).
"""

from __future__ import annotations

from progress_plugin.core import data_directory
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project


def take_in_latest(project: Project, timeout: float = DEFAULT_TIMEOUT_S) -> None:
    """Put into the log what others have brought through git, where anything may be written down.

    Every command that tells something of the history calls this first: none of them is to know less than
    another. Where nothing is shared it costs one look. `timeout` is the lock's, in seconds.
    """
    if not data_directory.has_shared(project.directory):
        return
    from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals  # noqa: PLC0415 - where history is shared
    from progress_plugin.usecases.starting.start_output import keeps_output  # noqa: PLC0415

    if keeps_output(project):
        take_in_arrivals(project, timeout)
