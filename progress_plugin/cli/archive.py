"""`agent-progress archive`: move old entries to the archive."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.archive import archive_old


@click.command(
    help="Move old entries to archive/YYYY-MM.json. Appending does it by itself when it is due.",
    epilog="Example: agent-progress archive --days 90",
)
@click.option("--days", type=click.IntRange(min=0), help="Entries older than this; default: the setting.")
@click.option(
    "--at-least", type=click.IntRange(min=0), help="Only from so many entries on; default: the setting."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, days: int | None, at_least: int | None, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    with progress_note("moving old entries"):
        done = archive_old(find_project(ctx.obj), datetime.now(UTC), days=days, at_least=at_least)
    if as_json:
        print_json(done._asdict())
        return
    if not done.moved:
        say(f"Nothing is due: {counted(done.left, 'entry stays', 'entries stay')} in the log.")
    for note in done.notes:
        say(one_line(note))
