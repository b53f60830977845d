"""Run all checks of `doctor`; those of the installation are here. Nothing of the user's is changed."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from datetime import datetime

from progress_plugin import VERSION, bootstrap
from progress_plugin.core import environment
from progress_plugin.core.errors import BadInput
from progress_plugin.core.paths import database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.memory import database
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.doctor.hooks import check_error_log, check_settings, check_start
from progress_plugin.usecases.doctor.project import check_project
from progress_plugin.usecases.reading import read_project


def examine(project: Project | None, now: datetime) -> tuple[list[Finding], str]:
    """Return the findings about installation, hooks and project, and the context of a session start here."""
    root = project.root if project else None
    findings = [*check_installation(), *check_settings(root), check_error_log(now, root)]
    if project is None:
        no_project = note("project", "there is no project here", "go into one, or name it with -C DIR")
        return [*findings, no_project], ""
    reading = read_project(project, InputSnapshot(project.root), os.environ)
    start, context = check_start(reading)
    return [*findings, start, *check_project(reading)], context


def check_installation() -> Iterator[Finding]:
    """Check plugin, Python, packages and memory database."""
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
        problem = str(error)
    if problem:
        yield wrong("memory", f"the database cannot be used: {problem}", "see docs/memory.md")
    else:
        yield ok("memory", path if path and os.path.exists(path) else "nothing is stored yet")
