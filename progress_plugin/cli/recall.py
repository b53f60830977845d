"""The command recall: search the whole history."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from progress_plugin.cli.output import (
    ShellPath,
    json_option,
    pass_project,
    print_context,
    progress_note,
)
from progress_plugin.core.project import Project
from progress_plugin.text.safe_output import clean, json_text
from progress_plugin.usecases.recalling.answer_text import as_objects, recall_text
from progress_plugin.usecases.recalling.recall import DEFAULT as DEFAULT_HITS
from progress_plugin.usecases.recalling.recall import MOST as MAX_HITS
from progress_plugin.usecases.recalling.recall import Wanted, since
from progress_plugin.usecases.recalling.recall import recall as search_history


@click.command(
    help="Find what log, archive, agents' logs and plans say on WORDS: a question, names of code, a path; "
    "exit 1 if nothing fits.",
    epilog="Example: agent-progress recall why is the search cached --file harbour/search.py",
)
@click.argument("words", nargs=-1)
@click.option(
    "--file", metavar="PATH", type=ShellPath(), help="Only what names this file or folder, or stands in it."
)
@click.option("--story", metavar="ID", help="Only what is about this story.")
@click.option("--kind", metavar="KIND", help="Only learnings, blocker, next, files, checks, …")
@click.option(
    "--since",
    "newer_than",
    metavar="TIME",
    help="Only what is as new: a day such as 2026-11-01, or 12h, 7d, 2w.",
)
@click.option(
    "-n",
    "number",
    type=click.IntRange(1, MAX_HITS),
    default=DEFAULT_HITS,
    show_default=True,
    help="How many.",
)
@json_option
@pass_project
def recall(  # noqa: PLR0913 - one parameter per option
    project: Project,
    /,
    *,
    words: tuple[str, ...],
    file: str | None,
    story: str | None,
    kind: str | None,
    newer_than: str | None,
    number: int,
    as_json: bool,
) -> int:
    """Search the history."""
    after = since(newer_than, datetime.now(UTC)) if newer_than is not None else None
    query = " ".join(words)
    with progress_note("indexing the history"):
        found = search_history(project, query, number, Wanted(file, story, kind, after))
    text = json_text({"query": query, **as_objects(found)}) if as_json else clean(recall_text(found))
    print_context(f"{text}\n")
    return 0 if found.hits else 1
