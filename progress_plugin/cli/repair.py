"""`agent-progress repair`: mend what verify finds; every original is kept."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.repair import repair_log


@click.command(
    help="Mend what `verify` finds. Damaged originals are kept beside what replaces them.",
    epilog="Example: agent-progress repair",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Bring in entries of copies kept for this path, too, that nothing shows to be this project's.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, adopt: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    with progress_note("reading log, archive and copies"):
        done = repair_log(find_project(ctx.obj), datetime.now(UTC), adopt=adopt)
    if as_json:
        print_json({"repaired": done})
        return
    for sentence in done or ["There is nothing to repair."]:
        say(one_line(sentence))
