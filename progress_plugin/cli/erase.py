"""`agent-progress erase ID|TEXT`: take something out of every copy of the log."""

from __future__ import annotations

import os
from dataclasses import asdict

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.correcting.erasable_files import REPORT
from progress_plugin.usecases.correcting.erase import Erased, erase

_NAMED = 40
"""Lines of a kind that are printed: one for each file that holds it, and for each where it still is."""


@click.command(
    help="Take an entry, or a text wherever it stands, out of the log, its archive and every copy of them, "
    "and a text out of the memory database: for a secret that leaked. Without --yes nothing is changed, and "
    "what would be is shown. It cannot be undone. Plans, logs of agents and git's history are named or "
    "left to you.",
    epilog='Example: agent-progress erase "hunter2-the-password" --yes',
)
@click.argument("named", metavar="ID|TEXT")
@click.option("--regex", is_flag=True, help="TEXT is a regular expression of Python.")
@click.option("--yes", "apply", is_flag=True, help="Do it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, named: str, regex: bool, apply: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text; exit 1 unless it is all gone."""
    with progress_note("looking through every copy"):
        done = erase(find_project(ctx.obj), named, regex=regex, apply=apply)
    if as_json:
        print_json(asdict(done))
    else:
        say("\n".join(one_line(line) for line in _lines(done)))
    if done.remaining or not done.applied or not done.found:
        ctx.exit(1)


def _some(lines: list[str]) -> list[str]:
    """Return the first of these lines, and how many more there are: others may make thousands of them."""
    rest = len(lines) - _NAMED
    return lines if rest <= 0 else [*lines[:_NAMED], f"{rest:,} more of these; --json names all"]


def _lines(done: Erased) -> list[str]:
    verb = "erased" if done.applied else "would be erased"
    what = {"entry": "entry", "text": "place"}[done.kind]
    lines = _some([f"{path}: {counted(count, what)} {verb}" for path, count in done.found.items()])
    if done.removed:
        removed = counted(len(done.removed), "file made from the log was", "files made from the log were")
        lines.append(f"{removed} removed, and made anew where they can be")
        reports = [path for path in done.removed if os.path.basename(path) == REPORT]
        lines += [f"{path} was one: `agent-progress report` writes a new one" for path in reports]
    lines += [*_some(done.notes), *_some(done.remaining)]
    if not done.found:
        lines.append("No copy of the log holds it; nothing was rewritten.")
    elif not done.applied:
        lines.append("Nothing was changed; repeat with --yes to do it. It cannot be undone.")
    return lines
