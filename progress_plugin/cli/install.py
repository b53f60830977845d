"""Commands about the installation: doctor, install, uninstall."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from textwrap import wrap
from typing import Any

import click

from progress_plugin.cli.output import (
    json_option,
    print_context,
    print_json,
    progress_note,
    project_or_none,
    say,
)
from progress_plugin.core.own_command import NAME, is_on_path, launcher
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.doctor.examination import examine
from progress_plugin.usecases.doctor.findings import Finding, FindingState
from progress_plugin.usecases.install import plugin_copy
from progress_plugin.usecases.install.install import Outcome, Verdict, find_clients, find_leftovers
from progress_plugin.usecases.install.install import install as register
from progress_plugin.usecases.install.install import uninstall as unregister
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
        outcomes = register(names, dry_run=dry_run)
    directory = plugin_copy.plugin_directory()
    command = NAME if is_on_path() else launcher(directory)
    if as_json:
        print_json({"directory": directory, "command": command, "outcomes": _outcome_objects(outcomes)})
    else:
        say("\n".join(_outcome_lines(outcomes)))
        say(f"The plugin's directory: {directory}")
        if command != NAME:
            say(f"In your shell {NAME} is not on the PATH: call `{command}`.")
    return _exit_code(outcomes)


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
        outcomes = unregister(names, dry_run=dry_run)
    code = _exit_code(outcomes)
    left = [(one_line(what), one_line(remedy)) for what, remedy in find_leftovers(project)] if every else []
    lines, objects = list(_outcome_lines(outcomes)), _outcome_objects(outcomes)
    # Last: this program may run from the copy, and loads its tables when it needs them.
    removed = None if dry_run or code or not every else plugin_copy.remove_copy()
    if as_json:
        remains = [{"what": what, "remedy": remedy} for what, remedy in left]
        print_json({"removed": removed, "outcomes": objects, "remains": remains})
    else:
        lines += [f"Removed: {removed}"] if removed else []
        lines += [f"Left: {what}\n  → {remedy}" for what, remedy in left]
        say("\n".join(lines))
    return code


WIDTH = 80
SCREEN = 24
"""Lines that the smallest terminal shows at once."""
_INDENT = 7
_ORDER = (FindingState.WRONG, FindingState.NOTE, FindingState.OK)


@click.command(
    help="Start the real hooks as a client does, look at installation, settings, log and database, and say "
    "what to do. Nothing of yours is changed. Exit 1 if something is wrong, for CI.",
    epilog="Example: agent-progress doctor --verbose",
)
@click.option(
    "--context", "show_context", is_flag=True, help="Print exactly what an agent gets at a startup."
)
@click.option("--verbose", is_flag=True, help="Say everything that was found, also of what works.")
@json_option
def doctor(show_context: bool, verbose: bool, as_json: bool) -> int:
    """Examine the installation and this project; print the worst first."""
    with progress_note("starting the hooks"):
        findings, context = examine(project_or_none(), datetime.now(UTC))
    is_good = all(finding.state is not FindingState.WRONG for finding in findings)
    if as_json:
        listed = [finding._asdict() for finding in findings]
        print_json({"ok": is_good, "findings": listed, "context": context})
    elif show_context:
        print_context(context)
    else:
        say("\n".join(finding_lines(findings, verbose=verbose, on_screen=sys.stdout.isatty())))
    return 0 if is_good else 1


def finding_lines(findings: Sequence[Finding], *, verbose: bool, on_screen: bool = True) -> list[str]:
    """Return the verdict, then every finding, the worst first.

    What works is shortened to one line each on a screen, unless `verbose`: who reads a file or a pipe wants
    the ends.
    """
    number = sum(finding.state is FindingState.WRONG for finding in findings)
    needs = counted(number, "thing needs", "things need")
    verdict = f"{needs} mending; → says how." if number else "Everything works."
    listed = [
        line for state in _ORDER[:2] for each in findings if each.state is state for line in _whole(each)
    ]
    good = [each for each in findings if each.state is FindingState.OK]
    if verbose:
        return [verdict, "", *listed, *(line for each in good for line in _whole(each))]
    heads = [f"{_head(each)} {one_line(each.what)}" for each in good]
    if not on_screen:
        return [verdict, "", *listed, *heads]
    short = [_cut(head) for head in heads]
    if len(listed) + len(short) + 2 > SCREEN:
        names = ", ".join(dict.fromkeys(each.area for each in good))
        short = _wrapped(f"{'ok':<5}  {names}; --verbose tells more")
    return [verdict, "", *listed, *short]


def _head(finding: Finding) -> str:
    return f"{finding.state.value:<5}  {finding.area}:"


def _whole(finding: Finding) -> list[str]:
    found = _wrapped(f"{_head(finding)} {one_line(finding.what)}")
    return [*found, *(_wrapped(f"       → {one_line(finding.remedy)}", 2) if finding.remedy else [])]


def _wrapped(text: str, deeper: int = 0) -> list[str]:
    """Return the text in lines; a path is never broken: somebody will copy it."""
    start = text[:_INDENT]
    indent = " " * (_INDENT + deeper)
    return wrap(
        text[_INDENT:],
        WIDTH,
        initial_indent=start,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _cut(text: str) -> str:
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
