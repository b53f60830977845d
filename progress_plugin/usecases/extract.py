"""Extract stories and learnings from one authored log."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from progress_plugin.authored.reader import read_log
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import MAX_INPUT_BYTES, read_named
from progress_plugin.learnings.extract import extract as extract_learnings
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.reader import read_plan
from progress_plugin.text.document_text import without_conflict_markers

_RECENT = 3
_PROBE = 4096
_MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16


@dataclass(frozen=True, slots=True)
class StoryRow:
    """One story as the log, or only the plan, states it."""

    id: str | None
    title: str | None
    status: Status
    line: int | None
    """1-based line of its heading; None for a story that only the plan knows."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What one log holds."""

    stories: tuple[StoryRow, ...]
    """One row per id and entry in true order, then the stories that only the plan knows."""
    learnings: tuple[Learning, ...]
    """Every learning where it is, in file order."""
    recent: tuple[str | None, ...]
    """Ids of the last three stories, oldest first."""


def extract_log(path: str, plan_path: str | None = None) -> Extract:
    """Read a log, with the plan that belongs to it if there is one.

    Raises BadInput where one of the two cannot be read; the message names it.
    """
    text = without_conflict_markers(read_text(path))[0]
    plan = _read_plan(plan_path) if plan_path else None
    stories = plan.stories if plan else ()
    titles = {story.id: story.title for story in stories if not story.positional}
    log = read_log(text, path, titles)
    rows = [row for event in log.events for row in _rows(event, titles)]
    learnings = extract_learnings(log.document, log.owner_of_line, path)
    recent = tuple(row.id for row in rows[-_RECENT:])
    return Extract((*rows, *_only_planned(stories, rows)), tuple(learnings), recent)


def _rows(event: Event, titles: Mapping[str, str]) -> list[StoryRow]:
    if not event.stories:
        return [StoryRow(None, event.title, event.status, event.line)]
    several = len(event.stories) > 1
    return [
        StoryRow(
            id_, titles.get(id_) or event.title if several else event.title, event.status_of(id_), event.line
        )
        for id_ in event.stories
    ]


def _only_planned(stories: tuple[Story, ...], rows: list[StoryRow]) -> list[StoryRow]:
    """Return the stories that no entry is about; an id that is only a place in the plan is left out."""
    told = {row.id for row in rows}
    return [
        StoryRow(None if story.positional else story.id, story.title, story.status, None)
        for story in stories
        if story.positional or story.id not in told
    ]


def read_text(path: str) -> str:
    """Return the text of a file: UTF-8 or UTF-16. Raises BadInput, in one line, for anything else."""
    data = _read_bytes(path)
    if b"\0" in data[:_PROBE] and data[:2] not in _MARKS:
        raise BadInput(f"cannot read {path}: it is not a text file")
    return data.decode("utf-16" if data[:2] in _MARKS else "utf-8-sig", "replace")


def _read_plan(path: str) -> Plan | None:
    data = _read_bytes(path)
    folder = os.path.dirname(path)

    def beside(name: str) -> bytes | None:
        return read_named(os.path.join(folder, os.path.basename(name)), MAX_INPUT_BYTES)

    return read_plan(path, data, beside)


def _read_bytes(path: str) -> bytes:
    data = read_named(path, MAX_INPUT_BYTES)
    if data is None:
        raise BadInput(f"cannot read {path}: no such file")
    return data
