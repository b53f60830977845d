"""Commands that keep the log in order: archive, verify, repair."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import emit, json_option, pass_project, progress_note
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.archive import archive_old
from progress_plugin.usecases.repair import repair_log
from progress_plugin.usecases.verify import claims, findings


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
        verified = f"{counted(found.proven, 'completion')} verified."
        lines.append(verified if found.unknown else f"No claim without evidence; {verified}")
    if found.unknown:
        unread = counted(found.unknown, "completion")
        lines.append(f"Not checked: {unread} of sessions whose transcript was not read.")
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
