"""`install` and `uninstall`: register the plugin in the clients of this machine, and take it out again.

Every change is made by the client's own command if it has one, and verified afterwards.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, CLIENTS, COPILOT_HOME
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_cache, user_config, user_data, user_state
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.usecases.install import plugin_copy
from progress_plugin.usecases.install.registrars import REGISTRARS, Registrar, settings_path


class Verdict(StrEnum):
    """The result for one client."""

    REGISTERED = "registered"
    ALREADY = "registered already"
    REMOVED = "taken out"
    NOTHING = "not registered"
    WOULD = "dry run: would run"
    FAILED = "failed"


class Outcome(NamedTuple):
    """The result of an installation for one client."""

    client: str
    title: str
    verdict: Verdict
    did: tuple[str, ...] = ()  # commands and edits, in order
    todo: tuple[str, ...] = ()  # what the user must do
    problem: str = ""


def install(names: Sequence[str], *, dry_run: bool) -> list[Outcome]:
    """Register the plugin in these clients, or in all that are found if no client is named.

    A registration that is current is left alone. Raises BadInput for a client that is not found, and
    AgentProgressError if the plugin's directory cannot be written.
    """
    directory, registrars = plugin_copy.plugin_directory(), _find_registrars(names)
    if not dry_run:
        plugin_copy.write_copy()
    return [_outcome(each, directory, wanted=True, dry_run=dry_run) for each in registrars]


def uninstall(names: Sequence[str], *, dry_run: bool) -> list[Outcome]:
    """Remove the registrations from these clients; raises BadInput as `install`."""
    directory, registrars = plugin_copy.plugin_directory(), _find_registrars(names)
    return [_outcome(each, directory, wanted=False, dry_run=dry_run) for each in registrars]


def find_clients() -> list[str]:
    """Return the names of the clients on this machine."""
    return [name for name, registrar in REGISTRARS.items() if registrar.is_here()]


def find_leftovers(project: Project | None) -> Iterator[tuple[str, str]]:
    """Yield what an uninstallation leaves, and how to remove it: log, status line, the user's directories."""
    if project is not None and os.path.isdir(project.log_directory):
        log = project.log_directory
        is_shared = os.path.isdir(os.path.join(log, SHARED_FOLDER))
        shared = f"; {SHARED_FOLDER}/ is in git: a commit without it removes it for everyone"
        what = f"{log}: the log of this project{shared if is_shared else ''}"
        yield what, f"rm -r {shlex.quote(log)}"
    for variable, default in ((CLAUDE_CONFIG_DIR, "~/.claude"), (COPILOT_HOME, "~/.copilot")):
        settings = os.path.join(settings_path(variable, default), "settings.json")
        if os.path.isfile(settings) and b"agent-progress" in (read_inside(None, settings) or b""):
            yield f"{settings}: it names agent-progress", "remove those lines, such as the status line"
    for place in dict.fromkeys((user_data(), user_state(), user_config(), user_cache())):
        if place and os.path.isdir(place):
            names = ", ".join(sorted(os.listdir(place))) or "empty"
            what = f"{place}: settings and data of all projects ({names})"
            yield what, f"rm -r {shlex.quote(place)}"


def _find_registrars(names: Sequence[str]) -> list[Registrar]:
    registrars = [REGISTRARS[name] for name in names or find_clients()]
    if missing := [CLIENTS[each.name].title for each in registrars if not each.is_here()]:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    return registrars


def _outcome(registrar: Registrar, directory: str, *, wanted: bool, dry_run: bool) -> Outcome:
    """Register or remove the plugin in one client; its failure does not stop the work for the others."""
    name, title = registrar.name, CLIENTS[registrar.name].title
    did: list[str] = []
    try:
        if dry_run:  # starts no client to ask for its state
            did = [line for line, _ in registrar.steps(directory, wanted=wanted)]
            verdict = Verdict.WOULD if did else Verdict.NOTHING
        elif registrar.is_settled(directory, wanted=wanted):
            verdict = Verdict.ALREADY if wanted else Verdict.NOTHING
        else:
            did = _change(registrar, directory, wanted)
            verdict = Verdict.REGISTERED if wanted else Verdict.REMOVED
    except (AgentProgressError, OSError, ValueError) as error:
        return Outcome(name, title, Verdict.FAILED, problem=str(error))
    todo = registrar.next_steps if verdict is Verdict.REGISTERED else ()
    return Outcome(name, title, verdict, tuple(did), todo)


def _change(registrar: Registrar, directory: str, wanted: bool) -> list[str]:
    """Run the steps and return a line for each. Raises AgentProgressError or OSError if one has no effect."""
    lines = []
    for line, run in registrar.steps(directory, wanted=wanted):
        run()
        lines.append(line)
    if not registrar.is_settled(directory, wanted=wanted):
        state = "does not list" if wanted else "still lists"
        raise AgentProgressError(
            f"{CLIENTS[registrar.name].title} {state} the plugin after: {'; '.join(lines)}"
        )
    return lines
