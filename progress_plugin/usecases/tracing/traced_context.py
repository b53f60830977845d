"""The context of a session start with the places that say each of its lines.

How a line's origin is found in a file is decided in `usecases.tracing.origin_lookup`.
"""

from __future__ import annotations

from typing import NamedTuple

from progress_plugin.core.errors import Refused
from progress_plugin.core.project import Project
from progress_plugin.summary.context import full_log_lines, head
from progress_plugin.summary.origin_marks import Marks, Traced, plainly
from progress_plugin.usecases.starting.latest_history import take_in_latest
from progress_plugin.usecases.summarizing.compose import OWN_TEMPLATE, Composed, rendered
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call
from progress_plugin.usecases.tracing.origin_lookup import OriginLookup, OriginPlace


class TracedLine(NamedTuple):
    """One line of the context."""

    line: int
    """1-based."""
    text: str
    sources: tuple[OriginPlace, ...]
    """Where it is said; nothing where the line is of our making, as headings and counts are."""


class TracedContext(NamedTuple):
    """A whole context, line by line."""

    lines: tuple[TracedLine, ...]
    """Empty where an agent gets nothing."""
    made_from: tuple[str, ...]
    """The files that what is of our making was made from."""


def trace_context(project: Project) -> TracedContext:
    """Compose the context and find out where each line comes from; nothing is written.

    Raises Refused where a project's own template changes what it is given, so that no origin is known.
    """
    take_in_latest(project)
    composed = compose_for_this_call(project)
    if not composed.context:
        return TracedContext((), composed.facts.sources)
    places = OriginLookup(composed)
    lines = composed.context.removesuffix("\n").split("\n")
    traced = _traced(composed)
    found = []
    for number, text in enumerate(lines):
        # The last line says where the text was cut, if it was.
        is_told = number < len(traced) and traced[number].text == text
        parts = traced[number].parts if is_told else ()
        found.append(TracedLine(number + 1, text, tuple(places.of(parts))))
    return TracedContext(tuple(found), composed.facts.sources)


def _traced(composed: Composed) -> list[Traced]:
    """Return the lines of the context, before it was cut, with their origins."""
    if not composed.sources.config.effective.summary_enabled:
        return plainly(full_log_lines(composed.facts))
    marks = Marks(composed.text)
    _, text = rendered(composed.sources, marks.marked(composed.content))
    found = marks.read(text)
    if "\n".join(line.text for line in found) != composed.text:
        raise Refused(
            f"{OWN_TEMPLATE} changes what it is given, so its lines cannot be traced; "
            "move it away and `context --sources` shows those of the usual layout"
        )
    content = composed.content
    return [*plainly(head(content.name).split("\n")[:-1]), *found]
