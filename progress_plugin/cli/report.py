"""The command report: one HTML file that needs nothing beside it and can reach nothing outside."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import os
import re
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from markupsafe import Markup

from progress_plugin import VERSION
from progress_plugin.cli.output import Answer, command
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_beginning, write_atomic
from progress_plugin.core.paths import is_outside
from progress_plugin.core.processes import child_variables
from progress_plugin.core.project import Project
from progress_plugin.model.status import SHOWN_MARKS, SHOWN_WORDS
from progress_plugin.model.work import LEARNING_GROUPS
from progress_plugin.summary.render_markdown import TEMPLATES, templates
from progress_plugin.text.bounds import counted
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.report import report as report_of

GENERATOR = b'<meta name="generator" content="agent-progress">'  # other pages are not overwritten
MAX_UNFOLDED = 40  # entries, stories or learnings of one kind that are shown before the rest is folded
_MARKED = LazyPattern(r"(`+)(?P<code>.+?)\1(?!`)|\*\*(?P<bold>[^*]+)\*\*")


@command("report --open", json_help="Print the data as one JSON object; write nothing.")
@click.option("--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write here instead.")
@click.option("--team", is_flag=True, help="Add everybody's work, as this clone knows it.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
def report(project: Project, output: str | None, team: bool, show: bool) -> Answer:
    """Write one HTML file that shows the state of the work.

    It shows stories over time, what is blocked and since when, what was learnt and where, and the history.
    It needs no other file, loads nothing, and follows the reader's light or dark setting.
    """
    data = report_of(project, now=dt.datetime.now(dt.UTC), team=team)
    return Answer(data, lines=_write_and_show(project, data, output, show=show))


def _write_and_show(
    project: Project, data: Mapping[str, Any], output: str | None, *, show: bool
) -> Iterator[str]:
    path = write_page(project, output, render(data).encode("utf-8", "replace"))
    yield f"Written: {path}"
    if show:
        show_page(project, path)


def render(report: Mapping[str, Any]) -> str:
    """Return the page. Its security policy permits only its own style sheet, which it names by hash."""
    templates().filters.update(prose=prose, counted=counted, runs=runs)
    with open(os.path.join(TEMPLATES, "report.css"), encoding="utf-8") as file:
        style = file.read()
    digest = base64.b64encode(hashlib.sha256(f"\n{style}".encode()).digest()).decode()
    template = templates().get_template("report.html.j2")
    return template.render(
        report=report,
        version=VERSION,
        style=Markup(style),  # noqa: S704 - our own file; text of others goes through autoescape
        style_digest=digest,
        marks=SHOWN_MARKS,
        words=SHOWN_WORDS | {"other": "other entry"},
        groups=LEARNING_GROUPS,
        in_sight=MAX_UNFOLDED,
    )


def prose(text: str) -> Markup:
    """Return a line of Markdown as HTML with its code spans and bold words; the rest is text."""

    def mark(found: re.Match[str]) -> str:
        bold, code = found["bold"], found["code"]
        return f"<strong>{bold}</strong>" if bold else f"<code>{code.strip()}</code>"

    return Markup(_MARKED.sub(mark, str(Markup.escape(text))))  # noqa: S704 - escaped before


def runs(items: Sequence[Mapping[str, Any]], key: str, chars: int | None = None) -> list[Any]:
    """Group successive items with the same value of `key`, or the same first `chars` of it."""
    return [(value, [*members]) for value, members in groupby(items, lambda each: each[key][:chars])]


def write_page(project: Project, output: str | None, data: bytes) -> str:
    """Write the page and return its path: in our directory, unless the user names another file.

    Raises BadInput for a file that has content and is not an earlier report.
    """
    if output is None:
        prepare(project)
        path = os.path.join(project.directory, "report.html")
        # It quotes the user's requests, so other users of the machine may not read it.
        write_atomic(path, data, root=project.root, durable=False, private=True)
        return path
    path = os.path.abspath(output)
    has_content = os.path.isfile(path) and os.path.getsize(path) > 0
    if has_content and GENERATOR not in read_beginning(None, path, 4096):
        refusal = f"{path} is not a report of this program, so it is not overwritten"
        raise BadInput(f"{refusal}; name another file, or remove it")
    write_atomic(path, data, durable=False)
    return path


def show_page(project: Project, path: str) -> None:
    """Show a file in a browser. Settings of a project can set variables, but must not choose what is run.

    Of `BROWSER` only programs outside the project and without arguments count. The browser starts in `/`, so
    that it cannot take a file of the project for the address.
    """
    browsers = os.environ.pop("BROWSER", "").split(os.pathsep)
    if allowed := [name for name in browsers if _may_start(name, project.root)]:
        os.environ["BROWSER"] = os.pathsep.join(allowed)
    os.environ["PATH"] = child_variables(project.root)["PATH"]
    os.chdir(os.path.abspath(os.sep))
    if not webbrowser.open(Path(path).as_uri()):
        raise AgentProgressError(f"no browser could be started; open {path} yourself")


def _may_start(browser: str, root: str) -> bool:
    name, _, arguments = browser.strip().partition(" ")
    return arguments.strip() in {"", "%s"} and (not os.path.dirname(name) or is_outside(name, root))
