"""The text of a document that somebody else wrote: decoded, without private parts and secrets across lines.

A document is read line by line afterwards, and each statement is redacted where it is shown
(`text.safe_output`). What is private or secret only together with other lines must be gone before that.

What git puts around the sides of a conflict is nobody's word either (`without_conflict_markers`).

Where a private part ends that is never closed in a document is decided here (`_next_heading`); in
what is recorded or shown, in `text.redact` (`_without_private`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from progress_plugin.text.decode import decode_lenient
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import may_hold_columns, redact, without_arguments, without_disguised_tags
from progress_plugin.text.secret_names import FOREIGN, LOGIN_WORD, NAME, NAMES, OTHER_LANGUAGES, OTHER_NAME

_MARKS = "\"'`*_ \t\u00a0"
_OPEN = (
    *(":", "=", "|", ">", "(", "：", ">-", "|-", ">+", "|+"),
    *("word", "phrase", "wort", "pw", "pwd", "secret", "token", "key", "earer", " is", " was", " to"),
)
"""What ends a line that may name a secret whose value is on the next: looked for before the pattern."""
_LONGEST_OPEN = max(map(len, _OPEN))
_MAY_BE_OPEN = frozenset(char for end in (*_OPEN, *_MARKS) for char in (end[-1], end[-1].upper()))
"""What a line may end with that names such a secret: of most lines nothing else is looked at."""
_NAMED = LazyPattern(
    rf"(?:(?:{NAME}(?<!(?i:pass))|{OTHER_NAME}|{LOGIN_WORD}|{'|'.join(FOREIGN)})[^\n]{{0,40}}[:=|>(：][+-]?"
    rf"|(?:{LOGIN_WORD}|(?i:bearer|secret|token|key))[\"'`*_]{{0,4}}(?:\s(?:is|was|to))?)$"
)
_IN_NAMES = (*NAMES, *OTHER_LANGUAGES, "bearer", *FOREIGN)
"""Of which one is in every text that `_NAMED` finds, in small letters: looked for first."""
_TAIL = 80
_MARKER = LazyPattern(r"^[ \t]*+(?:(?:[-*+>]|\d{1,3}[.)]|\[[ xX]\])[ \t]++)*+")
_FENCE = LazyPattern(r"[ \t>]*+(?:`{3}|~{3})")
_PRIVATE = LazyPattern("<private", re.ASCII | re.IGNORECASE)
"""Found without a copy of the whole text in small letters."""
_HEADING_OR_FENCE = LazyPattern(r"^(?:#{1,6}[ \t]|(?P<fence>[ \t>]*+(?:`{3}|~{3})))", re.MULTILINE)
_CLOSES = LazyPattern(r"[ \t>]*+</")
_WORDS_OF_A_KEY = 3
_HEADER_OF_KEY = LazyPattern(r"[A-Z][A-Za-z-]{2,20}: ")
"""`Version: GnuPG v2`, `DEK-Info: AES-128-CBC,…`."""
_MARKS_OF_KEY = LazyPattern(r"^(?:[ \t>*|+-]|\d{1,5}[:|)\t. ])*+")
"""What a quote, a list, a difference and a number of the line put before each line."""
_LONGEST = 200
"""Lines of what can be one secret, or one command with some."""
_VERBS = (" is", " was", " to")
_BEGINS_CONFLICT, _BASE, _OTHER_SIDE, _ENDS_CONFLICT = "<" * 7, "|" * 7, "=" * 7, ">" * 7
"""What git writes before the sides of a conflict, and their common base, and behind them."""


def document_text(data: bytes, path: str) -> tuple[str, str | None]:
    """Return the text of a file, to be read line by line, and what was wrong with its bytes.

    Every line stays at its number.
    """
    text, fault = decode_lenient(data, path)
    text, has_conflict = without_conflict_markers(text)
    faults = [fault] if fault else []
    if has_conflict:
        faults.append(
            f"{path}: holds git conflict markers; until they are removed both sides are read: keep of them "
            "what holds"
        )
    return without_parts_across_lines(text), "; ".join(faults) or None


def without_conflict_markers(text: str) -> tuple[str, bool]:
    """Return a text of as many lines as both sides of its conflicts have it, and whether it has any.

    The common base (diff3) is in neither. `=======` elsewhere underlines a heading, and what begins in a
    block of code is an example.
    """
    if _BEGINS_CONFLICT not in text and _ENDS_CONFLICT not in text:
        return text, False
    lines, side, in_code, is_in_conflict = text.split("\n"), "", False, False
    for at, line in enumerate(lines):
        mark = _conflict_marker(line)
        if mark and (side or (mark in {_BEGINS_CONFLICT, _ENDS_CONFLICT} and not in_code)):
            side, is_in_conflict = "" if mark == _ENDS_CONFLICT else mark, True
            lines[at] = ""
        elif side == _BASE:
            lines[at] = ""
        elif _FENCE.match(line):
            in_code = not in_code
    return ("\n".join(lines), True) if is_in_conflict else (text, False)


def _conflict_marker(line: str) -> str:
    """Return the seven signs that a line of git's begins with, a label behind all but the middle one."""
    mark, _, label = line.rstrip("\r").partition(" ")
    if mark in {_BEGINS_CONFLICT, _BASE, _ENDS_CONFLICT} or (mark == _OTHER_SIDE and not label):
        return mark
    return ""


def without_parts_across_lines(text: str) -> str:
    """Return a text of as many lines without what is private, or a secret, only together with other lines.

    An unclosed ``<private>`` reaches to the next heading. A tag in a code span is a mention.
    """
    text = _without_columns(_without_private(text.replace("\r\n", "\n")))
    lines, is_changed = text.split("\n"), False
    for first, end in sorted({*_windows(text, lines)}):
        if hidden := _hidden(lines[first:end]):
            lines[first:end], is_changed = hidden, True
    return "\n".join(lines) if is_changed else text


def _without_columns(text: str) -> str:
    """Return a text without the secrets in columns, inserted rows and commands as lists, of any length."""
    if may_hold_columns(text):
        from progress_plugin.text.secret_tables import without_secrets_below_names  # noqa: PLC0415 - where some are

        text = without_secrets_below_names(text, keeps_lines=True)[0]
    return without_arguments(text)[0]


def _hidden(lines: list[str]) -> list[str]:
    """Return some lines redacted together; none where that takes out no more than from each by itself."""
    hidden, count = redact("\n".join(lines))
    if not _is_found_together(count, lines):
        return _with_hidden_value(lines)
    left = hidden.split("\n", len(lines) - 1)
    left[-1] = left[-1].replace("\n", " ")  # some readings of a text have more line ends
    same = next((at for at in range(len(left)) if left[-1 - at] != lines[-1 - at]), len(left))
    end = len(left) - same  # what stays behind the secret stays at its number
    return [*left[:end], *([""] * (len(lines) - len(left))), *left[end:]]


def _is_found_together(count: int, lines: list[str]) -> bool:
    """Return whether so many secrets are more than the lines lose of which each is looked at by itself."""
    return count > 0 and count > sum(redact(line)[1] for line in lines)


def _with_hidden_value(lines: list[str]) -> list[str]:
    """Return lines without the one value below a name, also in a list or block of code; else none."""
    said = [at for at, line in enumerate(lines) if _says_something(line) and not _FENCE.match(line)]
    if len(said) != 2 or said[0]:  # noqa: PLR2004 - a name and its value
        return []
    at = said[1]
    value = _MARKER.sub("", lines[at])
    name = lines[0].rstrip().removesuffix("(")
    # A name alone, such as a heading, is one of what is alone on its line: a sentence may go on there.
    is_alone = name.rstrip(_MARKS)[-1:].isalnum() and not name.endswith(_VERBS) and " " not in value.strip()
    before = name + (": " if is_alone else " ")
    hidden, count = redact(before + value)
    if not _is_found_together(count, lines):
        return []
    if hidden.startswith(before):
        marker = lines[at].removesuffix(value)
        return [*lines[:at], marker + hidden.removeprefix(before), *lines[at + 1 :]]
    return [hidden, *([""] * (len(lines) - 1))]


def _says_something(line: str) -> bool:
    return bool(line.strip(" \t>"))


def _windows(text: str, lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line of what may be a secret only as a whole, and the one behind its last."""
    for at, line in enumerate(lines):
        if line[-1:] in _MAY_BE_OPEN and _names_a_secret(line.rstrip(_MARKS)):
            yield at, _value_end(lines, at + 1)
    for mark, begins, ends in _BLOCKS:
        if mark in text:
            yield from _blocks(lines, mark.rstrip("\n"), begins, ends)


_Judge = Callable[[str], Any]


def _blocks(lines: list[str], mark: str, begins: _Judge, ends: _Judge) -> Iterator[tuple[int, int]]:
    """Yield first line and the one behind the last of each block; where one ends the next may begin.

    `mark` is in every line that begins one.
    """
    done = 0
    for first in [at for at, line in enumerate(lines) if mark in line]:
        if first >= done and begins(lines[first]):
            done = first + 1 if ends(lines[first]) else _end(lines, first + 1, ends)
            yield first, done


def _is_continued(line: str) -> bool:
    return line.endswith("\\")


def _ends_command(line: str) -> bool:
    return not line.endswith("\\")


def _begins_key(line: str) -> bool:
    return "-----BEGIN" in line


def _ends_key(line: str) -> bool:
    if "-----" in line:
        return "-----END" in line
    line = _MARKS_OF_KEY.sub("", line)
    return len(line.split()) > _WORDS_OF_A_KEY and not _HEADER_OF_KEY.match(line)


def _begins_login(line: str) -> bool:
    return line.lstrip(" \t>`").startswith("machine ")


def _ends_login(line: str) -> bool:
    return "password" in line or not line.strip()


_BLOCKS: tuple[tuple[str, _Judge, _Judge], ...] = (
    ("\\\n", _is_continued, _ends_command),
    ("-----BEGIN", _begins_key, _ends_key),
    ("machine ", _begins_login, _ends_login),
)
"""What a text holds that has such blocks, what begins one, and what ends it."""


def _names_a_secret(line: str) -> bool:
    if not line[-_LONGEST_OPEN:].lower().endswith(_OPEN):
        return False
    folded = line[-_TAIL:].casefold()
    return any(name in folded for name in _IN_NAMES) and bool(_NAMED.search(line, max(0, len(line) - _TAIL)))


def _value_end(lines: list[str], at: int) -> int:
    """Return the number of the line behind the first that says something, or behind its block of code."""
    end = _end(lines, at, _says_something)
    if lines[at - 1].endswith(">"):
        after = _end(lines, end, _says_something)
        return after if _CLOSES.match(lines[after - 1]) else end
    return _end(lines, end, _FENCE.match) if _FENCE.match(lines[end - 1]) else end


def _end(lines: list[str], at: int, is_last: _Judge) -> int:
    """Return the number of the line behind the first one from `at` that is the last."""
    stop = min(len(lines), at + _LONGEST)
    return next((number + 1 for number in range(at, stop) if is_last(lines[number])), stop)


def _without_private(text: str) -> str:
    """Return a text in which nothing but line ends is left of what ``<private>`` encloses."""
    text = without_disguised_tags(text)
    if not _PRIVATE.search(text):
        return text
    from progress_plugin.text.private_parts import private_parts  # noqa: PLC0415 - rare

    kept: list[str] = []
    done = 0
    for start, end in private_parts(text, lambda at: _next_heading(text, at)):
        kept += (text[done:start], "\n" * text.count("\n", start, end))
        done = end
    return "".join((*kept, text[done:]))


def _next_heading(text: str, at: int) -> int:
    """Return where the next heading begins; a comment of a shell in a block of code is none."""
    in_code = False
    for found in _HEADING_OR_FENCE.finditer(text):
        if found["fence"]:
            in_code = not in_code
        elif found.start() >= at and not in_code:
            return found.start()
    return len(text)
