"""Check the installation: the plugin, the Python, the packages and the memory database."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.util import find_spec

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.packages import environment
from progress_plugin.core.paths import database_path
from progress_plugin.core.version import VERSION
from progress_plugin.memory import database, full_text
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong


def check_installation() -> Iterator[Finding]:
    """Check everything that all projects share."""
    yield ok("plugin", f"{VERSION} in {environment.PLUGIN_ROOT}")
    yield ok("python", f"{platform.python_version()}, {environment.interpreter()}")
    yield _check_packages()
    yield _check_memory()


def _check_packages() -> Finding:
    remedy = "run `agent-progress setup`"
    if site := environment.installed_site():
        return ok("packages", site)
    failures = [reason for home in environment.homes() if (reason := Attempts(home).read()[2])]
    if failures:
        return wrong("packages", f"not installed: {failures[0]}", f"correct that, then {remedy}")
    if site := site_packages():
        return note("packages", f"of this Python, {site}; hooks have no environment yet", remedy)
    return wrong("packages", "not installed", remedy)


def site_packages() -> str | None:
    """Return the directory of the packages: the environment's, else that of the running Python."""
    site = environment.installed_site()
    spec = None if site else find_spec("jinja2")
    return site or (os.path.dirname(os.path.dirname(spec.origin)) if spec and spec.origin else None)


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
