"""The command recall, in a module of its own: an agent waits for it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.cli.output import ShellPath, example, json_option, pass_project, print_context
from progress_plugin.core.project import Project
from progress_plugin.usecases.recalling.answer_text import as_objects, recall_text
from progress_plugin.usecases.recalling.recall import DEFAULT as DEFAULT_HITS
from progress_plugin.usecases.recalling.recall import MOST as MAX_HITS
from progress_plugin.usecases.recalling.recall import Wanted, since
from progress_plugin.usecases.recalling.recall import recall as search_history


@click.command(epilog=example("recall why is the search cached --file harbour/search.py"))
@click.argument("words", nargs=-1)
@click.option(
    "--file", metavar="PATH", type=ShellPath(), help="Only what names this file or folder, or is in it."
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
def recall(
    project: Project,
    /,
    words: tuple[str, ...],
    newer_than: str | None,
    number: int,
    as_json: bool,
    **wanted: Any,
) -> int:
    """Find what log, archive, agents' logs and plans say on WORDS: a question, names of code, a path.

    The exit code is 1 if nothing fits.
    """
    after = since(newer_than, datetime.now(UTC)) if newer_than is not None else None
    query = " ".join(words)
    found = search_history(project, query, number, Wanted(since=after, **wanted))
    if as_json:
        from progress_plugin.text.safe_output import json_text  # noqa: PLC0415 - lines are safe as they are

        print_context(f"{json_text({'query': query, **as_objects(found)})}\n")
    else:
        print_context(f"{recall_text(found)}\n")
    return 0 if found.hits or found.state else 1
