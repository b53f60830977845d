"""What a passage belongs to: an entry, one of the recent stories, a named part, the unfinished ends."""

from collections.abc import Collection, Sequence

from progress_plugin.model.event import Event
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.plans.plan_and_story_identity import ids_named
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind

_OF_THE_TIME = frozenset({SectionKind.STATUS, SectionKind.NEXT, SectionKind.WORK, SectionKind.CHECKS})
"""What is said of the state of the work, wherever it stands."""
_NAMED_PARTS = frozenset({None, SectionKind.OTHER, SectionKind.NEXT})
"""What is under a heading of an entry that says what the part below it is about."""
_AFTER_SENTENCE = LazyPattern(r"\A[\s.!?。！？:：*_~–—-]+")
_FEWEST_SAID = 3
"""Words that say more behind a title than its status or date."""
_BEGINS_ENTRY = frozenset({Form.TEXT, Form.LABEL, Form.ITEM, Form.DONE, Form.OPEN})
"""How a paragraph or item is written that begins an entry and says more than its heading."""


class PassagePlaces:
    """Finds what passages belong to.

    `recent` are the events of each recent item, `ends` the passages that tell of unfinished ends.
    """

    def __init__(
        self,
        events: Sequence[Event],
        passages: Sequence[Passage],
        recent: Sequence[Sequence[Event]],
        ends: Collection[Passage],
    ) -> None:
        self._recent = recent
        self._ends = {(end.source, end.line, end.nth) for end in ends}
        self._items = {
            (event.source, event.position): number for number, events in enumerate(recent) for event in events
        }
        self.events = {(event.source, event.position): event for event in events}
        self._first_entries: dict[str, int] = {}
        for event in events:
            if event.line:
                first = self._first_entries.get(event.source, event.line)
                self._first_entries[event.source] = min(first, event.line)
        self._headings = {
            (passage.source, passage.entry): passage.text
            for passage in passages
            if passage.form is Form.HEADING
            and (begun := self.event_of(passage))
            and begun.line == passage.line
        }

    def event_of(self, passage: Passage) -> Event | None:
        """Return the event whose entry a passage is in."""
        return self.events.get((passage.source, passage.entry))

    def item_of(self, passage: Passage) -> int | None:
        """Return which of the recent items a passage is told below."""
        return self._items.get((passage.source, passage.entry)) if passage.entry else None

    def is_in_item(self, passage: Passage) -> bool:
        """Return whether a recent item is told of the passage's entry, or of what is before all entries."""
        return (passage.source, passage.entry) in self._items

    def is_end(self, passage: Passage) -> bool:
        """Return whether a passage tells of an unfinished end."""
        return (passage.source, passage.line, passage.nth) in self._ends

    def is_in_preamble(self, passage: Passage) -> bool:
        """Return whether a passage before all entries of its log tells no state or work: that is to last."""
        if passage.section in _OF_THE_TIME:
            return False
        first = self._first_entries.get(passage.source)
        return not passage.entry and (first is None or passage.line < first)

    def below_heading(self, passage: Passage) -> Passage:
        """Return what a paragraph that begins an entry says after its first sentence, the heading."""
        event = self.event_of(passage)
        if event is None or passage.form not in _BEGINS_ENTRY or not is_heading_of(passage, event):
            return passage
        rest = _after_title(passage.text, event.title or "")
        return passage._replace(text=rest, nth=1) if rest else passage

    def title_of(self, passage: Passage) -> str:
        """Return the title in the heading of a story's entry: date and id are for readers of the log.

        Empty for all other statements.
        """
        event = self.event_of(passage)
        if event is None or not event.stories or passage.form is not Form.HEADING:
            return ""
        is_title = is_heading_of(passage, event) and event.title and event.title in passage.text
        return event.title or "" if is_title else ""

    def other_stories_of(self, passage: Passage, number: int) -> list[str]:
        """Return which other stories of its entry than those of the recent item a passage is about."""
        event = self.event_of(passage)
        if event is None or not event.stories[1:]:
            return []
        named = ids_named(f"{passage.label} {passage.lead}", event.stories)
        own = {name for each in self._recent[number] if each.stories for name in each.stories}
        for each in self._recent[number]:
            own &= {*(each.stories or own)}
        return named if own.isdisjoint(named) else []

    def part_of(self, passage: Passage) -> str:
        """Return the name of the part of an entry that a passage is in; empty right below its heading."""
        if passage.section not in _NAMED_PARTS or passage.form is Form.HEADING:
            return ""
        event = self.event_of(passage)
        names_entry = event is not None and any(story in passage.label for story in event.stories)
        is_heading = passage.label == self._headings.get((passage.source, passage.entry))
        return "" if names_entry or is_heading else passage.label


def is_heading_of(passage: Passage, event: Event) -> bool:
    """Return whether a statement is what an entry begins with, not what its paragraph says then."""
    return event.line == passage.line and not passage.nth


def _after_title(text: str, title: str) -> str:
    """Return what follows the title of an entry in its first paragraph; empty where that is a word or two."""
    at = text.find(title) if title else -1
    if at < 0:
        return text.partition(". ")[2]
    rest = _AFTER_SENTENCE.sub("", text[at + len(title) :], count=1)
    return rest if len(rest.split()) >= _FEWEST_SAID else ""
