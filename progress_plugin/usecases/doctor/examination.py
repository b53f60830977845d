"""Everything that `doctor` looks at, in one go; nothing of the user's is changed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

from progress_plugin.core.files.input_records import Inputs
from progress_plugin.core.project import Project
from progress_plugin.usecases.doctor.file_notes import look_at_file_notes
from progress_plugin.usecases.doctor.finding import Finding, FindingState, note
from progress_plugin.usecases.doctor.hook_settings import look_at_registration
from progress_plugin.usecases.doctor.installation import look_at_installation
from progress_plugin.usecases.doctor.project_files import look_at_project
from progress_plugin.usecases.doctor.recording import look_at_client, look_at_signals, rehearse
from progress_plugin.usecases.doctor.starts import look_at_starts
from progress_plugin.usecases.doctor.team import look_at_team
from progress_plugin.usecases.doctor.transcripts import look_at_transcripts
from progress_plugin.usecases.summarizing.sources import read_sources


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found."""

    findings: list[Finding]
    context: str
    """Exactly what an agent gets at a startup here; empty where it gets nothing."""

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.state is FindingState.WRONG for finding in self.findings)


def examine(project: Project | None, now: datetime) -> Examination:
    """Look at installation, hooks and project; None is a place that is no project. `now` carries its zone."""
    installed = [
        *look_at_installation(now),
        look_at_client(set(os.environ)),
        *look_at_registration(project.root if project else None),
        rehearse(),
    ]
    if project is None:
        return Examination(
            [*installed, note("project", "here is none", "go into one, or name it with -C DIR")], ""
        )
    starts, context = look_at_starts(project)
    sources = read_sources(project, Inputs(project.root), os.environ)
    here = [*look_at_project(sources, now), *look_at_signals(sources), *look_at_transcripts(project)]
    here += look_at_team(project)
    files = look_at_file_notes(project, set(os.environ))
    return Examination([*installed, *starts, *files, *here], context)
