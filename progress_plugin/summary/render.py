"""The summary as Markdown, through Jinja from `templates/` (S6.1): content in, text out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from progress_plugin.core.directories import user_cache
from progress_plugin.model.learning import Learning
from progress_plugin.summary import stranger
from progress_plugin.summary.content import Content, Statement

TEMPLATE = "progress-summary.md.j2"
TEMPLATES = os.path.join(os.path.dirname(__file__), "..", "..", "templates")

Group = Callable[[Sequence[Learning]], Sequence[tuple[str | None, Sequence[Learning]]]]
"""Puts the learnings of one kind under topic labels; those without one come last (S7.5)."""


def render(content: Content, group: Group, template: str | None = None) -> str:
    """Return the text of a summary, by our template or the text of the project's own.

    Raises BadInput, one line with the place, where the project's own does not work (S12).
    """
    values = {name: getattr(content, name) for name in content.__slots__}
    values |= {kind: _topics(values[kind], group) for kind in ("patterns", "gotchas")}
    values["dependencies"] = _topics(values["dependencies"], lambda some: [("", some)] if some else [])
    text = _by_ours(values) if template is None else stranger.render(template, values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _topics(statements: Sequence[Statement], group: Group) -> list[dict[str, Any]]:
    texts = {id(statement.learning): statement.text for statement in statements}
    groups = group([statement.learning for statement in statements])
    return [
        {"label": label or "", "texts": [texts[id(member)] for member in members]}
        for label, members in groups
    ]


def _by_ours(values: dict[str, Any]) -> str:
    try:
        return _rendered(values, _compiled())
    except OSError:
        # The folder of compiled templates is another user's, or its disk is full; without it is only slower.
        return _rendered(values, None)


def _rendered(values: dict[str, Any], compiled: Any) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - 52 ms, only to render

    environment = Environment(  # noqa: S701 - the output is Markdown, escaped where it is built
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=compiled,
    )
    return environment.get_template(TEMPLATE).render(values)


def _compiled() -> Any:
    """Return a cache of compiled templates in the user's cache directory, None where there is none."""
    directory = user_cache()
    if directory is None:
        return None
    from jinja2 import FileSystemBytecodeCache  # noqa: PLC0415

    try:
        os.makedirs(os.path.join(directory, "templates"), mode=0o700, exist_ok=True)
        return FileSystemBytecodeCache(os.path.join(directory, "templates"))
    except OSError:
        return None
