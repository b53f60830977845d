"""`agent-progress team`: the tables of the team's server, and who takes part in it.

The tables are in `team.schema`; what is checked and said of them, in `usecases.team.team_tables`.
"""

from __future__ import annotations

import click

from progress_plugin.cli import sync
from progress_plugin.cli.output import print_json, say, say_whole
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.cli.team_packages import provide_psycopg
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.team import leaving
from progress_plugin.usecases.team.team_server import named_key, required_url
from progress_plugin.usecases.team.team_tables import Tables, make_tables, tables_script


@click.group(epilog="Example: agent-progress team init --sql")
def command() -> None:
    """Set up the PostgreSQL server that a team shares its history through, join it, leave it."""


@command.command(
    help="Make the tables on the team's server, or bring them up to date, and say what your role may do.",
    epilog="Example: agent-progress team init --sql",
)
@click.option("--sql", "as_sql", is_flag=True, help="Print the SQL instead, for whoever runs the server.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def init(as_sql: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    if as_sql:
        say_whole(tables_script())
        return
    required_url()
    provide_psycopg()
    with progress_note("asking the team's server"):
        made = make_tables()
    if as_json:
        print_json(made._asdict())
        return
    for line in _lines(made):
        say(line)


@command.command(
    help="Have this clone take part in the team's server, as `agent-progress sync` does; with --key under a "
    "name of your own for the project, the same in each of its clones.",
    epilog="Example: agent-progress team join --key acme/harbour",
)
@click.option("--key", metavar="NAME", help="What the project is called there; else its git remote's path.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def join(directory: str | None, key: str | None, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    sync.join(find_project(directory), None if key is None else named_key(key), as_json=as_json)


@command.command(
    help="Have this clone take no part in the team's server any more, and free what it claims there. What it "
    "has sent stays there, what it took in stays here.",
    epilog="Example: agent-progress team leave",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def leave(directory: str | None, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    left = leaving.leave(find_project(directory))
    if as_json:
        print_json(left._asdict())
        return
    say(
        f"This clone takes no part in {one_line(left.project)} any more; "
        "`agent-progress team join` has it take part again."
    )
    if line := leaving.released_line(left):
        say(one_line(line))
    for note in left.notes:
        say(one_line(note), err=True)


def _lines(made: Tables) -> list[str]:
    was = f"was {made.before}" if made.before != made.now else "as before"
    lines = [f"Schema agent_progress: {made.now} ({was})."]
    lines.append(f"As {made.role} you may: {', '.join(made.allowed) or 'nothing'} entries.")
    return [*lines, *made.notes]
