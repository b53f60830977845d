"""`agent-progress status`: where the work stands; `summarize` and `why`."""

from __future__ import annotations

import json
from typing import Any

import click

from progress_plugin.core.project import find_project
from progress_plugin.usecases.log_entry import session_from_environment
from progress_plugin.usecases.status import plan_status, project_status
from progress_plugin.usecases.summarize import summarize, why


@click.group(invoke_without_command=True, help="Show completion, current, blocked and next stories.")
@click.option("--plan", metavar="FILE", type=click.Path(), help="Look at this plan file alone.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, plan: str | None, as_json: bool) -> None:
    """Translate the command line into one call and its answer into text."""
    if ctx.invoked_subcommand is not None:
        return
    answer = plan_status(plan) if plan else project_status(find_project(ctx.obj))
    _print(answer, as_json, _status_lines)


@command.command("summarize", help="Make the summary anew and print its figures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def summarize_command(ctx: click.Context, as_json: bool) -> None:
    """Regenerate, then tell."""
    answer = summarize(find_project(ctx.obj), session=session_from_environment())
    _print(answer, as_json, _figure_lines)


@command.command("why", help="Say which input changed since the summary was made; exit 1 if one did.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def why_command(ctx: click.Context, as_json: bool) -> None:
    """Compare, then tell."""
    answer = why(find_project(ctx.obj))
    _print(answer, as_json, lambda each: [f"{'fresh' if each['fresh'] else 'stale'}: {each['reason']}"])
    if not answer["fresh"]:
        ctx.exit(1)


def _print(answer: dict[str, Any], as_json: bool, lines: Any) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2) if as_json else "\n".join(lines(answer)))


def _figure_lines(answer: dict[str, Any]) -> list[str]:
    tokens = answer["tokens"]
    kinds = ", ".join(f"{number} {kind}" for kind, number in answer["learnings"].items())
    states = ", ".join(f"{number} {name}" for name, number in answer["stories"].items() if name != "total")
    share = f" ({tokens['saved_percent']}%)" if tokens["saved_percent"] is not None else ""
    return [
        f"Stories:   {answer['stories']['total']} ({states or 'none'})",
        f"Learnings: {sum(answer['learnings'].values())} ({kinds}), {answer['learnings_shown']} shown",
        f"Recent:    {answer['recent']} stories in detail",
        f"Tokens:    {tokens['before']} before, {tokens['after']} after, {tokens['saved']} saved{share}, estimated",
        f"Written:   {answer['path']}",
        *(f"Problem:   {problem}" for problem in answer["problems"]),
    ]


def _status_lines(answer: dict[str, Any]) -> list[str]:
    plan = answer["plan"]
    lines = [f"{answer.get('project') or (plan['name'] or plan['path'])}: {answer['summary']}"]
    if answer["current"]:
        lines.append(f"Current: {answer['current']}")
    for story in answer["blocked"]:
        lines.append(
            f"Blocked: {story['id'] or story['title']}{' - ' + story['why'] if story['why'] else ''}"
        )
    for blocker in answer.get("blockers", ()):
        lines.append(f"Blocker: {blocker['task']} - {blocker['issue']} (since {blocker['since']})")
    if answer.get("next"):
        lines.append(f"Next:    {answer['next']}")
    lines += [f"Drift:   {text}" for text in answer["drift"]]
    lines += [f"Problem: {text}" for text in answer["problems"]]
    if answer["stories"]:
        lines += ["", *_table(answer["stories"])]
    if "root" in answer:
        lines += ["", f"Root {answer['root']}, read: {', '.join(answer['sources']['files']) or 'nothing'}"]
    return lines


def _table(stories: list[dict[str, Any]]) -> list[str]:
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415 - widths of CJK and emoji, only for people

    width = min(max(cell_len(story["id"] or "") for story in stories), 24)
    lines = []
    for story in stories:
        waits = f" (waits for {', '.join(story['waits_for'])})" if story["waits_for"] else ""
        label = set_cell_size(story["id"] or "", width)
        lines.append(f"{story['mark']} {label}  {story['title']}{waits}".rstrip())
    return lines
