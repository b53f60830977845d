"""`agent-progress status`: the state of the work; `summarize` and `why`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.cli.status_text import status_lines
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.recording.log_entry import session_from_environment
from progress_plugin.usecases.status import plan_status, project_status
from progress_plugin.usecases.summarize import summarize, why


@click.group(
    invoke_without_command=True,
    help="Show completion, current, blocked and next stories.",
    epilog="Example: agent-progress status --plan prd.json",
)
@click.option("--plan", metavar="FILE", type=click.Path(), help="Look at this plan file alone.")
@click.option("--team", is_flag=True, help="Show everybody's work, as this clone knows it.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, plan: str | None, team: bool, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    if ctx.invoked_subcommand is not None:
        return
    if team:
        _show_team(find_project(ctx.obj), as_json)
        return
    with progress_note("reading plans and logs"):
        answer = plan_status(plan) if plan else project_status(find_project(ctx.obj))
    if not as_json and sys.stdout.isatty():
        from rich.console import Console  # noqa: PLC0415 - 40 ms that only a terminal needs

        from progress_plugin.cli.status_screen import show  # noqa: PLC0415

        show(answer, Console(highlight=False), datetime.now(UTC))
        return
    _print(answer, as_json, lambda told: status_lines(told, datetime.now(UTC)))


@command.command(
    "summarize",
    help="Make the summary anew and print its figures.",
    epilog="Example: agent-progress status summarize",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def summarize_command(ctx: click.Context, as_json: bool) -> None:
    """Regenerate, then print."""
    with progress_note("making the summary"):
        answer = summarize(find_project(ctx.obj), session=session_from_environment())
    _print(answer, as_json, _figure_lines)


@command.command(
    "why",
    help="Say which file that the summary depends on changed since it was made; exit 1 if one did.",
    epilog="Example: agent-progress status why",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def why_command(ctx: click.Context, as_json: bool) -> None:
    """Compare, then print."""
    answer = why(find_project(ctx.obj))
    _print(answer, as_json, lambda each: [f"{'fresh' if each['fresh'] else 'stale'}: {each['reason']}"])
    if not answer["fresh"]:
        ctx.exit(1)


def _show_team(project: Project, as_json: bool) -> None:
    from progress_plugin.cli.team_text import team_lines  # noqa: PLC0415 - of no use without a team
    from progress_plugin.usecases.team_view import team_view  # noqa: PLC0415

    now = datetime.now(UTC)
    with progress_note("reading the log"):
        view = team_view(project, now)
    if as_json:
        print_json(asdict(view))
    else:
        say("\n".join(team_lines(view, now)))


def _print(answer: dict[str, Any], as_json: bool, lines: Callable[[dict[str, Any]], list[str]]) -> None:
    if as_json:
        print_json(answer)
    else:
        say("\n".join(lines(answer)))


def _figure_lines(answer: dict[str, Any]) -> list[str]:
    tokens = answer["tokens"]
    kinds = ", ".join(counted(number, kind) for kind, number in answer["learnings"].items())
    states = ", ".join(f"{number} {name}" for name, number in answer["stories"].items() if name != "total")
    share = f" ({tokens['saved_percent']}%)" if tokens["saved_percent"] is not None else ""
    saved = f", {tokens['saved']} saved{share}" if tokens["saved"] > 0 else ""
    spent = f"{tokens['before']} before, {tokens['after']} after{saved}"
    return [
        f"Stories:   {answer['stories']['total']} ({states or 'none'})",
        f"Learnings: {sum(answer['learnings'].values())} ({kinds}), {answer['learnings_shown']} shown",
        f"Recent:    {counted(answer['recent'], 'story')} in detail",
        f"Tokens:    {spent}; estimates",
        f"Written:   {answer['path']}" if answer["written"] else f"Not written: {answer['unwritten']}",
        *(f"Problem:   {problem}" for problem in answer["problems"] if problem != answer["unwritten"]),
    ]
