"""`agent-progress sessions [ID]`: what the clients' transcripts tell of earlier sessions."""

from __future__ import annotations

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.project import find_project
from progress_plugin.text.bounds import shortened
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.sessions.listing import SHOWN, ListedSession, session_of, sessions_of

_LONGEST = 100


@click.command(
    help="List the sessions read from the clients' transcripts, the last one first; with an ID, or its "
    "beginning, or `last`, show one: requests, files, checks, commits, open tasks.",
    epilog="Example: agent-progress sessions -n 3",
)
@click.argument("named", metavar="[ID]", required=False)
@click.option("-n", "number", type=click.IntRange(min=0), default=SHOWN, show_default=True, help="How many.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, named: str | None, number: int, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    project = find_project(ctx.obj)
    if named is not None:
        details = session_of(project, named)
        if as_json:
            print_json(details.facts)
        else:
            for line in details.lines:
                say(line)
        return
    found = sessions_of(project, number)
    if as_json:
        print_json({"sessions": [each._asdict() for each in found]})
        return
    for each in found:
        say(session_line(each))
    if not found:
        say("No session was read yet: a client's transcript is read at the session's end.")


def session_line(each: ListedSession) -> str:
    """Return a recorded session as one line."""
    files = f"{each.changed} file{'' if each.changed == 1 else 's'} changed"
    failing = f", failing: {', '.join(each.failing)}" if each.failing else ""
    when = each.ended[:16].replace("T", " ") or "undated"
    where = f", in the worktree {each.worktree}" if each.worktree else ""
    return one_line(f"{when}  {each.short}  {shortened(each.request, _LONGEST)} ({files}{failing}{where})")
