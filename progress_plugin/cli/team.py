"""`agent-progress team`: the tables of the team's server."""

from __future__ import annotations

import click

from progress_plugin.cli.output import print_json, say, say_whole
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.cli.team_packages import provide_psycopg
from progress_plugin.usecases.team.team_server import required_url
from progress_plugin.usecases.team.team_tables import Tables, make_tables, tables_script


@click.group(epilog="Example: agent-progress team init --sql")
def command() -> None:
    """Set up the PostgreSQL server that a team shares its history through."""


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


def _lines(made: Tables) -> list[str]:
    was = f"was {made.before}" if made.before != made.now else "as before"
    lines = [f"Schema agent_progress: {made.now} ({was})."]
    lines.append(f"As {made.role} you may: {', '.join(made.allowed) or 'nothing'} entries.")
    return [*lines, *made.notes]
