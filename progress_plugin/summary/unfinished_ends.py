"""What older entries left open: which statements say so, how far back, and what has closed them.

They are told before all that was learnt.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from progress_plugin.model.event import STORY_TYPES
from progress_plugin.model.origin import Cited
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.passages.sentences import in_own_words
from progress_plugin.plans.leading_plan import has_open_stories
from progress_plugin.plans.plan_and_story_identity import brief
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.summary.next_work import names_in
from progress_plugin.summary.recent_stories import with_name
from progress_plugin.summary.statement_marks import without_mark
from progress_plugin.summary.summary_candidate import SummaryCandidate
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import item
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

_NO_LONGER_OPEN = FINISHED | {Status.BLOCKED}
_WINDOW = 30
"""Entries of a log, the newest, whose unfinished ends are still told."""
_LEAVES_OPEN = LazyPattern(
    r"(?<!\bif )(?<!\bwhen )(?<!\bunless )\bblocked (?:by|on|until)\b|\buser (?:needs|has) to\b|"
    r"\bnot yet\b|\byet to (?:be|do|come)\b|(?<![/\w.-])(?:TODO|FIXME|follow[- ]?ups?)\b(?![/_-]|\.\w)|"
    r"\bknown (?:issue|bug|limitation|problem|gap)s?\b|"
    r"\b(?:still|remains?) (?:to be|fail\w*|missing|open|broken|needs?|pending|red|"
    r"un(?!ique|der|til|less|changed|affected|ited|its?\b|modified|touched|limited)\w+|has no|lacks?)\b|"
    r"\b(?:left|remains?) (?:open|undone|unfinished|for later)\b|"
    r"\b(?:is|was|are|were) (?:deferred|postponed)\b|\bdeferred$|\bunfinished\b|"
    r"\bpending(?::| (?:on|review|approval|decision|until))|"
    r"\b(?:is|are) pending\b",
    re.IGNORECASE,
)
_MAY_LEAVE_OPEN = (
    *("blocked", "user", "yet", "todo", "fixme", "follow", "known", "still", "remain", "left", "deferred"),
    *("postponed", "unfinished", "pending"),
)
"""Of which one is in every text that `_LEAVES_OPEN` finds something in: looked for first."""
_BLOCKED = LazyPattern(r"\bblocked (?:by|on)\b", re.IGNORECASE)
_NAME_IN_CODE = LazyPattern(r"(?<!\w)[A-Za-z]\w*_\w+(?!\w)")
_FINISHED = LazyPattern(r"\b(?:completed?|fixed|resolved|removed|unblocked|merged)\b", re.IGNORECASE)
_OPEN_LABEL = LazyPattern(
    r"(?:known|open|remaining|outstanding|unresolved|deferred)(?: \w+)? "
    r"(?:issues?|limitations?|bugs?|problems?|questions?|items?|points?|ends?|work|tasks?|gaps?)\b|"
    r"(?:to-?dos?|follow-?ups?|unfinished|incomplete|deferred|not (?:yet )?(?:done|implemented|working))\b|"
    # Chinese, Japanese, Korean, Russian, Spanish and Portuguese, French, German, Italian, Dutch, Polish
    r"已知的?(?:问题|問題|缺陷|限制)|[遗遺]留的?(?:问题|問題|事[项項]|任[务務]|缺陷)|未解[决決]|既知の(?:問題|課題|バグ|不具合|制限)|"
    r"알려진 (?:문제|이슈|버그|제한)|미해결|известны\w+ (?:проблем|ошиб|огранич)\w+|нереш[её]нны\w+ |"
    r"(?:problemas|errores|erros|bugs|limitaciones|limitações) con(?:oc|hec)id[oa]s\b|"
    r"(?:problèmes|bugs|limitations) connue?s\b|"
    r"(?:bekannte|ungelöste) (?:probleme|fehler|einschränkungen)\b|"
    r"problemi (?:noti|aperti)\b|(?:bekende|openstaande) (?:problemen|fouten)\b|znane (?:problemy|błędy)\b",
    re.IGNORECASE,
)
_EFFECTS = LazyPattern(r"(?:\w+ )?(?:impacts?|benefits?|advantages|rationale|why)\b", re.IGNORECASE)
"""A label of what work is good for: `not yet` says there how things were."""
_SAYS_OPEN = LazyPattern(
    r"(?:(?:still )?(?:open|to-?do|missing|pending|unfinished|not (?:yet )?done)"
    r"(?: (?:question|point|issue|end))?s?|"
    # German, French, Spanish and Portuguese, Italian, Dutch, Polish, Russian, Japanese, Chinese, Korean
    r"(?:noch )?(?:offen|ausstehend|zu tun)|(?:il )?reste(?: à faire)?|à faire|(?:aún )?pendientes?|"
    r"(?:lo que |o que |ainda )?faltan?|por hacer|a fazer|(?:ancora )?(?:da fare|in sospeso)|"
    r"(?:nog )?(?:open|te doen)|do zrobienia|осталось(?: сделать)?|未完了|未完成|未対応|未実装|残り|"
    r"待办|待辦|待完成|미완료|남은 작업)\s*[:：]",
    re.IGNORECASE,
)
"""How a statement begins that is left to do whatever it stands under, learnings among them."""
_NO_END = frozenset({Form.DONE, Form.HEADING, Form.CODE, Form.QUOTE, Form.LABEL})
_NOT_WORK = frozenset({Form.CODE, Form.QUOTE, Form.LABEL, Form.OPEN})
_NO_SECTION = TEACHING | {SectionKind.FILES, SectionKind.CHECKS, SectionKind.BLOCKED}
"""What holds for good, and what is told elsewhere."""
LONGEST_END = 240
"""Characters of an unfinished end: a longer statement tells more than what is left."""
_LONGEST_LABEL = 60
_MOST_ENDS = 3
"""Most lines under `Left open earlier:`."""
_NEXT_STEPS = "Next"
"""The label of what our own entries call next: what might help with a blocker is no end."""
_CLOSED = 0.5
"""Share of its words of which newer work must repeat more to have closed an end."""
_TELLING = 2
"""Words of a title that are a story's subject also inside a longer sentence: one word may be anybody's."""
_BEGINS_WITH_ID = LazyPattern(
    r"(?:[^\W\d_]{1,10}[-_#.]?\d{1,6}|\d{1,4}(?:\.\d{1,4}){1,3})\s*:\s|[^\W\d_]{1,10}[-#]\d{1,6}(?:,|\s[-–—])\s"
)
"""How an end begins that says by itself which story it is about, be it another than that of its entry."""
_WORD = LazyPattern(r"[^\W\d_]{4,}|\w*\d\w*")


class _Settled(NamedTuple):
    """A story that is finished or blocked, as a text may speak of it."""

    name: str
    """Its id, in small letters."""
    words: frozenset[str]
    """Of its title."""
    since: str | None
    """When the newest entry said so, ISO 8601; None where the plan alone does."""


class UnfinishedEnds(NamedTuple):
    """What entries leave open, and what no longer is."""

    open: set[Passage]
    over: set[Passage]
    """What says that something is open or in the way, and was true until later work."""


def unfinished_ends(facts: Facts, history: StoryHistory) -> UnfinishedEnds:
    """Return what entries that are not the newest leave open, and nothing newer has closed."""
    settled = cache(lambda: _settled_stories(history))  # hundreds, and most logs leave nothing open
    done = cache(lambda: _finished_entries(facts))
    ours = {event.source for event in facts.events if event.entry}
    finished_since = _finished_since(history)
    found: set[Passage] = set()
    over: set[Passage] = set()
    for reading in facts.readings:
        is_ours = {each.source for each in reading.passages[:1]} <= ours
        ends, closed = _ends_of(reading, settled, is_ours)
        steps = [] if is_ours else [each for each in reading.passages if _is_older_step(each, reading)]
        named_done = _named_done([*ends, *steps], reading, done)
        found.update(end for end in ends if end not in named_done and _place(end) not in finished_since)
        over |= named_done
        over.update(filter(_says_state, closed))
        if finished_since:
            over.update(
                each for each in reading.passages if _place(each) in finished_since and _says_state(each)
            )
        if not is_ours and facts.lead is not None and has_open_stories(facts.lead):
            found.update(_steps_beside_the_plan(reading, history))
    return UnfinishedEnds(found, over)


def _is_older_step(passage: Passage, reading: Reading) -> bool:
    if not reading.entries - _WINDOW < passage.entry < reading.entries:
        return False
    return passage.section is SectionKind.NEXT or (_has_label(passage.text) and _is_step(passage))


def _has_label(text: str) -> bool:
    """Return whether a text may begin with a label: looked at first, most do not."""
    begin = text[:_LONGEST_LABEL]
    return ":" in begin or "：" in begin


def _place(passage: Passage) -> tuple[str, int]:
    return passage.source, passage.entry


def _says_state(passage: Passage) -> bool:
    """Return whether a statement of an entry says in its first words that something is open or in the way."""
    if not passage.entry or passage.section in TEACHING:
        return False
    return passage.section is SectionKind.BLOCKED or bool(_SAYS_OPEN.match(passage.text))


def _finished_entries(facts: Facts) -> set[tuple[str, int]]:
    return {(event.source, event.position) for event in facts.events if event.status is Status.DONE}


def _named_done(
    open_: Sequence[Passage], reading: Reading, done: Callable[[], Container[tuple[str, int]]]
) -> set[Passage]:
    """Return what newer entries say to be done of that which is open, be it with one word of it."""
    if not open_:
        return set()
    from progress_plugin.summary.named_completions import NamedStep  # noqa: PLC0415 - where something is open

    newer = [
        (each, each.text.casefold())
        for each in reading.passages
        if each.entry > reading.entries - _WINDOW and _may_tell_work(each)
    ]
    found = set()
    for end in open_:
        step = NamedStep(end.text)
        if any(
            each.entry > end.entry
            and step.may_be_in(folded)
            and (_place(each) in done() or step.is_told_done(each.text))
            and step.is_done_by(each.text)
            for each, folded in newer
        ):
            found.add(end)
    return found


def _may_tell_work(passage: Passage) -> bool:
    return passage.section is not SectionKind.NEXT and passage.form not in _NOT_WORK


def _finished_since(history: StoryHistory) -> set[tuple[str, int]]:
    """Return the entries whose story was not finished when they were written, and is by now.

    What an entry that finishes its story leaves open is not over with that story.
    """
    found = set()
    for story in history.stories:
        finished = [event.status is Status.DONE for event in story.events]
        last = max((place for place, is_done in enumerate(finished) if is_done), default=-1)
        for place, event in enumerate(story.events):
            if finished[place] or event.type not in STORY_TYPES:
                continue
            by_plan = story.status is Status.DONE and not event.is_inferred and last < 0
            if place < last or by_plan:
                found.add((event.source, event.position))
    return found


def _settled_stories(history: StoryHistory) -> list[_Settled]:
    """Return the stories that are finished or blocked, and such parts of stories."""
    settled = [
        _Settled((story.id or "").casefold(), _words(story.title), last and last.when)
        for story, last in ((story, story.newest_of_whole) for story in history.stories)
        # The plan may still call a story open that the log has finished: what led to it was taken up.
        if story.status in _NO_LONGER_OPEN or (last is not None and last.status in FINISHED)
    ]
    return settled + [part for story in history.stories for part in _settled_parts(story)]


def _settled_parts(story: StoryState) -> Iterator[_Settled]:
    """Yield the parts of a story that are finished, in the plan or by the log."""
    if story.planned is None or not story.planned.subtasks:
        return
    last = {name.casefold(): event for event in story.told for name in event.stories}
    for part in story.planned.subtasks:
        told = last.get(part.id.casefold())
        if part.status in _NO_LONGER_OPEN or (told is not None and told.status in FINISHED):
            yield _Settled(part.id.casefold(), _words(part.title), told and told.when)


def _steps_beside_the_plan(reading: Reading, history: StoryHistory) -> Iterator[Passage]:
    """Yield what the newest entry of an agent's log calls next and no story of the plan is about.

    What comes next is for the plan to say, so nothing else would tell it.
    """
    names = {story.id.casefold() for story in history.stories if story.id}
    titles = [_words(story.title) for story in history.stories if story.status not in _NO_LONGER_OPEN]
    for passage in reading.passages:
        if passage.entry != reading.entries or not _is_step(passage):
            continue
        if passage.form in _NO_END or len(passage.text) > LONGEST_END:
            continue
        words = _words(passage.text)
        if (
            words
            and names.isdisjoint(names_in(passage.text))
            and not any(_has_title(words, each) for each in titles)
        ):
            yield passage


def _is_step(passage: Passage) -> bool:
    """Return whether it is listed as next, or says so itself: `Next: …`."""
    return SectionKind.NEXT in (passage.section, section_of(split_label(passage.text)[0]))


def _ends_of(
    reading: Reading, settled: Callable[[], list[_Settled]], is_ours: bool
) -> tuple[list[Passage], list[Passage]]:
    """Return the ends that no newer work repeats or takes up, and those that it does."""
    recent = [each for each in reading.passages if each.entry > reading.entries - _WINDOW]
    ends = [each for each in recent if each.entry < reading.entries and _leaves_open(each, is_ours)]
    if not ends:
        return [], []
    open_ones = set(map(id, ends))
    found: tuple[list[Passage], list[Passage]] = [], []
    later: dict[str, list[Passage]] = {}
    for passage in recent:
        if id(passage) not in open_ones and passage.section is not SectionKind.NEXT:
            for word in _words(passage.text):
                later.setdefault(word, []).append(passage)
    for end in ends:
        words = _words(end.text)
        told = Counter(id(each) for word in words for each in later.get(word, ()) if each.entry > end.entry)
        repeated = max(told.values(), default=0)
        is_closed = (
            not words
            or _is_unblocked(end, (each for word in words for each in later.get(word, ())))
            or repeated > _CLOSED * len(words)
            or _is_taken_up(end, words, settled())
        )
        found[is_closed].append(end)
    return found


def _is_unblocked(end: Passage, later: Iterable[Passage]) -> bool:
    """Return whether newer work finished what has the name in the code of that which an end is blocked by."""
    stuck = _BLOCKED.search(end.text)
    names = set(_NAME_IN_CODE.findall(end.text, stuck.end())) if stuck else set()
    return bool(names) and any(
        each.entry > end.entry
        and _FINISHED.search(each.text)
        and not names.isdisjoint(_NAME_IN_CODE.findall(each.text))
        for each in later
    )


def _leaves_open(passage: Passage, is_ours: bool) -> bool:
    """Return whether a statement says that something is left to do.

    What an agent's own log lists as next is renewed with each entry, so there only its words count.
    """
    if not passage.entry or passage.form in _NO_END:
        return False
    if passage.section in _NO_SECTION:
        is_end = passage.section in TEACHING and _SAYS_OPEN.match(passage.text)
        return bool(is_end) and len(passage.text) <= LONGEST_END
    if passage.section is SectionKind.NEXT:
        return is_ours and passage.label == _NEXT_STEPS
    if _OPEN_LABEL.match(passage.label) or _SAYS_OPEN.match(passage.text):
        return True
    if _EFFECTS.match(passage.label):
        return False
    if len(passage.text) > LONGEST_END:
        return False
    folded = passage.text.casefold()
    return any(word in folded for word in _MAY_LEAVE_OPEN) and bool(
        _LEAVES_OPEN.search(in_own_words(passage.text))
    )


def _is_taken_up(end: Passage, words: frozenset[str], settled: Sequence[_Settled]) -> bool:
    """Return whether an end names another story, finished or blocked since, or has its whole title in it.

    What was so before the end was written has not taken it up. A title of one word, such as "Basket", must
    be the end's own subject: half of what it says.
    """
    own, names = (end.story or "").casefold(), names_in(end.text)
    return any(
        story.name != own
        and not _was_before(story, end)
        and (story.name in names or _has_title(words, story.words))
        for story in settled
    )


def _was_before(story: _Settled, end: Passage) -> bool:
    """Return whether a story was settled before an end was written; what has no time of day may be later."""
    if not story.since or not end.when:
        return False
    length = min(len(story.since), len(end.when))
    return story.since[:length] < end.when[:length]


def _has_title(words: frozenset[str], title: frozenset[str]) -> bool:
    if not title or not title <= words:
        return False
    return len(title) >= _TELLING or len(words) <= _TELLING * len(title)


def left_open(offered: Sequence[SummaryCandidate]) -> list[str]:
    """Return the unfinished ends that matter most, each in a line with its story."""
    found = sorted((offer for offer in offered if offer.is_open), key=lambda offer: -offer.worth)
    return [Cited(item(_with_story(offer), LONGEST_END), *offer.origins()) for offer in found[:_MOST_ENDS]]


def _with_story(offer: SummaryCandidate) -> str:
    story = offer.story
    id_ = brief(offer.passage.story) if offer.passage and offer.passage.story else ""
    text = without_mark(offer.text)
    text = text if not story or text.startswith(id_) or _BEGINS_WITH_ID.match(text) else f"{story}: {text}"
    return with_name(text, offer.by)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
