"""Commands that write and keep the log: log, archive, verify, repair."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import emit, json_option, pass_project, print_notes, progress_note
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.entry import ENTRY_TYPES
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.archive import archive_old
from progress_plugin.usecases.recording.log_entry import log_entry, session_from_environment
from progress_plugin.usecases.repair import repair_log
from progress_plugin.usecases.verify import claims, findings


@click.command(
    help=f"Append an entry of TYPE to the progress log.\n\nTYPE: {', '.join(ENTRY_TYPES)}.",
    epilog='Example: agent-progress log task_completed --task US-013 -m "Berths can be moved" --duration 40',
)
@click.argument("entry_type", metavar="TYPE")
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
@pass_project
def log(  # noqa: PLR0913 - one parameter per option
    project: Project,
    /,
    entry_type: str,
    *,
    description: str | None,
    task: str | None,
    spec: str | None,
    duration: int | None,
    notes: str | None,
    next_steps: str | None,
    learnings: tuple[str, ...],
    resolves: str | None,
    data: str | None,
    as_json: bool,
) -> None:
    """Append one entry."""
    fields = {"duration_minutes": duration, "notes": notes, "next_steps": next_steps}
    logged = log_entry(
        project,
        entry_type,
        now=datetime.now(UTC),
        description=description,
        task_id=task,
        spec=spec,
        learnings=learnings,
        resolves=resolves,
        data={**_object(data), **{name: value for name, value in fields.items() if value is not None}},
        session=session_from_environment(),
    )
    emit(
        as_json,
        {"entries": logged.entries, "notes": logged.notes},
        (f"{entry['id']} {entry['type']}" for entry in logged.entries),
    )
    if not as_json:
        print_notes(f"note: {note}" for note in logged.notes)


def _object(text: str | None) -> dict[str, Any]:
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


@click.command(
    help="Move old entries to archive/YYYY-MM.json. Appending does it by itself when it is due.",
    epilog="Example: agent-progress archive --days 90",
)
@click.option("--days", type=click.IntRange(min=0), help="Entries older than this; default: the setting.")
@click.option(
    "--at-least", type=click.IntRange(min=0), help="Only from so many entries on; default: the setting."
)
@json_option
@pass_project
def archive(project: Project, /, days: int | None, at_least: int | None, as_json: bool) -> None:
    """Archive what is due."""
    with progress_note("moving old entries"):
        done = archive_old(project, datetime.now(UTC), days=days, at_least=at_least)
    nothing = f"Nothing is due: {counted(done.left, 'entry stays', 'entries stay')} in the log."
    emit(as_json, done._asdict(), [*([] if done.moved else [nothing]), *map(one_line, done.notes)])


@click.command(
    help="Check the log and its archive, and say what to do; exit 1 if something is found. With --claims "
    "list instead the tasks that were called done though no check passed after their last edit, as far as "
    "the clients' transcripts tell.",
    epilog="Example: agent-progress verify --claims",
)
@click.option("--claims", "as_claims", is_flag=True, help="List completions without evidence.")
@json_option
@pass_project
def verify(project: Project, /, as_claims: bool, as_json: bool) -> int:
    """Check the log, or the evidence of completions; change nothing."""
    return _verify_claims(project, as_json) if as_claims else _verify_log(project, as_json)


def _verify_log(project: Project, as_json: bool) -> int:
    with progress_note("reading log, archive and copies"):
        found = findings(project, datetime.now(UTC))
    lines = [one_line(f"{finding.what}; {finding.remedy}") for finding in found]
    data = {"ok": not found, "findings": [finding._asdict() for finding in found]}
    emit(as_json, data, lines or ["Log and archive are in order."])
    return 1 if found else 0


def _verify_claims(project: Project, as_json: bool) -> int:
    with progress_note("reading the log and the records of sessions"):
        found = claims(project)
    unproven = [claim._asdict() for claim in found.unproven]
    lines = [one_line(f"{each.timestamp}  {each.task}: {each.words} ({each.id})") for each in found.unproven]
    if not unproven:
        lines.append(f"No claim without evidence; {counted(found.proven, 'completion')} verified.")
    if found.unknown:
        unread = counted(found.unknown, "completion")
        lines.append(f"Not known: {unread} of sessions whose transcript was not read.")
    data = {"ok": not unproven, "claims": unproven, "proven": found.proven, "unknown": found.unknown}
    emit(as_json, data, lines)
    return 1 if unproven else 0


@click.command(
    help="Mend what `verify` finds. Damaged originals are kept beside what replaces them.",
    epilog="Example: agent-progress repair",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Bring in entries of copies kept for this path, too, that nothing shows to be this project's.",
)
@json_option
@pass_project
def repair(project: Project, /, adopt: bool, as_json: bool) -> None:
    """Mend log and archive."""
    with progress_note("reading log, archive and copies"):
        done = repair_log(project, datetime.now(UTC), adopt=adopt)
    emit(as_json, {"repaired": done}, map(one_line, done or ["There is nothing to repair."]))
