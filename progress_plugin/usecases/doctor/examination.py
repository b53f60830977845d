"""Run all checks of `doctor`; those of the installation are here. Nothing of the user's is changed."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from progress_plugin import VERSION, bootstrap
from progress_plugin.core import environment
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import BadInput
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.memory import database
from progress_plugin.usecases.doctor.findings import Finding, FindingState, note, ok, wrong
from progress_plugin.usecases.doctor.hooks import check_error_log, check_settings, check_start, rehearse
from progress_plugin.usecases.doctor.project import check_project
from progress_plugin.usecases.summarizing.sources import read_sources


class Examination(NamedTuple):
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
    if project is None:
        findings.append(note("project", "there is no project here", "go into one, or name it with -C DIR"))
        return Examination(findings, "")
    sources = read_sources(project, InputSnapshot(project.root), os.environ)
    start, context = check_start(sources)
    return Examination([*findings, start, *check_project(sources)], context)


def check_installation() -> Iterator[Finding]:
    """Check plugin, Python, packages, memory database and client."""
    yield ok("plugin", f"{VERSION} in {environment.PLUGIN_ROOT}")
    yield ok("python", f"{platform.python_version()}, {sys.executable}")
    if not environment.python():
        yield ok("packages", "those of this Python; hooks get theirs at the first session start")
    elif bootstrap.works(environment.directory()):
        yield ok("packages", environment.directory())
    else:
        yield wrong("packages", f"damaged in {environment.directory()}", "run `agent-progress setup`")
    try:
        path = database_path()
        problem = database.why_unusable(path)
    except BadInput as error:
        path, problem = None, str(error)
    if problem:
        remedy = "see docs/memory.md; the rest works without it"
        yield wrong("memory", f"the database cannot be used: {problem}", remedy)
    else:
        yield ok("memory", path if path and os.path.exists(path) else "nothing is stored yet")
    client = current_client(None, set(os.environ))
    if client.title:
        yield ok("client", f"{client.title}; finished work is noticed by {client.work_signals}")
