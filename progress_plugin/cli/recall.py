"""`agent-progress recall`: what the whole history says on a question.

What is found, and in which order, is decided in `recall.search`, how a hit is told, in
`usecases.recalling.answer_text`.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.usecases.recalling.answer_text import as_objects, recall_text
from progress_plugin.usecases.recalling.recall import DEFAULT, MOST, Wanted, recall, since


@click.command(
    help="Find what log, archive, agents' logs and plans say on WORDS: a question, names of code, a path.",
    epilog="Example: agent-progress recall why is the search cached --file harbour/search.py",
)
@click.argument("words", nargs=-1)
@click.option("--file", metavar="PATH", help="Only what names this file or folder, or stands in it.")
@click.option("--story", metavar="ID", help="Only what is about this story.")
@click.option("--kind", metavar="KIND", help="Only learnings, blocker, next, files, checks, …")
@click.option(
    "--since", metavar="TIME", help="Only what is as new: a day such as 2026-11-01, or 12h, 7d, 2w."
)
@click.option(
    "-n", "number", type=click.IntRange(1, MOST), default=DEFAULT, show_default=True, help="How many."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], number: int, as_json: bool, **given: Any) -> None:
    """Translate the command line into one call and its answer into text."""
    project = find_project(ctx.obj)
    named = given.pop("since")
    after = since(named, datetime.now(UTC)) if named is not None else None
    if given["file"] and os.pardir in re.split(r"[/\\]", given["file"]):  # it leads upward from where we are
        given["file"] = os.path.abspath(os.path.join(ctx.obj or "", given["file"]))
    with progress_note("indexing the history"):
        found = recall(project, " ".join(words), number, Wanted(**given, since=after))
    if as_json:
        print_json({"query": " ".join(words), **as_objects(found)})
    else:
        say(recall_text(found))
