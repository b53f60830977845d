"""Items of Markdown plans: what their readers share."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from dataclasses import dataclass, field

from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report
from progress_plugin.plans.markdown_sections import Section
from progress_plugin.plans.plan_words import Label
from progress_plugin.plans.status_phrases import is_held_back
from progress_plugin.text.bounds import shortened

MAX_TITLE_CHARS = 300
MAX_PHRASE_CHARS = 60  # of an unknown status that is named
_EMPHASIS = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")


@dataclass
class Reader:
    """What is known while one document is read."""

    path: str
    date: dt.date | None
    is_log: bool
    box_meanings: dict[str, Status] = field(default_factory=dict)
    reads_status_lists: bool = False  # `1. Sail - done`, if nothing else lists the work
    unknown: Counter[str] = field(default_factory=Counter)
    beside: list[Item] = field(default_factory=list)
    has_status_fields: bool = False  # several sections have a status field, so these are items
    stated_units: frozenset[str] = frozenset()
    title: Section | None = None  # the only heading of level 1


def plain_text(markdown: str) -> str:
    """Return one line of text without Markdown marks."""
    text = " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", markdown)).split())
    return shortened(text, MAX_TITLE_CHARS).strip(" #")


def known_status(reader: Reader, status: Status | None, phrase: str) -> Status:
    """Return a status; an unknown phrase counts as open and is named."""
    if status is None and plain_text(phrase):
        reader.unknown[shortened(plain_text(phrase), MAX_PHRASE_CHARS)] += 1
    return status or Status.PENDING


def new_item(path: tuple[str, ...], label: Label | None, title: str, report: Report) -> Item:
    """Make an item of its own report. A label names it; an item without one is named by its title."""
    name = label.id if label else None
    title = (label.title if label else "") or title
    is_offered = not is_held_back(report.text)
    return Item(
        (*path, name or title), title, report.source, id=name, reports=[report], is_offered=is_offered
    )
