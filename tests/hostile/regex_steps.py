"""How many steps a backtracking engine takes for a pattern: counted, so the same on every machine.

Python's engine tells nobody what it does, so its parse tree is walked here in the same order: alternatives
from the left, greedy repeats from the most, possessive ones and look-arounds without a way back. A step is one
character compared. The engine has shortcuts; they save a factor, never a power.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from re import _constants as op
from re import _parser as parser
from typing import Any

Next = Callable[[int], bool]
Node = Callable[[int, Next], bool]
Test = Callable[[str], bool]

_CATEGORIES: dict[Any, Test] = {
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    op.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    op.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}
_SAMPLES: dict[Any, str] = {
    op.CATEGORY_DIGIT: "7",
    op.CATEGORY_NOT_DIGIT: "a",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_WORD: "a",
    op.CATEGORY_NOT_WORD: "-",
}
_ONE = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_DEPTH = 200_000
_ENDS = ("\x00", "")


class TooManyError(Exception):
    """The steps went beyond what was allowed."""


class Steps:
    """One pattern over one text after another."""

    def __init__(self, pattern: str, flags: int, most: int) -> None:
        self.text = ""
        self.most = most
        self.taken = 0
        self.groups: dict[int, tuple[int, int]] = {}
        tree = _parsed(pattern, flags)
        self.node = self._sequence(list(tree), tree.state.flags)

    def over(self, text: str) -> Steps:
        """Begin with a text."""
        self.text, self.taken, self.groups = text, 0, {}
        return self

    def anchored(self) -> int:
        """Return the steps of `match`."""
        return self._run(range(1))

    def everywhere(self) -> int:
        """Return the steps of `finditer`, each match beginning where the last one ended."""
        return self._run(range(len(self.text) + 1))

    def _run(self, starts: range) -> int:
        free = 0
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEPTH))
        for start in starts:
            if start < free:
                continue
            self.groups = {}
            ends: list[int] = []
            self._step()
            if self.node(start, lambda at, ends=ends: ends.append(at) or True):
                free = ends[0]
        return self.taken

    def _step(self) -> None:
        self._steps(1)

    def _steps(self, number: int) -> None:
        self.taken += number
        if self.taken > self.most:
            raise TooManyError

    def _sequence(self, items: list[Any], flags: int) -> Node:
        nodes = [self._node(kind, value, flags) for kind, value in items]

        def walk(index: int, at: int, then: Next) -> bool:
            if index == len(nodes):
                return then(at)
            return nodes[index](at, lambda end: walk(index + 1, end, then))

        return lambda at, then: walk(0, at, then)

    def _node(self, kind: Any, value: Any, flags: int) -> Node:
        if kind in _ONE:
            return self._one(_looked_up(kind, value, flags))
        if kind in _REPEATS:
            return self._repeat(kind, *value, flags)
        return _OTHERS[kind](self, value, flags)

    def _one(self, test: Test) -> Node:
        def node(at: int, then: Next) -> bool:
            self.taken += 1
            if self.taken > self.most:
                raise TooManyError
            text = self.text
            return at < len(text) and test(text[at]) and then(at + 1)

        return node

    def _repeat(self, kind: Any, low: int, high: Any, body: Any, flags: int) -> Node:
        items = list(body)
        high = sys.maxsize if high is op.MAXREPEAT else int(high)
        if len(items) == 1 and items[0][0] in _ONE:
            return self._run_of_one(kind, low, high, _looked_up(*items[0], flags))
        inner = self._sequence(items, flags)
        if kind is op.POSSESSIVE_REPEAT:
            return self._possessive(inner, low, high)

        def more(count: int, at: int, then: Next) -> bool:
            return count < high and inner(
                at, lambda end: (end > at or count < low) and walk(count + 1, end, then)
            )

        def walk(count: int, at: int, then: Next) -> bool:
            self._step()
            if count < low:
                return more(count, at, then)
            if kind is op.MIN_REPEAT:
                return then(at) or more(count, at, then)
            return more(count, at, then) or then(at)

        return lambda at, then: walk(0, at, then)

    def _run_of_one(self, kind: Any, low: int, high: int, test: Test) -> Node:
        def greedy(at: int, then: Next) -> bool:
            text, end, last = self.text, at, min(len(self.text), at + high)
            while end < last and test(text[end]):
                end += 1
            self._steps(end - at + (end < last))
            if end - at < low:
                return False
            if kind is op.POSSESSIVE_REPEAT:
                return then(end)
            return any(self._tried(stop, then) for stop in range(end, at + low - 1, -1))

        def lazy(at: int, then: Next) -> bool:
            end = at
            while True:
                if end - at >= low and self._tried(end, then):
                    return True
                self._step()
                if end - at >= high or end >= len(self.text) or not test(self.text[end]):
                    return False
                end += 1

        return lazy if kind is op.MIN_REPEAT else greedy

    def _tried(self, at: int, then: Next) -> bool:
        self._step()
        return then(at)

    def _possessive(self, inner: Node, low: int, high: int) -> Node:
        def node(at: int, then: Next) -> bool:
            count = 0
            while count < high:
                end = _end(inner, at)
                if end is None or (end == at and count >= low):
                    break
                at, count = end, count + 1
            return count >= low and then(at)

        return node

    def _branch(self, value: Any, flags: int) -> Node:
        choices = [self._sequence(list(choice), flags) for choice in value[1]]
        return lambda at, then: any(choice(at, then) for choice in choices)

    def _group(self, value: Any, flags: int) -> Node:
        number, added, removed, body = value
        inner = self._sequence(list(body), (flags | added) & ~removed)

        def node(at: int, then: Next) -> bool:
            def closed(end: int) -> bool:
                before = self.groups.get(number)
                self.groups[number] = (at, end)
                if then(end):
                    return True
                if before is None:
                    self.groups.pop(number, None)
                else:
                    self.groups[number] = before
                return False

            return inner(at, closed if number is not None else then)

        return node

    def _atomic(self, value: Any, flags: int) -> Node:
        inner = self._sequence(list(value), flags)

        def node(at: int, then: Next) -> bool:
            end = _end(inner, at)
            return end is not None and then(end)

        return node

    def _assertion(self, value: Any, flags: int, *, wanted: bool) -> Node:
        direction, body = value
        inner = self._sequence(list(body), flags)
        width = body.getwidth()[0] if direction < 0 else 0

        def node(at: int, then: Next) -> bool:
            self._step()
            found = at >= width and _end(inner, at - width) is not None
            return found is wanted and then(at)

        return node

    def _again(self, number: int, flags: int) -> Node:
        del flags

        def node(at: int, then: Next) -> bool:
            self._step()
            if number not in self.groups:
                return False
            start, end = self.groups[number]
            return self.text.startswith(self.text[start:end], at) and then(at + end - start)

        return node

    def _place(self, value: Any, flags: int) -> Node:
        def word(at: int) -> bool:
            return 0 <= at < len(self.text) and (self.text[at].isalnum() or self.text[at] == "_")

        def here(at: int) -> bool:
            if value in (op.AT_BOUNDARY, op.AT_NON_BOUNDARY):
                return (word(at - 1) != word(at)) is (value is op.AT_BOUNDARY)
            lines = bool(flags & re.MULTILINE)
            if value in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
                return at == 0 or (value is op.AT_BEGINNING and lines and self.text[at - 1] == "\n")
            last = at == len(self.text)
            if value is op.AT_END_STRING:
                return last
            return last or (self.text[at] == "\n" and (lines or at == len(self.text) - 1))

        def node(at: int, then: Next) -> bool:
            self._step()
            return here(at) and then(at)

        return node

    def _either(self, value: Any, flags: int) -> Node:
        number, yes, no = value
        with_it = self._sequence(list(yes), flags)
        without = self._sequence(list(no) if no else [], flags)

        def node(at: int, then: Next) -> bool:
            chosen = with_it if number in self.groups else without
            return chosen(at, then)

        return node


_OTHERS: dict[Any, Callable[[Steps, Any, int], Node]] = {
    op.BRANCH: Steps._branch,
    op.SUBPATTERN: Steps._group,
    op.ATOMIC_GROUP: Steps._atomic,
    op.ASSERT: lambda steps, value, flags: steps._assertion(value, flags, wanted=True),
    op.ASSERT_NOT: lambda steps, value, flags: steps._assertion(value, flags, wanted=False),
    op.GROUPREF: Steps._again,
    op.GROUPREF_EXISTS: Steps._either,
    op.AT: Steps._place,
}


def _end(inner: Node, at: int) -> int | None:
    ends: list[int] = []
    return ends[0] if inner(at, lambda end: ends.append(end) or True) else None


@cache
def _parsed(pattern: str, flags: int) -> Any:
    return parser.parse(pattern, flags)


def _looked_up(kind: Any, value: Any, flags: int) -> Test:
    """Return the test of an atom, one for all texts, which remembers what it said of a character."""
    return _remembered(kind, tuple(value) if isinstance(value, list) else value, flags)


@cache
def _remembered(kind: Any, value: Any, flags: int) -> Test:
    return cache(_test(kind, value, flags))


def _test(kind: Any, value: Any, flags: int) -> Test:
    if kind is op.LITERAL:
        return _same(chr(value), flags)
    if kind is op.NOT_LITERAL:
        same = _same(chr(value), flags)
        return lambda char: not same(char)
    if kind is op.ANY:
        return (lambda _char: True) if flags & re.DOTALL else (lambda char: char != "\n")
    tests: list[Test] = []
    negated = False
    for inner, what in value:
        if inner is op.NEGATE:
            negated = True
        elif inner is op.LITERAL:
            tests.append(_same(chr(what), flags))
        elif inner is op.RANGE:
            tests.append(_between(*what, flags))
        else:
            tests.append(_CATEGORIES[what])
    return lambda char: any(test(char) for test in tests) is not negated


def _same(wanted: str, flags: int) -> Test:
    if flags & re.IGNORECASE:
        return lambda char: char.lower() == wanted.lower()
    return lambda char: char == wanted


def _between(low: int, high: int, flags: int) -> Test:
    if flags & re.IGNORECASE:
        return lambda char: low <= ord(char.lower()) <= high or low <= ord(char.upper()) <= high
    return lambda char: low <= ord(char) <= high


def attacks(pattern: str, flags: int, most: int) -> list[tuple[str, str, str]]:
    """Return beginnings, what to repeat behind them, and ends: for each repeat a way to it and what fills it.

    Of more than `most` every so many is taken, the likely ones first: what fills the repeat itself.
    """
    tree = list(_parsed(pattern, flags))
    repeats = list(_repeats(tree, ""))
    chars = sorted({char for kind, value in _atoms(tree) for char in _sample(kind, value)})
    units = [*chars, *(a + b for a in chars for b in chars if a != b)]
    befores = list(dict.fromkeys(before for before, _ in repeats))
    whole = _witness(tree)
    found: dict[tuple[str, str, str], None] = {}
    for before, body in repeats:
        fillers = sorted({char for kind, value in _atoms(body) for char in _sample(kind, value)})
        for unit in filter(None, (*fillers, _witness(body), whole, before)):
            found |= dict.fromkeys((start, unit, end) for start in (before, "") for end in _ENDS)
    likely = list(found)

    def attack(place: int) -> tuple[str, str, str]:
        # The others are hundreds of thousands, so none is made that is not taken.
        if place < len(likely):
            return likely[place]
        place, end = divmod(place - len(likely), len(_ENDS))
        before, unit = divmod(place, len(units))
        return befores[before], units[unit], _ENDS[end]

    number = len(likely) + len(befores) * len(units) * len(_ENDS)
    places = range(number)
    some = (*places[: most // 2], *places[most // 2 :: max(number * 2 // most, 1)])
    return [attack(place) for place in (places if number <= most else some)]


def _repeats(items: list[Any], before: str) -> Iterator[tuple[str, list[Any]]]:
    for kind, value in items:
        if kind in _REPEATS:
            yield before, list(value[2])
        for inner in _inside(kind, value):
            yield from _repeats(inner, before)
        before += _witness([(kind, value)])


def _atoms(items: list[Any]) -> Iterator[tuple[Any, Any]]:
    for kind, value in items:
        if kind in _ONE:
            yield kind, value
        for inner in _inside(kind, value):
            yield from _atoms(inner)


def _inside(kind: Any, value: Any) -> list[list[Any]]:
    if kind in _REPEATS:
        return [list(value[2])]
    if kind is op.BRANCH:
        return [list(choice) for choice in value[1]]
    if kind is op.SUBPATTERN:
        return [list(value[3])]
    if kind is op.ATOMIC_GROUP:
        return [list(value)]
    if kind is op.GROUPREF_EXISTS:
        return [list(value[1]), *([list(value[2])] if value[2] else [])]
    return [list(value[1])] if kind in (op.ASSERT, op.ASSERT_NOT) else []


def _sample(kind: Any, value: Any) -> list[str]:
    """Return a character or two that an atom takes."""
    if kind is op.LITERAL:
        return [chr(value)]
    if kind is op.ANY:
        return ["a"]
    if kind is op.NOT_LITERAL:
        return ["a" if chr(value) != "a" else "b"]
    test = _test(kind, value, 0)
    named = [_SAMPLES[what] for inner, what in value if inner is op.CATEGORY]
    ranges = [chr(what[0]) for inner, what in value if inner is op.RANGE]
    literals = [chr(what) for inner, what in value if inner is op.LITERAL]
    found = [char for char in (*named, *ranges, *literals, *"a7 -.A(\n") if test(char)]
    return list(dict.fromkeys(found))[:3]


def _witness(items: list[Any]) -> str:
    """Return a text that the items take, look-arounds and group references left out."""
    text = ""
    for kind, value in items:
        if kind in _ONE:
            text += (_sample(kind, value) or [""])[0]
        elif kind in _REPEATS:
            text += _witness(list(value[2])) * max(value[0], 1 if value[0] else 0)
        elif kind is op.BRANCH:
            text += _witness(list(value[1][0]))
        elif kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
            text += _witness(_inside(kind, value)[0])
    return text
