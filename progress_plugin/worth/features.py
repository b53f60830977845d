"""What is known of a passage, as numbers of features that hold.

A feature holds or not (a word of a group counts each time it is said), so a passage is a list of numbers and
its worth a sum of weights. Ten thousand passages take less than 50 ms: what depends only on where a
passage is, is found once per place, words are looked up, and no pattern is run. Signs, emphasis and
first words were tried and predicted nothing more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.words import may_be_foreign
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.section_names import SectionKind
from progress_plugin.worth.vocabulary import GROUPS, TOOL_WORDS, WIDE

EVERY = "every passage"
_AGES = (0, 1, 2, 4, 8, 16)
"""Entries since, up to which an age counts as one."""
_FIFTHS = 5
_PLACES = (0, 1, 3, 7)
_LENGTHS = (40, 70, 100, 140, 190, 250)
_TIMES_SAID = (1, 2, 4)
_DEEPEST = 2
_SHARED = 3
"""Passages that name the same code, from which it counts as shared."""
_HEAD, _NEWEST, _RECENT, _MIDDLE, _OLD, _TAIL = _TIMES = ("head", "newest", "recent", "middle", "old", "tail")
_SECTIONS = ("none", *(section.value for section in SectionKind if section is not SectionKind.BLOCKED))
"""What is in the way now is always shown; what was, is too rare to be weighed apart from the rest."""


def _names() -> tuple[str, ...]:
    """Return the name of every feature; their order is the numbering."""
    return (
        EVERY,
        *(f"section {name}" for name in _SECTIONS),
        *(f"section {name}, {time}" for name in _SECTIONS for time in _TIMES),
        *(f"stands {time}" for time in _TIMES),
        *(f"written as {form.name.lower()}" for form in Form),
        *(f"age {at}" for at in range(len(_AGES) + 1)),
        *(f"fifth {at} of the log" for at in range(_FIFTHS)),
        *(f"place {at} in its entry" for at in range(len(_PLACES) + 1)),
        *(f"depth {at}" for at in range(_DEEPEST + 1)),
        *(f"length {at}" for at in range(len(_LENGTHS) + 1)),
        *(f"said {at} times" for at in range(len(_TIMES_SAID) + 1)),
        *("names no code", "names shared code", "names code of its own", "names a command"),
        "completes a label",
        *(f"says {group}" for group in GROUPS),
    )


NAMES = _names()
NUMBERS = {name: number for number, name in enumerate(NAMES)}


def _words(groups: dict[str, str]) -> dict[bytes, int]:
    """Return the number of the group of each word, as it is written within, at the head of and as a cry."""
    said: dict[bytes, int] = {}
    for group, words in reversed(groups.items()):  # of several that have a word the first counts
        heads = " ".join(map(str.capitalize, words.split()))
        written = f"{words} {heads} {words.upper()}".encode().split()
        said.update(dict.fromkeys(written, NUMBERS[f"says {group}"]))
    return said


_SAID = _words(GROUPS)
_LOOKED_AT = 64
"""Passages of a log, all over it, whose little words show its language."""
_ENGLISH = frozenset(b"the and is of to in for with on not are be by from when that it as".split())
_OTHERS = frozenset(
    (
        "der das und nicht ist mit auf für ein eine el la los las que del una para con les des est une dans "
        "pour não uma com os dos een het niet van voor il che di della per się jest na dla от и в на не с "
        "что для"
    )
    .encode()
    .split()
)
_BLANKED = b'`~!#%^&*()=+[]{}\\|;",<>?\n\t_@$:./0123456789'
_TO_BLANKS = bytes.maketrans(_BLANKED, b" " * len(_BLANKED))
_WIDE = tuple([(NUMBERS[f"says {group}"], tuple(words.split())) for group, words in WIDE.items()])
_LENGTH = [NUMBERS[f"length {bisect_left(_LENGTHS, length)}"] for length in range(_LENGTHS[-1] + 2)]
_REPEATED = NUMBERS["said 0 times"]
_NO_CODE, _WITH_OTHERS, _ALONE, _COMMAND, _COMPLETES = (
    NUMBERS[name]
    for name in (
        "names no code",
        "names shared code",
        "names code of its own",
        "names a command",
        "completes a label",
    )
)


def features_of(reading: Reading, memo: Memo | None = None) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Yield for each passage of a source the numbers that its place gives, and of those that its text gives.

    Passages that are alike share one tuple. `memo` remembers from one process to the next what the words
    of a text say. Never raises, whatever the text.
    """
    passages = reading.passages
    says = (memo or Memo()).of(said_in if is_english(passages) else said_in_any_language)
    spans = [passage.text.split("`")[1::2] if "`" in passage.text else () for passage in passages]
    named = Counter(chain.from_iterable(spans))
    said = Counter([passage.text for passage in passages])
    places: dict[tuple[object, ...], tuple[int, ...]] = {}
    times: dict[tuple[int, bool], tuple[str, int]] = {}
    middle = len(passages) // 2
    for at, (passage, codes) in enumerate(zip(passages, spans, strict=True)):
        moment = (passage.entry, at < middle)
        time = times.get(moment)
        if time is None:
            time = times[moment] = _time(*moment, reading.entries)
        nth = passage.nth
        key = (passage.section, passage.form, time, nth if nth <= _PLACES[-1] else -1, passage.depth)
        place = places.get(key)
        if place is None:
            place = places[key] = _of_place(passage, *time)
        text = passage.text
        numbers = [*says(text), _code_named(codes, named) if codes else _NO_CODE]
        if codes and any(code.partition(" ")[0] in TOOL_WORDS for code in codes):
            numbers.append(_COMMAND)
        repeated = said[text]
        numbers.append(_REPEATED + (bisect_left(_TIMES_SAID, repeated) if repeated > 1 else 0))
        if passage.lead:
            numbers.append(_COMPLETES)
        yield place, numbers


def _time(entry: int, early: bool, entries: int) -> tuple[str, int]:
    """Return when an entry was written, in a word and as fifth of the log and age in one number."""
    if not entry:
        return (_HEAD if early else _TAIL), -1
    age = entries - entry
    fifth = min(_FIFTHS - 1, _FIFTHS * (entry - 1) // max(1, entries))
    within = bisect_left(_AGES, age) * _FIFTHS + fifth
    if age <= 2:  # noqa: PLR2004 - the last three stories
        return (_RECENT if age else _NEWEST), within
    return (_OLD if 3 * entry < entries else _MIDDLE), within


def _of_place(passage: Passage, time: str, within: int) -> tuple[int, ...]:
    section = passage.section.value if passage.section else "none"
    if passage.section is SectionKind.BLOCKED:
        section = SectionKind.OTHER.value
    names = [
        EVERY,
        f"section {section}",
        f"section {section}, {time}",
        f"stands {time}",
        f"written as {passage.form.name.lower()}",
        f"place {bisect_left(_PLACES, passage.nth)} in its entry",
        f"depth {min(passage.depth, _DEEPEST)}",
    ]
    if within >= 0:
        names += [f"age {within // _FIFTHS}", f"fifth {within % _FIFTHS} of the log"]
    return tuple([NUMBERS[name] for name in names])


def is_english(passages: Sequence[Passage]) -> bool:
    """Return whether a log is written in English, or in a language without spaces between its words."""
    some = " ".join([passage.text for passage in passages[:: max(1, len(passages) // _LOOKED_AT)]])
    words = some.lower().encode("utf-8", "replace").translate(_TO_BLANKS).split()
    return sum(map(_ENGLISH.__contains__, words)) >= sum(map(_OTHERS.__contains__, words))


def said_in(text: str, groups: Mapping[bytes, int] = _SAID) -> tuple[int, ...]:
    """Return the numbers of the groups that the words of a text belong to, and of its length.

    `groups` are the numbers of the words of its language, English where none are given.
    """
    data = text.encode("utf-8", "replace")
    numbers = list(filter(None, map(groups.get, data.translate(_TO_BLANKS).split())))
    length = len(text)
    numbers.append(_LENGTH[length] if length < len(_LENGTH) else _LENGTH[-1])
    if len(data) != length and may_be_foreign(text):
        numbers += [n for n, stems in _WIDE if n not in numbers and any(map(text.__contains__, stems))]
    return tuple(numbers)


def said_in_any_language(text: str) -> tuple[int, ...]:
    """Return what `said_in` does of a text that may be in another language, of those that we know."""
    return said_in(text, _words_of_any_language())


@cache
def _words_of_any_language() -> dict[bytes, int]:
    from progress_plugin.worth import vocabulary_of_other_languages  # noqa: PLC0415 - most logs are English

    return _words(vocabulary_of_other_languages.GROUPS) | _SAID


def _code_named(codes: Sequence[str], named: Counter[str]) -> int:
    """Return the number of what the code in a text names: something that others name, too, or not."""
    return _WITH_OTHERS if max(map(named.__getitem__, codes)) >= _SHARED else _ALONE
