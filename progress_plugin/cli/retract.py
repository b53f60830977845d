"""`agent-progress retract ID`: take back an entry that should not have been logged."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.correcting.retract import retract
from progress_plugin.usecases.recording.log_entry import session_from_environment


@click.command(
    help="Take back entries: they stay in the log, but no longer count. To remove a secret: `erase`.",
    epilog='Example: agent-progress retract entry-20260301-100000-a1b2c3 --reason "logged twice"',
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", help="Why, for readers of the log.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, ids: tuple[str, ...], reason: str | None, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    done = retract(
        find_project(ctx.obj), ids, reason=reason, now=datetime.now(UTC), session=session_from_environment()
    )
    if as_json:
        print_json({"entries": done.entries, "notes": done.notes})
        return
    entry = done.entries[0]
    for name in entry["data"]["retracts"]:
        say(f"{one_line(name)} no longer counts ({entry['id']} says so)")
    for note in done.notes:
        say(one_line(note), err=True)
