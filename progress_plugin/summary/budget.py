"""What of a summary fits: whole items by priority, and a receipt for the rest.

The bounds come from elsewhere: tokens from the setting `max_context_tokens` (`config.settings`), characters
from `summary.start_context` (`CAP`).
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from progress_plugin.core.memo import Memo
from progress_plugin.model.origin import Cited, origins_of
from progress_plugin.summary.announced_lists import with_sign
from progress_plugin.summary.recent_stories import with_name
from progress_plugin.summary.start_context import ROOM
from progress_plugin.summary.statement_marks import without_mark
from progress_plugin.summary.story_table import FRAME, StoryTableRow, line_of, ranges
from progress_plugin.summary.summary_candidate import ENDS, RECENT, SummaryCandidate
from progress_plugin.summary.summary_input import WORK_ITEMS
from progress_plugin.summary.tokens import FreeRoom, estimate
from progress_plugin.summary.unfinished_ends import left_open
from progress_plugin.summary.view_model import (
    Content,
    RecentStory,
    Statement,
    WorkState,
    is_told_above,
    receipt_of,
    unsaid_dependencies,
    unsaid_titles,
)
from progress_plugin.text.bounds import utf16_length
from progress_plugin.text.safe_output import one_line, summary_item
from progress_plugin.text.section_names import SectionKind, section_of
from progress_plugin.worth.choice import Candidate, Prepared, Room, choose_of
from progress_plugin.worth.said_already import Coverage, words_of

FLOOR = 350
"""Tokens that a summary may have however short its source."""
SHARE = 0.16
"""Share of the source's tokens that it may have beyond them."""
_SMALL_FLOOR, _SMALL_SHARE = 800, 0.1
"""The same of a small source, of which a summary must tell more to tell enough."""
_LARGEST_PART = 0.5
"""Share of a small source that its summary may have: what is no shorter is no summary."""
_ENOUGH, _MEDIUM_SHARE = 1480, 0.155
"""Tokens that are enough for a source of middle size, and the share that a larger one may have.

So of logs of 15 to 30 stories 85 % are saved, and hardly less is told (docs/savings.md).
"""
CHARACTERS = ROOM
"""UTF-16 units of the summary."""

_LONGEST = 420
"""Characters of a statement that is shown."""
_LONGEST_UNDER = 80
"""The same of a heading or label that earlier statements are shown under."""
_LABELS_SHARE = 0.04
"""Share of the free tokens that is kept for these where a log is made of sections."""
_NAMED = 0.6
"""Share of the words of a part's name from which the heading, or the statement, says it."""
_HEADING = 4
"""Tokens of a heading with the blank lines around it."""
_MOST_NOTES = 6
"""Most notes (mismatches, faults, other plans) in a summary."""
_END_SHARE = 0.1
"""Share of the free tokens that one unfinished end may take."""
_ASKED_SHARE = 0.06
"""The same of what the current story has to fulfil."""
_FAULTS_SHARE = 0.15
"""Share of the free tokens that faults of settings and unreadable files may take beyond the first of them."""
_TABLE_SPARES = 0.5
"""Share of the free tokens that the ranges of the table leave to what is shown at length."""
_SENTENCES_SPARE = 0.3
"""Share of the free tokens that the sentences of the last stories leave to everything else."""
_LEAST = {"recent": 0.2}
"""Share of the room that a section gets before all compete, as far as it has something to say."""
_FIRST_SHARE = 0.5
"""The same for a section that `prioritize` names."""

SECTIONS = ("blockers", "progress", "recent", "gotchas", "patterns", "table")
"""Sections that `prioritize` can name; the status itself is never left out."""


Fittings = dict[int, tuple[Sequence[SummaryCandidate], Prepared, dict[int, Cited]]]
"""What is made ready once for all tries, by the number of recent stories that are named: what is offered, the
choice among it, and by its number there what was chosen, as it is shown."""


def limit(source_tokens: int, most: int) -> int:
    """Return how many tokens a summary may have."""
    of_small = min(int(_LARGEST_PART * source_tokens), _SMALL_FLOOR + int(_SMALL_SHARE * source_tokens))
    of_medium = max(_ENOUGH, int(_MEDIUM_SHARE * source_tokens))
    return max(min(most, of_medium, max(FLOOR + int(SHARE * source_tokens), of_small)), 100)


def section_order(prioritize: Sequence[str]) -> tuple[str, ...]:
    """Return the sections that go before the others; `learnings` stands for gotchas and patterns."""
    named: list[str] = []
    for name in prioritize:
        named += ["gotchas", "patterns"] if name == "learnings" else [name]
    return tuple(name for name in dict.fromkeys(named) if name in SECTIONS)


def fit(  # noqa: PLR0913 - what limits it, each by name
    content: Content,
    offered: Sequence[SummaryCandidate],
    tokens: int,
    first: Sequence[str],
    *,
    loaded: Sequence[str] = (),
    concern: str = "",
    archive_only: int = 0,
    frame: int | None = None,
    escapes: int = 0,
    memo: Memo | None = None,
    prepared: Fittings | None = None,
) -> Content:
    """Return the content that fits into `tokens`: what is always in it, then the best of what is offered.

    `first` are the sections that `section_order` puts first, `loaded` texts that the client shows anyway,
    `concern` words of the current and the next story, and `archive_only` is how many learnings more are in
    the archive beyond its index. `frame` is how many tokens `bare` takes when it is rendered, `escapes` how
    many characters its quotes and the like take beyond themselves in JSON, `memo` as for `Coverage`. Who
    tries again with other tokens or another frame gives the same `prepared`. Standing goes first; then each
    of the last stories is named with the sentences that were logged of it, and the table as ranges, so that
    nothing shuts these out.
    """
    kept = _Kept()
    always = _frame(content) if frame is None else frame + _headings(offered)
    room = FreeRoom(tokens - always, CHARACTERS - 700 - utf16_length(content.name) - escapes)
    _take_lines(content.blocked, kept.blocked, room)
    _notes(content, kept, room)
    _asked(content, kept, room)
    _ends(offered, kept, room)
    _progress(content, kept, room)
    if "table" in first:
        _whole_table(content, kept, room)
    _recent(content, kept, room)
    _table(content, kept, room)
    _choose(
        content,
        kept,
        room,
        offered,
        _Terms(first, loaded, concern, memo, {} if prepared is None else prepared),
    )
    kept.dependencies += [
        x for x in unsaid_dependencies(content.dependencies, kept.rows) if room.take(f"- {x.text}")
    ]
    _whole_table(content, kept, room)
    kept.dependencies = unsaid_dependencies(kept.dependencies, kept.rows)
    kept.earlier = unsaid_titles(kept.earlier, kept.rows)
    fitted = content._replace(**vars(kept))
    return fitted._replace(receipt=receipt_of(content, fitted, archive_only))


def bare(content: Content) -> Content:
    """Return what is in every summary, without anything that `fit` makes room for."""
    return content._replace(
        asks=(), asked="", blocked=(), notes=(), ends=(), work=None, rows=(), recent=(),
        patterns=(), gotchas=(), dependencies=(), earlier=(),
    )  # fmt: skip


def _headings(offered: Sequence[SummaryCandidate]) -> int:
    """Return the tokens of the headings that what is offered is under."""
    return _HEADING * len({offer.section for offer in offered})


class _Terms(NamedTuple):
    """What a choice depends on besides what is offered."""

    first: Sequence[str]
    loaded: Sequence[str]
    concern: str
    memo: Memo | None
    prepared: Fittings


class _Kept:
    """What has found room so far, by its name in `Content`."""

    def __init__(self) -> None:
        self.asked = ""
        self.blocked: list[str] = []
        self.notes: list[str] = []
        self.ends: list[str] = []
        self.work: WorkState | None = None
        self.rows: list[StoryTableRow] = []
        self.patterns: list[Statement] = []
        self.gotchas: list[Statement] = []
        self.dependencies: list[Statement] = []
        self.earlier: list[Statement] = []
        self.recent: list[RecentStory] = []
        self.told: list[int] = []


def _frame(content: Content) -> int:
    """Return the tokens of headings, status lines and footer, guessed."""
    lines = (content.name, content.branch, content.stories, content.current, content.next, content.sources)
    return 130 + sum(estimate(line) for line in (*lines, content.sources))


def _take_lines(wanted: Sequence[str], taken: list[str], room: FreeRoom) -> None:
    for line in wanted:
        if not room.take(line):
            return
        taken.append(line)


def _notes(content: Content, kept: _Kept, room: FreeRoom) -> None:
    """Tell how things stand, then what could not be read: the first, and more while it takes little."""
    standing = content.notes[: len(content.notes) - content.faults]
    _take_lines(standing[:_MOST_NOTES], kept.notes, room)
    left = int(_FAULTS_SHARE * room.tokens)
    for number, line in enumerate(content.notes[len(standing) :]):
        left -= estimate(line) + 1
        if (number and left < 0) or len(kept.notes) >= _MOST_NOTES or not room.take(line):
            return
        kept.notes.append(line)


def _ends(offered: Sequence[SummaryCandidate], kept: _Kept, room: FreeRoom) -> None:
    """Tell the unfinished ends before all that was done and learnt."""
    kept.ends += [text for text in left_open(offered) if room.take(f"- {text}", spare=1 - _END_SHARE)]


def _asked(content: Content, kept: _Kept, room: FreeRoom) -> None:
    """Tell what the current story has to fulfil, at the length that there is room for.

    What was changed of it stands where the plan's own words find no room, too: nothing else says so.
    """
    if content.asked_since and room.take(content.asked_since):
        kept.asked = content.asked_since
    told = next((text for text in content.asks if room.take(text, spare=1 - _ASKED_SHARE)), "")
    if told:
        kept.asked = _together(told, kept.asked)


def _together(asked: str, changed: str) -> str:
    return Cited(f"{asked}; {changed}", *origins_of(asked), *origins_of(changed)) if changed else asked


def _progress(content: Content, kept: _Kept, room: FreeRoom) -> None:
    if content.work is None:
        return
    whole = content.work
    if not room.take(f"{whole.note}\n{whole.goal}"):
        return
    next_steps, blockers, completed = (
        [line for line in lines[:WORK_ITEMS] if room.take(line, spare=0.5)]
        for lines in (whole.next_steps, whole.blockers, whole.completed)
    )
    other = whole.other if whole.other and room.take(whole.other, spare=0.5) else ""
    kept.work = whole._replace(next_steps=next_steps, blockers=blockers, completed=completed, other=other)


def _recent(content: Content, kept: _Kept, room: FreeRoom) -> None:
    """Name the last stories, the newest first, with the sentences that somebody logged of them.

    What blocks one is not told again where the line above says so.
    """
    for number, story in enumerate(content.recent):
        if not room.take(f"### {story.heading}\n", spare=0.1 if number else 0.0):
            return
        spare = _SENTENCES_SPARE if number else 0.1
        above = [line.partition(" - ")[2] for line in kept.blocked if line.startswith(story.label)]
        unsaid = [each for each in story.bullets if not any(each.rstrip(".") in line for line in above)]
        told = [bullet for bullet in unsaid if room.take(f"- {bullet}", spare=spare)]
        kept.recent.append(story._replace(bullets=told))


def _choose(
    content: Content, kept: _Kept, room: FreeRoom, offered: Sequence[SummaryCandidate], terms: _Terms
) -> None:
    """Fill the room with what is worth most, each thing once, and put it where it belongs."""
    coverage = _told(content, kept, terms)
    recent = len(kept.recent)
    if recent not in terms.prepared:
        terms.prepared[recent] = _prepared(recent, offered, coverage, terms)
    fitting, choice, items = terms.prepared[recent]
    least = dict(_LEAST) | dict.fromkeys((name for name in terms.first if name != "table"), _FIRST_SHARE)
    said: list[int] = []
    labels = _room_of_labels(fitting, room)
    room.tokens -= labels
    space = Room(max(room.tokens, 0), max(room.characters, 0))
    chosen = choose_of(choice, space, coverage, least=least, said=said)
    kept.told = sorted({rank for number in said for rank in fitting[number].ranks})
    memo = terms.memo or Memo()
    item_of, line_of = memo.of(summary_item), memo.of(one_line)
    for number in chosen:
        if number not in items:
            text, offer = item_of(str(fitting[number].text), _LONGEST), fitting[number]
            items[number] = Cited(text, *offer.origins())
    # Nearly always a text is shown as it was written; one that became longer may have no room any more.
    taken = [
        (fitting[number], text)
        for number in chosen
        if (text := items[number]) and room.take(f"- {with_name(text, fitting[number].by)}")
    ]
    taken = list(_with_signs(taken, {fitting[number].order for number in said}))
    room.tokens += labels
    parts = _Parts(fitting, line_of)
    for offer, text in sorted(taken, key=lambda each: each[0].order):
        if offer.section == RECENT:
            story = kept.recent[offer.item]
            line = parts.named(offer, Cited(with_name(text, offer.by), *offer.origins()), story, room)
            bullets = story.bullets if offer.files else (*story.bullets, line)
            kept.recent[offer.item] = story._replace(bullets=bullets, files=offer.files or story.files)
        elif offer.learning is not None:
            under = _label_of(line_of(offer.under, _LONGEST_UNDER), kept, room)
            says_next = under and section_of(under) is SectionKind.NEXT
            told = without_mark(text) if says_next else text
            line = Cited(with_name(told, offer.by), *offer.origins())
            statement = Statement(line, offer.learning._replace(text=told), offer.ranks, under)
            getattr(kept, offer.section).append(statement)


def _prepared(
    recent: int, offered: Sequence[SummaryCandidate], told: Coverage, terms: _Terms
) -> tuple[Sequence[SummaryCandidate], Prepared, dict[int, Cited]]:
    fitting = [
        offer
        for offer in offered
        if offer.section != ENDS and (offer.section != RECENT or offer.item < recent)
    ]
    candidates = [
        Candidate(offer.text[:_LONGEST], offer.worth, RECENT if offer.is_of_recent else offer.section)
        for offer in fitting
    ]
    return fitting, Prepared(candidates, _price, told, words_of(terms.concern), _LEAST), {}


def _with_signs(
    taken: Sequence[tuple[SummaryCandidate, Cited]], said: AbstractSet[int]
) -> Iterator[tuple[SummaryCandidate, Cited]]:
    """Yield what is told; what announces a list says so where not all of that is.

    `said` are the places of what is told in other words.
    """
    told = {offer.order for offer, _ in taken} | said
    for offer, text in taken:
        yield offer, Cited(with_sign(text, offer.items, told), *offer.origins()) if offer.items else text


class _Parts:
    """The named parts of recent entries: which one of each entry was named last."""

    def __init__(self, offered: Sequence[SummaryCandidate], line_of: Callable[[str, int], str]) -> None:
        self._line_of = line_of
        entries: dict[str, set[int]] = {}
        for offer in offered:
            if offer.section == RECENT and offer.under:
                entries.setdefault(offer.under, set()).add(offer.item)
        self._forms = {name for name, items in entries.items() if len(items) > 1}
        """What several entries have is the form that they are written in, and names nothing."""
        self._last: dict[int, str] = {}

    def named(self, offer: SummaryCandidate, text: Cited, story: RecentStory, room: FreeRoom) -> Cited:
        """Return a statement of a recent entry, the first of a part with the name of that before it."""
        name = self._line_of(offer.under, _LONGEST_UNDER)
        if not name or offer.under in self._forms or self._last.get(offer.item) == name:
            return text
        self._last[offer.item] = name
        words = {word for word in words_of(name) if not word.isdigit()}  # a date tells no part
        above = story.bullets[-1] if story.bullets else ""  # it may be what announces the part
        known = words_of(f"{story.heading} {above} {text}")
        if len(words & known) >= _NAMED * len(words) or not room.take(f"{name}: "):
            return text
        return Cited(f"{name}: {text}", *offer.origins())


def _room_of_labels(offered: Sequence[SummaryCandidate], room: FreeRoom) -> int:
    """Return the tokens kept for the labels of earlier statements, where most that is offered is such."""
    labelled = sum(bool(offer.under) for offer in offered)
    return int(_LABELS_SHARE * room.tokens) if 2 * labelled > len(offered) else 0


def _label_of(label: str, kept: _Kept, room: FreeRoom) -> str:
    """Return a label that a statement is shown under, if there is room and it is no statement itself.

    A mere date is none.
    """
    if not any(map(str.isalpha, label)):
        return ""
    last = kept.earlier[-1].under if kept.earlier else ""
    is_stated = any(label in each.text for each in kept.earlier)
    return label if label and not is_stated and (label == last or room.take(f"{label}:")) else ""


def _told(content: Content, kept: _Kept, terms: _Terms) -> Coverage:
    """Return what a reader knows without any of it: what is there, and what the client loads anyway."""
    told = Coverage(terms.memo)
    for text in terms.loaded:
        told.add_text(text, here=False)
    lines = [f"Branch: {content.branch}", f"Started: {content.started}", content.name]
    lines += [content.current, content.next, kept.asked, *kept.blocked, *kept.notes, *kept.ends]
    lines += [text for story in kept.recent for text in (story.heading, *story.bullets)]
    lines += [f"{row.id} {row.title}" for row in kept.rows]
    told.add_text("\n".join(lines), here=True)
    return told


@lru_cache(maxsize=1024)  # a summary is fitted two or three times
def _price(text: str) -> int:
    return estimate(f"- {text}\n") + 1


def _table(content: Content, kept: _Kept, room: FreeRoom) -> None:
    """Show the plan as ranges, so that nothing shuts out what is open; what is all done is in the status."""
    if kept.rows or all(row.finished or is_told_above(row, content) for row in content.rows):
        return
    if room.take(FRAME, spare=_TABLE_SPARES):
        kept.rows = [row for row in ranges(content.rows) if room.take(line_of(row), spare=_TABLE_SPARES)]


def _whole_table(content: Content, kept: _Kept, room: FreeRoom) -> None:
    """Show every row that is still missing, if all of them fit."""
    if len(kept.rows) == len(content.rows):
        return
    more = [line_of(row) for row in content.rows if row not in kept.rows]
    if room.take("\n".join(more if kept.rows else [FRAME, *more])):
        kept.rows = list(content.rows)
