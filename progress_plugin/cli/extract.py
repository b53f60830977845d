"""The command extract: what is read from one log, as tables."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from progress_plugin.cli.output import (
    print_json,
    progress_note,
)
from progress_plugin.model.status import SHOWN_WORDS, Status
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.extract import Extract, extract_log

STATUS_WORDS = {status: SHOWN_WORDS[status].replace(" ", "_") for status in Status}


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
                "line": learning.source.line,
                "story": learning.story,
                "files": list(paths_in(learning.text)),
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
        learnings.add_row(str(learning.source.line), learning.kind.value, where, _cell(learning.text))
    console = Console()
    for table, what in ((stories, "stories"), (learnings, "learnings")):
        console.print(table if table.row_count else f"No {what} found.")
    titles = [row.title for row in found.stories if row.line][-len(found.recent) :]
    recent = ", ".join(_cell(id_ or title) for id_, title in zip(found.recent, titles, strict=False))
    console.print(f"Recent, oldest first: {recent or 'none'}", highlight=False)


def _cell(text: str | None) -> str:
    return escape(one_line(text)) if text else "–"
