"""The command that appends an entry."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import Answer, command
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.usecases.recording.record import log_entry

EXAMPLE_DATA = 'such as \'{"reason": "…"}\''
_COUNT = click.IntRange(min=0)


@command(
    'log task_completed --task US-013 -m "Berths can be moved" --duration 40',
    help=f"Append an entry of TYPE to the progress log.\n\nTYPE: {', '.join(ENTRY_TYPES)}.",
)
@click.argument("entry_type", metavar="TYPE")
@click.option("--description", "-m", metavar="TEXT", help="What was done, in a sentence.")
@click.option("--task", "task_id", metavar="ID", help="The story or task it is about, such as US-013.")
@click.option("--spec", metavar="NAME", help="The spec the task belongs to, if tasks are numbered per spec.")
@click.option("--duration", "duration_minutes", metavar="MINUTES", type=_COUNT, help="How long it took.")
@click.option("--notes", metavar="TEXT", help="Anything worth keeping.")
@click.option("--next", "next_steps", metavar="TEXT", help="What comes next.")
@click.option("--learning", "learnings", metavar="TEXT", multiple=True, help="A learning; repeatable.")
@click.option("--resolves", metavar="ENTRY", help="Id of the task_blocked entry that this one resolves.")
@click.option("--data", metavar="JSON", default="{}", help="Further fields as a JSON object.")
def log(project: Project, entry_type: str, data: str, **given: Any) -> Answer:
    """Append one entry."""
    fields = {name: given.pop(name) for name in ("duration_minutes", "notes", "next_steps")}
    facts = _parse_object(data) | {name: value for name, value in fields.items() if value is not None}
    done = log_entry(project, entry_type, now=datetime.now(UTC), data=facts, **given)
    lines = [f"{entry['id']} {entry['type']}" for entry in done.entries]
    return Answer(done._asdict(), lines=lines, notes=[f"note: {note}" for note in done.notes])


def _parse_object(text: str) -> dict[str, Any]:
    """Parse the value of `--data`. Raises BadInput if it is not a JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"--data is not JSON ({error}); give an object {EXAMPLE_DATA}") from None
    if isinstance(value, dict):
        return value
    raise BadInput(f"--data must be a JSON object {EXAMPLE_DATA}")
