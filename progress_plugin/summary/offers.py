"""What a summary may tell besides what always stands in it: learnings and passages with their worth (S18.3).

A passage of one of the last stories would stand under that story; a learning under its kind; what stands
before all entries is a convention of the repository; everything else is told as earlier work, with its story.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from progress_plugin.learnings.facts import CURED_BY
from progress_plugin.learnings.kinds import kind_of
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Kind, Learning
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.plans.naming import normalised
from progress_plugin.summary.content import Statement
from progress_plugin.summary.facts import Facts
from progress_plugin.text.sections import TEACHING, Section
from progress_plugin.text.shown import item
from progress_plugin.worth.model import worths

RECENT, EARLIER = "recent", "earlier"
_SECTIONS = {Kind.PATTERN: "patterns", Kind.GOTCHA: "gotchas", Kind.DEPENDENCY: "dependencies"}
_KINDS = {
    Section.PATTERN: Kind.PATTERN,
    Section.GOTCHA: Kind.GOTCHA,
    Section.DEPENDENCY: Kind.DEPENDENCY,
}
_LONGEST = 420
_TAUGHT = 0.15
"""Worth of a learning of which no passage tells: the archive's, say."""
_UNSAID = frozenset({Section.FILES, Section.DATE, Section.TICKET})
"""Sections told elsewhere: as a list of files, or in the heading of the story."""
_SESSIONS = ("session_started", "session_ended")
_TROUBLE = ("Blocked by", "Suggested")
"""Labels of what is wrong with a story: told with the blocker for as long as it is open."""


class Offer(NamedTuple):
    """One statement that may be told."""

    text: str
    """As it would stand behind its bullet."""
    worth: float
    section: str
    """`recent`, `earlier`, or the name of a kind of learnings in `Content`."""
    order: int
    """Place among the others of its section."""
    item: int = 0
    """Which of the recent items it belongs to."""
    statement: Statement | None = None


def offers(
    facts: Facts, recent: Sequence[Sequence[Event]], chosen: Sequence[Learning], known: Iterable[str]
) -> list[Offer]:
    """Return everything that may be told; `recent` are the events of each recent item.

    `chosen` are the learnings that may be shown, best first, and `known` texts that stand there anyway.
    """
    return _Offering(facts, recent, chosen, known).all()


class _Offering:
    def __init__(
        self,
        facts: Facts,
        recent: Sequence[Sequence[Event]],
        chosen: Sequence[Learning],
        known: Iterable[str],
    ) -> None:
        self._facts = facts
        self._chosen = chosen
        self._items = {
            (event.source, event.position): number for number, events in enumerate(recent) for event in events
        }
        self._events = {(event.source, event.position): event for event in facts.events}
        self._known = {normalised(text) for text in known}
        muted = [part for text in facts.muted for part in (text, *text.split(CURED_BY))]
        self._known |= {normalised(text) for text in muted}
        self._worth: dict[tuple[str, int], float] = {}
        self._by_text: dict[str, float] = {}

    def all(self) -> list[Offer]:
        weighed = [(reading, worths(reading)) for reading in self._facts.readings]
        for reading, values in weighed:
            for passage, worth in zip(reading.passages, values, strict=True):
                place = (passage.source, passage.line)
                self._worth[place] = max(worth, self._worth.get(place, 0.0))
                key = normalised(passage.text)
                self._by_text[key] = max(worth, self._by_text.get(key, 0.0))
        taught = self._taught()
        return [*taught, *self._said(weighed, len(taught))]

    def _taught(self) -> list[Offer]:
        found = []
        for rank, learning in enumerate(self._chosen):
            text = item(learning.text, _LONGEST)
            if not text:
                continue
            self._known |= {normalised(part) for part in (learning.text, *learning.text.split(CURED_BY))}
            statement = Statement(text, learning, rank)
            section = _SECTIONS[learning.kind]
            found.append(Offer(text, self._worth_of(learning), section, rank, statement=statement))
        return found

    def _worth_of(self, learning: Learning) -> float:
        told = [self._worth.get((learning.source, line), 0.0) for line in learning.lines]
        parts = (learning.text, *learning.text.split(CURED_BY))
        told += [self._by_text.get(normalised(part), 0.0) for part in parts]
        return max((*told, _TAUGHT))

    def _said(self, weighed: Sequence[tuple[Reading, list[float]]], first: int) -> Iterable[Offer]:
        lines = {(learning.source, line) for learning in self._facts.learnings for line in learning.lines}
        order = first
        for reading, values in weighed:
            for passage, worth in zip(reading.passages, values, strict=True):
                order += 1
                if (passage.source, passage.line) in lines and passage.source:
                    continue
                if self._is_told_elsewhere(passage):
                    continue
                yield self._offer(passage, worth, order)

    def _is_told_elsewhere(self, passage: Passage) -> bool:
        if passage.section in _UNSAID or passage.form is Form.CODE or passage.label in _TROUBLE:
            return True
        event = self._events.get((passage.source, passage.entry))
        if event is not None:
            if event.type in _SESSIONS:
                return True
            attribution = self._facts.attribution
            foreign = attribution is not None and not attribution.concerns(event)
            if foreign and passage.section not in TEACHING:
                return True
        return normalised(passage.text) in self._known or normalised(passage.shown) in self._known

    def _offer(self, passage: Passage, worth: float, order: int) -> Offer:
        text = item(passage.shown, _LONGEST)
        number = self._items.get((passage.source, passage.entry)) if passage.entry else None
        if number is not None:
            return Offer(text, worth, RECENT, order, item=number)
        taught = passage.section in TEACHING or not passage.entry
        kind = _KINDS.get(passage.section) if passage.section else None
        learning = Learning(
            kind=kind or kind_of(passage.text, None, passage.story),
            text=passage.shown,
            source=passage.source,
            lines=(passage.line,),
            story=passage.story,
        )
        section = _SECTIONS[learning.kind] if taught else EARLIER
        if section == EARLIER and passage.story:
            text = item(f"{passage.story}: {passage.shown}", _LONGEST)
        return Offer(text, worth, section, order, statement=Statement(text, learning, order, counted=False))
