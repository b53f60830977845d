"""`agent-progress promote`: learnings that proved themselves, for AGENTS.md."""

from __future__ import annotations

import os

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.config.settings import PROMOTED
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.promote import FILE, Promoted, promote
from progress_plugin.usecases.starting.pulled_entries import take_in_latest


@click.command(
    help=f"Show the patterns recorded {PROMOTED} times or more; with --apply write them into a block of "
    f"{FILE}, touching nothing around it. `promote.auto` in your settings does that at every new summary.",
    epilog="Example: agent-progress promote --all --apply",
)
@click.option("--all", "every", is_flag=True, help="Gotchas and dependencies, too.")
@click.option("--apply", is_flag=True, help=f"Write {FILE}; where no pattern is left, remove the block.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, every: bool, apply: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    project = find_project(ctx.obj)
    take_in_latest(project)
    done = promote(project, every=every, apply=apply)
    if as_json:
        learnings = [
            {"kind": each.kind.value, "text": each.text, "mentions": each.mentions} for each in done.learnings
        ]
        print_json(
            {"path": done.path, "changes": done.changes, "applied": done.applied, "learnings": learnings}
        )
        return
    for learning in done.learnings:
        say(f"{learning.mentions}x  {learning.kind.value:<10}  {one_line(learning.text)}")
    say(one_line(_outcome(done)))


def _outcome(done: Promoted) -> str:
    if done.applied:
        if not done.learnings and not os.path.lexists(done.path):
            return f"Removed: {done.path} held nothing but the block, which has no learning any more"
        return f"Written: {done.path}"
    if done.changes:
        return f"{done.path} was not changed; --apply writes it"
    if done.learnings:
        return f"{done.path} says so already"
    return f"No learning was told {PROMOTED} times or more; there is nothing to write"
