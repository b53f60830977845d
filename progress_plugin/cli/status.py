"""Commands that show the work: status, context, demo, recent, sessions, extract."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import Answer, command, example_line, named_directory, print_answer
from progress_plugin.core.clients import current_client, session_from_environment
from progress_plugin.core.environment import command_line
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project, find_project
from progress_plugin.log.entry import ICONS, OTHER_ICON
from progress_plugin.usecases.composing import compose_for_this_call
from progress_plugin.usecases.explain_context import context_change, explain_cache, trace_context
from progress_plugin.usecases.recording.record import record_all_changes
from progress_plugin.usecases.report import team_view
from progress_plugin.usecases.sessions.views import DEFAULT_SESSIONS, list_sessions, session_details
from progress_plugin.usecases.sharing import read_current
from progress_plugin.usecases.status import extract_log, list_recent, plan_status, project_status, whole_log
from progress_plugin.usecases.summaries import demo as run_demo
from progress_plugin.usecases.summaries import summarize as make_summary

DEFAULT_ENTRIES = 20
NO_CONTEXT = "An agent gets nothing here: no plan and no entry yet, or it is switched off (`inject`)."
_COUNT = click.IntRange(0)


@click.group(invoke_without_command=True, epilog=example_line("status --plan prd.json"))
@click.option("--plan", metavar="FILE", type=click.Path(), help="Show the status of this plan file alone.")
@click.option("--team", is_flag=True, help="Show everybody's work, as this clone knows it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(ctx: click.Context, plan: str | None, team: bool, as_json: bool) -> None:
    """Show completion, current, blocked and next stories."""
    if ctx.invoked_subcommand is not None:
        return
    if team:
        data = team_view(read_current(find_project(named_directory())), datetime.now(UTC))
    else:
        data = plan_status(plan) if plan else project_status(find_project(named_directory()))
    print_answer(Answer(data, "team" if team else "status"), as_json=as_json)


@command("status summarize", status)
def summarize(project: Project) -> Answer:
    """Make the summary again and print its figures."""
    record_all_changes(project, now=datetime.now(UTC), session=session_from_environment())
    return Answer(make_summary(project), "summarize")


@command("status why", status)
def why(project: Project) -> Answer:
    """Say which files changed since the summary was made from them. Exit 1 if it is old or missing."""
    answer = explain_cache(project)
    return Answer(answer, "why", code=0 if answer["fresh"] else 1)


_WHOLE_HELP = "Print the whole history instead, archive and agents' logs included."


@command("context --diff", json_help="Print one JSON object, with the line for the user.")
@click.option("--diff", is_flag=True, help="Print only the difference from the last stored context.")
@click.option("--sources", is_flag=True, help="Print the source below each line: file and line, or entry.")
@click.option("--whole", is_flag=True, help=_WHOLE_HELP)
def context(project: Project, diff: bool, sources: bool, whole: bool) -> Answer:
    """Print exactly what an agent gets at a session start. The exit code is 1 if that is nothing."""
    if diff + sources + whole > 1:
        raise BadInput("--diff, --sources and --whole print different things; give one of them")
    if whole:
        history = whole_log(project)
        return _list_lines({"lines": history}, history, "Nothing was recorded here yet.")
    if sources:
        traced, made_from = trace_context(project)
        if traced:
            return Answer(traced, "sources", values={"lines": traced, "made_from": made_from})
        return Answer(traced, notes=[NO_CONTEXT], code=1)
    if diff:
        changes = context_change(project)
        data = {"kept": changes is not None, "changed": bool(changes), "diff": changes or []}
        nothing = "No context is stored yet: the next session start or `status summarize` stores one."
        shown = ["Nothing changed since the last context was stored."] if changes == [] else changes or []
        return _list_lines(data, shown, nothing)
    composed = compose_for_this_call(project)
    context = composed.cache.context
    # a client without our command on its PATH is also shown how to call it
    has_command = current_client(None, set(os.environ)).has_bin_on_path
    text = context + ("" if has_command or not context else command_line())
    tokens = {"estimated": True, "before": composed.tokens_before, "after": composed.tokens_after}
    line = composed.cache.user_message if text else ""
    data = {"context": text, "user_line": line, "tokens": tokens, "sources": composed.source_paths}
    return Answer(data, notes=() if text else (NO_CONTEXT,), code=0 if text else 1, text=text)


def _list_lines(data: Any, lines: list[str], nothing: str) -> Answer:
    return Answer(data, notes=() if lines else (nothing,), code=0 if lines else 1, lines=lines)


@command("demo", in_project=False)
def demo() -> Answer:
    """Show on an example what an agent gets, and how many tokens that saves."""
    return Answer(run_demo(), "demo")


@command("recent -n 5")
@click.option("-n", "number", type=_COUNT, default=DEFAULT_ENTRIES, show_default=True, help="Entry limit.")
@click.option("--sessions", "with_sessions", is_flag=True, help="Show as many of the recorded sessions, too.")
def recent(project: Project, number: int, with_sessions: bool) -> Answer:
    """Show the newest entries, and every open blocker. Archived entries are included."""
    data, shown = list_recent(project, number, sessions=with_sessions)
    return Answer(data, "recent", values={**data, **shown, "icons": ICONS, "other_icon": OTHER_ICON})


@command("sessions -n 3")
@click.argument("named", metavar="[ID]", required=False)
@click.option("-n", "number", type=_COUNT, default=DEFAULT_SESSIONS, show_default=True, help="Session limit.")
def sessions(project: Project, named: str | None, number: int) -> Answer:
    """List what earlier sessions did, the last one first, by the clients' transcripts.

    With an ID, or its beginning, or `last`, show one: requests, files, checks, commits, open tasks.
    """
    if named is not None:
        lines, facts = session_details(project, named)
        return Answer(facts, lines=lines)
    return Answer({"sessions": list_sessions(project, number)}, "sessions")


@command("extract progress.md --prd prd.json --json", in_project=False)
@click.argument("file", type=click.Path())
@click.option("--prd", metavar="FILE", type=click.Path(), help="The plan, for titles and stories not begun.")
def extract(file: str, prd: str | None) -> Answer:
    """Show the stories and learnings of one log, with line numbers."""
    found = extract_log(file, prd)
    data = found | {"recent": [story["id"] for story in found["recent"]]}
    return Answer(data, "extract", values=data | {"file": file, "newest": found["recent"]})
