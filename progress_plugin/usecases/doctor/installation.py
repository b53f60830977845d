"""The Python, the packages, and what is kept for the user as a whole."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from datetime import datetime

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.old_environments import lost_files
from progress_plugin.core.paths import database_path
from progress_plugin.core.version import VERSION
from progress_plugin.memory import database, full_text
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong
from progress_plugin.usecases.doctor.hook_errors import look_at_hook_errors
from progress_plugin.usecases.doctor.process import site_packages
from progress_plugin.usecases.missing_packages import damaged, no_place


def look_at_installation(now: datetime) -> Iterator[Finding]:
    """Look at interpreter, environment, errors of hooks and the memory database. `now` carries its zone."""
    yield ok("plugin", f"{VERSION} in {environment.PLUGIN_ROOT}")
    yield ok("python", f"{platform.python_version()}, {environment.interpreter()}")
    yield from _environment(now)
    yield from look_at_hook_errors(now)
    yield _memory()


def _environment(now: datetime) -> Iterator[Finding]:
    standing = environment.installed_site()
    for home in environment.homes():
        attempts = Attempts(home)
        count, when, reason = attempts.read()
        if count and not standing:
            until = attempts.waits_until(now.timestamp())
            waits = f"; not tried again before {_clock(until)} UTC" if until else ""
            last = _clock(when)
            builds = counted(count, "failed build")
            yield wrong("packages", f"{builds}, the last {last} UTC{waits}: {reason}",
                        "set that right, then run `agent-progress setup`: it does not wait")  # fmt: skip
            return
    if not standing and environment.may_install() and environment.writable_home() is None:
        yield wrong("packages", no_place(), "summaries and records work without them, other commands do not")
        return
    if (told := damaged()) is not None:
        yield wrong("packages", told.partition(";")[0], "run `agent-progress setup`")
        return
    if standing and (lost := lost_files(standing)):
        missing = counted(len(lost), f"file of {standing} is", f"files of {standing} are")
        yield wrong("packages", f"{missing} missing or damaged, such as {lost[0]}",
                    "run `agent-progress setup`")  # fmt: skip
    elif standing:
        yield ok("packages", standing)
    elif site := site_packages():
        yield note("packages", f"this Python's own, {site}; hooks use an environment that is not built yet",
                   "run `agent-progress setup`")  # fmt: skip
    elif not environment.may_install():
        yield wrong(
            "packages",
            "not installed, and AGENT_PROGRESS_NO_INSTALL forbids it",
            "run `agent-progress setup`",
        )
    else:
        yield wrong("packages", "not installed", "run `agent-progress setup`")


def _clock(when: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(when))


def _memory() -> Finding:
    try:
        path = database_path()
        reason = database.why_unusable(path)
    except BadInput as error:
        path, reason = None, str(error)
    if reason:
        return wrong(
            "memory",
            f"the database cannot be used: {reason}",
            "see docs/memory.md; the rest works without it",
        )
    if path is None or not os.path.exists(path):
        return ok("memory", "nothing is kept yet")
    try:
        lost = database.glance(path, _lost_index)
    except AgentProgressError:
        lost = None  # held for a moment: a call waits longer, and then says so itself
    return wrong("memory", *lost) if lost else ok("memory", path)


def _lost_index(memory: database.Store) -> tuple[str, str] | None:
    if full_text.is_there(memory.connection):
        return None
    return full_text.missing(memory.path, own=memory.own)
