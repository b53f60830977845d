"""`install` and `uninstall`: the plugin registered in the clients of this machine, and taken back.

What is asked of each client (is it here, what does it have, is that ours) is in
`usecases.registration.registrars`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.fast import own_command
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.old_environments import forget_lent
from progress_plugin.usecases import setup
from progress_plugin.usecases.registration import plugin_directory
from progress_plugin.usecases.registration.plugin_state import Command, Step, is_current
from progress_plugin.usecases.registration.registrars import REGISTRARS, Registrar

_Work = Callable[[Registrar, bool], "Outcome"]


class Verdict(StrEnum):
    """What came of it for one client."""

    REGISTERED = "registered"
    ALREADY = "registered already"
    REMOVED = "taken out"
    NOTHING = "not registered"
    WOULD = "would run"
    UNASKED = "not asked by a dry run; would run what is needed of these"
    FAILED = "failed"


class Outcome(NamedTuple):
    """What was done for one client."""

    client: str
    title: str
    verdict: Verdict
    did: tuple[str, ...] = ()
    """Commands and edits, in order."""
    todo: tuple[str, ...] = ()
    """What the user must still do."""
    problem: str = ""


class Installed(NamedTuple):
    """What `install` did."""

    directory: str
    """What the clients were given."""
    packages: str | None
    """Where the packages are that their copies of the plugin use; None where they build their own."""
    command: str
    """What starts this program in the user's shell: its name, or the launcher where the PATH has none."""
    outcomes: tuple[Outcome, ...]


class Uninstalled(NamedTuple):
    """What `uninstall` did."""

    removed: tuple[str, ...]
    """Directories of the plugin's own that are gone."""
    outcomes: tuple[Outcome, ...]


def install(names: Sequence[str], *, now: float, dry_run: bool) -> Installed:
    """Register the plugin in these clients, in all that are here where none is named.

    What is registered as it should be is left alone. Raises BadInput for a client that is not here, and
    AgentProgressError where the plugin's directory cannot be written.
    """
    directory = plugin_directory.directory()
    chosen = _chosen(names, directory)
    packages = None
    if not dry_run:
        plugin_directory.write_copy()
        packages = setup.lend_packages(now)
    outcomes = tuple(_guarded(_register, each, dry_run=dry_run) for each in chosen)
    found = own_command.is_on_path()
    launcher = own_command.launcher(directory)
    return Installed(directory, packages, own_command.NAME if found else launcher, outcomes)


def uninstall(names: Sequence[str], *, dry_run: bool) -> Uninstalled:
    """Take back what `install`, or the user by the same commands, registered; raises BadInput as `install`.

    With no client named all are looked at, and the plugin's own directory for them goes, too.
    """
    chosen = _chosen(names, plugin_directory.directory())
    outcomes = tuple(_guarded(_take_back, each, dry_run=dry_run) for each in chosen)
    if names or dry_run or any(outcome.verdict is Verdict.FAILED for outcome in outcomes):
        return Uninstalled((), outcomes)
    gone = [place for home in environment.homes() for place in forget_lent(home)]
    copied = plugin_directory.remove_copy()
    return Uninstalled((*gone, *([copied] if copied else [])), outcomes)


def here() -> list[str]:
    """Return the names of the clients that this machine has."""
    return [name for name, kind in REGISTRARS.items() if kind("").is_here]


def _chosen(names: Sequence[str], directory: str) -> list[Registrar]:
    registrars = [REGISTRARS[name](directory) for name in names or REGISTRARS]
    missing = [each.title for each in registrars if not each.is_here]
    if names and missing:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    return [each for each in registrars if each.is_here]


def _guarded(work: _Work, registrar: Registrar, *, dry_run: bool) -> Outcome:
    """Do the work for one client; what goes wrong there is no obstacle to the others."""
    try:
        outcome = work(registrar, dry_run)
    except (AgentProgressError, OSError) as error:
        outcome = Outcome(registrar.name, registrar.title, Verdict.FAILED, problem=str(error))
    return outcome._replace(todo=(*registrar.not_followed, *outcome.todo))


def _register(registrar: Registrar, dry_run: bool) -> Outcome:
    if dry_run and registrar.is_asked:
        return _unasked(registrar, [*registrar.remove(), *registrar.add()])
    standing = registrar.look()
    if is_current(standing, registrar.directory):
        todo = () if standing.is_enabled else ("it is switched off in this client: switch it on there",)
        return _outcome(registrar, Verdict.ALREADY, todo=todo)
    steps = [*(registrar.remove() if standing.source else ()), *registrar.add()]
    did = tuple(_shown(registrar, step) for step in steps)
    if dry_run:
        return _outcome(registrar, Verdict.WOULD, did)
    _take(registrar, steps)
    if not is_current(registrar.look(), registrar.directory):
        raise AgentProgressError(f"{registrar.title} does not list the plugin afterwards; run: {did[-1]}")
    return _outcome(registrar, Verdict.REGISTERED, did, registrar.afterwards)


def _take_back(registrar: Registrar, dry_run: bool) -> Outcome:
    if dry_run and registrar.is_asked:
        return _unasked(registrar, [*registrar.remove(), *registrar.leavings()], registrar.left())
    steps = list(registrar.remove()) if registrar.look().source else []
    if dry_run:
        did = tuple(_shown(registrar, step) for step in [*steps, *registrar.leavings()])
        return _outcome(registrar, Verdict.WOULD if did else Verdict.NOTHING, did, registrar.left())
    _take(registrar, steps)
    left = list(registrar.leavings())
    _take(registrar, left)
    if registrar.look().source:
        raise AgentProgressError(f"{registrar.title} still lists the plugin")
    did = tuple(_shown(registrar, step) for step in [*steps, *left])
    return _outcome(registrar, Verdict.REMOVED if did else Verdict.NOTHING, did, registrar.left())


def _unasked(registrar: Registrar, steps: Iterable[Step], todo: tuple[str, ...] = ()) -> Outcome:
    """Return what there would be to do: a client that is only asked writes into its home all the same."""
    return _outcome(registrar, Verdict.UNASKED, tuple(_shown(registrar, step) for step in steps), todo)


def _take(registrar: Registrar, steps: Iterable[Step]) -> None:
    """Take the steps in order, up to the first that fails: raises AgentProgressError then."""
    for step in steps:
        if not isinstance(step, Command):
            step.make()
        elif registrar.program is not None:
            ran = registrar.program.run(*step.words)
            if ran.code and not step.may_fail:
                raise AgentProgressError(f"{ran.command}: {ran.last_line}")


def _shown(registrar: Registrar, step: Step) -> str:
    if isinstance(step, Command):
        return registrar.program.shown(step.words) if registrar.program else " ".join(step.words)
    return step.what


def _outcome(
    registrar: Registrar, verdict: Verdict, did: tuple[str, ...] = (), todo: tuple[str, ...] = ()
) -> Outcome:
    return Outcome(registrar.name, registrar.title, verdict, did, todo)
