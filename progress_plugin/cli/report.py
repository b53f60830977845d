"""The command report: one HTML file that needs nothing beside it and can reach nothing outside."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import os
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from markupsafe import Markup

from progress_plugin import VERSION
from progress_plugin.cli.output import Answer, command
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_range, write_atomic
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import child_variables
from progress_plugin.core.project import Project
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import FINISHED, SHOWN_MARKS, SHOWN_WORDS, Status
from progress_plugin.summary.render_markdown import TEMPLATES, load_template
from progress_plugin.text.bounds import counted
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.report import BurnUp, Report, ReportTopic
from progress_plugin.usecases.report import report as report_of
from progress_plugin.usecases.views import StoryView

FILE = "report.html"
MAX_HEAD_BYTES = 4096
GENERATOR = b'<meta name="generator" content="agent-progress">'  # in the head of each page from the template
IN_SIGHT = 40  # entries, stories, learnings of a kind that are not folded; a day is shown whole
SESSIONS_IN_SIGHT = 10
WIDTH, HEIGHT = 880, 280  # units of the drawing, which the style sheet scales to the width of the window
LEFT, RIGHT, TOP, BOTTOM = 44, 868, 18, 244  # edges of its curve
WIDTH_OF_DATE = 150
MAX_LEVELS = 5
NEAREST_LEVEL = 0.75  # to the highest, in steps: letters must not touch
BAR_UNITS, BAR_GAP = 1000, 3  # the gap keeps parts apart for readers who do not see colours
_ORDER = (Status.DONE, Status.ACTIVE, Status.BLOCKED, Status.FAILED, Status.PENDING, Status.SKIPPED)
_HEADINGS = {
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


@command("report --open", json_help="Print the data as one JSON object; write nothing.")
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write here instead.")
@click.option("--team", is_flag=True, help="Add everybody's work, as this clone knows it.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
def report(project: Project, output: str | None, team: bool, show: bool) -> Answer:
    """Write one HTML file that shows the state of the work.

    Stories over time, what is blocked and since when, what was learnt and where, the history. The file
    needs nothing beside it, loads nothing, and follows the reader's light or dark setting.
    """
    data = report_of(project, now=dt.datetime.now(dt.UTC), team=team)
    return Answer(asdict(data), _write_and_show(project, data, output, show=show))


def _write_and_show(project: Project, data: Report, output: str | None, *, show: bool) -> Iterator[str]:
    path = write_page(project, output, render(data).encode("utf-8", "replace"))
    yield f"Written: {path}"
    if show:
        show_page(project, path)


def render(report: Report) -> str:
    """Return the page. Its policy allows the one style sheet inside it, by hash, and nothing else."""
    template = load_template("report.html.j2", {"prose": prose, "counted": counted})
    with open(os.path.join(TEMPLATES, "report.css"), encoding="utf-8") as file:
        style = file.read()
    digest = base64.b64encode(hashlib.sha256(f"\n{style}".encode()).digest()).decode()
    days = [(day, [*entries]) for day, entries in groupby(report.entries, lambda each: each.when[:10])]
    shown_days, older_days = _split(days)
    return template.render(
        report=report,
        version=VERSION,
        style=Markup(style),  # noqa: S704 - our own file; text of others goes through autoescape
        style_digest=digest,
        marks=SHOWN_MARKS,
        words=SHOWN_WORDS | {"other": "other entry"},
        kinds=[*_kinds(report.topics)],
        chart=draw_chart(report.burn_up),
        shares=[*_shares(report.counts)],
        days=shown_days,
        older_days=older_days,
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


def _split(groups: Sequence[tuple[str, Sequence[Any]]]) -> tuple[list[Any], list[Any]]:
    """Return the groups with the members that are in sight, and those with the members that are folded."""
    shown, folded, room = [], [], IN_SIGHT
    for label, members in groups:
        if members[:room]:
            shown.append((label, members[:room]))
        if members[room:]:
            folded.append((label, members[room:]))
        room = max(0, room - len(members))
    return shown, folded


def _kinds(topics: Sequence[ReportTopic]) -> Iterator[dict[str, Any]]:
    """Yield the learnings of each kind there is: names, number, topics in sight and folded away."""
    for kind, group in groupby(topics, lambda each: each.kind):
        groups = [(topic.label, topic.statements) for topic in group]
        shown, folded = _split(groups)
        yield {
            "heading": _HEADINGS[kind],
            "name": kind.value,
            "number": _count(groups),
            "titled": len(groups) > 1,
            "topics": shown,
            "folded": folded,
            "folded_number": _count(folded),
        }


def _count(groups: Sequence[tuple[str, Sequence[Any]]]) -> int:
    return sum(len(members) for _, members in groups)


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


def _shares(counts: Mapping[str, int]) -> Iterator[tuple[str, float, float]]:
    """Yield the parts of the bar of statuses: status, left edge, width."""
    total, left = sum(counts.values()), 0.0
    for status in _ORDER:
        width = BAR_UNITS * counts[status.value] / max(1, total)
        if width:
            yield status.value, round(left, 1), round(max(width - BAR_GAP, 1), 1)
        left += width


def draw_chart(curve: BurnUp) -> dict[str, Any] | None:
    """Return the places of lines and letters of the chart; None without points.

    Time goes to the right, finished stories upward, below the line of all stories.
    """
    if not curve.points:
        return None
    days = [dt.date.fromisoformat(point.when) for point in curve.points]
    last, length = curve.points[-1], (days[-1] - days[0]).days

    def x(day: dt.date) -> float:
        return round(LEFT + (day - days[0]).days / max(1, length) * (RIGHT - LEFT), 1)

    def y(number: int) -> float:
        return round(BOTTOM - number / max(1, last.known) * (BOTTOM - TOP), 1)

    step = max(1, -(-last.known // MAX_LEVELS))
    levels = [each for each in range(0, last.known, step) if last.known - each >= step * NEAREST_LEVEL]
    intervals = max(1, min(length, (RIGHT - LEFT) // WIDTH_OF_DATE))
    dates = [days[0] + dt.timedelta(round(length * each / intervals)) for each in range(intervals + 1)]
    steps = zip(days, curve.points, strict=True)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": RIGHT,
        "bottom": BOTTOM,
        "levels": [(each, y(each)) for each in (*levels, last.known)],
        "dates": [(f"{day.day} {day:%b}", x(day)) for day in (dates if length else dates[:1])],
        "course": f"M{LEFT} {y(curve.undated)}"
        + "".join(f"H{x(day)}V{y(each.finished)}" for day, each in steps),
        "top": y(last.known),
        "end": (x(days[-1]), y(last.finished)),
        "description": f"{last.finished} of {counted(last.known, 'story was', 'stories were')} finished "
        f"from {curve.points[0].when} to {last.when}.",
    }


def write_page(project: Project, output: str | None, data: bytes) -> str:
    """Write the page and return its path: in our directory, unless the user names another file.

    Raises BadInput for a file that is not an earlier report.
    """
    if output is None:
        prepare(project)
        path = os.path.join(project.directory, FILE)
        # It quotes what the user asked of sessions, so other users of the machine may not read it.
        write_atomic(path, data, root=project.root, durable=False, private=True)
        return path
    path = os.path.abspath(output)
    has_content = os.path.isfile(path) and os.path.getsize(path) > 0
    if has_content and GENERATOR not in read_range(None, path, 0, MAX_HEAD_BYTES):
        refusal = f"{path} is not a report of this program, so it is not overwritten"
        raise BadInput(f"{refusal}; name another file, or remove it")
    write_atomic(path, data, durable=False)
    return path


def show_page(project: Project, path: str) -> None:
    """Show a file in a browser from outside the project, whose settings can set variables.

    Of `BROWSER` only programs without arguments count. The browser begins at the top of the file system,
    where no address can be the name of a file.
    """
    variables = child_variables(project.root)
    named = [
        name for name in variables.pop("BROWSER", "").split(os.pathsep) if _may_start(name, project.root)
    ]
    os.environ["PATH"] = variables["PATH"]
    os.environ.pop("BROWSER", None)
    if named:
        os.environ["BROWSER"] = os.pathsep.join(named)
    os.chdir(os.path.abspath(os.sep))
    if not webbrowser.open(Path(path).as_uri()):
        raise AgentProgressError(f"no browser could be started; open {path} yourself")


def _may_start(browser: str, root: str) -> bool:
    name, _, arguments = browser.strip().partition(" ")
    has_folder = os.path.dirname(name) != ""
    return arguments.strip() in {"", "%s"} and (not has_folder or is_outside(name, root))
