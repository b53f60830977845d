"""`agent-progress init`: begin to keep a log in this project."""

from __future__ import annotations

import click

from progress_plugin.cli.output import print_json
from progress_plugin.core.project import find_project
from progress_plugin.usecases.init import init


@click.command(help="Begin to keep a log here: makes .agent-os/progress/, which ignores itself in git.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    answer = init(find_project(ctx.obj))
    if as_json:
        print_json(answer)
        return
    verb = "Made" if answer["created"] else "Kept"
    found = ", ".join(answer["sources"]) or "no plan or log yet; the first `agent-progress log` begins one"
    click.echo(f"{verb} {answer['directory']} for the project {answer['project']}.")
    click.echo(f"Read: {found}.")
