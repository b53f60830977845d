"""`install` and `uninstall`: register the plugin in the clients of this machine, and take it out again.

Every change is made by the client's own command if it has one, and verified afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from progress_plugin.core import own_command
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.usecases.install import plugin_copy
from progress_plugin.usecases.install.registrars import REGISTRARS, Registrar, Step


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
    did: tuple[str, ...] = ()
    """Commands and edits, in order."""
    todo: tuple[str, ...] = ()
    """What the user must do."""
    problem: str = ""


class Installed(NamedTuple):
    """The result of `install`."""

    directory: str
    """The plugin directory that the clients were given."""
    command: str
    """What starts this program in the user's shell: its name, or the launcher if PATH does not have it."""
    outcomes: tuple[Outcome, ...]


class Uninstalled(NamedTuple):
    """The result of `uninstall`."""

    removed: tuple[str, ...]
    """The plugin's own directories that were removed."""
    outcomes: tuple[Outcome, ...]


def install(names: Sequence[str], *, dry_run: bool) -> Installed:
    """Register the plugin in these clients, or in all that are found if no client is named.

    A registration that is current is left alone. Raises BadInput for a client that is not found, and
    AgentProgressError if the plugin's directory cannot be written.
    """
    directory = plugin_copy.plugin_directory()
    registrars = _find_registrars(names)
    if not dry_run:
        plugin_copy.write_copy()
    outcomes = tuple(_outcome(each, wanted=True, dry_run=dry_run) for each in registrars)
    command = own_command.NAME if own_command.is_on_path() else own_command.launcher(directory)
    return Installed(directory, command, outcomes)


def uninstall(names: Sequence[str], *, dry_run: bool) -> Uninstalled:
    """Remove the registrations from these clients; raises BadInput as `install`.

    If no client is named, all are looked at and the plugin's own directory is removed, too.
    """
    outcomes = tuple(_outcome(each, wanted=False, dry_run=dry_run) for each in _find_registrars(names))
    if names or dry_run or any(outcome.verdict is Verdict.FAILED for outcome in outcomes):
        return Uninstalled((), outcomes)
    copy = plugin_copy.remove_copy()
    return Uninstalled((copy,) if copy else (), outcomes)


def find_clients() -> list[str]:
    """Return the names of the clients on this machine."""
    return [registrar.name for registrar in _find_registrars(())]


def _find_registrars(names: Sequence[str]) -> list[Registrar]:
    directory = plugin_copy.plugin_directory()
    registrars = [REGISTRARS[name](directory) for name in names or REGISTRARS]
    missing = [each.title for each in registrars if not each.is_here]
    if names and missing:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    return [each for each in registrars if each.is_here]


def _outcome(registrar: Registrar, *, wanted: bool, dry_run: bool) -> Outcome:
    """Register or remove the plugin in one client; its failure does not stop the work for the others."""
    todo: tuple[str, ...] = ()
    try:
        if dry_run:
            did = tuple(step.line for step in _steps(registrar, wanted))
            verdict = Verdict.WOULD if did else Verdict.NOTHING
        elif _is_settled(registrar, wanted):
            did = ()
            verdict = Verdict.ALREADY if wanted else Verdict.NOTHING
        else:
            did = _change(registrar, wanted)
            verdict = Verdict.REGISTERED if wanted else Verdict.REMOVED
            todo = registrar.next_steps if wanted else ()
    except (AgentProgressError, OSError, ValueError) as error:
        return Outcome(registrar.name, registrar.title, Verdict.FAILED, problem=str(error))
    return Outcome(registrar.name, registrar.title, verdict, did, todo)


def _steps(registrar: Registrar, wanted: bool) -> Iterator[Step]:
    """Yield the steps to the wanted state from any other: a dry run starts no client to ask for its state."""
    yield from registrar.remove_steps()
    if wanted:
        yield from registrar.register_steps()


def _change(registrar: Registrar, wanted: bool) -> tuple[str, ...]:
    """Run the steps and return a line for each. Raises AgentProgressError or OSError if one has no effect."""
    lines = []
    for step in _steps(registrar, wanted):
        step.run()
        lines.append(step.line)
    if not _is_settled(registrar, wanted):
        state = "does not list" if wanted else "still lists"
        raise AgentProgressError(f"{registrar.title} {state} the plugin after: {'; '.join(lines)}")
    return tuple(lines)


def _is_settled(registrar: Registrar, wanted: bool) -> bool:
    """Return whether the plugin is registered with current content, or is not registered, as wanted."""
    source, copy = registrar.registration()
    if source is None or not wanted:
        return source is None and not wanted
    is_ours = os.path.realpath(source) == os.path.realpath(registrar.directory)
    return is_ours and (copy is None or plugin_copy.is_up_to_date(copy))
