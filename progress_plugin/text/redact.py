"""Redact secrets and remove private parts (`<private>…</private>`) before text is stored or shown.

Three rules find a secret:

1. It begins like the tokens of a known service, is in the place of a secret (in a private key, before the `@`
   of an address, after `Bearer`), or is an argument of a program that takes one (`text.secret_places`).
2. It is next to a name such as password, secret, token or key, and is not a placeholder, a type, a path or
   code (`text.named_secrets`, `text.secret_values`).
3. It looks generated, and it is on a line that mentions a secret or runs such a program, on the three lines
   after it, or in the rest of its table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from progress_plugin.text.bounds import tail
from progress_plugin.text.named_secrets import find_mixed_words, find_named, find_names, is_value_of, phrases
from progress_plugin.text.patterns import LazyPattern, one_of
from progress_plugin.text.secret_places import (
    find_in_commands,
    find_places,
    find_private_keys,
    find_tokens,
    place_hints,
)
from progress_plugin.text.secret_values import is_reference, looks_generated
from progress_plugin.text.visible import strip_all_invisible

_PASSES = 4  # a secret may be found only after the one next to it was replaced
_LINES_AFTER_HINT = 3
_CONTEXT_FACTOR = 5  # characters searched per character returned by `redacted_end`
_MAX_WHOLE_CHARS = 1_000_000  # redacted by `redacted_end` if a part may begin far before the end
_UNICODE_ESCAPE = 5  # characters of `u00e9`
_REPLACEMENT = "[REDACTED:SECRET]"
_PART_BEGINS = LazyPattern(r"<private|-----BEGIN ", re.IGNORECASE)
_NO_SECRETS = LazyPattern(r"://[^\s@]*|(?:sha\d+-|md5-|base64,)[A-Za-z0-9+/=]*")
"""An address, a checksum or an encoded picture."""
_TABLE_RULE = LazyPattern(r"(?=.*(?:[|+│┼]|[-=] {1,3}[-=]))[-=+|:│├┼┤─> \t]{3,200}$")
_WORD = LazyPattern(r"(?<![A-Za-z0-9])[\w.!#$*+^~-]{8,200}", re.ASCII)
_HEX = LazyPattern("[0-9a-f]+$")
_REST_OF_BASE64 = LazyPattern(r"(?:[/+][A-Za-z0-9+/]{0,200})?={0,2}")

_PRIVATE = LazyPattern(
    r"(?<!`)`(?!`)(?P<span>[^`\n]{1,200})`(?!`)"
    r"|<(?P<end>/)?private(?![\w-])"
    r"(?:\s{0,100}|\s{0,20}:[^<>`]{1,100}|\s{1,100}[\w:.-]{1,100}\s{0,20}=[^<>`]{0,100})>",
    re.IGNORECASE,
)
"""A code span or a tag. `<private: mine>` is a tag; `<private key>` and `<private-ip>` are placeholders."""
_TAG_BEGINS = LazyPattern(r"<(?=/?private(?![\w-]))", re.IGNORECASE)
_HEADING = LazyPattern(r"^#{2,6}[ \t]", re.MULTILINE)  # `# make` may be a comment of code
_HEADING_FOLLOWS = LazyPattern(r"^(?=#{2,6}[ \t])", re.MULTILINE)
_Span = tuple[int, int, str]  # start, end, kind


def redact(text: str) -> tuple[str, int]:
    """Replace secrets by `[REDACTED:<KIND>]` and remove private parts; return text and total number.

    Redacting the result again changes nothing.
    """
    text, parts = _without_private(text)
    text, secrets = _redact_secrets(text)
    return text, parts + secrets


def redact_document(text: str, redact_section: Callable[[str], str]) -> str:
    """Redact a document; every line keeps its number.

    `redact_section` is `redact_lines` or a cached version; it gets the text from one heading to the next.
    """
    sections = _HEADING_FOLLOWS.split(_without_private(text, keeps_lines=True)[0])
    return "".join(map(redact_section, sections))


def redact_lines(text: str) -> str:
    """Redact secrets but not private parts; every line keeps its number."""
    return _redact_secrets(text, keeps_lines=True)[0]


def redacted_end(text: str, most: int) -> str:
    """Return the redacted end of a text, at most `most` characters.

    A private part or private key may begin far before the end, so then the whole text is redacted. If that
    is too long, the result is empty.
    """
    part = text if _PART_BEGINS.search(text) else tail(text, _CONTEXT_FACTOR * most)
    return tail(redact(part)[0], most) if len(part) <= _MAX_WHOLE_CHARS else ""


def redact_value(value: Any) -> tuple[Any, int]:
    """Redact the strings and keys of a copy of a JSON value; return the copy and the number of redactions.

    A string or number is a named secret under a key such as `api_key`, in a list under such a key, or after
    an option in a list: `["--password", "letmein"]`. The value may have any depth.
    """
    root = [value]
    total = 0
    waiting: list[tuple[Any, Any, Any]] = [(root, 0, "")]
    while waiting:
        holder, key, name = waiting.pop()
        current = holder[key]
        if isinstance(current, list):
            holder[key] = items = current.copy()
            names = [item if isinstance(item, str) and item.startswith("-") else name for item in items]
            waiting.extend((items, at, names[at - 1] if at else name) for at in range(len(items)))
        elif isinstance(current, dict):
            holder[key] = members = _with_redacted_keys(current)
            total += sum(old != new for old, new in zip(current, members, strict=True))
            waiting.extend((members, inner, _name_of(members, inner, name)) for inner in members)
        elif isinstance(current, str | int | float):
            holder[key], count = redact(current) if isinstance(current, str) else (current, 0)
            if not count and isinstance(name, str) and is_value_of(name, str(current)):
                holder[key], count = _REPLACEMENT, 1
            total += count
    return root[0], total


def _with_redacted_keys(members: dict[Any, Any]) -> dict[Any, Any]:
    """Return a copy with redacted keys; a number is added to a key that the copy has already."""
    copy: dict[Any, Any] = {}
    for key, value in members.items():
        clean = redact(key)[0] if isinstance(key, str) else key
        while clean in copy:
            clean = f"{clean} {len(copy) + 1}"
        copy[clean] = value
    return copy


def _name_of(holder: dict[Any, Any], key: Any, outer: Any) -> Any:
    """Return the key of a member; for `value`, what is under `name` or `key` beside it, else `outer`."""
    return holder.get("name", holder.get("key", outer or key)) if key == "value" else key


def _redact_secrets(text: str, *, keeps_lines: bool = False) -> tuple[str, int]:
    """Redact a text; colour codes and invisible characters are stripped only if they hide a secret."""
    redacted, count = _redact_as_written(text, keeps_lines=keeps_lines)
    plain = strip_all_invisible(text)
    if plain != text:
        bare = _redact_as_written(plain, keeps_lines=keeps_lines)
        return (redacted, count) if strip_all_invisible(redacted) == bare[0] else bare
    return redacted, count


def _redact_as_written(text: str, *, keeps_lines: bool = False) -> tuple[str, int]:
    total = 0
    for _ in range(_PASSES):
        parts: list[str] = []
        done = 0
        for begin, end, kind in sorted(_find(text), key=lambda span: (span[0], -span[1])):
            start = begin + _length_of_escape(text, begin)
            if start >= done and any(map(str.isalnum, text[start:end])):
                lines = text.count("\n", start, end) if keeps_lines else 0
                parts += (text[done:start], f"[REDACTED:{kind}]", "\n" * lines)
                done = end
                total += 1
        if not parts:
            break
        text = "".join((*parts, text[done:]))
    return text, total


def _length_of_escape(text: str, start: int) -> int:
    r"""Return the number of characters at `start` that belong to a JSON escape such as `\n` or `\u00e9`."""
    if text[start - 1 : start] != "\\" or text[start] not in "nrtu":
        return 0
    return _UNICODE_ESCAPE if text[start] == "u" else 1


def _find(text: str) -> Iterator[_Span]:
    yield from find_tokens(text)
    yield from find_private_keys(text)
    for begin, end in _find_parts_with_hints(text):
        part = text[begin:end]
        yield from ((begin + start, begin + stop, kind) for start, stop, kind in find_places(part))
        for find in (find_named, _find_in_lines):
            yield from ((begin + start, begin + stop, "SECRET") for start, stop in find(part))


@cache
def _hints() -> re.Pattern[str]:
    """Match words near secrets. Only service tokens and private keys are found without one of these."""
    return one_of((*phrases("stems"), *phrases("context"), *place_hints()))


@cache
def _nearby_words() -> re.Pattern[str]:
    return one_of((*phrases("context"), *place_hints()))


def _find_parts_with_hints(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each part of a text that may contain a secret: the lines with a hint.

    The three lines after a hint, or the rest of its table, are included.
    """
    begin = end = -1
    position = remaining_lines = 0
    for line in text.split("\n"):
        if _hints().search(line.lower()):
            begin = begin if remaining_lines else position
            remaining_lines = _LINES_AFTER_HINT + 1
        elif remaining_lines and "|" not in line:
            remaining_lines -= 1
            if not remaining_lines:
                yield begin, end
        end = position + len(line)
        position = end + 1
    if remaining_lines:
        yield begin, end


def _find_in_lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of secrets in commands, and of generated words if the text mentions a secret.

    In a table with a column for secrets every word of `find_mixed_words` is a secret.
    """
    begin = 0
    previous, is_in_table = "", False
    mentions_secret = next(find_names(text), None) or _nearby_words().search(text.lower())
    for line in text.split("\n"):
        is_header = bool(_TABLE_RULE.match(line)) and any(n.lastgroup != "weak" for n in find_names(previous))
        is_in_table = (is_in_table and bool(line.strip())) or is_header
        words = _find_generated_words(line) if mentions_secret else ()
        words = find_mixed_words(line, 0, len(line)) if is_in_table else words
        yield from ((begin + start, begin + end) for start, end in (*find_in_commands(line), *words))
        begin += len(line) + 1
        previous = line


def _find_generated_words(line: str) -> Iterator[tuple[int, int]]:
    line = _NO_SECRETS.sub(lambda found: " " * len(found[0]), line)
    for found in _WORD.finditer(line):
        word = found[0].lstrip("*_.-").rstrip(".:?*_-`)")
        start = found.start() + found[0].find(word)
        if looks_generated(word) and not (is_reference(word) or _HEX.match(word)):
            rest = _REST_OF_BASE64.match(line, start + len(word))
            yield start, rest.end() if rest else start + len(word)


def _without_private(text: str, *, keeps_lines: bool = False) -> tuple[str, int]:
    """Remove the private parts of a text and their tags; return the text and the number of parts.

    Parts nest. An unclosed part ends with the text, in a document at the next heading from `##` on. A tag in
    a code span does not count unless the span also closes it.
    """
    tags = list(_tags(text)) if "<private" in text.lower() else []
    kept: list[str] = []
    done = depth = outer_start = 0
    parts: list[tuple[int, int]] = []
    for tag in tags:
        if not tag["end"]:
            outer_start = outer_start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            parts += [] if depth else [(outer_start, tag.end())]
    if depth:
        end = _HEADING.search(text, tags[-1].end()) if keeps_lines else None
        parts.append((outer_start, end.start() if end else len(text)))
    for start, stop in parts:
        kept += (text[done:start], "\n" * text.count("\n", start, stop) * keeps_lines)
        done = stop
    # Removing a part can join the two halves of a tag.
    return (_TAG_BEGINS.sub("‹", "".join((*kept, text[done:]))), len(parts)) if parts else (text, 0)


def _tags(text: str) -> Iterator[re.Match[str]]:
    for found in _PRIVATE.finditer(text):
        if found["span"] is None:
            yield found
        elif "<" in found["span"]:
            start, end = found.span("span")
            inside = [tag for tag in _PRIVATE.finditer(text, start, end) if not tag["span"]]
            if len({tag["end"] for tag in inside}) > 1:
                yield from inside
