"""What is known of a passage, as numbers of features that hold (S18.3).

A feature holds or not (a word of a group counts each time it is said), so a passage is a list of numbers and
its worth a sum of weights. Ten thousand passages take less than 50 ms (B12): what depends only on where a
passage stands is found once per place, words are looked up, signs are looked for in what is left of a text
without its letters, and no pattern is run.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from progress_plugin.learnings.words import may_be_foreign
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.sections import Section
from progress_plugin.worth.vocabulary import GROUPS, TOOLS, WIDE

EVERY = "every passage"
_AGES = (0, 1, 2, 4, 8, 16)
"""Entries since, up to which an age counts as one."""
_FIFTHS = 5
_PLACES = (0, 1, 3, 7)
_LENGTHS = (40, 70, 100, 140, 190, 250)
_SPANS = (0, 1, 2, 4)
_TIMES_SAID = (1, 2, 4)
_DEEPEST = 2
_SHARED = 3
"""Passages that name the same code, from which it counts as shared."""
_HEAD, _NEWEST, _RECENT, _MIDDLE, _OLD, _TAIL = _TIMES = ("head", "newest", "recent", "middle", "old", "tail")
_SECTIONS = ("none", *(section.value for section in Section))
_SIGNS = {"(": "parenthesis", '"': "quotation", "=": "equation", "%": "percent", ":": "colon", "/": "slash", "*": "emphasis"}
_WRITTEN = {"dash": (" — ", " – ", " - "), "arrow": ("→", "->"), "option": (" --",), "call": ("()",), "tick": ("✓", "✅")}


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
        *(f"code spans {at}" for at in range(len(_SPANS) + 1)),
        *(f"said {at} times" for at in range(len(_TIMES_SAID) + 1)),
        *(f"has {name}" for name in (*_SIGNS.values(), *_WRITTEN, "figures")),
        *("begins with code", "completes a label", "names a command", "names shared code", "names code of its own"),
        *(f"says {group}" for group in GROUPS),
        *(f"begins with {group}" for group in GROUPS),
        *(f"shouts {group}" for group in GROUPS),
    )


NAMES = _names()
NUMBERS = {name: number for number, name in enumerate(NAMES)}


def _words() -> tuple[dict[bytes, int], dict[bytes, int]]:
    """Return the numbers of words anywhere, in small letters and in capitals, and at the beginning."""
    said: dict[bytes, int] = {}
    first: dict[bytes, int] = {}
    for group, words in GROUPS.items():
        for word in words.split():
            if word.encode() in said:
                continue
            said[word.encode()] = said[word.capitalize().encode()] = NUMBERS[f"says {group}"]
            first[word.encode()] = first[word.capitalize().encode()] = NUMBERS[f"begins with {group}"]
            if len(word) > 2:  # noqa: PLR2004 - OK, NO and IF are no shouting
                said[word.upper().encode()] = NUMBERS[f"shouts {group}"]
    return said, first


_SAID, _FIRST = _words()
_BLANKED = b'`~!#%^&*()=+[]{}\\|;",<>?\n\t_@$:./0123456789'
_TO_BLANKS = bytes.maketrans(_BLANKED, b" " * len(_BLANKED))
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,.'"
_IN_SIGNS = tuple((sign.encode(), NUMBERS[f"has {name}"]) for sign, name in _SIGNS.items())
_DIGITS = frozenset(b"0123456789")
_DASH, _ARROW, _OPTION, _CALL, _TICK = (NUMBERS[f"has {name}"] for name in _WRITTEN)
_FIGURES = NUMBERS["has figures"]
_WIDE = tuple((NUMBERS[f"says {group}"], words) for group, words in WIDE.items())
_LENGTH = [NUMBERS[f"length {bisect_left(_LENGTHS, length)}"] for length in range(_LENGTHS[-1] + 2)]
_CODE = NUMBERS["code spans 0"]
_REPEATED = NUMBERS["said 0 times"]
_BEGINS, _COMPLETES, _COMMAND, _WITH_OTHERS, _ALONE = (
    NUMBERS[name]
    for name in ("begins with code", "completes a label", "names a command", "names shared code", "names code of its own")
)


def features_of(reading: Reading) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Yield for each passage of a source the numbers of what its place tells, and of what its text does.

    Passages that stand alike share one tuple. Never raises, whatever the text.
    """
    passages = reading.passages
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
        yield place, _of_text(passage, codes, named, said)


def _time(entry: int, early: bool, entries: int) -> tuple[str, int]:  # noqa: FBT001 - a key's members
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


def _of_text(
    passage: Passage, codes: Sequence[str], named: Counter[str], said: Counter[str]
) -> list[int]:
    text = passage.text
    data = text.encode("utf-8", "replace")
    words = data.translate(_TO_BLANKS).split()
    numbers = list(filter(None, map(_SAID.get, words)))
    if words and words[0] in _FIRST:
        numbers.append(_FIRST[words[0]])
    length = len(text)
    numbers.append(_LENGTH[length] if length < len(_LENGTH) else _LENGTH[-1])
    signs = data.translate(None, _LETTERS)
    if signs:
        for sign, number in _IN_SIGNS:
            if sign in signs:
                numbers.append(number)  # noqa: PERF401 - a list of its own costs more than it holds
        if not _DIGITS.isdisjoint(signs):
            numbers.append(_FIGURES)
        if b"-" in signs:
            _add_dashes(numbers, text)
        if b"()" in signs and "()" in text:
            numbers.append(_CALL)
        if len(data) != length:
            _add_beyond_ascii(numbers, text)
    if codes:
        _add_code(numbers, text, codes, named)
    else:
        numbers.append(_CODE)
    repeated = said[text]
    numbers.append(_REPEATED + (bisect_left(_TIMES_SAID, repeated) if repeated > 1 else 0))
    if passage.lead:
        numbers.append(_COMPLETES)
    return numbers


def _add_dashes(numbers: list[int], text: str) -> None:
    if " - " in text:
        numbers.append(_DASH)
    if "->" in text:
        numbers.append(_ARROW)
    if "--" in text:
        numbers.append(_OPTION)


def _add_beyond_ascii(numbers: list[int], text: str) -> None:
    if " — " in text or " – " in text:
        numbers.append(_DASH)
    if "→" in text:
        numbers.append(_ARROW)
    if "✓" in text or "✅" in text:
        numbers.append(_TICK)
    if may_be_foreign(text):
        numbers += [number for number, stems in _WIDE if any(map(text.__contains__, stems))]


def _add_code(numbers: list[int], text: str, codes: Sequence[str], named: Counter[str]) -> None:
    numbers.append(_CODE + bisect_left(_SPANS, len(codes)))
    numbers.append(_WITH_OTHERS if max(map(named.__getitem__, codes)) >= _SHARED else _ALONE)
    if text[0] == "`":
        numbers.append(_BEGINS)
    for code in codes:
        if code.partition(" ")[0] in TOOLS:
            numbers.append(_COMMAND)
            break
