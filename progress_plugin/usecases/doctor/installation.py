"""Check the installation: the plugin, the Python, the packages and the memory database."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator

from progress_plugin import bootstrap
from progress_plugin.core import environment
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import BadInput
from progress_plugin.core.paths import database_path
from progress_plugin.core.version import VERSION
from progress_plugin.memory import database
from progress_plugin.usecases.doctor.findings import Finding, ok, wrong


def check_installation() -> Iterator[Finding]:
    """Check everything that all projects share."""
    yield ok("plugin", f"{VERSION} in {environment.PLUGIN_ROOT}")
    yield ok("python", f"{platform.python_version()}, {sys.executable}")
    yield _check_packages()
    yield _check_memory()
    client = current_client(None, set(os.environ))
    if client.title:
        yield ok("client", f"{client.title}; finished work is noticed by {client.work_signals}")


def _check_packages() -> Finding:
    if not environment.python():
        return ok("packages", "those of this Python; hooks get theirs at the first session start")
    place = environment.directory()
    if bootstrap.works(place):
        return ok("packages", place)
    return wrong("packages", f"damaged in {place}", "run `agent-progress setup`")


def _check_memory() -> Finding:
    try:
        path = database_path()
        problem = database.why_unusable(path)
    except BadInput as error:
        path, problem = None, str(error)
    if problem:
        remedy = "see docs/memory.md; the rest works without it"
        return wrong("memory", f"the database cannot be used: {problem}", remedy)
    return ok("memory", path if path and os.path.exists(path) else "nothing is stored yet")
