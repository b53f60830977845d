"""Extract stories and learnings from one log of an agent."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import MAX_INPUT_BYTES, read_named
from progress_plugin.model.status import SHOWN_WORDS, Status
from progress_plugin.model.work import Entry, Item, Learning
from progress_plugin.plans.documents import read_plans
from progress_plugin.state import rules
from progress_plugin.text.decode import decode, decode_lenient
from progress_plugin.text.document import document_text
from progress_plugin.text.paths_in_text import paths_in

MAX_RECENT = 3
PROBE_BYTES = 4096
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class StoryRow:
    """One story as the log, or only the plan, states it."""

    id: str | None
    title: str | None
    status: Status
    line: int | None  # of its heading; None for a story that only the plan knows

    @property
    def status_word(self) -> str:
        """The status as one word, such as `complete` or `in_progress`."""
        return SHOWN_WORDS[self.status].replace(" ", "_")


@dataclass(frozen=True, slots=True)
class Extract:
    """What one log holds."""

    stories: tuple[StoryRow, ...]  # of each entry and id, oldest first, then those of the plan
    learnings: tuple[Learning, ...]  # every learning at its line, in file order
    recent: tuple[StoryRow, ...]  # the last three stories of the log, oldest first

    def as_object(self) -> dict[str, Any]:
        """Return what `extract --json` prints."""
        return {
            "stories": [
                {"id": row.id, "title": row.title, "status": row.status_word, "line": row.line}
                for row in self.stories
            ],
            "learnings": [
                {
                    "kind": learning.kind.value,
                    "text": learning.text,
                    "line": learning.source.line,
                    "story": learning.story,
                    "files": list(paths_in(learning.text)),
                }
                for learning in self.learnings
            ],
            "recent": [row.id for row in self.recent],
        }


def extract_log(path: str, plan_path: str | None = None) -> Extract:
    """Read a log, with the plan that belongs to it if there is one.

    Raises BadInput, which names the file, if one of the two cannot be read.
    """
    text = _read_log(path)
    items = _read_items(plan_path) if plan_path else []
    titles = {item.id: item.title for item in items if item.id}
    log = read_agent_log(os.path.basename(path), text, titles)
    rows = [row for entry in log.entries for row in _rows(entry, titles)]
    logged = {row.id for row in rows}
    planned = [
        StoryRow(item.id, item.title, rules.stated_status(item.reports), None)
        for item in items
        if item.id is None or item.id not in logged
    ]
    return Extract((*rows, *planned), log.learnings, tuple(rows[-MAX_RECENT:]))


def _rows(entry: Entry, titles: dict[str, str]) -> list[StoryRow]:
    """Return a row for each story of an entry. An entry that states no status counts as done here."""
    status, line = entry.status or Status.DONE, entry.source.line
    if len(entry.ids) > 1:
        return [StoryRow(each, titles.get(each) or entry.title or None, status, line) for each in entry.ids]
    name = entry.ids[0] if entry.ids else None
    return [StoryRow(name, entry.title or titles.get(name or "") or None, status, line)]


def _read_log(path: str) -> str:
    data = _read_bytes(path)
    if b"\0" in data[:PROBE_BYTES] and data[:2] not in UTF_16_MARKS:
        raise BadInput(f"cannot read {path}: it is not a text file")
    return document_text(data, path)[0]


def _read_items(path: str) -> list[Item]:
    data = _read_bytes(path)
    plans = read_plans(path, decode(data, path) if path.endswith(".json") else decode_lenient(data, path)[0])
    if not plans:
        raise BadInput(f"{path}: no plan was recognised in it")
    return [item for item, _ in rules.leaves(plans[0].items)]


def _read_bytes(path: str) -> bytes:
    data = read_named(path, MAX_INPUT_BYTES)
    if data is None:
        raise BadInput(f"cannot read {path}: no such file")
    return data
