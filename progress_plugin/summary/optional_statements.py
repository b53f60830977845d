"""What a summary may show besides what is always in it: learnings and passages with their worth.

What stands elsewhere is left out by `summary.told_elsewhere`.

A passage of one of the last stories would be under that story; a learning under its kind; what is
before all entries is a convention of the repository; all else is shown as earlier work, with its story.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.learning_kind import kind_by_words
from progress_plugin.learnings.logged_learnings import CURED_BY
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.passages.noise import is_of_its_moment
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.passages.sentences import statements
from progress_plugin.plans.plan_and_story_identity import brief, normalised
from progress_plugin.summary.announced_lists import items_of
from progress_plugin.summary.passage_places import PassagePlaces
from progress_plugin.summary.recent_stories import StoryNames, as_fixed, files_of
from progress_plugin.summary.statement_marks import marked
from progress_plugin.summary.summary_candidate import EARLIER, ENDS, RECENT, SummaryCandidate
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.told_elsewhere import STANDING, ToldElsewhere
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind
from progress_plugin.worth.choice import CONSIDERED, promising
from progress_plugin.worth.score import worths

_SECTIONS = {
    LearningKind.PATTERN: "patterns",
    LearningKind.GOTCHA: "gotchas",
    LearningKind.DEPENDENCY: "dependencies",
}
_KINDS = {
    SectionKind.PATTERN: LearningKind.PATTERN,
    SectionKind.GOTCHA: LearningKind.GOTCHA,
    SectionKind.DEPENDENCY: LearningKind.DEPENDENCY,
}
_READY = CONSIDERED + CONSIDERED // 4
"""Statements made ready to be shown: a choice looks at the best of them."""
_WAS_DONE = LazyPattern(r"what was \w+", re.IGNORECASE)
"""The label of what an entry did, which is also its title: `What was implemented`."""
_LIMITS = LazyPattern(r"(?:known |current |remaining )?(?:limitations?|limits)\b", re.IGNORECASE)
"""The label of what a piece of work cannot do."""
_HEADLINE = 1.5
"""How much more counts what is said first of a recent item's work."""
_OF_WORK = frozenset({None, SectionKind.WORK, SectionKind.TASK, SectionKind.OTHER, SectionKind.NOTES})
_TAUGHT = 0.15
"""Worth of a learning that no passage states: the archive's, say."""


def find_candidates(  # noqa: PLR0913, PLR0917 - what may be told, each by name
    facts: Facts,
    recent: Sequence[Sequence[Event]],
    chosen: Sequence[Learning],
    known: Iterable[str],
    memo: Memo | None = None,
    ends: Collection[Passage] = (),
    over: Collection[Passage] = (),
) -> list[SummaryCandidate]:
    """Return what may be shown, as far as a choice would look at it.

    `recent` are the events of each recent item, `chosen` the learnings that may be shown, best first, and
    `known` texts that are there anyway.
    `memo` remembers from one process to the next what texts say, `ends` are the unfinished ends, and `over`
    what was one until later work.
    """
    return _Offering(facts, recent, chosen, known, memo, ends, over).all()


class _Offering:
    def __init__(  # noqa: PLR0913, PLR0917 - those of `find_candidates`
        self,
        facts: Facts,
        recent: Sequence[Sequence[Event]],
        chosen: Sequence[Learning],
        known: Iterable[str],
        memo: Memo | None,
        ends: Collection[Passage],
        over: Collection[Passage],
    ) -> None:
        self._memo = memo
        remembering = memo or Memo()
        self._is_of_its_moment = remembering.of(is_of_its_moment)
        self._kind_of = remembering.of(kind_by_words)
        self._facts = facts
        self._recent = recent
        self._chosen = chosen
        self._passages = [passage for reading in facts.readings for passage in reading.passages]
        self._places = PassagePlaces(facts.events, self._passages, recent, ends)
        self._elsewhere = ToldElsewhere(facts, self._places, known, over, remembering)
        self._names = StoryNames(facts.attribution, self._places.events)
        self._at_line = {(each.source, each.lines[0]): each for each in chosen if each.source and each.lines}
        self._by_text = {
            normalised(piece): each
            for each in chosen
            if not each.source
            for part in each.text.split(CURED_BY)
            for piece in statements(part)
        }
        self._rank = {id(learning): rank for rank, learning in enumerate(chosen)}
        self._told: set[int] = set()
        """The learnings that a passage states."""

    def all(self) -> list[SummaryCandidate]:
        passages = self._passages
        worth = [each for reading in self._facts.readings for each in worths(reading, memo=self._memo)]
        found: dict[str, SummaryCandidate] = {}
        for at in promising(worth, [passage.text for passage in passages]):
            text = passages[at].text
            is_enough = len(found) >= _READY and self._places.item_of(passages[at]) is None
            if is_enough or text in found:
                for learning in self._learnings_of(passages[at]):
                    self._told.add(id(learning))
            elif offer := self._offer(self._places.below_heading(passages[at]), worth[at], at):
                offer = offer._replace(story=self._names.of(passages[at])) if offer.is_open else offer
                items = items_of(passages, at)
                found[text] = offer._replace(items=items) if items else offer
        return [
            *_with_headlines(sorted(found.values(), key=attrgetter("order"))),
            *self._untold(len(passages)),
            *self._files(passages, worth),
        ]

    def _offer(self, passage: Passage, worth: float, order: int) -> SummaryCandidate | None:
        number = self._places.item_of(passage)
        if self._elsewhere.tells(passage) or (passage.section is SectionKind.FILES and number is not None):
            return None
        learnings = self._learnings_of(passage)
        if learnings:
            return self._taught(learnings, passage, worth, order, is_of_recent=number is not None)
        if number is None and self._places.events and self._is_of_its_moment(passage.text):
            return None
        text, is_open = self._places.title_of(passage) or marked(passage), self._places.is_end(passage)
        if passage.section is SectionKind.WORK:
            text = as_fixed(text, self._places.event_of(passage))
        if is_open and passage.label in STANDING:
            return SummaryCandidate(text, worth, ENDS, order, passage=passage, is_open=True)
        if number is not None:
            if others := self._places.other_stories_of(passage, number):
                text = f"{', '.join(map(brief, others))}: {text}"
            return SummaryCandidate(
                text, worth, RECENT, order,
                item=number, passage=passage, is_open=is_open, part=self._places.part_of(passage),
            )  # fmt: skip
        taught = passage.section in TEACHING or self._places.is_in_preamble(passage)
        stated = _KINDS.get(passage.section) if passage.section else None
        kind = stated or LearningKind(self._kind_of(passage.text, passage.story))
        section = _SECTIONS[kind] if taught else EARLIER
        if section == EARLIER and passage.story:
            is_named = text.startswith(brief(passage.story))
            text = text if is_named else f"{self._names.of(passage)}: {text}"
        found = Learning(
            kind=kind, text=text, source=passage.source, lines=(passage.line,), story=passage.story
        )
        return SummaryCandidate(text, worth, section, order, learning=found, passage=passage, is_open=is_open)

    def _taught(
        self, learnings: Sequence[Learning], passage: Passage, worth: float, order: int, *, is_of_recent: bool
    ) -> SummaryCandidate | None:
        """Return the offer of a passage that teaches; a cause and its cure are one offer."""
        first, text = learnings[0], self._with_subject(passage)
        if CURED_BY in first.text:
            if id(first) in self._told:
                return None
            text = first.text
        self._told |= {id(each) for each in learnings}
        ranks = tuple(self._rank[id(each)] for each in learnings)
        section = _SECTIONS[first.kind]
        return SummaryCandidate(
            text, worth, section, order,
            learning=first, ranks=ranks, passage=passage, is_open=self._places.is_end(passage),
            is_of_recent=is_of_recent,
        )  # fmt: skip

    def _with_subject(self, passage: Passage) -> str:
        """Return what a statement teaches; a limit of a piece of work says of which work it is one."""
        text = passage.shown
        if not passage.story or not _LIMITS.match(passage.label) or brief(passage.story) in text:
            return text
        return f"{self._names.of(passage)}: {text}"

    def _learnings_of(self, passage: Passage) -> list[Learning]:
        """Return the learnings that a passage states: more than one where small ones are in one."""
        if passage.last <= passage.line:  # nearly all
            only = self._at_line.get((passage.source, passage.line))
            found = [only] if only else []
        else:
            places = [(passage.source, line) for line in range(passage.line, passage.last + 1)]
            found = [self._at_line[place] for place in places if place in self._at_line]
        if found or not self._by_text:
            return found
        by_text = self._by_text.get(normalised(passage.text))
        return [by_text] if by_text else []

    def _untold(self, first: int) -> Iterable[SummaryCandidate]:
        """Yield the learnings that no passage states: those of the archive, and of an own log's causes."""
        for rank, learning in enumerate(self._chosen):
            if id(learning) not in self._told:
                section = _SECTIONS[learning.kind]
                yield SummaryCandidate(
                    learning.text, _TAUGHT, section, first + rank, learning=learning, ranks=(rank,)
                )

    def _files(self, passages: Sequence[Passage], worth: Sequence[float]) -> Iterable[SummaryCandidate]:
        """Yield what each recent item touched, worth as much as the best passage that names files of it."""
        named: dict[int, float] = {}
        for passage, value in zip(passages, worth, strict=True):
            number = self._places.item_of(passage) if passage.section is SectionKind.FILES else None
            if number is not None:
                named[number] = max(value, named.get(number, 0.0))
        first = len(passages) + len(self._chosen)
        for number, events in enumerate(self._recent):
            names = files_of(events, self._facts.sources)
            if names:
                value = named.get(number, _TAUGHT)
                text = f"Files: {', '.join(names)}"
                yield SummaryCandidate(text, value, RECENT, first + number, item=number, files=tuple(names))


def _with_headlines(offers: Sequence[SummaryCandidate]) -> Iterable[SummaryCandidate]:
    """Yield the offers; what says of a recent item what was done counts more.

    That is what is called so, else what is told first of its work.
    """
    headlines: dict[int, SummaryCandidate] = {}
    for offer in offers:
        passage = offer.passage
        if offer.section != RECENT or passage is None or passage.form is Form.HEADING:
            continue
        first = headlines.get(offer.item)
        if passage.section in _OF_WORK and (first is None or _is_called_work(offer) > _is_called_work(first)):
            headlines[offer.item] = offer
    chosen = {id(offer) for offer in headlines.values()}
    for offer in offers:
        yield offer._replace(worth=offer.worth * _HEADLINE) if id(offer) in chosen else offer


def _is_called_work(offer: SummaryCandidate) -> bool:
    """Return whether its label says that it is what was done: `Summary`, `What was implemented`."""
    said = offer.passage
    return said is not None and (said.section is SectionKind.WORK or bool(_WAS_DONE.match(said.label)))
