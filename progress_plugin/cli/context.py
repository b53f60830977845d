"""`agent-progress context`: exactly what an agent gets at a session start."""

from __future__ import annotations

import click

from progress_plugin.cli.output import print_context, print_json, say
from progress_plugin.core.project import find_project
from progress_plugin.usecases.compose import Composed
from progress_plugin.usecases.context_change import context_change
from progress_plugin.usecases.regenerate import compose_for_this_call


@click.command(
    help="Print exactly the text that a session start puts in front of an agent.",
    epilog="Example: agent-progress context --diff",
)
@click.option("--diff", is_flag=True, help="Print only what differs from the one kept last.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the line for the user.")
@click.pass_context
def command(ctx: click.Context, diff: bool, as_json: bool) -> None:
    """Compose and print; nothing is written. Exit 1 where an agent would get nothing."""
    if diff:
        _show_change(ctx, as_json)
        return
    composed = compose_for_this_call(find_project(ctx.obj))
    nothing = composed.sources.is_empty or not composed.context
    if as_json:
        print_json(_as_object(composed, nothing=nothing))
    elif nothing:
        say("An agent gets nothing here: no log, no plan, or it is switched off.", err=True)
    else:
        print_context(composed.context)
    if nothing:
        ctx.exit(1)


def _show_change(ctx: click.Context, as_json: bool) -> None:
    lines = context_change(find_project(ctx.obj))
    if as_json:
        print_json({"kept": lines is not None, "changed": bool(lines), "diff": lines or []})
    elif lines is None:
        say("No context is kept yet: the next session start, or `status summarize`, keeps one.", err=True)
    else:
        say("\n".join(lines) or "Nothing changed since the last one was kept.")
    if lines is None:
        ctx.exit(1)


def _as_object(composed: Composed, *, nothing: bool) -> dict[str, object]:
    return {
        "context": "" if nothing else composed.context,
        "user_line": "" if nothing else composed.user_line,
        "tokens": {"estimated": True, "before": composed.tokens_before, "after": composed.tokens_after},
        "sources": list(composed.facts.sources),
    }
