"""Extract stories and learnings from one log of an agent."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import MAX_INPUT_BYTES, read_named
from progress_plugin.model.status import SHOWN_WORDS, Status
from progress_plugin.model.work import Entry, Learning
from progress_plugin.state import rules
from progress_plugin.text.document import document_text
from progress_plugin.usecases.status import read_plan

MAX_RECENT = 3
PROBE_BYTES = 4096
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Extract(NamedTuple):
    """What one log holds; a story has `id`, `title`, `status` and `line`, null for one only a plan knows."""

    stories: list[dict[str, Any]]  # of each entry and id, oldest first, then those of the plan
    learnings: tuple[Learning, ...]  # every learning at its line, in file order
    recent: list[dict[str, Any]]  # the last three stories of the log, oldest first


def extract_log(path: str, plan_path: str | None = None) -> Extract:
    """Read a log, with the plan that belongs to it if there is one.

    Raises BadInput, which names the file, if one of the two cannot be read.
    """
    text = _read_log(path)
    items = [item for item, _ in rules.leaves(read_plan(plan_path)[0].items)] if plan_path else []
    titles = {item.id: item.title for item in items if item.id}
    log = read_agent_log(os.path.basename(path), text, titles)
    logged = [story for entry in log.entries for story in _stories(entry, titles)]
    ids = {story["id"] for story in logged} - {None}
    planned = [
        _story(item.id, item.title, rules.stated_status(item.reports), None)
        for item in items
        if item.id not in ids
    ]
    return Extract([*logged, *planned], log.learnings, logged[-MAX_RECENT:])


def _stories(entry: Entry, titles: dict[str, str]) -> list[dict[str, Any]]:
    """Return the stories of an entry. If it states no status it counts as done here."""
    status, line = entry.status or Status.DONE, entry.source.line
    if len(entry.ids) > 1:
        return [_story(each, titles.get(each) or entry.title or None, status, line) for each in entry.ids]
    name = entry.ids[0] if entry.ids else None
    return [_story(name, entry.title or titles.get(name or "") or None, status, line)]


def _story(name: str | None, title: str | None, status: Status, line: int | None) -> dict[str, Any]:
    word = SHOWN_WORDS[status].replace(" ", "_")
    return {"id": name, "title": title, "status": word, "line": line}


def _read_log(path: str) -> str:
    data = read_named(path, MAX_INPUT_BYTES)
    if data is None:
        raise BadInput(f"cannot read {path}: no such file")
    if b"\0" in data[:PROBE_BYTES] and data[:2] not in UTF_16_MARKS:
        raise BadInput(f"cannot read {path}: it is not a text file")
    return document_text(data, path)[0]
