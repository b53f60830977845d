"""Secrets in a list below a line that names them: ``API keys:``, and each below it.

Plurals count here alone, since ``maxTokens: 2000`` is a count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_names import IN_LISTS
from progress_plugin.text.secret_passphrases import is_passphrase
from progress_plugin.text.secret_values import IDENTIFIER, is_short_key, is_told_key, is_told_password

_HEAD = LazyPattern(
    r"(?i:(?:(?P<login>(?<![a-z])(?:passw(?:or)?ds?|passphrases?|kennw(?:ort|örter)|passw(?:ort|örter)))"
    r"|(?:api|access|secret|auth|private|signing|encryption|master)[ _-]?keys?"
    r"|(?P<plain>(?<![\w-])tokens?)|tokens?|secrets?)"
    r"[\"'`*_]{0,4}(?:\s{1,2}\([^()]{0,60}\))?(?:\s(?:for|of|on|in|are|für|von|sind)(?:\s[^:：\n]{0,60})?)?)"
    r"[\"'`*_]{0,4}(?P<colon>[:：])?[\"'`*_ \t\r]{0,9}$"
)
"""A line that ends with the name, or with what the name is for."""
_MARKER = LazyPattern(r"[ \t>]{0,80}+(?P<marks>(?:(?:[-*+]|\d{1,3}[.)]|\[[ xX]\])[ \t]{1,8})*+)")
_HEADING = LazyPattern(r"#{1,6}[ \t]")
_FENCE = LazyPattern(r"[ \t>]*+(?:`{3}|~{3})")
_BESIDE = LazyPattern(r"(?P<name>[^:=\n]{1,60}?)[\"'`*_]{0,3}[ \t]{0,2}(?:[:=]|[-=]>|→|[ ][-–])[ \t]{1,3}")
"""``staging: …``"""
_WORD = LazyPattern(r"[\"'`*_(\[]{0,4}(?P<word>[^\s\"'`]++)")
_END = ".,;:)]*_"
_MARKS = "\"'`*_ \t\r"
_MAY_END_HEAD = frozenset((*":：", *_MARKS))
"""What a line may end with that names secrets and is no heading: looked for before all else."""
_LONGEST = 200
"""Characters of a line that names secrets, or has one."""
_MOST = 200
"""Lines of one list."""
_OF_A_SENTENCE = 12
"""Characters from which on a word is a secret before others: commits are shorter, or whole."""
_ID = LazyPattern(IDENTIFIER)
_HEXADECIMAL = LazyPattern("[0-9a-f]+")


def in_lists(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets in each list below a line that names them.

    They are counted from where the first line begins.
    """
    heads = [
        (at, head)
        for at, line in enumerate(lines)
        if (line[-1:] in _MAY_END_HEAD or line[:1] == "#") and (head := _head(line))
    ]
    if not heads:
        return
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for at, head in heads:
        for below in _items(lines, at, is_sentence=not lines[at].endswith(":")):
            for first, end in _secrets(lines[below], head):
                yield starts[below] + first, starts[below] + end


def _head(line: str) -> re.Match[str] | None:
    """Return the name of secrets that a line ends with; without a colon that of a heading."""
    if len(line) > _LONGEST or not (line.startswith("#") or line.rstrip(_MARKS).endswith((":", "："))):
        return None
    folded = line.casefold()  # as the pattern ignores case: `lower` leaves the long s as it is
    if not any(name in folded for name in IN_LISTS):
        return None
    head = _HEAD.search(line)
    return head if head and (head["colon"] or _HEADING.match(line)) else None


def _items(lines: list[str], at: int, *, is_sentence: bool) -> Iterator[int]:
    """Yield the number of each line of the list or block of code below a line; others end it.

    Without a marker a deeper one counts, where the line above it is no sentence.
    """
    is_item = bool((_marker(lines[at]))["marks"])
    depth = _marker(lines[at]).start("marks")
    in_code = False
    for below in range(at + 1, min(len(lines), at + _MOST)):
        line = lines[below]
        if _FENCE.match(line):
            if in_code:
                return
            in_code = True
            continue
        if in_code:
            yield below
            continue
        if not line.strip(" \t>\r"):
            continue
        marker = _marker(line)
        deeper = marker.start("marks") - depth
        if deeper < is_item or not (marker["marks"] or (deeper > 0 and not is_sentence)):
            return
        yield below


def _marker(line: str) -> re.Match[str]:
    found = _MARKER.match(line)
    assert found is not None  # noqa: S101 - it matches nothing, too
    return found


def _secrets(line: str, head: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield where an item has a secret: alone, behind what it is for, or before more words."""
    if len(line) > _LONGEST:
        return
    begin = _marker(line).end()
    beside = _BESIDE.match(line, begin)
    for start in (begin, beside.end() if beside else begin):
        found = _WORD.match(line, start)
        if not found:
            continue
        word = found["word"].rstrip(_END)
        is_alone = not line[found.end() :].strip("\"'`*_.,; \t\r")
        if head["plain"] and _ID.fullmatch(word):
            continue
        if _judge(head, is_alone=is_alone)(word):
            yield found.start("word"), found.start("word") + len(word)
            return


def _judge(head: re.Match[str], *, is_alone: bool) -> Callable[[str], bool]:
    if not is_alone:
        return _is_key_in_a_sentence
    return _is_password if head["login"] else is_short_key


def _is_password(value: str) -> bool:
    return is_told_password(value) or is_passphrase(value)


def _is_key_in_a_sentence(value: str) -> bool:
    return len(value) >= _OF_A_SENTENCE and is_told_key(value) and not _HEXADECIMAL.fullmatch(value)
