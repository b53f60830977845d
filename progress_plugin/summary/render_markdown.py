"""Render a summary by its Jinja template, and find the sources of each rendered line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.model.work import LEARNING_GROUPS, Line
from progress_plugin.summary.custom_template import render_custom_template
from progress_plugin.summary.story_rows import row_line

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = os.path.join(PLUGIN_ROOT, "templates")
TEMPLATE = "progress-summary.md.j2"
ROW_CELLS = 3  # id, title and mark, which identify a row; the cells behind them hold agent and attempts
GROUP_HEADINGS = {group.name: group.heading for group in LEARNING_GROUPS.values()}


@cache
def templates() -> Environment:
    """Return the environment of all templates of the plugin; in `*.html.j2` values are escaped."""
    from jinja2 import (  # noqa: PLC0415 - most processes render nothing
        Environment,
        FileSystemLoader,
        StrictUndefined,
        select_autoescape,
    )

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html.j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render_summary(view: Mapping[str, Any]) -> str:
    return _tidy(templates().get_template(TEMPLATE).render(view))


def render_project_template(view: Mapping[str, Any], template: str) -> str:
    """Return the summary by a project's own template. Raises BadInput if the template does not work."""
    return _tidy(render_custom_template(template, dict(view)))


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def render_lines(text: str, view: Mapping[str, Any]) -> Iterator[Line]:
    """Yield each line of a rendered summary with the sources of the text in it."""
    known = {line.text: line.sources for line in _lines_of(view)}
    for rendered in text.splitlines():
        bare = re.sub(r"^[\s#>*+|-]+", "", rendered)
        labelled = bare.partition(": ")[2]
        row = " ".join(part.strip() for part in bare.split(" |")[:ROW_CELLS] if part.strip())
        yield Line(rendered, next((known[each] for each in (bare, labelled, row) if each in known), ()))


def _lines_of(view: Mapping[str, Any]) -> Iterator[Line]:
    yield from view["head"].lines()
    yield from (row_line(row) for row in view["rows"])
    yield from (line for topics in view["groups"].values() for topic in topics for line in topic.lines)
    for recent in view["recent"]:
        yield recent.heading
        yield from recent.bullets
