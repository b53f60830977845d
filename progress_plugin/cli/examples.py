"""Commands that need no project: demo, extract."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from progress_plugin.cli.options import json_option
from progress_plugin.cli.output import print_context, print_json, progress_note
from progress_plugin.model.status import SHOWN_WORDS, Status
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.demo import DemoResult
from progress_plugin.usecases.demo import demo as run_demo
from progress_plugin.usecases.extract import Extract, extract_log

STATUS_WORDS = {status: SHOWN_WORDS[status].replace(" ", "_") for status in Status}
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


@click.command(
    help="Show the stories and learnings of one Markdown log, with line numbers.",
    epilog="Example: agent-progress extract progress.md --prd prd.json --json",
)
@click.argument("file", type=click.Path())
@click.option("--prd", metavar="FILE", type=click.Path(), help="The plan, for titles and stories not begun.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def extract(file: str, prd: str | None, as_json: bool) -> None:
    """Read one log."""
    with progress_note(f"reading {one_line(file)}"):
        found = extract_log(file, prd)
    if as_json:
        print_json(_extract_object(found))
    else:
        _print_tables(found, file)


def _extract_object(found: Extract) -> dict[str, Any]:
    return {
        "stories": [
            {"id": row.id, "title": row.title, "status": STATUS_WORDS[row.status], "line": row.line}
            for row in found.stories
        ],
        "learnings": [
            {
                "kind": learning.kind.value,
                "text": learning.text,
                "line": learning.lines[0],
                "story": learning.story,
                "files": list(learning.files),
            }
            for learning in found.learnings
        ],
        "recent": list(found.recent),
    }


def _print_tables(found: Extract, file: str) -> None:
    title = f"Stories of {_cell(file)}"
    stories = Table("line", "story", "title", "status", title=title, title_justify="left")
    for row in found.stories:
        line = str(row.line) if row.line else "plan"
        stories.add_row(line, _cell(row.id), _cell(row.title), STATUS_WORDS[row.status])
    learnings = Table("line", "kind", "story", "learning", title="Learnings", title_justify="left")
    for learning in found.learnings:
        where = _cell(learning.story)
        learnings.add_row(str(learning.lines[0]), learning.kind.value, where, _cell(learning.text))
    console = Console()
    for table, what in ((stories, "stories"), (learnings, "learnings")):
        console.print(table if table.row_count else f"No {what} found.")
    titles = [row.title for row in found.stories if row.line][-len(found.recent) :]
    recent = ", ".join(_cell(id_ or title) for id_, title in zip(found.recent, titles, strict=False))
    console.print(f"Recent, oldest first: {recent or 'none'}", highlight=False)


def _cell(text: str | None) -> str:
    return escape(one_line(text)) if text else "–"
