"""Answers of commands and tools as text: templates over the objects that `--json` and MCP return."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from progress_plugin.text.bounds import counted, shortened, some_of
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from jinja2 import Environment

MAX_COLUMN_CHARS = 24  # of a column of ids


def render_answer(name: str, values: Mapping[str, Any], **further: Any) -> str:
    """Render a template of `templates/commands`. Without the filter `safe` a text becomes one safe line."""
    return _templates().get_template(f"commands/{name}.txt.j2").render(values, **further).removesuffix("\n")


def describe_places(places: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield `prd.json:3-5 (entry)` for each run of consecutive lines; an entry is optional."""
    numbered = enumerate(places)
    keys = ((each["path"], each["entry"], each["line"] and each["line"] - at) for at, each in numbered)
    for (path, entry, _), run in groupby(zip(keys, places, strict=True), itemgetter(0)):
        first, *others = [place["line"] for _, place in run]
        lines = f":{first}-{others[-1]}" if others else f":{first}" if first else ""
        yield f"{path}{lines}{f' ({entry})' if entry else ''}"


@cache
def _templates() -> Environment:
    from markupsafe import Markup  # noqa: PLC0415 - only for answers of several lines

    from progress_plugin.summary.render_markdown import templates  # noqa: PLC0415

    def as_line(value: Any) -> Any:
        return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    def padded(text: str, chars: int) -> Markup:
        return Markup(one_line(text)[:chars].ljust(chars))  # noqa: S704 - no HTML; as Markup it keeps its blanks

    def width(texts: Iterable[str]) -> int:
        return min(max(map(len, texts)), MAX_COLUMN_CHARS)

    def hit(row: dict[str, Any]) -> Markup:
        from progress_plugin.usecases.recalling.recall import hit_line  # noqa: PLC0415 - only for hits of a search

        return Markup(hit_line(row))  # noqa: S704 - no HTML; it is safe, and several lines

    environment = templates().overlay(finalize=as_line)
    environment.filters.update(counted=counted, some_of=some_of, shortened=shortened, quoted=shlex.quote)
    environment.filters.update(line=one_line, padded=padded, width=width, hit=hit, places=describe_places)
    return environment
