"""The commands install and uninstall: the plugin in the clients of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click

from progress_plugin.cli.options import project_or_none
from progress_plugin.cli.output import print_json, progress_note, say
from progress_plugin.core.own_command import NAME
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.install.install import Outcome, Verdict, find_clients
from progress_plugin.usecases.install.install import install as register
from progress_plugin.usecases.install.install import uninstall as unregister
from progress_plugin.usecases.install.leftovers import find_leftovers
from progress_plugin.usecases.install.registrars import REGISTRARS


def _client_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the arguments of both commands: clients or `--all`, `--dry-run`, `--json`."""
    options = (
        click.argument("clients", nargs=-1, type=click.Choice(list(REGISTRARS))),
        click.option("--all", "every", is_flag=True, help="Every client that is found here."),
        click.option("--dry-run", is_flag=True, help="Show what would be run; change nothing."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command(
    help="Register the plugin in these clients by their own commands, and say what is left to do. What is "
    "registered already is left as it is.",
    epilog="Example: agent-progress install --all --dry-run",
)
@_client_options
def install(clients: tuple[str, ...], every: bool, dry_run: bool, as_json: bool) -> int:
    """Register the plugin."""
    names = _chosen(clients, every=every)
    with progress_note("asking the clients"):
        done = register(names, dry_run=dry_run)
    if as_json:
        print_json({**done._asdict(), "outcomes": _outcome_objects(done.outcomes)})
    else:
        say("\n".join(_outcome_lines(done.outcomes)))
        say(f"The plugin's directory: {done.directory}")
        if done.command != NAME:
            say(f"In your shell {NAME} is not on the PATH: call `{done.command}`. Agents are told so, too.")
    return _exit_code(done.outcomes)


def _chosen(clients: tuple[str, ...], *, every: bool) -> tuple[str, ...]:
    """Return the clients that were named, none for all; one of the two must have been said."""
    if every == bool(clients):
        found = ", ".join(find_clients()) or "none"
        raise click.UsageError(f"Name clients, or say --all. Found here: {found}.")
    return clients


def _outcome_lines(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield what was done, client by client."""
    none = True
    for outcome in outcomes:
        none = False
        yield f"{outcome.title}: {one_line(outcome.problem) if outcome.problem else outcome.verdict.value}"
        yield from (f"  {one_line(step)}" for step in outcome.did)
        yield from (f"  → {one_line(step)}" for step in outcome.todo)
    if none:
        yield "No client was found here."


def _outcome_objects(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Return the outcomes as JSON has them."""
    return [outcome._asdict() for outcome in outcomes]


def _exit_code(outcomes: Iterable[Outcome]) -> int:
    return 1 if any(outcome.verdict is Verdict.FAILED for outcome in outcomes) else 0


@click.command(
    help="Take the plugin out of these clients, by their own commands. Logs, memory and settings stay; with "
    "--all they are named, with how to remove them.",
    epilog="Example: agent-progress uninstall --all",
)
@_client_options
def uninstall(clients: tuple[str, ...], every: bool, dry_run: bool, as_json: bool) -> int:
    """Take the plugin out of the clients."""
    names = _chosen(clients, every=every)
    project = project_or_none() if every else None
    with progress_note("asking the clients"):
        done = unregister(names, dry_run=dry_run)
    left = find_leftovers(project) if every else []
    if as_json:
        remains = [each._asdict() for each in left]
        print_json({**done._asdict(), "outcomes": _outcome_objects(done.outcomes), "remains": remains})
    else:
        say("\n".join(_outcome_lines(done.outcomes)))
        for place in done.removed:
            say(f"Removed: {place}")
        for each in left:
            say(f"Left: {one_line(each.what)}\n  → {one_line(each.remedy)}")
    return _exit_code(done.outcomes)
