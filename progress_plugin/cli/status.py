"""`agent-progress status`: where the work stands; `summarize` and `why`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from progress_plugin.cli.output import print_json
from progress_plugin.core.project import find_project
from progress_plugin.text.escape import one_line
from progress_plugin.usecases.log_entry import session_from_environment
from progress_plugin.usecases.status import plan_status, project_status
from progress_plugin.usecases.summarize import summarize, why

_WIDEST_ID = 24


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
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(lines(answer)))


def _figure_lines(answer: dict[str, Any]) -> list[str]:
    tokens = answer["tokens"]
    kinds = ", ".join(f"{number} {kind}" for kind, number in answer["learnings"].items())
    states = ", ".join(f"{number} {name}" for name, number in answer["stories"].items() if name != "total")
    share = f" ({tokens['saved_percent']}%)" if tokens["saved_percent"] is not None else ""
    spent = f"{tokens['before']} before, {tokens['after']} after, {tokens['saved']} saved{share}"
    return [
        f"Stories:   {answer['stories']['total']} ({states or 'none'})",
        f"Learnings: {sum(answer['learnings'].values())} ({kinds}), {answer['learnings_shown']} shown",
        f"Recent:    {answer['recent']} stories in detail",
        f"Tokens:    {spent}; estimates",
        f"Written:   {answer['path']}",
        *(f"Problem:   {problem}" for problem in answer["problems"]),
    ]


def _status_lines(answer: dict[str, Any]) -> list[str]:
    plan = answer["plan"]
    head = f"{answer.get('project') or (plan['name'] or plan['path'])}: {answer['summary']}"
    lines = [head, *_labelled("Current", [answer["current"]])]
    lines += _labelled("Blocked", [_with_reason(story) for story in answer["blocked"]])
    blockers = answer.get("blockers", ())
    lines += _labelled(
        "Blocker", [f"{each['task']} - {each['issue']} (since {each['since']})" for each in blockers]
    )
    lines += _labelled("Next", [answer.get("next")])
    lines += _labelled("Drift", answer["drift"])
    lines += _labelled("Problem", answer["problems"])
    if answer["stories"]:
        lines += ["", *_table(answer["stories"])]
    if "root" in answer:
        lines += ["", f"Root {answer['root']}, read: {', '.join(answer['sources']['files']) or 'nothing'}"]
    return lines


def _labelled(label: str, texts: Iterable[str | None]) -> list[str]:
    """Return one line per text, made harmless: plans and logs are anybody's words (S16.3)."""
    return [f"{label + ':':<9}{one_line(text)}" for text in texts if text]


def _with_reason(story: dict[str, Any]) -> str:
    name = story["id"] or story["title"]
    return f"{name} - {story['why']}" if story["why"] else name


def _table(stories: list[dict[str, Any]]) -> list[str]:
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415 - widths of CJK and emoji, only for people

    labels = [one_line(story["id"] or "") for story in stories]
    width = min(max(map(cell_len, labels)), _WIDEST_ID)
    rows = []
    for story, label in zip(stories, labels, strict=True):
        waits = f" (waits for {', '.join(story['waits_for'])})" if story["waits_for"] else ""
        rows.append(
            f"{story['mark']} {set_cell_size(label, width)}  {one_line(story['title'] + waits)}".rstrip()
        )
    return rows
