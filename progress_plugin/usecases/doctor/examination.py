"""Run all checks of `doctor`; nothing of the user's is changed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.usecases.doctor.findings import Finding, FindingState, note
from progress_plugin.usecases.doctor.history import check_team, check_transcripts
from progress_plugin.usecases.doctor.hooks import check_error_log, check_settings, check_start, rehearse
from progress_plugin.usecases.doctor.installation import check_installation
from progress_plugin.usecases.doctor.project import check_project
from progress_plugin.usecases.summarizing.sources import read_sources


@dataclass(frozen=True, slots=True)
class Examination:
    """The result of all checks."""

    findings: list[Finding]
    context: str
    """What an agent receives at a session start here; empty if it receives nothing."""

    @property
    def is_good(self) -> bool:
        """Return whether nothing is wrong."""
        return not any(finding.state is FindingState.WRONG for finding in self.findings)


def examine(project: Project | None, now: datetime) -> Examination:
    """Check the installation, the hooks and a project, if one is given. `now` carries its time zone."""
    root = project.root if project else None
    findings = [*check_installation(), *check_settings(root), check_error_log(now), rehearse()]
    context = ""
    if project is None:
        findings.append(note("project", "there is no project here", "go into one, or name it with -C DIR"))
    else:
        sources = read_sources(project, InputSnapshot(project.root), os.environ)
        start, context = check_start(sources)
        findings += [start, *check_project(sources), *check_transcripts(project), *check_team(project)]
    return Examination(findings, context)
