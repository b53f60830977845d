"""Commands that list what was done: recent, sessions, extract."""

from __future__ import annotations

import click

from progress_plugin.cli.output import Answer, command, rendered
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ICONS, OTHER_ICON
from progress_plugin.usecases.sessions.views import DEFAULT_SESSIONS, list_sessions, session_details
from progress_plugin.usecases.status import extract_log, recent_of

DEFAULT_ENTRIES = 20
MAX_LINES_BELOW = 20  # lines below one entry
MAX_REQUEST_CHARS = 100
_COUNT = click.IntRange(0)
_MARGIN = " " * len("2026-11-22T00:39:44Z  🔧  ")


@command("recent -n 5")
@click.option("-n", "number", type=_COUNT, default=DEFAULT_ENTRIES, show_default=True, help="Entry limit.")
@click.option("--sessions", "with_sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
def recent(project: Project, number: int, with_sessions: bool) -> Answer:
    """Show the newest entries, archived ones included, and every open blocker."""
    found = recent_of(project, number, sessions=with_sessions)
    shown = {"shown": found.entries, "recorded": found.recorded, "icons": ICONS, "other_icon": OTHER_ICON}
    return Answer(found.data, rendered("recent", found.data, **shown))


@command("sessions -n 3")
@click.argument("named", metavar="[ID]", required=False)
@click.option("-n", "number", type=_COUNT, default=DEFAULT_SESSIONS, show_default=True, help="Session limit.")
def sessions(project: Project, named: str | None, number: int) -> Answer:
    """List the sessions read from the clients' transcripts, the last one first.

    With an ID, or its beginning, or `last`, show one: requests, files, checks, commits, open tasks.
    """
    if named is not None:
        lines, facts = session_details(project, named)
        return Answer(facts, lines)
    data = {"sessions": list_sessions(project, number)}
    return Answer(data, rendered("sessions", data))


@command("extract progress.md --prd prd.json --json", in_project=False)
@click.argument("file", type=click.Path())
@click.option("--prd", metavar="FILE", type=click.Path(), help="The plan, for titles and stories not begun.")
def extract(file: str, prd: str | None) -> Answer:
    """Show the stories and learnings of one Markdown log, with line numbers."""
    found = extract_log(file, prd)
    data = found._asdict() | {"recent": [story["id"] for story in found.recent]}
    return Answer(data, rendered("extract", data, file=file, newest=found.recent))
