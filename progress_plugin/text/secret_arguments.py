"""Commands as lists of their words: ``["mysql", "-u", "root", "-p…"]``, and a line of YAML for each word.

The same words as one line hold what `text.secret_options` finds. So each list is looked at as the line it
stands for, and what is found there has its place in the list.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_pattern_kind import places_of, without_places

_QUOTED = r"(?P<{0}>\\{{0,8}}[\"'])(?:(?!(?P={0}))(?:[^\n\\]|\\[^\n])){{0,400}}+(?P={0})"
_SPACE = r"(?:\s|\\{1,8}[nrt]){0,40}+"
_ITEMS = LazyPattern(
    rf"{_QUOTED.format('first')}(?:{_SPACE},{_SPACE}(?:\[{_SPACE})?{_QUOTED.format('next')}){{1,200}}+"
)
_ITEM = LazyPattern(r"(?P<mark>\\{0,8}[\"'])(?P<word>(?:(?!(?P=mark))(?:[^\n\\]|\\[^\n])){0,400}+)(?P=mark)")
_END = r"(?:\n|\\{1,8}n)"
_LINES = LazyPattern(
    rf"(?:(?:^|(?<=\n)|(?<=\\n))[ \t]{{0,40}}- (?:(?!{_END})[^\n]){{1,400}}+(?:{_END}|$)){{2,200}}+"
)
_LINE = LazyPattern(rf"[ \t]{{0,40}}- (?:\\{{0,8}}[\"'])?(?P<word>(?:(?!{_END})[^\n]){{0,400}}+)(?:{_END}|$)")
"""A quote that ends the word is no harm: no secret has one."""
_QUOTED_OPTION = LazyPattern(r"[ \t]\\{0,8}[\"']-[a-zA-Z]")
_SHELL_WORD = LazyPattern(
    r"(?P<mark>\\{0,8}[\"'])(?P<quoted>(?:(?!(?P=mark))[^\n]){0,400}+)(?P=mark)(?=\s|[`;|&)\\]|$)|(?P<bare>[^\s`;|&]++|[`;|&])"
)
_BESIDE_ITEMS = LazyPattern(r"[^\s,\[\\nrt]")
"""What is in a line without a quote that stands between no two items of a list."""
_LONGEST_BEFORE, _LONGEST_BEHIND = 1000, 4000
"""Of a command with an option between quotes: ``mysql "-p…"``."""


Finder = Callable[[str], Iterable[tuple[int, int]]]
"""What tells where in a command's line secrets are."""


class _CommandLine(NamedTuple):
    """The words of a list as one line, and where each begins in it and in the text."""

    line: str
    begins: tuple[int, ...]
    places: tuple[int, ...]

    def found(self, finder: Finder) -> Iterator[tuple[int, int, int]]:
        """Yield the number of each word that holds a secret, and where in the text it is."""
        for start, end in finder(self.line):
            at = bisect_right(self.begins, start) - 1
            if at == bisect_right(self.begins, end - 1) - 1:
                moved = self.places[at] - self.begins[at]
                yield at, start + moved, end + moved


def without_places_in_lists(text: str, signs: Iterable[str], finder: Finder) -> tuple[str, int]:
    """Return a text without the secrets that commands in its lists are given, and how many there were.

    `signs` are the texts of which one is in every such list: what an option begins with.
    """
    options = sorted(at for sign in signs for at in places_of(text, sign))
    places = [place for command in _command_lines(text, options) for _, *place in command.found(finder)]
    return without_places(text, [(start, end) for start, end in places])


def redact_words(items: list[Any], finder: Finder) -> int:
    """Redact the words of a list that may be a command, in their place, and return how many secrets went."""
    words = [item if isinstance(item, str) else "" for item in items]
    places: dict[int, list[tuple[int, int]]] = {}
    for at, start, end in _line(words, [0] * len(words)).found(finder):
        places.setdefault(at, []).append((start, end))
    total = 0
    for at, of_word in places.items():
        items[at], count = without_places(words[at], of_word)
        total += count
    return total


def _command_lines(text: str, options: Iterable[int]) -> Iterator[_CommandLine]:
    """Yield each list of words of a text, one of which is an option at least, as a line.

    `options` are where an option may begin. Nearly every line of a log is in some list, so only those
    around an option are looked at.
    """
    for lists, item, may_hold in ((_ITEMS, _ITEM, _may_hold_items), (_LINES, _LINE, _may_hold_lines)):
        for part in _parts(text, options, may_hold):
            for found in lists.finditer(text, *part):
                items = list(item.finditer(text, *found.span()))
                if any(each["word"].startswith("-") for each in items):
                    yield _line([each["word"] for each in items], [each.start("word") for each in items])
    yield from _with_quoted_options(text, options)


def _parts(text: str, options: Iterable[int], may_hold: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield where the lines around each option begin and end that may be of one list."""
    done = 0
    for option in options:
        if option < done:
            continue
        begin, floor, done = text.rfind("\n", 0, option) + 1, done, _line_end(text, option)
        if not may_hold(text[begin:done]):
            continue
        while begin > floor:
            above = text.rfind("\n", 0, begin - 1) + 1
            if not may_hold(text[above : begin - 1]):
                break
            begin = above
        while done < len(text):
            end = _line_end(text, done)
            if not may_hold(text[done:end]):
                break
            done = end
        yield begin, done


def _line_end(text: str, at: int) -> int:
    """Return where the line that a place is in ends, behind its line end."""
    return text.find("\n", at) + 1 or len(text)


def _may_hold_items(line: str) -> bool:
    """Return whether quoted items of a list may be in a line, or between two of its lines."""
    return '"' in line or "'" in line or not _BESIDE_ITEMS.search(line)


def _may_hold_lines(line: str) -> bool:
    """Return whether a line may be an item of a list, or hold several with escaped line ends."""
    return "\\n" in line or line.lstrip(" \t").startswith("- ")


def _with_quoted_options(text: str, options: Iterable[int]) -> Iterator[_CommandLine]:
    """Yield the words of each command that has an option between quotes."""
    done = 0
    for option in _quoted_options(text, options):
        if option.start() < done:
            continue
        begin = max(text.rfind("\n", 0, option.start()) + 1, option.start() - _LONGEST_BEFORE)
        end = text.find("\n", option.end())
        done = min(end if end >= 0 else len(text), option.end() + _LONGEST_BEHIND)
        words = list(_SHELL_WORD.finditer(text, begin, done))
        groups = [each.lastgroup or "bare" for each in words]
        yield _line(
            [each[group] for each, group in zip(words, groups, strict=True)],
            [each.start(group) for each, group in zip(words, groups, strict=True)],
        )


def _quoted_options(text: str, options: Iterable[int]) -> Iterator[re.Match[str]]:
    done = 0
    for option in options:
        if option >= done:
            begin, done = text.rfind("\n", 0, option) + 1, _line_end(text, option)
            yield from _QUOTED_OPTION.finditer(text, begin, done)


def _line(words: list[str], places: list[int]) -> _CommandLine:
    begins = accumulate((len(word) + 1 for word in words[:-1]), initial=0)
    return _CommandLine(" ".join(words), tuple(begins), tuple(places))
