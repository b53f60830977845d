"""The summary as Markdown, from the template in `templates/`: content in, text out."""

import os
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.model.learning import Learning
from progress_plugin.model.status import SHOWN_MARKS, SHOWN_WORDS
from progress_plugin.summary import compiled_template
from progress_plugin.summary.template_runtime import rendered
from progress_plugin.summary.view_model import Content, Statement

TEMPLATE = "progress-summary.md.j2"
TEMPLATES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "templates"))

Group = Callable[[Sequence[Learning]], Sequence[tuple[str | None, Sequence[Learning]]]]
"""Puts the learnings of one kind under topic labels; those without one come last."""


class _Topic(NamedTuple):
    """Learnings under one label, as the template receives them."""

    label: str
    texts: list[str]


def render(content: Content, group: Group, template: bytes | None = None) -> str:
    """Return the text of a summary by our template; `template` is its file, in case it was edited."""
    edited = template is not None and content_digest(template) != compiled_template.SOURCE
    values = _values(content, group)
    return _tidy(_by_jinja(values) if edited else rendered(compiled_template.root, values))


def render_project_template(content: Content, group: Group, template: str) -> str:
    """Return the text of a summary by a project's own template.

    Raises BadInput, one line with the place, where it does not work.
    """
    from progress_plugin.summary import sandbox  # noqa: PLC0415 - few projects have one

    return _tidy(sandbox.render(template, _values(content, group)))


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


def _by_jinja(values: dict[str, Any]) -> str:
    """Render by our template as it is: somebody has changed it since it was compiled."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - 20 ms, hardly ever
    except ImportError:
        return rendered(compiled_template.root, values)  # until the packages are there

    environment = Environment(  # noqa: S701 - the output is Markdown, escaped where it is built
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(TEMPLATE).render(values)
