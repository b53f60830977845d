"""Commands that keep the log in order."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import Answer, command
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.upkeep import archive_old, findings, repair_log
from progress_plugin.usecases.upkeep import claims as claims_of

_COUNT = click.IntRange(min=0)


@command("archive --days 90")
@click.option("--days", type=_COUNT, help="Entries older than this; default: the setting.")
@click.option("--at-least", type=_COUNT, help="Only from so many entries on; default: the setting.")
def archive(project: Project, days: int | None, at_least: int | None) -> Answer:
    """Move old entries to archive/YYYY-MM.json. Appending does it by itself when it is due."""
    done = archive_old(project, datetime.now(UTC), days=days, at_least=at_least)
    nothing = f"Nothing is due: {counted(done.left, 'entry stays', 'entries stay')} in the log."
    return Answer(done._asdict(), [*([] if done.moved else [nothing]), *map(one_line, done.notes)])


@command("verify --claims")
@click.option("--claims", "as_claims", is_flag=True, help="List completions without evidence.")
def verify(project: Project, as_claims: bool) -> Answer:
    """Check the log and its archive, and say what to do; exit 1 if something is found. It changes nothing.

    With --claims list instead the tasks that were called done though no check passed after their last edit,
    as far as the clients' transcripts show.
    """
    if as_claims:
        return _verify_claims(project)
    found = findings(project, datetime.now(UTC))
    lines = [one_line(f"{finding.what}; {finding.remedy}") for finding in found]
    data = {"ok": not found, "findings": [finding._asdict() for finding in found]}
    return Answer(data, lines or ["Log and archive are in order."], code=1 if found else 0)


def _verify_claims(project: Project) -> Answer:
    found = claims_of(project)
    lines = [f"{each.timestamp}  {each.task}: {each.words} ({each.id})" for each in found.unproven]
    if not lines and found.proven:
        verified = f"{counted(found.proven, 'completion')} verified."
        lines.append(verified if found.unknown else f"No claim without evidence; {verified}")
    elif not lines and not found.unknown:
        lines.append("Nothing to check: no completion of a session is in the log.")
    if found.unknown:
        unread = counted(found.unknown, "completion")
        lines.append(f"Not checked: {unread} of sessions whose transcript was not read.")
    unproven = [claim._asdict() for claim in found.unproven]
    data = {"ok": not unproven, "claims": unproven, "proven": found.proven, "unknown": found.unknown}
    return Answer(data, map(one_line, lines), code=1 if unproven else 0)


@command("repair")
def repair(project: Project) -> Answer:
    """Repair what `verify` finds. Damaged originals are kept beside what replaces them."""
    done = repair_log(project, datetime.now(UTC))
    return Answer({"repaired": done}, map(one_line, done or ["There is nothing to repair."]))
