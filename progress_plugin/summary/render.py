"""The summary as Markdown, from the template in `templates/`: content in, text out."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from progress_plugin.model.learning import Learning
from progress_plugin.model.status import SHOWN_MARKS, SHOWN_WORDS
from progress_plugin.summary.templates import load_template
from progress_plugin.summary.view_model import Content, Statement

TEMPLATE = "progress-summary.md.j2"

Group = Callable[[Sequence[Learning]], Sequence[tuple[str | None, Sequence[Learning]]]]
"""Puts the learnings of one kind under topic labels; those without one come last."""


class _Topic(NamedTuple):
    """Learnings under one label, as the template receives them."""

    label: str
    texts: list[str]


_load_template = cache(load_template)


def render(content: Content, group: Group) -> str:
    """Return the summary as Markdown, by the template that comes with the plugin."""
    return _tidy(_load_template(TEMPLATE).render(_values(content, group)))


def render_project_template(content: Content, group: Group, template: str) -> str:
    """Return the summary by a project's own template. Raises BadInput if the template does not work."""
    from progress_plugin.summary.custom_template import render_custom_template  # noqa: PLC0415 - few have one

    return _tidy(render_custom_template(template, _values(content, group)))


def _values(content: Content, group: Group) -> dict[str, Any]:
    values = content._asdict()
    marks = {mark for row in content.rows for mark in row.mark}
    if any(row.agent or row.attempts for row in content.rows):
        values["rows"] = [row._replace(more=f" {row.agent} | {row.attempts} |") for row in content.rows]
        values |= {"more_columns": " Agent | Attempts |", "more_rules": "---|---|"}
    else:
        values |= {"more_columns": "", "more_rules": ""}
    values["legend"] = ", ".join(
        f"{mark} {SHOWN_WORDS[name]}" for name, mark in SHOWN_MARKS.items() if mark in marks
    )
    values |= {kind: _topics(values[kind], group) for kind in ("patterns", "gotchas")}
    values["dependencies"] = _topics(values["dependencies"], lambda some: [("", some)] if some else [])
    values["earlier"] = _under_labels(values["earlier"])
    return values


def _under_labels(statements: Sequence[Statement]) -> list[_Topic]:
    """Return statements of one label together, those of none first: else these seem to be under one."""
    ordered = sorted(statements, key=lambda each: bool(each.under))
    return [
        _Topic(label, [each.text for each in some])
        for label, some in groupby(ordered, key=lambda each: each.under)
    ]


def _topics(statements: Sequence[Statement], group: Group) -> list[_Topic]:
    texts = {id(statement.learning): statement.text for statement in statements}
    groups = group([statement.learning for statement in statements])
    return [_Topic(label or "", [texts[id(member)] for member in members]) for label, members in groups]


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
