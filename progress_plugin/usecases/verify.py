"""Check log and archive of a project; change nothing (S13)."""

from __future__ import annotations

from datetime import datetime

from progress_plugin.core.project import Project
from progress_plugin.log import verify
from progress_plugin.log.verify import Fault


def findings(project: Project, now: datetime) -> list[Fault]:
    """Return what is wrong, each with its remedy. `now` carries its zone. Raises BadInput as loading does."""
    return verify.verify(project.log_directory, now)
