"""Check the installation: the plugin, the Python, the packages and the memory database."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator

from progress_plugin import bootstrap
from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.paths import database_path
from progress_plugin.core.version import VERSION
from progress_plugin.memory import database, full_text
from progress_plugin.usecases.doctor.findings import Finding, ok, wrong


def check_installation() -> Iterator[Finding]:
    """Check everything that all projects share."""
    yield ok("plugin", f"{VERSION} in {environment.PLUGIN_ROOT}")
    yield ok("python", f"{platform.python_version()}, {sys.executable}")
    yield _check_packages()
    yield _check_memory()


def _check_packages() -> Finding:
    has_own = not sys.flags.no_site  # installed by pip, or a checkout
    if environment.python():
        place = environment.directory()
        problem = None if bootstrap.works(place) else f"damaged in {place}"
    else:
        place = "those of this Python; hooks get theirs at the first session start"
        problem = bootstrap.back_off_reason(time.time()) or (None if has_own else "not installed")
    return wrong("packages", problem, "run `agent-progress setup`") if problem else ok("packages", place)


def _check_memory() -> Finding:
    try:
        path = database_path()
        problem = database.why_unusable(path)
    except BadInput as error:
        path, problem = None, str(error)
    if problem:
        remedy = "see docs/memory.md; the rest works without it"
        return wrong("memory", f"the database cannot be used: {problem}", remedy)
    if path is None or not os.path.exists(path):
        return ok("memory", "nothing is stored yet")
    try:
        missing = database.glance(path, _missing_index)
    except AgentProgressError:
        missing = None  # another process is writing
    return wrong("memory", *missing) if missing else ok("memory", path)


def _missing_index(memory: database.Store) -> tuple[str, str] | None:
    if full_text.is_there(memory.connection):
        return None
    return full_text.missing(memory.path, own=memory.own)
