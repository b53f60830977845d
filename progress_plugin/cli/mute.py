"""`agent-progress mute TEXT|ID`: show a learning no more; `--list`: what is muted."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.correcting.mute import mute, muted_by_entries
from progress_plugin.usecases.recording.log_entry import session_from_environment


@click.command(
    help="Show a learning no more, or what is left open, in whichever words a log has it. TEXT is a part "
    "of it; an entry's ID means all learnings of that entry. `retract` of the entry this appends shows "
    "them again; --list names it later.",
    epilog='Example: agent-progress mute "locks at noon"',
)
@click.argument("named", metavar="TEXT|ID", required=False)
@click.option("--all", "every", is_flag=True, help="Every learning that says TEXT, where there are several.")
@click.option("--list", "listing", is_flag=True, help="What is muted, and by which entry, instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, named: str | None, every: bool, listing: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    if listing == (named is not None) or (listing and every):
        raise click.UsageError("give TEXT, or an entry's ID, or --list alone: that names what is muted")
    if named is None:
        _list(muted_by_entries(find_project(ctx.obj)), as_json=as_json)
        return
    done = mute(
        find_project(ctx.obj), named, every=every, now=datetime.now(UTC), session=session_from_environment()
    )
    if as_json:
        print_json({"entries": done.entries, "notes": done.notes})
        return
    entry = done.entries[0]
    for text in entry["data"]["mutes"]:
        say(f"muted: {one_line(text)}")
    say(f"To show it again: agent-progress retract {entry['id']}")
    for note in done.notes:
        say(one_line(note), err=True)


def _list(found: list[tuple[str, list[str]]], *, as_json: bool) -> None:
    """Say which learnings are muted, and how each is shown again."""
    if as_json:
        print_json({"muted": [{"id": id_, "texts": texts} for id_, texts in found]})
        return
    for id_, texts in found:
        for text in texts:
            say(f"muted: {one_line(text)}")
        say(f"To show it again: agent-progress retract {one_line(id_)}")
    if not found:
        say("Nothing is muted.")
