"""What `recall` takes and answers, for both parsers of the command line."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import NamedTuple

from progress_plugin.cli.progress_note import progress_note
from progress_plugin.core.project import find_project
from progress_plugin.text.safe_output import clean, json_text
from progress_plugin.usecases.recalling.answer_text import as_objects, recall_text
from progress_plugin.usecases.recalling.recall import DEFAULT, Wanted, recall, since

NAME = "recall"


class Request(NamedTuple):
    """What somebody asks on the command line."""

    words: tuple[str, ...] = ()
    file: str | None = None
    story: str | None = None
    kind: str | None = None
    since: str | None = None
    number: int = DEFAULT
    as_json: bool = False


FILTERS = {
    "file": ("PATH", "Only what names this file or folder, or stands in it."),
    "story": ("ID", "Only what is about this story."),
    "kind": ("KIND", "Only learnings, blocker, next, files, checks, …"),
    "since": ("TIME", "Only what is as new: a day such as 2026-11-01, or 12h, 7d, 2w."),
}
"""The options that take a text, without their hyphens: how it is shown, and what they do."""


class Answer(NamedTuple):
    """What is to be printed, harmless, without the last line end, and the exit code: 1 where nothing fits."""

    text: str
    code: int


def answer(project_dir: str | None, asked: Request) -> Answer:
    """Return the answer to a question; raises what `recall` raises."""
    project = find_project(project_dir)
    after = since(asked.since, datetime.now(UTC)) if asked.since is not None else None
    file = asked.file
    parts = re.split(r"[/\\]", file or "")
    if file and (os.pardir in parts or parts[0] == os.curdir):  # it leads on from where we are
        file = os.path.abspath(os.path.join(project_dir or "", file))
    query = " ".join(asked.words)
    with progress_note("indexing the history"):
        found = recall(project, query, asked.number, Wanted(file, asked.story, asked.kind, after))
    told = json_text({"query": query, **as_objects(found)}) if asked.as_json else clean(recall_text(found))
    return Answer(told, 0 if found.hits else 1)
