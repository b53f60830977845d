"""What is worked on, what comes next, and what older entries left open (S6.1, S18.6).

Stories come in the order of their plan (`_current_story`, `_following`); priorities in a plan are not asked.

The newest next step of our log is chosen in `usecases.summarizing.logged_next_step` (`next_step`), that of
agents' own logs in `passages.stated_status`.

Every output asks `next_work`; `unfinished_ends` are told before all that was learnt.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from progress_plugin.core.light_typing import TYPE_CHECKING, NamedTuple
from progress_plugin.model.origin import Cited, origins_of
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.plans.story_identity import brief
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import item, one_line
from progress_plugin.text.section_names import TEACHING, SectionKind

if TYPE_CHECKING:
    from progress_plugin.model.claim import Claim
    from progress_plugin.summary.candidates import SummaryCandidate
    from progress_plugin.summary.summary_input import ForeignCompletion

_NAMES = re.compile(r"[\w.#-]+")
_NOT_NEXT = FINISHED | {Status.BLOCKED}
"""A story that failed may be tried again."""
_WINDOW = 30
"""Entries of a log, the newest, whose unfinished ends are still told."""
_LEAVES_OPEN = re.compile(
    r"\bblocked (?:by|on|until)\b|\buser (?:needs|has) to\b|"
    r"\bnot yet\b|\byet to (?:be|do|come)\b|(?<![/\w.-])(?:TODO|FIXME|follow[- ]?ups?)\b(?![/_-]|\.\w)|"
    r"\bknown (?:issue|bug|limitation|problem|gap)s?\b|"
    r"\b(?:still|remains?) (?:to be|fail\w*|missing|open|broken|needs?|pending|red|un\w+|has no|lacks?)\b|"
    r"\b(?:left|remains?) (?:open|undone|unfinished|for later)\b|"
    r"\b(?:is|was|are|were) (?:deferred|postponed)\b|\bdeferred$|\bunfinished\b|"
    r"\bpending(?::| (?:on|review|approval|decision|until))|"
    r"\b(?:is|are) pending\b",
    re.IGNORECASE,
)
_OPEN_LABEL = re.compile(
    r"(?:known|open|remaining|outstanding|unresolved|deferred)(?: \w+)? "
    r"(?:issues?|limitations?|bugs?|problems?|questions?|items?|points?|ends?|work|tasks?|gaps?)\b|"
    r"(?:to-?dos?|follow-?ups?|unfinished|incomplete|deferred|not (?:yet )?(?:done|implemented|working))\b",
    re.IGNORECASE,
)
_NO_END = frozenset({Form.DONE, Form.HEADING, Form.CODE, Form.QUOTE, Form.LABEL})
_NO_SECTION = TEACHING | {SectionKind.FILES, SectionKind.CHECKS, SectionKind.BLOCKED}
"""What holds for good, and what is told elsewhere."""
LONGEST_END = 240
"""Characters of an unfinished end: a longer statement tells more than what is left."""
_MOST_ENDS = 3
"""Most lines under `Left open earlier:`."""
_NEXT_STEPS = "Next"
"""The label of what our own entries call next: what might help with a blocker is no end."""
_CLOSED = 0.5
"""Share of its words of which newer work must repeat more to have closed an end."""
_TELLING = 2
"""Words of a title that are a story's subject also inside a longer sentence: one word may be anybody's."""
_WORD = re.compile(r"[^\W\d_]{4,}|\w*\d\w*")
_SENTENCE = 300
_TITLE = 90
_MINUTE = len("2026-11-23T10:02")
_PARTS = 3
_HELD = 4
"""Stories claimed by others that are named where nothing else is left."""


class NextWork(NamedTuple):
    """The current story, and what follows it."""

    current: StoryState | None
    """The first that is in progress, else the next that can be begun."""
    step: str
    """What the newest entry calls the next step, else what is open of the current story, else empty."""
    story: StoryState | None
    """The story that can be taken beside the current one, else the one after it."""
    waits_for: tuple[str, ...]
    """What that story waits for, the current one included."""
    held: tuple[str, ...] = ()
    """The stories that are left where other clones claim all of them."""

    @property
    def begun(self) -> bool:
        """Whether anybody is at the current story, or was."""
        current = self.current
        return current is not None and (current.status is Status.ACTIVE or bool(current.events))

    @property
    def line(self) -> str:
        """What comes next, in one line: the step, else the story and what it waits for, else nothing."""
        if self.step:
            return Cited(one_line(self.step, _SENTENCE), *origins_of(self.step))
        if self.story is None:
            return f"none is free: others claim {one_line(some_of(self.held, _HELD))}" if self.held else ""
        label, title = item(self.story.label, _TITLE), one_line(self.story.title, _TITLE)
        name = f"{label}: {title}" if self.story.id and title and title != label else label
        waits = f"(waits for {', '.join(self.waits_for)})" if self.waits_for else ""
        told = (one_line(text) for text in (name, waits) if text)
        return Cited(" ".join(told), *self.story.origins())


def next_work(facts: Facts, history: StoryHistory) -> NextWork:
    """Return what is current and what comes next."""
    taken = {claim.key for claim in facts.claims if claim.writer is not None}
    current = _current_story(history, taken)
    story = _following(history, current, taken)
    steps = (step for step in (facts.next_step, facts.stated_next) if step)
    stated = (step for step in steps if not _cannot_be(step, history, taken))
    held = [each.label for each in _left(history, current) if _is_taken(each, taken)] if story is None else []
    step = next(stated, "") or _open_parts(current)
    return NextWork(current, step, story, _waits_for(story), tuple(held))


def claimed_by(claim: "Claim") -> str:
    """Return `claimed by host-b since 2026-11-23 10:02, until 2026-11-23 12:02`."""
    since, until = (when[:_MINUTE].replace("T", " ") for when in (claim.since, claim.until))
    return f"claimed by {claim.writer or 'this clone'} since {since}, until {until} UTC"


def finished_by(completion: "ForeignCompletion") -> str:
    """Return `finished by host-b on 2026-11-23 10:02 UTC, on branch x; the plan here does not say so yet`."""
    when = f" on {completion.when[:_MINUTE].replace('T', ' ')} UTC" if completion.when else ""
    branch = f", on branch {completion.branch}" if completion.branch else ""
    return f"finished by {completion.writer}{when}{branch}; the plan here does not say so yet"


def _open_parts(current: StoryState | None) -> str:
    """Return the first open parts of the story that is in progress; they come before the next story."""
    if current is None or current.status is not Status.ACTIVE or current.planned is None:
        return ""
    parts = [part.title for part in current.planned.subtasks if part.title and part.status not in _NOT_NEXT]
    return Cited("; ".join(parts[:_PARTS]), *current.origins()) if parts else ""


def _cannot_be(step: str, history: StoryHistory, taken: Container[str]) -> bool:
    """Return whether a next step names stories, and each of them is done, blocked or somebody else's by now.

    The one with whose completion the step was logged does not count: what comes after it may well name it.
    """
    words = _names_in(step)
    named = [story for story in history.stories if story.id and story.id.casefold().strip(".-#") in words]
    said_by = {origin.entry for origin in origins_of(step) if origin.entry}
    named = [story for story in named if not _was_finished_by(story, said_by)]
    return bool(named) and all(
        story.status in _NOT_NEXT or story.finished_by or _is_taken(story, taken) for story in named
    )


def _was_finished_by(story: StoryState, entries: Container[str | None]) -> bool:
    return any(event.status is Status.DONE and event.entry in entries for event in story.events)


def _current_story(history: StoryHistory, taken: Container[str]) -> StoryState | None:
    """Return the first active story, else the next pending one that waits for nothing (S6.1).

    What another clone claims is current there, not here (S20.6), and what it has finished is so nowhere.
    """
    here = [story for story in history.stories if not _is_taken(story, taken) and not story.finished_by]
    for story in here:
        if story.status is Status.ACTIVE:
            return story
    for story in here:
        if story.status is Status.PENDING and not _waits_for(story):
            return story
    return None


def _following(history: StoryHistory, current: StoryState | None, taken: Container[str]) -> StoryState | None:
    """Return the next story: the first that waits for nothing, else for the current one alone, else any.

    None is next that another clone claims or has finished.
    """
    left = [story for story in _left(history, current) if not _is_taken(story, taken)]
    done_then = {current.id} if current else set()
    free = (story for story in left if not _waits_for(story))
    after = (story for story in left if done_then.issuperset(_waits_for(story)))
    return next(free, None) or next(after, left[0] if left else None)


def _left(history: StoryHistory, current: StoryState | None) -> list[StoryState]:
    """Return the stories that are left to do besides the current one, whoever claims them."""
    return [
        story
        for story in history.stories
        if story.status in (Status.ACTIVE, Status.PENDING) and story is not current and not story.finished_by
    ]


def _is_taken(story: StoryState, taken: Container[str]) -> bool:
    """Return whether another clone claims a story; `taken` are the keys of such claims."""
    return (story.id or "").casefold() in taken


def _waits_for(story: StoryState | None) -> tuple[str, ...]:
    return story.planned.waits_for if story is not None and story.planned else ()


def _names_in(text: str) -> set[str]:
    return {word.strip(".-#") for word in _NAMES.findall(text.casefold())}


class _Settled(NamedTuple):
    """A story that is finished or blocked, as a text may speak of it."""

    name: str
    """Its id, in small letters."""
    words: frozenset[str]
    """Of its title."""


def concern(facts: Facts, history: StoryHistory) -> str:
    """Return the words of the current and the next story: what speaks of them is worth more (S18.4).

    How much more is decided in `worth.choice` (`_CONCERN`).
    """
    work = next_work(facts, history)
    stories = [story.planned for story in (work.current, work.story) if story is not None and story.planned]
    return " ".join(f"{story.title} {story.description}" for story in stories)


def unfinished_ends(facts: Facts, history: StoryHistory) -> set[Passage]:
    """Return what entries that are not the newest leave open, and nothing newer has closed (S18.6)."""
    settled = [
        _Settled((story.id or "").casefold(), _words(story.title))
        for story in history.stories
        # The plan may still call a story open that the log has finished: what led to it was taken up.
        if story.status in _NOT_NEXT or (story.newest is not None and story.newest.status in FINISHED)
    ]
    ours = {event.source for event in facts.events if event.entry}
    return {
        end
        for reading in facts.readings
        for end in _ends_of(reading, settled, {each.source for each in reading.passages[:1]} <= ours)
    }


def _ends_of(reading: Reading, settled: Sequence[_Settled], is_ours: bool) -> Iterator[Passage]:
    recent = [each for each in reading.passages if each.entry > reading.entries - _WINDOW]
    ends = [each for each in recent if each.entry < reading.entries and _leaves_open(each, is_ours)]
    if not ends:
        return
    open_ones = set(map(id, ends))
    later: dict[str, list[Passage]] = {}
    for passage in recent:
        if id(passage) not in open_ones and passage.section is not SectionKind.NEXT:
            for word in _words(passage.text):
                later.setdefault(word, []).append(passage)
    for end in ends:
        words = _words(end.text)
        told = Counter(id(each) for word in words for each in later.get(word, ()) if each.entry > end.entry)
        repeated = max(told.values(), default=0)
        if words and repeated <= _CLOSED * len(words) and not _is_taken_up(end, words, settled):
            yield end


def _leaves_open(passage: Passage, is_ours: bool) -> bool:
    """Return whether a statement says that something is left to do.

    What an agent's own log lists as next is renewed with each entry, so there only its words count.
    """
    if not passage.entry or passage.form in _NO_END or passage.section in _NO_SECTION:
        return False
    if passage.section is SectionKind.NEXT:
        return is_ours and passage.label == _NEXT_STEPS
    if _OPEN_LABEL.match(passage.label):
        return True
    return len(passage.text) <= LONGEST_END and bool(_LEAVES_OPEN.search(passage.text))


def _is_taken_up(end: Passage, words: frozenset[str], settled: Sequence[_Settled]) -> bool:
    """Return whether an end names another story, finished or blocked, or has its whole title in it.

    A title of one word, such as "Basket", must be the end's own subject: half of what it says.
    """
    own, names = (end.story or "").casefold(), _names_in(end.text)
    return any(
        story.name != own and (story.name in names or _has_title(words, story.words)) for story in settled
    )


def _has_title(words: frozenset[str], title: frozenset[str]) -> bool:
    if not title or not title <= words:
        return False
    return len(title) >= _TELLING or len(words) <= _TELLING * len(title)


def left_open(offered: Sequence["SummaryCandidate"]) -> list[str]:
    """Return the unfinished ends that matter most, each in a line with its story (S18.6)."""
    found = sorted((offer for offer in offered if offer.is_open), key=lambda offer: -offer.worth)
    return [Cited(item(_with_story(offer), LONGEST_END), *offer.origins()) for offer in found[:_MOST_ENDS]]


def _with_story(offer: "SummaryCandidate") -> str:
    story = brief(offer.passage.story) if offer.passage and offer.passage.story else ""
    text = offer.text.removeprefix("Next: ")
    return text if not story or text.startswith(story) else f"{story}: {text}"


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
