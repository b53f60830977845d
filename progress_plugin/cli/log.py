"""`agent-progress log TYPE`: append an entry to the progress log."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import find_project
from progress_plugin.log.entry import TYPES
from progress_plugin.usecases.log_entry import log_entry, session_from_environment


@click.command(
    help=f"Append an entry of TYPE to the progress log.\n\nTYPE: {', '.join(TYPES)}.",
    epilog='Example: agent-progress log task_completed --task US-013 -m "Berths can be moved" --duration 40',
)
@click.argument("type_", metavar="TYPE")
@click.option("--description", "-m", metavar="TEXT", help="What was done, in a sentence.")
@click.option("--task", metavar="ID", help="The story or task it is about, such as US-013.")
@click.option(
    "--spec", metavar="NAME", help="The spec the task belongs to, where tasks are numbered per spec."
)
@click.option("--duration", metavar="MINUTES", type=click.IntRange(min=0), help="How long it took.")
@click.option("--notes", metavar="TEXT", help="Anything worth keeping.")
@click.option("--next", "next_steps", metavar="TEXT", help="What comes next.")
@click.option(
    "--learning", "learnings", metavar="TEXT", multiple=True, help="A reusable learning; repeatable."
)
@click.option("--resolves", metavar="ENTRY", help="Id of the task_blocked entry that this one resolves.")
@click.option("--data", metavar="JSON", help="Further fields as a JSON object.")
@click.option("--json", "as_json", is_flag=True, help="Print the stored entries as JSON.")
@click.pass_context
def command(ctx: click.Context, /, type_: str, as_json: bool, **options: Any) -> None:
    """Translate the command line into one call and its answer into text."""
    logged = log_entry(
        find_project(ctx.obj),
        type_,
        now=datetime.now(UTC),
        description=options["description"],
        task_id=options["task"],
        spec=options["spec"],
        learnings=options["learnings"],
        resolves=options["resolves"],
        data=_data(options),
        session=session_from_environment(),
    )
    if as_json:
        print_json({"entries": logged.entries, "notes": logged.notes})
        return
    for entry in logged.entries:
        say(f"{entry['id']} {entry['type']}")
    for note in logged.notes:
        say(f"note: {note}", err=True)


def _data(options: dict[str, Any]) -> dict[str, Any]:
    data: Any = {}
    if options["data"] is not None:
        try:
            data = json.loads(options["data"])
        except (ValueError, RecursionError) as error:
            raise BadInput(
                f'--data is not JSON ({error}); give an object such as \'{{"reason": "…"}}\''
            ) from None
        if not isinstance(data, dict):
            raise BadInput('--data must be a JSON object such as \'{"reason": "…"}\'')
    named = {
        "duration_minutes": options["duration"],
        "notes": options["notes"],
        "next_steps": options["next_steps"],
    }
    return {**data, **{name: value for name, value in named.items() if value is not None}}
