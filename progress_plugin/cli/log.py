"""The command log: append an entry."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import emit, example, pass_project
from progress_plugin.core.clients import session_from_environment
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.usecases.recording.log_entry import log_entry


@click.command(
    help=f"Append an entry of TYPE to the progress log.\n\nTYPE: {', '.join(ENTRY_TYPES)}.",
    epilog=example('log task_completed --task US-013 -m "Berths can be moved" --duration 40'),
)
@click.argument("entry_type", metavar="TYPE")
@click.option("--description", "-m", metavar="TEXT", help="What was done, in a sentence.")
@click.option("--task", "task_id", metavar="ID", help="The story or task it is about, such as US-013.")
@click.option("--spec", metavar="NAME", help="The spec the task belongs to, if tasks are numbered per spec.")
@click.option(
    "--duration", "duration_minutes", metavar="MINUTES", type=click.IntRange(min=0), help="How long it took."
)
@click.option("--notes", metavar="TEXT", help="Anything worth keeping.")
@click.option("--next", "next_steps", metavar="TEXT", help="What comes next.")
@click.option(
    "--learning", "learnings", metavar="TEXT", multiple=True, help="A reusable learning; repeatable."
)
@click.option("--resolves", metavar="ENTRY", help="Id of the task_blocked entry that this one resolves.")
@click.option("--data", metavar="JSON", help="Further fields as a JSON object.")
@click.option("--json", "as_json", is_flag=True, help="Print the stored entries as JSON.")
@pass_project
def log(project: Project, /, entry_type: str, data: str | None, as_json: bool, **given: Any) -> None:
    """Append one entry."""
    fields = {name: given.pop(name) for name in ("duration_minutes", "notes", "next_steps")}
    facts = _parse_object(data) | {name: value for name, value in fields.items() if value is not None}
    now, session = datetime.now(UTC), session_from_environment()
    logged = log_entry(project, entry_type, now=now, session=session, data=facts, **given)
    lines = (f"{entry['id']} {entry['type']}" for entry in logged.entries)
    notes = (f"note: {note}" for note in logged.notes)
    emit(as_json, {"entries": logged.entries, "notes": logged.notes}, lines, notes)


def _parse_object(text: str | None) -> dict[str, Any]:
    """Parse the value of `--data`. Raises BadInput if it is not a JSON object."""
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            f'--data is not JSON ({error}); give an object such as \'{{"reason": "…"}}\''
        ) from None
    if not isinstance(value, dict):
        raise BadInput('--data must be a JSON object such as \'{"reason": "…"}\'')
    return value
