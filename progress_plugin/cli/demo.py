"""`agent-progress demo`: what an agent gets on an example, and what it saves."""

from __future__ import annotations

from dataclasses import asdict

import click

from progress_plugin.cli.output import print_context, print_json
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.demo import DemoResult, demo

_RULE = "─" * 72


@click.command(
    help="Show on an example what an agent gets at a session start, and what it saves.",
    epilog="Example: agent-progress demo",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """Run the demonstration and print it; nothing of it stays on the disk."""
    shown = demo()
    if as_json:
        print_json(asdict(shown))
        return
    print_context("\n".join(_lines(shown)) + "\n")


def _lines(shown: DemoResult) -> list[str]:
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
