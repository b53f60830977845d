"""What is known of a passage, as numbers of features that hold (S18.3).

All features are yes or no, so a passage is a short list of numbers and its worth a sum of weights. Ten
thousand passages take less than 50 ms (B12): what depends only on where a passage stands is found once per
place, words are counted by looking them up, and no pattern is run over a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.text.sections import Section
from progress_plugin.worth.vocabulary import GROUPS, PHRASES, WIDE

_AGES = (0, 1, 2, 4, 8, 16)
_SHARES = 5
_PLACES = (0, 1, 3, 7)
_LENGTHS = (40, 70, 100, 140, 190, 250)
_SPANS = (0, 1, 2, 4)
_DEEPEST = 2
_TIMES_SAID = (1, 2, 4)
_TOOLS = frozenset(
    "npm npx pnpm yarn bun deno node cargo rustc go python python3 pip uv uvx poetry pytest ruff mypy tox make cmake just "
    "docker docker-compose podman kubectl git gh bash sh zsh source cd cp mv rm export curl wget dotnet mvn gradle "
    "./gradlew java php composer artisan bundle rake rails ruby mix elixir sbt stack cabal swift xcodebuild terraform "
    "ansible psql mysql sqlite3 redis-cli tsc eslint prettier vitest jest playwright vite webpack turbo nx brew apt "
    "apt-get sudo systemctl ssh env maturin flutter dart zig".split()
)
"""Programs that are started by name, of the trade as a whole."""
_HEAD, _NEWEST, _RECENT, _MIDDLE, _OLD, _TAIL = "head", "newest", "recent", "middle", "old", "tail"
_TIMES = (_HEAD, _NEWEST, _RECENT, _MIDDLE, _OLD, _TAIL)
_SECTIONS = ("none", *(section.value for section in Section))
_MARKS = {
    "reason behind a dash": (" — ", " – ", " - "),
    "arrow": ("→", "->", "=>"),
    "parenthesis": ("(",),
    "quotation": ('"',),
    "option": ("--", " -"),
    "assignment": ("=",),
    "equation": ("==", "!=", "≥", "<="),
    "figures with unit": ("%", "/", "~"),
    "call": ("()",),
    "colon": (": ", "："),
    "tick": ("✓", "✅", "☑"),
    "bold": ("**",),
    "path": ("/", ".md", ".json"),
}
_CAPITALS = ("MUST", "NEVER", "ALWAYS", "NOT", "ONLY", "IMPORTANT", "CRITICAL", "WARNING", "NOTE", "DO NOT", "CORRECTED", "TODO")


def _bucket(value: int, bounds: Sequence[int]) -> int:
    return sum(value > bound for bound in bounds)


def _names() -> list[str]:
    """Return the name of every feature; their order is the numbering."""
    names = ["a passage"]
    names += [f"section {name}" for name in _SECTIONS]
    names += [f"section {name}, {time}" for name in _SECTIONS for time in _TIMES]
    names += [f"stands {time}" for time in _TIMES]
    names += [f"written as {form.name.lower()}" for form in Form]
    names += [f"age {at}" for at in range(len(_AGES) + 1)]
    names += [f"fifth {at} of the log" for at in range(_SHARES)]
    names += [f"place {at} in its entry" for at in range(len(_PLACES) + 1)]
    names += [f"depth {at}" for at in range(_DEEPEST + 1)]
    names += [f"length {at}" for at in range(len(_LENGTHS) + 1)]
    names += [f"code spans {at}" for at in range(len(_SPANS) + 1)]
    names += [f"has {mark}" for mark in _MARKS]
    names += ["has capitals", "begins with code", "begins with bold", "completes a label", "has figures", "other script"]
    names += [f"says {group}" for group in GROUPS]
    names += [f"begins with {group}" for group in GROUPS]
    names += [f"phrase {group}" for group in PHRASES]
    names += [f"said {at} times" for at in range(len(_TIMES_SAID) + 1)]
    names += ["names a command", "names code that others name", "names code that nobody else names"]
    return names


NAMES = tuple(_names())
_NUMBER = {name: number for number, name in enumerate(NAMES)}
_WORDS: dict[bytes, int] = {}
for _group, _words in GROUPS.items():
    for _word in _words.split():
        _WORDS.setdefault(_word.encode(), _NUMBER[f"says {_group}"])
_FIRST = {
    _word: _NUMBER["begins with" + NAMES[_number].removeprefix("says")] for _word, _number in _WORDS.items()
}
_SIGNS = b'`~!#%^&*()=+[]{}\\|;",<>?\n\t_@$:./0123456789'
_LETTERS = bytes.maketrans(_SIGNS, b" " * len(_SIGNS))
_WIDE = tuple((_NUMBER[f"says {group}"], words) for group, words in WIDE.items())
_PHRASE = tuple((_NUMBER[f"phrase {group}"], phrases) for group, phrases in PHRASES.items())
_MARKED = tuple((_NUMBER[f"has {name}"], marks) for name, marks in _MARKS.items())
_LENGTH = _NUMBER["length 0"]
_SPAN = _NUMBER["code spans 0"]
_SAID = _NUMBER["said 0 times"]
_COMMAND = _NUMBER["names a command"]
_SHARED = _NUMBER["names code that others name"]
_ALONE = _NUMBER["names code that nobody else names"]


def features_of(reading: Reading) -> list[list[int]]:
    """Return for each passage of a source the numbers of the features that hold, in no order."""
    places: dict[tuple[object, ...], list[int]] = {}
    total = max(1, len(reading.passages))
    found = []
    spans = [passage.text.split("`")[1::2] for passage in reading.passages]
    named = Counter(chain.from_iterable(map(set, spans)))
    said = Counter(passage.text for passage in reading.passages)
    for at, passage in enumerate(reading.passages):
        entry = passage.entry
        time = _time(passage, reading.entries, at, total)
        place = (passage.section, time, passage.form, entry, passage.nth if passage.nth < 9 else 9, passage.depth)
        known = places.get(place)
        if known is None:
            known = places[place] = _of_place(passage, reading.entries, time, at / total)
        numbers = known + _of_text(passage)
        numbers.append(_SAID + _bucket(said[passage.text], _TIMES_SAID))
        if spans[at]:
            numbers.append(_SHARED if max(map(named.__getitem__, spans[at])) > 2 else _ALONE)  # noqa: PLR2004
            if any(span.partition(" ")[0] in _TOOLS for span in spans[at]):
                numbers.append(_COMMAND)
        found.append(numbers)
    return found


def _time(passage: Passage, entries: int, at: int, total: int) -> str:
    if passage.entry == 0:
        return _HEAD if 2 * at < total else _TAIL
    age = entries - passage.entry
    if age == 0:
        return _NEWEST
    if age <= 2:
        return _RECENT
    return _OLD if 3 * passage.entry < entries else _MIDDLE


def _of_place(passage: Passage, entries: int, time: str, share: float) -> list[int]:
    section = passage.section.value if passage.section else "none"
    numbers = [
        "a passage",
        f"section {section}",
        f"section {section}, {time}",
        f"stands {time}",
        f"written as {passage.form.name.lower()}",
        f"place {_bucket(passage.nth, _PLACES)} in its entry",
        f"depth {min(passage.depth, _DEEPEST)}",
    ]
    if passage.entry:
        numbers += [
            f"age {_bucket(entries - passage.entry, _AGES)}",
            f"fifth {min(_SHARES - 1, _SHARES * (passage.entry - 1) // max(1, entries))} of the log",
        ]
    return [_NUMBER[name] for name in numbers]


def _of_text(passage: Passage) -> list[int]:
    text = passage.text
    low = text.lower()
    words = low.encode("utf-8", "replace").translate(_LETTERS).split()
    numbers = set(map(_WORDS.get, words))
    numbers.discard(None)
    if words and words[0] in _FIRST:
        numbers.add(_FIRST[words[0]])
    numbers.add(_LENGTH + _bucket(len(text), _LENGTHS))
    numbers.add(_SPAN + _bucket(text.count("`") // 2, _SPANS))
    for number, marks in _MARKED:
        for mark in marks:
            if mark in text:
                numbers.add(number)
                break
    for number, phrases in _PHRASE:
        for phrase in phrases:
            if phrase in low:
                numbers.add(number)
                break
    if not text.isascii():
        for number, stems in _WIDE:
            if any(map(text.__contains__, stems)):
                numbers.add(number)
    first = text[:1]
    if first == "`":
        numbers.add(_NUMBER["begins with code"])
    if text[:2] == "**":
        numbers.add(_NUMBER["begins with bold"])
    if passage.lead:
        numbers.add(_NUMBER["completes a label"])
    if any(map(text.__contains__, _CAPITALS)):
        numbers.add(_NUMBER["has capitals"])
    if not low.isalpha() and any(map(text.__contains__, "0123456789")):
        numbers.add(_NUMBER["has figures"])
    return list(numbers)
