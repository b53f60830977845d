"""Have a background process send what was written to the team's server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import Project
from progress_plugin.log import begun_stories, team_state, team_sync


def have_claimed(project: Project, stories: Sequence[str], session: str | None) -> None:
    """Have the next sync claim stories that this session has begun, and start it."""
    with suppress(AgentProgressError, OSError):
        if begun_stories.note(project.log_directory, stories, session):
            team_state.want(project.log_directory)
            team_sync.start(project.main_root)


def have_team_synced(project: Project) -> None:
    """Start a sync of a project that may take part in one; where that cannot be, the next start does."""
    with suppress(AgentProgressError, OSError):
        team_state.want(project.log_directory)
        team_sync.start(project.main_root)
