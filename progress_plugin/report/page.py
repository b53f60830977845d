"""The report as one HTML file that needs nothing beside it and can reach nothing outside."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from markupsafe import Markup

from progress_plugin import VERSION
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import FINISHED, SHOWN_MARKS, SHOWN_WORDS, Status
from progress_plugin.report.chart import draw_burn_up, draw_shares
from progress_plugin.summary.render_markdown import TEMPLATES, load_template
from progress_plugin.text.bounds import counted
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.usecases.report import Report, ReportTopic
from progress_plugin.usecases.views import EntryView, StoryView

IN_SIGHT = 40  # entries, stories, learnings of a kind that are not folded; a day is shown whole
SESSIONS_IN_SIGHT = 10
_ORDER = (Status.DONE, Status.ACTIVE, Status.BLOCKED, Status.FAILED, Status.PENDING, Status.SKIPPED)
_KINDS = {
    LearningKind.PATTERN: "Patterns",
    LearningKind.GOTCHA: "Gotchas",
    LearningKind.DEPENDENCY: "Dependencies",
}
_MARKED = LazyPattern(
    r"(?P<fence>`+)(?P<code>.+?)(?P=fence)(?!`)|\*\*(?P<strong>[^*]+)\*\*|(?P<day>\b\d{4}-\d\d-\d\d\b)"
)
_SHOWN = {
    "code": Markup("<code>{}</code>"),
    "strong": Markup("<strong>{}</strong>"),
    "day": Markup('<span class="day">{}</span>'),
}


def render(report: Report) -> str:
    """Return the page. Its policy allows the one style sheet inside it, by hash, and nothing else."""
    template = load_template("report.html.j2", {"prose": prose, "counted": counted})
    with open(os.path.join(TEMPLATES, "report.css"), encoding="utf-8") as file:
        style = file.read()
    digest = base64.b64encode(hashlib.sha256(f"\n{style}".encode()).digest()).decode()
    return template.render(
        report=report,
        version=VERSION,
        style=Markup(style),  # noqa: S704 - our own file; text of others goes through autoescape
        style_digest=digest,
        marks=SHOWN_MARKS,
        words=SHOWN_WORDS | {"other": "other entry"},
        kinds=_by_kind(report.topics),
        burn_up=draw_burn_up(report.burn_up),
        shares=draw_shares([(status.value, report.counts[status.value]) for status in _ORDER]),
        **_by_day(report.entries),
        **_story_rows(report.stories),
        sessions=report.sessions[:SESSIONS_IN_SIGHT],
        older_sessions=report.sessions[SESSIONS_IN_SIGHT:],
    )


def prose(text: str) -> Markup:
    """Return a line of Markdown as HTML: code spans, bold words, days that do not break; the rest is text."""
    parts, end = [], 0
    for found in _MARKED.finditer(text):
        kind = found.lastgroup or "code"
        parts += [Markup.escape(text[end : found.start()]), _SHOWN[kind].format(found[kind].strip())]
        end = found.end()
    return Markup("").join([*parts, Markup.escape(text[end:])])


def _by_day(entries: Iterable[EntryView]) -> dict[str, Any]:
    """Return the entries by day, newest first, and those folded away; undated ones follow the last day."""
    groups = groupby(entries, lambda each: each.when[:10])
    days = [(day or "Without a date", list(group)) for day, group in groups]
    shown = 0
    for number, (_, group) in enumerate(days):
        if shown >= IN_SIGHT:
            return {"days": days[:number], "older_days": days[number:]}
        shown += len(group)
    return {"days": days, "older_days": []}


def _story_rows(stories: Sequence[StoryView]) -> dict[str, Any]:
    """Return the stories in the order of the plan; of many those finished earliest are folded away."""
    settled = [story for story in stories if story.status in FINISHED]
    spare = max(len(stories) - IN_SIGHT, 0)
    folded = {id(story) for story in sorted(settled, key=lambda each: each.finished)[:spare]}
    return {
        "rows": [story for story in stories if id(story) not in folded],
        "folded_rows": [story for story in stories if id(story) in folded],
        "has_agents": any(story.agent for story in stories),
        "has_attempts": any(story.attempts for story in stories),
        "has_dates": any(story.finished for story in stories),
    }


def _by_kind(topics: Iterable[ReportTopic]) -> list[dict[str, Any]]:
    """Return the learnings of each kind there is: names, number, topics in sight and folded away."""
    kinds = []
    for kind, group in groupby(topics, lambda each: each.kind):
        members = list(group)
        shown, folded = _parted(members)
        kinds.append(
            {
                "heading": _KINDS[kind],
                "name": kind.value,
                "number": _number(members),
                "titled": len(members) > 1,
                "topics": shown,
                "folded": folded,
                "folded_number": _number(folded),
            }
        )
    return kinds


def _parted(topics: Sequence[ReportTopic]) -> tuple[list[ReportTopic], list[ReportTopic]]:
    """Return the topics with what is in sight of them, and those with what is folded away."""
    shown, folded, room = [], [], IN_SIGHT
    for topic in topics:
        if room > 0:
            shown.append(replace(topic, statements=topic.statements[:room]))
        rest = topic.statements[max(room, 0) :]
        if rest:
            folded.append(replace(topic, statements=rest))
        room -= len(topic.statements)
    return shown, folded


def _number(topics: Iterable[ReportTopic]) -> int:
    return sum(len(topic.statements) for topic in topics)
