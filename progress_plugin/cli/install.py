"""`agent-progress install`: register the plugin in the clients of this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.fast.own_command import NAME
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.install.install import Outcome, Verdict, find_clients, install
from progress_plugin.usecases.install.registrars import REGISTRARS


def which_clients(command: Callable[..., None]) -> Callable[..., None]:
    """Add what `install` and `uninstall` take: clients or all of them, and whether to do it."""
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
@which_clients
@click.pass_context
def command(ctx: click.Context, clients: tuple[str, ...], every: bool, dry_run: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    names = chosen(clients, every=every)
    with progress_note("asking the clients"):
        done = install(names, now=time.time(), dry_run=dry_run)
    if as_json:
        print_json({**done._asdict(), "outcomes": as_objects(done.outcomes)})
    else:
        say("\n".join(lines(done.outcomes)))
        say(f"The plugin's directory: {done.directory}")
        if done.packages:
            say(f"Its packages: {done.packages}")
        if done.command != NAME:
            say(f"In your shell {NAME} is not on the PATH: call `{done.command}`. Agents are told so, too.")
    end(ctx, done.outcomes)


def chosen(clients: tuple[str, ...], *, every: bool) -> tuple[str, ...]:
    """Return the clients that were named, none for all; one of the two must have been said."""
    if every == bool(clients):
        found = ", ".join(find_clients()) or "none"
        raise click.UsageError(f"Name clients, or say --all. Found here: {found}.")
    return clients


def lines(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield what was done, client by client."""
    none = True
    for outcome in outcomes:
        none = False
        yield f"{outcome.title}: {one_line(outcome.problem) if outcome.problem else outcome.verdict.value}"
        yield from (f"  {one_line(step)}" for step in outcome.did)
        yield from (f"  → {one_line(step)}" for step in outcome.todo)
    if none:
        yield "No client was found here."


def as_objects(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Return the outcomes as JSON has them."""
    return [outcome._asdict() for outcome in outcomes]


def end(ctx: click.Context, outcomes: Iterable[Outcome]) -> None:
    """End with exit code 1 where something failed."""
    if any(outcome.verdict is Verdict.FAILED for outcome in outcomes):
        ctx.exit(1)
