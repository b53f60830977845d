"""`agent-progress uninstall`: take the plugin out of the clients again."""

from __future__ import annotations

import click

from progress_plugin.cli.install import as_objects, chosen, end, lines, which_clients
from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.errors import NoProject
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.install.install import uninstall
from progress_plugin.usecases.install.leftovers import find_leftovers


@click.command(
    help="Take the plugin out of these clients, by their own commands. Logs, memory and settings stay; with "
    "--all they are named, with how to remove them.",
    epilog="Example: agent-progress uninstall --all",
)
@which_clients
@click.pass_context
def command(ctx: click.Context, clients: tuple[str, ...], every: bool, dry_run: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    names = chosen(clients, every=every)
    # Looked for first: it may be this very copy of the plugin that is removed, and this loads modules.
    project = _project(ctx.obj) if every else None
    with progress_note("asking the clients"):
        done = uninstall(names, dry_run=dry_run)
    left = find_leftovers(project) if every else []
    if as_json:
        told = {"outcomes": as_objects(done.outcomes), "remains": [each._asdict() for each in left]}
        print_json({**done._asdict(), **told})
    else:
        say("\n".join(lines(done.outcomes)))
        for place in done.removed:
            say(f"Removed: {place}")
        for each in left:
            say(f"Left: {one_line(each.what)}\n  → {one_line(each.remedy)}")
    end(ctx, done.outcomes)


def _project(named: str | None) -> Project | None:
    try:
        return find_project(named)
    except NoProject:
        return None
