"""Secrets and private parts taken out of text before it is stored or shown.

Three rules find a secret:

1. It begins like the tokens of a known service, or is where only a secret is: in a
   private key, before the `@` of an address, behind `Bearer` (`text.secret_places`).
2. It is next to a name that says password, secret, token or key, and is not a placeholder, a type, a path
   or code (`text.secret_names`, `text.secret_values`).
3. It is given to a program that takes a secret (`text.secret_commands`), or looks generated on a line that
   speaks of one.

Everything else in the text stays as it is.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern, one_of
from progress_plugin.text.private import without_private
from progress_plugin.text.secret_assignments import find_named, is_value_of
from progress_plugin.text.secret_commands import find_in_commands, program_hints, runs_program
from progress_plugin.text.secret_names import phrases, speaks_of_secret
from progress_plugin.text.secret_places import PLACE_HINTS, find_places, find_private_keys, find_tokens
from progress_plugin.text.secret_values import is_reference, looks_generated, looks_mixed
from progress_plugin.text.visible import MARK, UNSEEN_ANYWHERE, readings

_PASSES = 4  # a secret may be glued to another one
_LINES_BEHIND = 3
_MIN_MIXED = 6

_MARK = "[REDACTED:SECRET]"
_REDACTED = LazyPattern(r"\[REDACTED:[A-Z_]{1,40}\]")
_LONG_PART = LazyPattern("<private|-----BEGIN ", re.IGNORECASE)
_MAX_WITH_PARTS = 1_000_000
_MAX_TABLE = 2000  # lines
_REDACTED_MARK = LazyPattern(r"\[redacted:")
_ESCAPED = LazyPattern(rf"\\+(?:u00|u\{{|x|e\[|0)|&#|%(?:25)*[2-7]|\^\[|\x1b|\x9b|{UNSEEN_ANYWHERE}")
"""What may hide a name."""
_TABLE_LINE = LazyPattern(r"[> \t]*[|│+=┌├└-]|.*\|")
_TABLE_RULE = LazyPattern(r"[> \t]*[-=+|:│├┼┤─ ]{3,}$")
_SECRET_COLUMN = LazyPattern(
    r"(?i:passw(?:or)?d|(?<![a-z])pwd|passwort|kennwort|api[ _]key|secret|token)(?!\w)"
)
_WORD = LazyPattern(r"(?<![A-Za-z0-9])[^\s\"'`<>(){}\[\],;|=:/@%?\\&\u0080-\uffff]{8,200}")
_CELL_WORD = LazyPattern(r"[!#-&(-_a-z~]{6,100}")
_IN_PATH = LazyPattern(r"://[^\s?#@]*/$")
_HEX = LazyPattern("[0-9a-f]+$")
_REST_OF_BASE64 = LazyPattern(r"(?:[/+][A-Za-z0-9+/]{0,200})?={0,2}")


_Pattern = re.Pattern[str] | LazyPattern


class _Span(NamedTuple):
    start: int
    end: int
    kind: str = "SECRET"


def redact(text: str) -> tuple[str, int]:
    """Return `text` with secrets as `[REDACTED:<KIND>]`, without private parts, and how many there were.

    Redacting the result again changes nothing.
    """
    text, total = without_private(text)
    for number in range(_PASSES):
        text, count = _redact_once(text, is_again=number > 0)
        total += count
        if not count:
            break
    return text, total


def redact_lines(text: str) -> str:
    """Return a text without secrets in which every line keeps its number; private parts stay."""
    for number in range(_PASSES):
        text, count = _redact_once(text, is_again=number > 0, keeps_lines=True)
        if not count:
            break
    return text


def redacted_end(text: str, most: int) -> str:
    """Return at most so many characters of the end of a text, redacted.

    A private part or a key may have begun before: then more of the text is looked at, up to a bound.
    """
    end = tail(text, most)
    if len(end) == len(text) or not _LONG_PART.search(text):
        return redact(end)[0]
    return tail(redact(head(text, _MAX_WITH_PARTS))[0], most)


def redact_value(value: Any) -> tuple[Any, int]:
    """Return a JSON value of any depth with its strings and keys redacted, and how many parts went.

    The given value stays as it is. A string or number under a key such as `api_key` is its value, also in a
    list there; the words of a list may be a command.
    """
    root = [value]
    total = 0
    waiting: list[tuple[Any, Any, Any]] = [(root, 0, None)]
    while waiting:
        holder, key, name = waiting.pop()
        current = holder[key]
        if isinstance(current, list):
            holder[key] = items = current.copy()
            total += _redact_command(items)
            waiting.extend((items, at, name) for at in range(len(items)))
        elif isinstance(current, dict):
            holder[key] = members = _with_redacted_keys(current)
            total += sum(old != new for old, new in zip(current, members, strict=True))
            waiting.extend((members, inner, _name_of(members, inner, name)) for inner in members)
        elif isinstance(current, str):
            holder[key], count = redact(current)
            if not count and isinstance(name, str) and is_value_of(name, current):
                holder[key], count = _MARK, 1
            total += count
        elif isinstance(current, int | float) and isinstance(name, str) and is_value_of(name, str(current)):
            holder[key] = _MARK
            total += 1
    return root[0], total


def _redact_command(items: list[Any]) -> int:
    """Redact the words of a list that is a command, and return how many secrets went."""
    words = [item if isinstance(item, str) else "" for item in items]
    if not any(word.startswith("-") for word in words):
        return 0
    line = " ".join(f'"{_REDACTED.sub(_as_mark, word)}"' for word in words)
    total = 0
    for start, end in sorted({*find_in_commands(line), *find_named(line)}):
        at = line.count('" "', 0, start)
        begin = sum(len(word) + 3 for word in words[:at]) + 1
        if (
            at < len(words)
            and words[at][start - begin : end - begin] == line[start:end]
            and isinstance(items[at], str)
        ):
            items[at] = words[at][: start - begin] + _MARK + words[at][end - begin :]
            total += 1
    return total


def _as_mark(redacted: re.Match[str]) -> str:
    return MARK * len(redacted[0])


def _with_redacted_keys(members: dict[Any, Any]) -> dict[Any, Any]:
    """Return a copy whose keys hold no secret; equal ones are numbered."""
    copy: dict[Any, Any] = {}
    for key, value in members.items():
        clean, count = redact(key) if isinstance(key, str) else (key, 0)
        unique, number = clean, 1
        while count and (unique in copy or unique in members):
            number += 1
            unique = f"{clean} {number}"
        copy[unique] = value
    return copy


def _name_of(holder: dict[Any, Any], key: Any, outer: Any) -> Any:
    """Return what a member is called: its key, but the `name` beside it if the key is `value`."""
    return holder.get("name", holder.get("key", outer or key)) if key == "value" else key


def _redact_once(text: str, *, is_again: bool, keeps_lines: bool = False) -> tuple[str, int]:
    parts: list[str] = []
    done = count = 0
    for span in sorted(_find(text, is_again=is_again), key=lambda span: (span.start, -span.end)):
        if span.start < done or span.end <= span.start:
            continue
        lines = text.count("\n", span.start, span.end) if keeps_lines else 0
        parts += (text[done : span.start], f"[REDACTED:{span.kind}]", "\n" * lines)
        done = span.end
        count += 1
    return ("".join((*parts, text[done:])), count) if count else (text, 0)


def _find(text: str, *, is_again: bool) -> Iterator[_Span]:
    if not is_again:
        yield from (_Span(*place) for place in find_tokens(text))
    if "PRIVATE KEY" in text:
        yield from (_Span(*place) for place in find_private_keys(text))
    for begin, end in _parts_about_secrets(text, _REDACTED_MARK if is_again else _hints()):
        for reading in readings(text[begin:end]):
            for span in _find_in_part(reading.text):
                start, stop = reading.original(span.start, span.end)
                yield _Span(begin + start, begin + stop, span.kind)


def _find_in_part(text: str) -> Iterator[_Span]:
    yield from (_Span(*place) for place in find_tokens(text))
    yield from (_Span(*place) for place in find_places(text))
    for find in (find_named, find_in_commands, _find_generated):
        yield from (_Span(start, end) for start, end in find(text) if end > start)


@cache
def _hints() -> re.Pattern[str]:
    """Return the pattern of all texts of which one is on every line with a secret but the tokens."""
    return one_of((*phrases("stems"), *phrases("context"), *PLACE_HINTS, *program_hints()))


def _parts_about_secrets(text: str, hints: _Pattern) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that may hold a secret: lines with a hint, and those behind each."""
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters have a small one of two characters
        lowered = text
    begin = end = -1
    for line_begin, line_end in heapq.merge(_lines_with(hints, lowered), _lines_with(_ESCAPED, text)):
        if line_begin > end + 1 and end >= 0:
            yield begin, end
            begin = -1
        begin = line_begin if begin < 0 else begin
        end = max(end, _end_behind(text, line_end))
    if begin >= 0:
        yield begin, end


def _lines_with(pattern: _Pattern, text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while found := pattern.search(text, at):
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield text.rfind("\n", 0, found.start()) + 1, end
        at = end + 1


def _end_behind(text: str, end: int) -> int:
    """Return the end of the lines that belong to one with a hint: some, or the rest of a table."""
    for number in range(_MAX_TABLE):
        following = text.find("\n", end + 1)
        following = len(text) if following < 0 else following
        if end >= len(text) or (number >= _LINES_BEHIND and not _TABLE_LINE.match(text, end + 1, following)):
            break
        end = following
    return end


def _find_generated(text: str) -> Iterator[tuple[int, int]]:
    """Yield the words that look generated on lines that speak of secrets, and on the line behind each.

    In a table with a column for secrets a word with letters and digits is one, too.
    """
    lines = text.split("\n")
    begin = lines_near = 0
    is_in_table = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        speaks = speaks_of_secret(line) or runs_program(line)
        is_row = is_in_table and bool(line.strip()) and not _TABLE_RULE.match(line)
        judge = looks_mixed if is_row else looks_generated
        if speaks or lines_near > 0:
            yield from ((begin + start, begin + end) for start, end in _words(line, judge))
        if speaks:
            lines_near = _LINES_BEHIND
        elif not (is_in_table or _TABLE_LINE.match(line)):
            lines_near -= 1
        is_header = (
            speaks and _SECRET_COLUMN.search(line) is not None and _TABLE_RULE.match(following) is not None
        )
        is_in_table = is_header or (is_in_table and bool(line.strip()))
        begin += len(line) + 1


def _words(line: str, judge: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    pattern = _WORD if judge is looks_generated else _CELL_WORD
    for found in pattern.finditer(line):
        lead = (
            2 if found[0][0] == "-" != found[0][1] else len(found[0]) - len(found[0].lstrip("*_.-"))
        )  # an option
        word = found[0][lead:].rstrip(".:?*_-`)")
        start = found.start() + lead
        if line[start + len(word) : start + len(word) + 1] == "(" or _IN_PATH.search(
            line, max(0, start - 200), start
        ):
            continue
        if len(word) >= _MIN_MIXED and judge(word) and not is_reference(word) and not _HEX.match(word):
            rest = _REST_OF_BASE64.match(line, start + len(word)) if judge is looks_generated else None
            yield start, rest.end() if rest else start + len(word)
