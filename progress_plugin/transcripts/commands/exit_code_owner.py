"""Whose exit code a command line's is: which of its commands have succeeded where the line has.

One that may never have been reached, or whose failure something hides, is none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.transcripts.commands.shell_line import BEFORE_COMMAND, Part

_OPENING = ("if", "while", "until", "for", "case", "select", "function")
_CLOSING = ("}", "fi", "done", "esac")
_WITHOUT_COMMAND = ("for", "case", "select", "function")
"""Words of the shell that no command follows at once."""
_DEEPEST = 50
_MOST = 300
"""Groups within groups that are looked into, and commands of a line; of more nothing is told."""
_SURE = ("cd", "pushd", "export", "source", ".", "mkdir", "true", ":", "set")
"""Commands that hardly fail."""


class End(NamedTuple):
    """What a line's exit code says of one of its commands."""

    tells: bool
    """Whether the line succeeds only if this command ran and did."""
    is_reached: bool
    """Whether it ran at all, where the line is through."""


class _Item:
    """A command of a list, by its place in the line, or a group of commands, whose place is -1."""

    __slots__ = ("after", "group", "is_negated", "place")

    def __init__(
        self, place: int = -1, group: _Group | None = None, *, is_negated: bool = False, after: str = ""
    ) -> None:
        self.place = place
        self.group = group
        self.is_negated = is_negated
        self.after = after


class _Group:
    """A list of commands: the line, what is in parentheses or braces, or what `if` and `for` hold."""

    __slots__ = ("items", "kind")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.items: list[_Item] = []


class _State:
    """What the commands before have done to the shell."""

    __slots__ = ("counts_pipes", "may_have_ended", "stops")

    def __init__(self, stops: bool = False, counts_pipes: bool = False, may_have_ended: bool = False) -> None:
        self.stops = stops
        """`set -e`: a failing command ends it."""
        self.counts_pipes = counts_pipes
        """`set -o pipefail`: a failing command makes its pipeline fail."""
        self.may_have_ended = may_have_ended


def ends_of(parts: Sequence[Part]) -> list[End]:
    """Return of each simple command of a line what its exit code says."""
    told = [End(tells=False, is_reached=False)] * len(parts)
    whole = _grouped(parts) if len(parts) <= _MOST else None
    if whole is not None:
        _judge(whole, parts, told, _State(), End(tells=True, is_reached=True), heeds_stop=True)
    return told


def bare(words: Sequence[str]) -> Sequence[str]:
    """Return the words of a command without those of the shell before it."""
    at = next((at for at, word in enumerate(words) if word not in BEFORE_COMMAND), len(words))
    return words[at:]


class _Groups:
    """The groups of a line that are open, while it is gone through."""

    def __init__(self) -> None:
        self.open = [_Group("")]
        self.deepest = 0
        self._holders: list[_Item] = []

    def begins(self, kind: str, *, is_negated: bool = False) -> None:
        inner = _Group(kind)
        self._holders.append(_Item(group=inner, is_negated=is_negated))
        self.open[-1].items.append(self._holders[-1])
        self.open.append(inner)
        self.deepest = max(self.deepest, len(self.open))

    def ends(self, kinds: Sequence[str], after: str) -> None:
        if len(self.open) > 1 and self.open[-1].kind in kinds:
            if self.open[-1].items:
                self.open[-1].items[-1].after = ""
            self.open.pop()
            self._holders.pop().after = after

    def enter(self, part: Part) -> tuple[Sequence[str], bool]:
        """Open and close what a command's first words do; return its others, and whether it is negated."""
        is_negated = False
        for at, word in enumerate((*part.words, "")):
            for _ in range(part.opens.count(at)):
                self.begins("(", is_negated=is_negated)
                is_negated = False
            if word == "!":
                is_negated = not is_negated
            elif word == "{":
                self.begins("{", is_negated=is_negated)
                is_negated = False
            elif word in _OPENING:
                self.begins("if")
            elif word in _CLOSING:
                self.ends(("{", "if") if word == "}" else ("if",), part.after)
            if word in (*_WITHOUT_COMMAND, *_CLOSING):
                return (), False
            if word not in (*BEFORE_COMMAND, *_OPENING) or at == _DEEPEST:
                return part.words[at:], is_negated
        return (), False


def _grouped(parts: Sequence[Part]) -> _Group | None:
    """Return a line's commands in their groups; None where those are too deep."""
    groups = _Groups()
    for place, part in enumerate(parts):
        words, is_negated = groups.enter(part)
        if words[1:2] == ("{",):  # a function's body
            groups.begins("if")
        if words:
            groups.open[-1].items.append(_Item(place, is_negated=is_negated, after=part.after))
        for _ in range(part.closes):
            groups.ends(("(",), part.after)
    return groups.open[0] if groups.deepest <= _DEEPEST else None


def _judge(  # noqa: PLR0913 - what a group has of the one around it
    group: _Group, parts: Sequence[Part], told: list[End], state: _State, outer: End, *, heeds_stop: bool
) -> None:
    lasting = _State(state.stops, state.counts_pipes)
    for at, item in enumerate(group.items):
        before = group.items[at - 1].after if at else ";"
        if before in (";", "&"):
            state.stops, state.counts_pipes = lasting.stops, lasting.counts_pipes
        heeds = heeds_stop and _is_alone(group.items, at) and not item.is_negated and group.kind != "if"
        here = _end(group, at, parts, state, stops=state.stops and heeds)
        here = End(here.tells and outer.tells, here.is_reached and outer.is_reached)
        if item.group is not None:
            inner = _State(state.stops, state.counts_pipes, state.may_have_ended)
            _judge(item.group, parts, told, inner, here, heeds_stop=heeds)
            state.may_have_ended = inner.may_have_ended
            _keep_off(lasting, state, inner)
            continue
        told[item.place] = here
        words = bare(parts[item.place].words)
        if words and words[0] == "set" and item.after != "|":
            _set(words[1:], state, lasting, before)
        state.may_have_ended = state.may_have_ended or _may_end(words, before)


def _keep_off(lasting: _State, state: _State, inner: _State) -> None:
    """Keep what was switched off in a group, as if none had a shell of its own."""
    for each in (lasting, state):
        each.stops = each.stops and inner.stops
        each.counts_pipes = each.counts_pipes and inner.counts_pipes


def _is_alone(items: Sequence[_Item], at: int) -> bool:
    """Return whether neither `&&` nor `||` joins an item's pipeline to another one."""
    first = last = at
    while first and items[first - 1].after == "|":
        first -= 1
    while last + 1 < len(items) and items[last].after == "|":
        last += 1
    before = items[first - 1].after if first else ";"
    return before not in ("&&", "||") and items[last].after not in ("&&", "||")


def _end(group: _Group, at: int, parts: Sequence[Part], state: _State, *, stops: bool) -> End:
    """Return what a group's exit code says of its item at a place."""
    items = group.items
    start = at
    while start and items[start - 1].after == "|":
        start -= 1
    before = items[start - 1].after if start else ";"
    if group.kind == "if" or state.may_have_ended or before == "||":
        return End(tells=False, is_reached=False)
    is_reached = before != "&&" or _is_sure(items, start, parts)
    is_hidden = items[start].is_negated or items[at].is_negated
    return End(not is_hidden and _decides(items, at, state, stops=stops), is_reached)


def _is_sure(items: Sequence[_Item], start: int, parts: Sequence[Part]) -> bool:
    """Return whether what stands before `&&` hardly fails."""
    while start and items[start - 1].after == "&&":
        start -= 1
        place = items[start].place
        if place < 0 or parts[place].words[0] not in _SURE:
            return False
    return not start or items[start - 1].after in (";", "&")


def _decides(items: Sequence[_Item], at: int, state: _State, *, stops: bool) -> bool:
    """Return whether nothing behind an item hides that it failed."""
    end = at
    while items[end].after == "|":
        if not state.counts_pipes:
            return False
        end += 1
    is_followed = False
    for item in items[end:-1]:
        if item.after == "&&" or (item.after == "|" and is_followed):
            is_followed = True
        else:
            return item.after == ";" and stops
    return items[-1].after != "&"


def _set(words: Sequence[str], state: _State, lasting: _State, before: str) -> None:
    """Note what `set` switches on and off, on only where it certainly ran."""
    signs = [(word[:1] == "-", word) for word in words if word[:1] in ("-", "+")]
    named = dict.fromkeys(words[at + 1] for at, word in enumerate(words[:-1]) if word[1:].endswith("o"))
    for is_on, word in signs:
        options = [name for name in named if words[words.index(name) - 1] == word]
        reached = (state,) if before == "&&" else (state, lasting)
        for each in reached if is_on else (state, lasting):
            if is_on and before in ("||", "|"):
                continue
            each.stops = is_on if "e" in word[1:] or "errexit" in options else each.stops
            each.counts_pipes = is_on if "pipefail" in options else each.counts_pipes


def _may_end(words: Sequence[str], before: str) -> bool:
    """Return whether a command may end the line, and with success: what follows has perhaps not run."""
    if not words:
        return False
    if words[0] in ("exit", "return"):
        code = words[1] if len(words) > 1 else "$?"
        is_number = code.isascii() and code.isdecimal()
        # Ten to the power of nine is a multiple of 256: what is before the last digits says nothing.
        fails = (is_number and int(code[-9:]) % 256 > 0) or (code == "$?" and before == "||")
        return not fails
    return (words[0] == "exec" and len(words) > 1) or (
        words[0] == "trap" and any("exit" in word for word in words)
    )
