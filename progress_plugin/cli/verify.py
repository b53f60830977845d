"""`agent-progress verify`: check log and archive, or what completions are proven by; change nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.verify import claims, findings


@click.command(
    help="Check the log and its archive, and say what to do; exit 1 where something is found. With --claims "
    "list instead the tasks that were called done though no check passed after their last edit, as far as "
    "the clients' transcripts tell.",
    epilog="Example: agent-progress verify --claims",
)
@click.option("--claims", "as_claims", is_flag=True, help="List completions without evidence.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, as_claims: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text and exit code."""
    project = find_project(ctx.obj)
    ok = _show_claims(project, as_json) if as_claims else _show_findings(project, as_json)
    if not ok:
        ctx.exit(1)


def _show_findings(project: Project, as_json: bool) -> bool:
    with progress_note("reading log, archive and copies"):
        found = findings(project, datetime.now(UTC))
    if as_json:
        told = [finding._asdict() for finding in found]
        print_json({"ok": not found, "findings": told})
    elif not found:
        say("Log and archive are in order.")
    else:
        for finding in found:
            say(one_line(f"{finding.what}; {finding.remedy}"))
    return not found


def _show_claims(project: Project, as_json: bool) -> bool:
    with progress_note("reading the log and the records of sessions"):
        told = claims(project)
    if as_json:
        unproven = [claim._asdict() for claim in told.unproven]
        numbers = {"proven": told.proven, "unknown": told.unknown}
        print_json({"ok": not unproven, "claims": unproven, **numbers})
        return not told.unproven
    for claim in told.unproven:
        say(one_line(f"{claim.timestamp}  {claim.task}: {claim.words} ({claim.id})"))
    if not told.unproven:
        say(f"No claim without evidence; {counted(told.proven, 'completion')} verified.")
    if told.unknown:
        say(f"Not known: {counted(told.unknown, 'completion')} of sessions whose transcript was not read.")
    return not told.unproven
