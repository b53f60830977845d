"""Commands that show what an agent gets: context, demo."""

from __future__ import annotations

import os
from dataclasses import asdict

import click

from progress_plugin.cli.output import (
    json_option,
    pass_project,
    print_context,
    print_json,
    progress_note,
    say,
)
from progress_plugin.core.clients import current_client
from progress_plugin.core.errors import BadInput
from progress_plugin.core.own_command import command_line
from progress_plugin.core.project import Project
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.composing import Composed, compose_for_this_call
from progress_plugin.usecases.context_changes import context_change
from progress_plugin.usecases.demo import DemoResult
from progress_plugin.usecases.demo import demo as run_demo
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.traced_context import TracedContext, TracedLine, trace_context
from progress_plugin.usecases.whole_log import whole_log

_NOTHING = "An agent gets nothing here: no plan and no entry yet, or it is switched off (`inject`)."


@click.command(
    help="Print exactly the text that a session start puts in front of an agent.",
    epilog="Example: agent-progress context --diff",
)
@click.option("--diff", is_flag=True, help="Print only what differs from the one kept last.")
@click.option("--sources", is_flag=True, help="Below each line the file and line, or entry, that says it.")
@click.option(
    "--whole", is_flag=True, help="Print the whole history instead, archive and agents' logs included."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the line for the user.")
@pass_project
def context(project: Project, /, diff: bool, sources: bool, whole: bool, as_json: bool) -> int:
    """Print the context; the exit code is 1 if an agent would get nothing."""
    if diff + sources + whole > 1:
        raise BadInput("--diff, --sources and --whole print different things; give one of them")
    if whole:
        return _show_whole(project, as_json)
    if sources:
        return _show_sources(project, as_json)
    if diff:
        return _show_change(project, as_json)
    take_in_latest(project)
    composed = compose_for_this_call(project)
    shown = _as_shown(composed.context)
    if as_json:
        print_json(_as_object(composed, shown))
    elif shown:
        print_context(shown)
    else:
        say(_NOTHING, err=True)
    return 0 if shown else 1


def _show_whole(project: Project, as_json: bool) -> int:
    with progress_note("reading log and archive"):
        lines = whole_log(project)
    if as_json:
        print_json({"lines": lines})
    elif lines:
        say("\n".join(lines))
    else:
        say("Nothing was recorded here yet.", err=True)
    return 0 if lines else 1


def _show_change(project: Project, as_json: bool) -> int:
    lines = context_change(project)
    if as_json:
        print_json({"kept": lines is not None, "changed": bool(lines), "diff": lines or []})
    elif lines is None:
        say("No context is kept yet: the next session start, or `status summarize`, keeps one.", err=True)
    else:
        say("\n".join(lines) or "Nothing changed since the last one was kept.")
    return 1 if lines is None else 0


def _show_sources(project: Project, as_json: bool) -> int:
    traced = trace_context(project)
    if as_json:
        print_json(
            [line._asdict() | {"sources": [each._asdict() for each in line.sources]} for line in traced.lines]
        )
    elif traced.lines:
        say("\n".join(text for line in traced.lines for text in _with_sources(line, traced)))
    else:
        say(_NOTHING, err=True)
    return 0 if traced.lines else 1


def _with_sources(line: TracedLine, traced: TracedContext) -> list[str]:
    """Return a line, and below it where it is said; nothing below an empty one."""
    if not line.text:
        return [""]
    made = f"made by agent-progress from {counted(len(traced.made_from), 'source')}"
    return [line.text, f"    < {_places(line) or made}"]


def _places(line: TracedLine) -> str:
    """Return `prd.json:12 (US-003), progress.md:40,44`: each file once, with its lines."""
    files: dict[tuple[str, str], list[str]] = {}
    for place in line.sources:
        named = f" ({place.entry})" if place.entry else ""
        numbers = files.setdefault((place.path, named), [])
        numbers += [str(place.line)] if place.line else []
    return ", ".join(
        f"{path}{':' if numbers else ''}{','.join(numbers)}{named}"
        for (path, named), numbers in files.items()
    )


def _as_shown(text: str) -> str:
    """Return the context as the client whose shell this is shows it at a start."""
    client = current_client(None, set(os.environ))
    return text if client.has_bin_on_path or not text else text + command_line()


def _as_object(composed: Composed, shown: str) -> dict[str, object]:
    return {
        "context": shown,
        "user_line": composed.user_line if composed.context else "",
        "tokens": {"estimated": True, "before": composed.tokens_before, "after": composed.tokens_after},
        "sources": composed.source_paths,
    }


"""The words of the JSON output, which differ from those of `status`: this contract is older."""
_RULE = "─" * 72


@click.command(
    help="Show on an example what an agent gets at a session start, and what it saves.",
    epilog="Example: agent-progress demo",
)
@json_option
def demo(as_json: bool) -> None:
    """Run the demonstration; nothing of it stays on the disk."""
    shown = run_demo()
    if as_json:
        print_json(asdict(shown))
        return
    print_context("\n".join(_demo_lines(shown)) + "\n")


def _demo_lines(shown: DemoResult) -> list[str]:
    stories, tokens = shown.figures["stories"], shown.figures["tokens"]
    size = f"{counted(stories['total'], 'story')}, {shown.source_bytes / 1000:.0f} KB"
    saved = f"{tokens['saved']:,} saved ({tokens['saved_percent']} %), estimated"
    return [
        f"An example: the plan and the log of a project ({size}), copied to a temporary directory.",
        "When a session starts there, the user sees one line:",
        "",
        f"  {shown.user_line}",
        "",
        "and this is put in front of the agent:",
        _RULE,
        shown.context.rstrip("\n"),
        _RULE,
        f"Tokens: {tokens['before']:,} for plan and log, {tokens['after']:,} for the summary: {saved}.",
        f"Time:   {shown.milliseconds} ms to make it; until a file changes, starts print it from a cache.",
        "",
        "In your own project `agent-progress context` shows the same of it, and writes nothing.",
    ]
