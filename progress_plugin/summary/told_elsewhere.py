"""Which statements are not told, as a summary says them elsewhere, or newer ones say otherwise.

Left out are sections with a place of their own, a bare status, what was corrected or muted, what came next or
was in the way then, other plans' work, and the titles that stand above their entry.
"""

import re
from collections.abc import Iterable, Iterator

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.logged_learnings import CURED_BY
from progress_plugin.learnings.merge import Muted
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.passages.noise import is_bare_status, telling_of_field
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.summary.passage_places import PassagePlaces, is_heading_of
from progress_plugin.summary.shown_blockers import is_over
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.blocker_words import says_nothing
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

STANDING = ("Blocked by", "Suggested", "Next")
"""Labels of what is shown with the state of the work while it lasts: open blockers, the next step."""
_UNSAID = frozenset({SectionKind.FILES, SectionKind.DATE, SectionKind.TICKET})
"""Sections shown elsewhere: as a list of files, or in the heading of the story."""
_NEXT = LazyPattern(r"\W*next(?:\W+(?:steps?|tasks?|up|actions?|focus))?\W*\Z", re.IGNORECASE)
"""The label of what comes next, and of nothing else: what is deferred there is so still."""
_SESSIONS = ("session_started", "session_ended")
_EARLIER_NOTES = "Earlier notes"
"""Label of the notes of an entry to which newer ones were added: the state they tell of may be over."""


class ToldElsewhere:
    """Finds the statements that are not told where they stand.

    `known` are texts that are there anyway, `over` passages that were true until later work; `memo` remembers
    what texts say.
    """

    def __init__(
        self, facts: Facts, places: PassagePlaces, known: Iterable[str], over: Iterable[Passage], memo: Memo
    ) -> None:
        self._facts = facts
        self._places = places
        self._known = {normalised(text) for text in known}
        self._over = {(each.source, each.line, each.nth) for each in over}
        self._is_bare_status = memo.of(is_bare_status)
        self._muted = Muted(
            part for text in facts.muted for part in (text, *text.split(CURED_BY), *_of_step(text))
        )
        # What merely says the same is found by the choice, which knows how much of it is new.
        replaced = [old for each in facts.learnings for old in each.replaced]
        self._corrected = {
            normalised(piece)
            for text, _, _ in replaced
            for part in text.split(CURED_BY)
            for piece in (part, *telling_of_field(part))
        }
        self._corrected_at = {(source, line) for _, source, lines in replaced for line in lines}

    def tells(self, passage: Passage) -> bool:
        """Return whether what a passage says is told elsewhere, or no longer true."""
        if passage.section in _UNSAID or passage.form is Form.CODE or passage.only_announces:
            return True
        if passage.section is SectionKind.BLOCKED and says_nothing(passage.text):
            return True
        is_status = passage.section is SectionKind.STATUS
        if (is_status or ":" in passage.text or "：" in passage.text) and self._is_bare_status(
            passage.text, is_status
        ):
            return True  # the mark after the story says so
        if self._is_corrected(passage) or (passage.source, passage.line, passage.nth) in self._over:
            return True
        if not self._known.isdisjoint(normalised(text) for text in {passage.text, passage.shown}):
            return True
        return self._is_of_others(passage) or self._is_muted(passage)

    def _is_corrected(self, passage: Passage) -> bool:
        """Return whether something newer says otherwise, be it of one of several things joined."""
        if self._corrected_at:
            lines = range(passage.line, passage.last + 1)
            if any((passage.source, line) in self._corrected_at for line in lines):
                return True
        return bool(self._corrected) and normalised(passage.text) in self._corrected

    def _is_of_others(self, passage: Passage) -> bool:
        """Return whether a passage marks a session, is about another plan, or of what the state was then."""
        event = self._places.event_of(passage)
        if event is None:
            return False
        attribution = self._facts.attribution
        foreign = attribution is not None and not attribution.concerns(event)
        only_marks = event.type in _SESSIONS and not event.said
        is_gone = is_over(event, self._facts) and passage.section not in TEACHING
        return (
            only_marks
            or self._was_so(passage, event)
            or is_gone
            or (is_heading_of(passage, event) and self._is_known_title(passage, event))
            or (foreign and passage.section not in TEACHING)
        )

    def _was_so(self, passage: Passage, event: Event) -> bool:
        """Return whether a passage says what came next then, or was in the way: newer ones say what does."""
        of_ours = event.entry is not None and passage.label in (*STANDING, _EARLIER_NOTES)
        label = passage.label if passage.section is SectionKind.NEXT else split_label(passage.text)[0]
        is_step = _NEXT.match(label) and event.stories and self._places.item_of(passage) is None
        return bool(of_ours or is_step) and not self._places.is_end(passage)

    def _is_known_title(self, passage: Passage, event: Event) -> bool:
        """Return whether the heading of an entry stands above it, or only names its stories, of any plan."""
        if self._places.is_in_item(passage):
            return True
        if event.stories and (event.has_plans_title or not event.title):
            return True
        attribution, title = self._facts.attribution, normalised(event.title or "")
        stories = attribution.stories(event) if attribution is not None else []
        return bool(stories) and (not title or title in {normalised(story.title) for story in stories})

    def _is_muted(self, passage: Passage) -> bool:
        if not self._facts.muted:  # nearly always
            return False
        return self._muted.hides(Learning(kind=LearningKind.GOTCHA, text=passage.text, source=passage.source))


def _of_step(muted: str) -> Iterator[str]:
    """Yield the words of a muted next step, which is found with its label: `Next: …`."""
    label, words = split_label(muted)
    if words and section_of(label) is SectionKind.NEXT:
        yield words
