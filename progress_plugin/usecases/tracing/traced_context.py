"""The context of a session start with the places that say each of its lines."""

from __future__ import annotations

from typing import NamedTuple

from progress_plugin.core.errors import Refused
from progress_plugin.core.project import Project
from progress_plugin.summary.origin_marks import Marks, Traced, plainly
from progress_plugin.summary.start_context import full_log_lines, head
from progress_plugin.usecases.last_session import last_session
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.summarizing.compose import OWN_TEMPLATE, Composed, rendered
from progress_plugin.usecases.summarizing.last_session import told_session
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
    context = composed.context
    if not context:
        return TracedContext((), composed.facts.sources)
    session = told_session(composed.sources, composed.facts, composed.history)
    before, told, after = context.partition(session) if session else (context, "", "")
    of_session = _places_of_session(composed) if told else ()
    summary = _Summary(composed)
    lines = [*map(summary.placed, _lines(before))]
    lines += [(text, of_session if text and not text.startswith("#") else ()) for text in _lines(told)]
    lines += map(summary.placed, _lines(after))
    traced = (TracedLine(number, text, places) for number, (text, places) in enumerate(lines, start=1))
    return TracedContext(tuple(traced), composed.facts.sources or tuple(place.path for place in of_session))


class _Summary:
    """The lines of a context that are no session's, in their order, each with the places that say it."""

    def __init__(self, composed: Composed) -> None:
        self._traced = _traced(composed)
        self._places = OriginLookup(composed)
        self._next = 0

    def placed(self, text: str) -> tuple[str, tuple[OriginPlace, ...]]:
        """Return the next line with its places; none where it is of our making, as where the text was cut."""
        if self._next == len(self._traced) or self._traced[self._next].text != text:
            return text, ()
        self._next += 1
        return text, tuple(self._places.of(self._traced[self._next - 1].parts))


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _places_of_session(composed: Composed) -> tuple[OriginPlace, ...]:
    """Return the transcript of the session that is told, with the id by which `sessions` shows all of it."""
    record = last_session(composed.sources.sessions)
    path = next(iter(record.reading), "") if record is not None else ""
    return (OriginPlace(path, entry=record.session),) if record is not None and path else ()


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
