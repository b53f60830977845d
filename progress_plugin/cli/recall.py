"""The command `recall`, in its own module to load fast."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import Answer, command
from progress_plugin.core.project import Project
from progress_plugin.recall.filters import Filters, parse_time
from progress_plugin.usecases.recalling.recall import DEFAULT_HITS, MAX_HITS, is_answered, recall_text
from progress_plugin.usecases.recalling.recall import recall as search_history

_FILE_HELP = "Only hits that name this file or folder, or are in it."
_NUMBER = click.IntRange(1, MAX_HITS)
_SINCE_HELP = "Only hits newer than TIME: a day such as 2026-11-01, or 12h, 7d, 2w."


@command("recall why is the search cached --file harbour/search.py")
@click.argument("words", nargs=-1)
@click.option("--file", metavar="PATH", type=click.Path(), help=_FILE_HELP)
@click.option("--story", metavar="ID", help="Only hits about this story.")
@click.option("--kind", metavar="KIND", help="Only learnings, blocker, next, files, checks, …")
@click.option("--since", "newer_than", metavar="TIME", help=_SINCE_HELP)
@click.option(
    "-n", "number", type=_NUMBER, default=DEFAULT_HITS, show_default=True, help="Maximum number of hits."
)
def recall(project: Project, words: tuple[str, ...], file: str | None, number: int, **filters: Any) -> Answer:
    """Search the whole history for WORDS: a question, or names in the code.

    Log, archive, agents' logs, plans, sessions and memory are searched. WORDS may also be a path.

    The exit code is 1 if nothing fits.
    """
    newer_than = filters.pop("newer_than")
    after = parse_time(newer_than, datetime.now(UTC)) if newer_than is not None else None
    query = " ".join(words)
    path = os.path.abspath(file) if file and file.strip() else file  # relative to the shell, never to -C
    found = search_history(project, query, number, Filters(since=after, file=path, **filters))
    data = {"query": query, **found}
    return Answer(data, text=f"{recall_text(found)}\n", code=0 if is_answered(found) else 1)
