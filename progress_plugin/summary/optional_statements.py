"""What a summary may show besides what is always in it: learnings and passages with their worth (S18.3).

What they are worth is decided in `worth.score`, which of them are shown, in `summary.budget` (`fit`) and
`worth.choice` (`choose`).

A passage of one of the last stories would be under that story; a learning under its kind; what is
before all entries is a convention of the repository; all else is shown as earlier work, with its story.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter

from progress_plugin.core.caches.persistent_memo import Memo
from progress_plugin.core.light_typing import NamedTuple
from progress_plugin.learnings.learning_kind import kind_by_words
from progress_plugin.learnings.logged_learnings import CURED_BY
from progress_plugin.learnings.merge import Muted
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.origin import Origin
from progress_plugin.passages.noise import is_bare_status, is_of_its_moment, telling_of_field
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.passages.sentences import statements
from progress_plugin.plans.plan_and_story_identity import brief, ids_named, normalised
from progress_plugin.summary.announced_lists import items_of
from progress_plugin.summary.recent_stories import StoryNames, as_fixed, files_of
from progress_plugin.summary.shown_blockers import is_over
from progress_plugin.summary.statement_marks import marked
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.blocker_words import says_nothing
from progress_plugin.text.labels import split_label
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of
from progress_plugin.worth.choice import CONSIDERED, promising
from progress_plugin.worth.score import worths

RECENT, EARLIER, ENDS = "recent", "earlier", "ends"
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
_WAS_DONE = re.compile(r"what was \w+", re.IGNORECASE)
"""The label of what an entry did, which is also its title: `What was implemented`."""
_LIMITS = re.compile(r"(?:known |current |remaining )?(?:limitations?|limits)\b", re.IGNORECASE)
"""The label of what a piece of work cannot do."""
_HEADLINE = 1.5
"""How much more counts what is said first of a recent item's work."""
_OF_WORK = frozenset({None, SectionKind.WORK, SectionKind.TASK, SectionKind.OTHER, SectionKind.NOTES})
_TAUGHT = 0.15
"""Worth of a learning that no passage states: the archive's, say."""
_UNSAID = frozenset({SectionKind.FILES, SectionKind.DATE, SectionKind.TICKET})
"""Sections shown elsewhere: as a list of files, or in the heading of the story."""
_OF_THE_TIME = frozenset({SectionKind.STATUS, SectionKind.NEXT, SectionKind.WORK, SectionKind.CHECKS})
"""What is said of the state of the work, wherever it stands."""
_NAMED_PARTS = frozenset({None, SectionKind.OTHER, SectionKind.NEXT})
"""What is under a heading of an entry that says what the part below it is about."""
_AFTER_SENTENCE = re.compile(r"\A[\s.!?。！？:：*_~–—-]+")
_NEXT = re.compile(r"\W*next(?:\W+(?:steps?|tasks?|up|actions?|focus))?\W*\Z", re.IGNORECASE)
"""The label of what comes next, and of nothing else: what is deferred there is so still."""
_FEWEST_SAID = 3
"""Words that say more behind a title than its status or date."""
_BEGINS_ENTRY = frozenset({Form.TEXT, Form.LABEL, Form.ITEM, Form.DONE, Form.OPEN})
"""How a paragraph or item is written that begins an entry and says more than its heading."""
_SESSIONS = ("session_started", "session_ended")
_EARLIER_NOTES = "Earlier notes"
"""Label of the notes of an entry to which newer ones were added: the state they tell of may be over."""
_STANDING = ("Blocked by", "Suggested", "Next")
"""Labels of what is shown with the state of the work while it lasts: open blockers, the next step."""


class SummaryCandidate(NamedTuple):
    """One statement that may be shown."""

    text: str
    """As its author wrote it; what is shown goes through `text.safe_output` first."""
    worth: float
    section: str
    """`recent`, `earlier`, a kind of learnings in `Content`, or `ends`: an unfinished end or nothing."""
    order: int
    """Place among the others of its section."""
    item: int = 0
    """Which of the recent items it belongs to."""
    learning: Learning | None = None
    """What it teaches, or would if it were asked: none for what is below a recent item."""
    ranks: tuple[int, ...] = ()
    """Places of the learnings it states among those that may be shown."""
    files: tuple[str, ...] = ()
    """What a recent item touched, where that is what is offered."""
    passage: Passage | None = None
    """What says it, where that is not the learning alone."""
    is_open: bool = False
    """Whether it is an unfinished end: those are told first."""
    part: str = ""
    """The name of the part that a recent item's statement is in, below the item's own heading."""
    story: str = ""
    """Of an unfinished end what its story is called before it: its id, and its plan or spec."""
    is_of_recent: bool = False
    """Whether it is a learning of a recent item: it has a share in the room that these get first (S7.4)."""
    by: str = ""
    """Which other clone says so, where its line has to name that (`summary.recent_stories.name_of`)."""
    items: tuple[int, ...] = ()
    """Places (`order`) of what it announces as its list."""

    @property
    def under(self) -> str:
        """The heading or label without which a statement may mean something else; often empty.

        Of a recent item that is one below the item's own heading: a part that has a name.
        """
        said = self.passage
        if said is None or (said.lead and self.text != said.text):
            return ""
        if self.section == EARLIER and not said.story:
            return said.label.rstrip(" :：")
        return self.part.rstrip(" :：")

    def origins(self) -> tuple[Origin, ...]:
        """Return where it is said."""
        said = self.passage
        if said is not None:
            return (Origin(said.source, said.line, said.last, said.entry),)
        taught = self.learning
        if taught is None or not taught.lines:
            return (Origin(taught.source),) if taught else ()
        return (Origin(taught.source, taught.lines[0], taught.lines[0]),)


def find_candidates(  # noqa: PLR0913, PLR0917 - what may be told, each by name
    facts: Facts,
    recent: Sequence[Sequence[Event]],
    chosen: Sequence[Learning],
    known: Iterable[str],
    memo: Memo | None = None,
    ends: Collection[Passage] = (),
) -> list[SummaryCandidate]:
    """Return what may be shown, as far as a choice would look at it.

    `recent` are the events of each recent item, `chosen` the learnings that may be shown, best first, and
    `known` texts that are there anyway.
    `memo` remembers from one process to the next what texts say, and `ends` are the unfinished ends.
    """
    return _Offering(facts, recent, chosen, known, memo, ends).all()


class _Offering:
    def __init__(  # noqa: PLR0913, PLR0917 - those of `find_candidates`
        self,
        facts: Facts,
        recent: Sequence[Sequence[Event]],
        chosen: Sequence[Learning],
        known: Iterable[str],
        memo: Memo | None,
        ends: Collection[Passage],
    ) -> None:
        self._memo = memo
        remembering = memo or Memo()
        self._is_of_its_moment = remembering.of(is_of_its_moment)
        self._is_bare_status = remembering.of(is_bare_status)
        self._kind_of = remembering.of(kind_by_words)
        self._ends = {(end.source, end.line, end.nth) for end in ends}
        self._facts = facts
        self._recent = recent
        self._chosen = chosen
        self._items = {
            (event.source, event.position): number for number, events in enumerate(recent) for event in events
        }
        self._muted = Muted(
            part for text in facts.muted for part in (text, *text.split(CURED_BY), *_of_step(text))
        )
        self._events = {(event.source, event.position): event for event in facts.events}
        self._names = StoryNames(facts.attribution, self._events)
        self._first_entries: dict[str, int] = {}
        for event in facts.events:
            if event.line:
                first = self._first_entries.get(event.source, event.line)
                self._first_entries[event.source] = min(first, event.line)
        self._known = {normalised(text) for text in known}
        self._at_line = {(each.source, each.lines[0]): each for each in chosen if each.source and each.lines}
        self._by_text = {
            normalised(piece): each
            for each in chosen
            if not each.source
            for part in each.text.split(CURED_BY)
            for piece in statements(part)
        }
        # What merely says the same is found by the choice, which knows how much of it is new.
        replaced = [old for each in facts.learnings for old in each.replaced]
        self._corrected = {
            normalised(piece)
            for text, _, _ in replaced
            for part in text.split(CURED_BY)
            for piece in (part, *telling_of_field(part))
        }
        self._corrected_at = {(source, line) for _, source, lines in replaced for line in lines}
        self._rank = {id(learning): rank for rank, learning in enumerate(chosen)}
        self._headings: dict[tuple[str, int], str] = {}
        """The headings of the entries, as they are."""
        self._told: set[int] = set()
        """The learnings that a passage states."""

    def all(self) -> list[SummaryCandidate]:
        passages = [passage for reading in self._facts.readings for passage in reading.passages]
        worth = [each for reading in self._facts.readings for each in worths(reading, memo=self._memo)]
        self._headings = {
            place: passage.text
            for passage in passages
            if passage.form is Form.HEADING
            and (event := self._events.get(place := (passage.source, passage.entry)))
            and event.line == passage.line
        }
        found: dict[str, SummaryCandidate] = {}
        for at in promising(worth, [passage.text for passage in passages]):
            text = passages[at].text
            is_enough = len(found) >= _READY and self._item_of(passages[at]) is None
            if is_enough or text in found:
                for learning in self._learnings_of(passages[at]):
                    self._told.add(id(learning))
            elif offer := self._offer(self._below_heading(passages[at]), worth[at], at):
                offer = offer._replace(story=self._names.of(passages[at])) if offer.is_open else offer
                items = items_of(passages, at)
                found[text] = offer._replace(items=items) if items else offer
        return [
            *_with_headlines(sorted(found.values(), key=attrgetter("order"))),
            *self._untold(len(passages)),
            *self._files(passages, worth),
        ]

    def _is_corrected(self, passage: Passage) -> bool:
        """Return whether something newer says otherwise, be it of one of several things joined."""
        if self._corrected_at:
            lines = range(passage.line, passage.last + 1)
            if any((passage.source, line) in self._corrected_at for line in lines):
                return True
        return bool(self._corrected) and normalised(passage.text) in self._corrected

    def _is_told_elsewhere(self, passage: Passage) -> bool:
        if passage.section in _UNSAID or passage.form is Form.CODE or passage.only_announces:
            return True
        if passage.section is SectionKind.BLOCKED and says_nothing(passage.text):
            return True
        is_status = passage.section is SectionKind.STATUS
        if (is_status or ":" in passage.text or "：" in passage.text) and self._is_bare_status(
            passage.text, is_status
        ):
            return True  # the mark after the story says so
        if self._is_corrected(passage):
            return True
        if not self._known.isdisjoint(normalised(text) for text in {passage.text, passage.shown}):
            return True
        return self._is_of_others(passage) or self._is_muted(passage)

    def _is_of_others(self, passage: Passage) -> bool:
        """Return whether a passage marks a session, is about another plan, or of what the state was then."""
        event = self._events.get((passage.source, passage.entry))
        if event is None:
            return False
        attribution = self._facts.attribution
        foreign = attribution is not None and not attribution.concerns(event)
        was_so = self._was_so(passage, event)
        only_marks = event.type in _SESSIONS and not event.said
        is_gone = is_over(event, self._facts) and passage.section not in TEACHING
        return (
            only_marks
            or was_so
            or is_gone
            or (self._is_heading_of(passage, event) and self._is_known_title(passage, event))
            or (foreign and passage.section not in TEACHING)
        )

    def _was_so(self, passage: Passage, event: Event) -> bool:
        """Return whether a passage says what came next then, or was in the way: newer ones say what does."""
        of_ours = event.entry is not None and passage.label in (*_STANDING, _EARLIER_NOTES)
        label = passage.label if passage.section is SectionKind.NEXT else split_label(passage.text)[0]
        is_step = _NEXT.match(label) and event.stories and self._item_of(passage) is None
        return bool(of_ours or is_step) and not self._is_end(passage)

    def _is_heading_of(self, passage: Passage, event: Event) -> bool:
        """Return whether a statement is what an entry begins with, not what its paragraph says then."""
        return event.line == passage.line and not passage.nth

    def _below_heading(self, passage: Passage) -> Passage:
        """Return what a paragraph that begins an entry says after its first sentence, the heading."""
        event = self._events.get((passage.source, passage.entry))
        if event is None or passage.form not in _BEGINS_ENTRY or not self._is_heading_of(passage, event):
            return passage
        rest = _after_title(passage.text, event.title or "")
        return passage._replace(text=rest, nth=1) if rest else passage

    def _is_known_title(self, passage: Passage, event: Event) -> bool:
        """Return whether the heading of an entry stands above it, or only names its stories, of any plan."""
        if (passage.source, passage.entry) in self._items:
            return True
        if event.stories and (event.has_plans_title or not event.title):
            return True
        attribution, title = self._facts.attribution, normalised(event.title or "")
        stories = attribution.stories(event) if attribution is not None else []
        return bool(stories) and (not title or title in {normalised(story.title) for story in stories})

    def _is_end(self, passage: Passage) -> bool:
        return (passage.source, passage.line, passage.nth) in self._ends

    def _is_muted(self, passage: Passage) -> bool:
        if not self._facts.muted:  # nearly always
            return False
        return self._muted.hides(Learning(kind=LearningKind.GOTCHA, text=passage.text, source=passage.source))

    def _is_in_preamble(self, passage: Passage) -> bool:
        """Return whether a passage before all entries of its log tells no state or work: that is to last."""
        if passage.section in _OF_THE_TIME:
            return False
        first = self._first_entries.get(passage.source)
        return not passage.entry and (first is None or passage.line < first)

    def _item_of(self, passage: Passage) -> int | None:
        return self._items.get((passage.source, passage.entry)) if passage.entry else None

    def _offer(self, passage: Passage, worth: float, order: int) -> SummaryCandidate | None:
        number = self._item_of(passage)
        if self._is_told_elsewhere(passage) or (passage.section is SectionKind.FILES and number is not None):
            return None
        learnings = self._learnings_of(passage)
        if learnings:
            return self._taught(learnings, passage, worth, order, is_of_recent=number is not None)
        if number is None and self._events and self._is_of_its_moment(passage.text):
            return None
        text, is_open = self._without_stamp(passage) or marked(passage), self._is_end(passage)
        if passage.section is SectionKind.WORK:
            text = as_fixed(text, self._events.get((passage.source, passage.entry)))
        if is_open and passage.label in _STANDING:
            return SummaryCandidate(text, worth, ENDS, order, passage=passage, is_open=True)
        if number is not None:
            if others := self._others_of(passage, number):
                text = f"{', '.join(map(brief, others))}: {text}"
            return SummaryCandidate(
                text, worth, RECENT, order,
                item=number, passage=passage, is_open=is_open, part=self._part_of(passage),
            )  # fmt: skip
        taught = passage.section in TEACHING or self._is_in_preamble(passage)
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

    def _without_stamp(self, passage: Passage) -> str:
        """Return the title in the heading of a story's entry: date and id are for readers of the log.

        Empty for all other statements.
        """
        event = self._events.get((passage.source, passage.entry))
        if event is None or not event.stories or passage.form is not Form.HEADING:
            return ""
        is_title = self._is_heading_of(passage, event) and event.title and event.title in passage.text
        return event.title or "" if is_title else ""

    def _others_of(self, passage: Passage, number: int) -> list[str]:
        """Return which other stories of its entry than those of the recent item a passage is about."""
        event = self._events.get((passage.source, passage.entry))
        if event is None or not event.stories[1:]:
            return []
        named = ids_named(f"{passage.label} {passage.lead}", event.stories)
        own = {name for each in self._recent[number] if each.stories for name in each.stories}
        for each in self._recent[number]:
            own &= {*(each.stories or own)}
        return named if own.isdisjoint(named) else []

    def _part_of(self, passage: Passage) -> str:
        """Return the name of the part of an entry that a passage is in; empty right below its heading."""
        place = (passage.source, passage.entry)
        if passage.section not in _NAMED_PARTS or passage.form is Form.HEADING:
            return ""
        event = self._events.get(place)
        names_entry = event is not None and any(story in passage.label for story in event.stories)
        return "" if names_entry or passage.label == self._headings.get(place) else passage.label

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
            learning=first, ranks=ranks, passage=passage, is_open=self._is_end(passage),
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
            number = self._item_of(passage) if passage.section is SectionKind.FILES else None
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


def _after_title(text: str, title: str) -> str:
    """Return what follows the title of an entry in its first paragraph; empty where that is a word or two."""
    at = text.find(title) if title else -1
    if at < 0:
        return text.partition(". ")[2]
    rest = _AFTER_SENTENCE.sub("", text[at + len(title) :], count=1)
    return rest if len(rest.split()) >= _FEWEST_SAID else ""


def _of_step(muted: str) -> Iterator[str]:
    """Yield the words of a muted next step, which is found with its label: `Next: …`."""
    label, words = split_label(muted)
    if words and section_of(label) is SectionKind.NEXT:
        yield words
