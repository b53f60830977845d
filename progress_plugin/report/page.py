"""The report as one HTML file that needs nothing beside it and can reach nothing outside (S13)."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from progress_plugin.core.version import VERSION
from progress_plugin.model.learning import Kind
from progress_plugin.model.status import Status
from progress_plugin.report import bars, timeline
from progress_plugin.report.timeline import Work
from progress_plugin.summary.content import MARKS
from progress_plugin.usecases.burn_up import dated
from progress_plugin.usecases.report import Entry, Report, Topic

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "templates")
_OPEN_DAYS = 20
"""Days of the timeline in sight; older ones are folded away."""
_ORDER = (Status.DONE, Status.ACTIVE, Status.BLOCKED, Status.FAILED, Status.PENDING, Status.SKIPPED)
_WORDS = {
    Status.DONE: "finished",
    Status.ACTIVE: "in progress",
    Status.BLOCKED: "blocked",
    Status.FAILED: "failed",
    Status.PENDING: "pending",
    Status.SKIPPED: "skipped",
}
_KINDS = {Kind.PATTERN: "Patterns", Kind.GOTCHA: "Gotchas", Kind.DEPENDENCY: "Dependencies"}
_CODE, _STRONG = Markup("<code>{}</code>"), Markup("<strong>{}</strong>")
_MARKED = re.compile(r"(?P<fence>`+)(?P<code>.+?)(?P=fence)(?!`)|\*\*(?P<bold>[^*]+)\*\*")


def render(report: Report) -> str:
    """Return the page. Its policy allows the one style sheet inside it, by hash, and nothing else."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["prose"] = prose
    with open(os.path.join(TEMPLATES, "report.css"), encoding="utf-8") as file:
        style = file.read()
    digest = base64.b64encode(hashlib.sha256(f"\n{style}".encode()).digest()).decode()
    return environment.get_template("report.html.j2").render(
        report=report,
        version=VERSION,
        style=Markup(style),  # noqa: S704 - our own file; text of others goes through autoescape
        style_digest=digest,
        marks=MARKS,
        words={status.value: word for status, word in _WORDS.items()},
        percent=_percent(report.counts),
        kinds=_by_kind(report.topics),
        **_charts(report),
        **_timeline(report.entries),
    )


def prose(text: str) -> Markup:
    """Return one line of Markdown with its code spans and bold words as HTML; all else is plain text."""
    parts, end = [], 0
    for found in _MARKED.finditer(text):
        shown = _CODE.format(found["code"].strip()) if found["code"] else _STRONG.format(found["bold"])
        parts += [Markup.escape(text[end : found.start()]), shown]
        end = found.end()
    return Markup("").join([*parts, Markup.escape(text[end:])])


def _percent(counts: dict[str, int]) -> int | None:
    """Return whole percent, 100 only where all is done; None without stories."""
    counted = sum(counts.values()) - counts["skipped"]
    done = counts["done"]
    if not counted:
        return None
    return min(round(100 * done / counted), 99) if done < counted else 100


def _charts(report: Report) -> dict[str, Any]:
    days: dict[datetime, Work] = {}
    for entry in report.entries:
        when = dated(entry.when)
        if when is not None:
            day = when.replace(hour=0, minute=0, second=0, microsecond=0)
            before = days.get(day, Work(0, 0))
            done = entry.status is Status.DONE
            days[day] = Work(before.finished + done, before.other + (not done))
    span = timeline.span(report.burn_up, days)
    return {
        "burn_up": timeline.burn_up(report.burn_up, span) if span else Markup(""),
        "activity": timeline.activity(days, span) if span else Markup(""),
        "sizes": bars.sizes(report.tokens_before, report.tokens_after),
        "shares": bars.shares([(status.value, report.counts[status.value]) for status in _ORDER]),
    }


def _timeline(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the entries by day, newest first, and those folded away; undated ones follow the last day."""
    groups = groupby(entries, lambda each: each.when[:10])
    days = [(day or "Without a date", list(group)) for day, group in groups]
    return {"days": days[:_OPEN_DAYS], "older_days": days[_OPEN_DAYS:]}


def _by_kind(topics: Iterable[Topic]) -> list[tuple[str, int, list[Topic]]]:
    """Return heading, number of learnings and topics of each kind there is."""
    groups = [(kind, list(group)) for kind, group in groupby(topics, lambda each: each.kind)]
    return [(_KINDS[kind], sum(len(each.statements) for each in group), group) for kind, group in groups]
