"""`agent-progress verify`: check log and archive, change nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.verify import findings


@click.command(
    help="Check the log and its archive, and say what to do; exit 1 where something is found.",
    epilog="Example: agent-progress verify",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text and exit code."""
    with progress_note("reading log, archive and copies"):
        found = findings(find_project(ctx.obj), datetime.now(UTC))
    if as_json:
        told = [finding._asdict() for finding in found]
        print_json({"ok": not found, "findings": told})
    elif not found:
        say("Log and archive are in order.")
    else:
        for finding in found:
            say(one_line(f"{finding.what}; {finding.remedy}"))
    if found:
        ctx.exit(1)
