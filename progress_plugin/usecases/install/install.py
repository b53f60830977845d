"""`install` and `uninstall`: register the plugin in the clients of this machine, and take it out again.

Every change is made by the client's own command if it has one, and verified afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from progress_plugin.core import own_command
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.usecases.install import plugin_copy
from progress_plugin.usecases.install.client_program import ignored_variables
from progress_plugin.usecases.install.registrars import (
    REGISTRARS,
    Command,
    Edit,
    Registrar,
    Registration,
    Step,
)


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
    registrars = _find_registrars(names, directory)
    if not dry_run:
        plugin_copy.write_copy()
    outcomes = tuple(_outcome_of(_register, each, dry_run=dry_run) for each in registrars)
    is_on_path = own_command.is_on_path()
    command = own_command.NAME if is_on_path else own_command.launcher(directory)
    return Installed(directory, command, outcomes)


def uninstall(names: Sequence[str], *, dry_run: bool) -> Uninstalled:
    """Remove the registrations from these clients; raises BadInput as `install`.

    If no client is named, all are looked at and the plugin's own directories are removed, too.
    """
    registrars = _find_registrars(names, plugin_copy.plugin_directory())
    outcomes = tuple(_outcome_of(_unregister, each, dry_run=dry_run) for each in registrars)
    if names or dry_run or any(outcome.verdict is Verdict.FAILED for outcome in outcomes):
        return Uninstalled((), outcomes)
    copy = plugin_copy.remove_copy()
    return Uninstalled((copy,) if copy else (), outcomes)


def find_clients() -> list[str]:
    """Return the names of the clients on this machine."""
    return [name for name, registrar in REGISTRARS.items() if registrar("").is_here]


def _find_registrars(names: Sequence[str], directory: str) -> list[Registrar]:
    registrars = [REGISTRARS[name](directory) for name in names or REGISTRARS]
    missing = [each.title for each in registrars if not each.is_here]
    if names and missing:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    return [each for each in registrars if each.is_here]


def _outcome_of(
    work: Callable[[Registrar, bool], Outcome], registrar: Registrar, *, dry_run: bool
) -> Outcome:
    """Do the work for one client; its failure does not stop the work for the others."""
    try:
        outcome = work(registrar, dry_run)
    except (AgentProgressError, OSError) as error:
        outcome = Outcome(registrar.name, registrar.title, Verdict.FAILED, problem=str(error))
    return outcome._replace(todo=(*ignored_variables(registrar.name), *outcome.todo))


def _register(registrar: Registrar, dry_run: bool) -> Outcome:
    if dry_run and registrar.is_queried:
        return _would_run(registrar, [*registrar.remove_steps(), *registrar.register_steps()])
    current = registrar.registration()
    if _is_current(current, registrar.directory):
        todo = () if current.is_enabled else ("it is disabled in this client: enable it there",)
        return Outcome(registrar.name, registrar.title, Verdict.ALREADY, todo=todo)
    steps = [*(registrar.remove_steps() if current.source else ()), *registrar.register_steps()]
    if dry_run:
        return _would_run(registrar, steps)
    did = _run_steps(registrar, steps)
    if not _is_current(registrar.registration(), registrar.directory):
        raise AgentProgressError(f"{registrar.title} does not list the plugin afterwards; run: {did[-1]}")
    return Outcome(registrar.name, registrar.title, Verdict.REGISTERED, did, registrar.next_steps)


def _unregister(registrar: Registrar, dry_run: bool) -> Outcome:
    if dry_run:
        steps = [*registrar.remove_steps(), *registrar.cleanup_steps()]
        return _would_run(registrar, steps, registrar.kept())
    did = _run_steps(registrar, registrar.remove_steps()) if registrar.registration().source else ()
    did += _run_steps(registrar, registrar.cleanup_steps())
    if registrar.registration().source:
        raise AgentProgressError(f"{registrar.title} still lists the plugin")
    verdict = Verdict.REMOVED if did else Verdict.NOTHING
    return Outcome(registrar.name, registrar.title, verdict, did, registrar.kept())


def _is_current(registration: Registration, directory: str) -> bool:
    """Return whether this directory is registered, and the client's own copy holds this version."""
    try:
        if registration.source is None or os.path.realpath(registration.source) != os.path.realpath(
            directory
        ):
            return False
    except ValueError:
        return False  # the client names a path with a NUL
    return registration.copy is None or plugin_copy.has_same_content(
        plugin_copy.plugin_directory(), registration.copy
    )


def _would_run(registrar: Registrar, steps: Iterable[Step], todo: tuple[str, ...] = ()) -> Outcome:
    """Return the outcome of a dry run: it starts no client, so it names all steps that may be needed."""
    lines = tuple(_line(registrar, step) for step in steps)
    return Outcome(registrar.name, registrar.title, Verdict.WOULD if lines else Verdict.NOTHING, lines, todo)


def _run_steps(registrar: Registrar, steps: Iterable[Step]) -> tuple[str, ...]:
    """Run the steps in order and return a line for each; raises AgentProgressError at the first failure."""
    lines = []
    for step in steps:
        lines.append(_line(registrar, step))
        if not isinstance(step, Command):
            step.apply()
        elif registrar.program is not None:
            result = registrar.program.run(*step.words)
            if result.code and not step.may_fail:
                raise AgentProgressError(f"{result.command}: {result.message}")
    return tuple(lines)


def _line(registrar: Registrar, step: Step) -> str:
    if isinstance(step, Edit):
        return step.description
    return registrar.program.command_line(step.words) if registrar.program else " ".join(step.words)
