"""`install` and `uninstall`: register the plugin in the clients of this machine, and take it out again.

Every change is made by the client's own command if it has one, and verified afterwards.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from progress_plugin.core import own_command
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_cache, user_config, user_data, user_state
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.usecases.install import plugin_copy
from progress_plugin.usecases.install.client_program import settings_path
from progress_plugin.usecases.install.registrars import REGISTRARS, Registrar, State, Step
from progress_plugin.usecases.promote import FILE


class Verdict(StrEnum):
    """The result for one client."""

    REGISTERED = "registered"
    ALREADY = "registered already"
    REMOVED = "taken out"
    NOTHING = "not registered"
    WOULD = "dry run: would run"
    FAILED = "failed"


class Outcome(NamedTuple):
    """What was done for one client."""

    client: str
    title: str
    verdict: Verdict
    did: tuple[str, ...] = ()  # commands and edits, in order
    todo: tuple[str, ...] = ()  # what the user must do
    problem: str = ""


class Installed(NamedTuple):
    """The result of `install`."""

    directory: str  # the plugin directory that the clients were given
    command: str  # what starts this program in the user's shell: its name, or the launcher
    outcomes: tuple[Outcome, ...]


class Uninstalled(NamedTuple):
    """The result of `uninstall`."""

    removed: tuple[str, ...]  # the plugin's own directories
    outcomes: tuple[Outcome, ...]


class Leftover(NamedTuple):
    """Something that an uninstallation leaves in place."""

    what: str
    remedy: str  # the command, or the sentence, that removes it


def install(names: Sequence[str], *, dry_run: bool) -> Installed:
    """Register the plugin in these clients, or in all that are found if no client is named.

    A registration that is current is left alone. Raises BadInput for a client that is not found, and
    AgentProgressError if the plugin's directory cannot be written.
    """
    directory, registrars = plugin_copy.plugin_directory(), _find_registrars(names)
    if not dry_run:
        plugin_copy.write_copy()
    outcomes = tuple(_outcome(each, directory, wanted=True, dry_run=dry_run) for each in registrars)
    command = own_command.NAME if own_command.is_on_path() else own_command.launcher(directory)
    return Installed(directory, command, outcomes)


def uninstall(names: Sequence[str], *, dry_run: bool) -> Uninstalled:
    """Remove the registrations from these clients; raises BadInput as `install`.

    If no client is named, all are looked at and the plugin's own directory is removed, too.
    """
    directory, registrars = plugin_copy.plugin_directory(), _find_registrars(names)
    outcomes = tuple(_outcome(each, directory, wanted=False, dry_run=dry_run) for each in registrars)
    if names or dry_run or any(outcome.verdict is Verdict.FAILED for outcome in outcomes):
        return Uninstalled((), outcomes)
    copy = plugin_copy.remove_copy()
    return Uninstalled((copy,) if copy else (), outcomes)


def find_clients() -> list[str]:
    """Return the names of the clients on this machine."""
    return [name for name, registrar in REGISTRARS.items() if registrar.is_here()]


def find_leftovers(project: Project | None) -> Iterator[Leftover]:
    """Yield what there is of ours in the project, if one is given, and in the user's directories."""
    if project is not None:
        log, agents_file = project.log_directory, project.path(FILE)
        if os.path.isdir(log):
            is_shared = os.path.isdir(os.path.join(log, SHARED_FOLDER))
            shared = f"; {SHARED_FOLDER}/ is in git: a commit without it removes it for everyone"
            what = f"{log}: the log of this project{shared if is_shared else ''}"
            yield Leftover(what, f"rm -r {shlex.quote(log)}")
        if _has(project.root, agents_file, b"<!-- agent-progress:"):
            what = f"{agents_file}: a block made by `promote`"
            yield Leftover(what, "remove it with both comment lines around it")
    settings = os.path.join(settings_path(CLAUDE_CONFIG_DIR, "~/.claude"), "settings.json")
    if _has(None, settings, b"agent-progress"):
        yield Leftover(f"{settings}: it names agent-progress", "remove those lines, such as the status line")
    for place in dict.fromkeys((user_data(), user_state(), user_config(), user_cache())):
        if place and os.path.isdir(place):
            names = ", ".join(sorted(os.listdir(place))) or "empty"
            what = f"{place}: settings and data of all projects ({names})"
            yield Leftover(what, f"rm -r {shlex.quote(place)}")


def _find_registrars(names: Sequence[str]) -> list[Registrar]:
    registrars = [REGISTRARS[name] for name in names or find_clients()]
    if missing := [each.title for each in registrars if not each.is_here()]:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    return registrars


def _outcome(registrar: Registrar, directory: str, *, wanted: bool, dry_run: bool) -> Outcome:
    """Register or remove the plugin in one client; its failure does not stop the work for the others."""
    did: list[str] = []
    todo: tuple[str, ...] = ()
    try:
        if dry_run:  # starts no client to ask for its state
            did = [step.line for step in _steps(registrar, directory, wanted)]
            verdict = Verdict.WOULD if did else Verdict.NOTHING
        elif _is_settled(registrar, directory, wanted):
            verdict = Verdict.ALREADY if wanted else Verdict.NOTHING
        else:
            did = _change(registrar, directory, wanted)
            verdict = Verdict.REGISTERED if wanted else Verdict.REMOVED
            todo = registrar.next_steps if wanted else ()
    except (AgentProgressError, OSError, ValueError) as error:
        return Outcome(registrar.name, registrar.title, Verdict.FAILED, problem=str(error))
    return Outcome(registrar.name, registrar.title, verdict, tuple(did), todo)


def _steps(registrar: Registrar, directory: str, wanted: bool) -> Iterator[Step]:
    """Yield the steps to the wanted state from any other."""
    yield from registrar.remove_steps()
    if wanted:
        yield from registrar.register_steps(directory)


def _change(registrar: Registrar, directory: str, wanted: bool) -> list[str]:
    """Run the steps and return a line for each. Raises AgentProgressError or OSError if one has no effect."""
    lines = []
    for step in _steps(registrar, directory, wanted):
        step.run()
        lines.append(step.line)
    if not _is_settled(registrar, directory, wanted):
        state = "does not list" if wanted else "still lists"
        raise AgentProgressError(f"{registrar.title} {state} the plugin after: {'; '.join(lines)}")
    return lines


def _is_settled(registrar: Registrar, directory: str, wanted: bool) -> bool:
    return registrar.state(directory) is (State.CURRENT if wanted else State.MISSING)


def _has(root: str | None, path: str, text: bytes) -> bool:
    try:
        return text in (read_inside(root, path) or b"")
    except AgentProgressError:
        return False  # not a regular file
