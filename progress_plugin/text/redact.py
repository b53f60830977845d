"""Secrets and private parts taken out of text before it is stored or shown (S14.1, S16.3).

A secret is known by its own shape or by what is before it (a name such as ``password``, a URL, a header),
a private part by ``<private>`` around it. Length or entropy alone never count: commit ids, UUIDs, checksums
and paths stay. What cannot be seen does not hide a secret, whose reader does not see it either.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from progress_plugin.text.invisible_characters import bare, visible
from progress_plugin.text.secret_rules import JUDGES, is_quoted_secret
from progress_plugin.text.secret_shapes import (
    ESCAPES,
    IDENTIFIER,
    NAME,
    NAMED,
    PLAIN_NAME,
    SHORTEST_RUN,
    TOKENS,
    Shape,
)

_PRIVATE = re.compile(r"<(/?)private\b[^<>]{0,100}>", re.IGNORECASE)
_PASSES = 4
"""A secret glued to another has no edge before that one is gone; a limit, since a text may glue thousands."""
_GATES = ("key", "pass", "secret", "token", "auth", "=")
"""Texts that several hints hold: one look for all of them."""
_HINTED: dict[str, list[tuple[str, Shape]]] = {}
_FOREIGN: list[tuple[str, Shape]] = []
for _shape in NAMED:
    for _hint in _shape.hints:
        if not _hint.isascii():
            _FOREIGN.append((_hint, _shape))
            continue
        for _gate in _shape.within or (next((gate for gate in _GATES if gate in _hint), _hint),):
            _HINTED.setdefault(_gate, []).append((_hint, _shape))
_GATED = tuple(_HINTED.items())
"""Few, since most texts are short and hold no hint: then this is all there is to do."""
_INSIDE = tuple((hint, shape) for shape in TOKENS for hint in shape.hints if not hint[0].isalnum())
_BEGINNINGS: dict[str, list[tuple[str, Shape]]] = {}
for _shape in TOKENS:
    for _hint in _shape.hints:
        _BEGINNINGS.setdefault(_hint[:2], []).append((_hint, _shape))
_ORDER = {shape: place for place, shape in enumerate((*TOKENS, *NAMED))}
_TELLING = re.compile("[A-Z0-9]")
_WORDS = re.compile(r"(?<![a-z0-9])[a-z0-9]{2}")
_ESCAPED_WORDS = re.compile(rf"(?=([a-z0-9]{{2}}))(?:{'|'.join(f'(?<={escape})' for escape in ESCAPES)})")
_MARKDOWN_ESCAPES = re.compile(r"(?<=\w)\\++(?=[_.~=+-])")
_SECRET_NAME = re.compile(rf"{NAME}$")
_PLAIN_NAME = re.compile(rf"{PLAIN_NAME}$")
_IDENTIFIER = re.compile(IDENTIFIER)
_LONGEST_NAME = 100


def redact(text: str) -> tuple[str, int]:
    """Return `text` with secrets as ``[REDACTED:<KIND>]`` and without private parts, and how many there were.

    An unclosed ``<private>`` reaches to the end. Redacting the result again changes nothing. Characters that
    cannot be seen stay where they hide nothing.
    """
    seen = _as_read(text)
    if seen == text:
        return _redacted(text)
    wanted, count = _redacted(seen)
    # Of several readings that keep no more secrets the one nearest to the text: emoji fall apart in the last.
    for reading in (text, visible(text), bare(text)):
        redacted, removed = _redacted(reading)
        if _as_read(redacted) == wanted:
            return redacted, removed
    return wanted, count


def _as_read(text: str) -> str:
    """Return what a reader sees: without what is unseen, and without the escapes of Markdown."""
    text = bare(text)
    return _MARKDOWN_ESCAPES.sub("", text) if "\\" in text else text


def _redacted(text: str) -> tuple[str, int]:
    text, total = _without_private(text)
    for _ in range(_PASSES):
        text, count = _without_secrets(text)
        total += count
        if not count:
            break
    return text, total


def redact_value(value: Any) -> tuple[Any, int]:
    """Return a JSON value of any depth with its strings redacted, and how many parts went.

    Keys and the given value stay as they are. A string under a key such as ``api_key`` is assigned to it.
    """
    root = [value]
    total = 0
    waiting: list[tuple[Any, Any]] = [(root, 0)]
    while waiting:
        holder, key = waiting.pop()
        current = holder[key]
        if isinstance(current, str):
            holder[key], count = _redact_member(_name(holder, key), current)
            total += count
        elif isinstance(current, dict | list):
            copy = current.copy()
            holder[key] = copy
            waiting.extend((copy, inner) for inner in (copy if isinstance(copy, dict) else range(len(copy))))
    return root[0], total


def _name(holder: Any, key: Any) -> Any:
    """Return what the member is called: its key, or the name beside it where the key is ``value``."""
    return holder.get("name", holder.get("key", key)) if key == "value" and isinstance(holder, dict) else key


def _redact_member(name: Any, text: str) -> tuple[str, int]:
    redacted, count = redact(text)
    if (
        not count
        and isinstance(name, str)
        and _SECRET_NAME.search(name[-_LONGEST_NAME:])
        and is_quoted_secret(text)
    ):
        if _PLAIN_NAME.search(name[-_LONGEST_NAME:]) and _IDENTIFIER.fullmatch(text):
            return text, 0
        return "[REDACTED:SECRET]", 1
    return redacted, count


def _without_secrets(text: str) -> tuple[str, int]:
    total = 0
    lowered = text.lower()
    hinted = [shape for gate, gated in _GATED if gate in lowered for hint, shape in gated if hint in lowered]
    if not text.isascii():
        hinted += [shape for hint, shape in _FOREIGN if hint in lowered]
    runs = _runs(text)
    if runs:
        hinted += [shape for hint, shape in _INSIDE if hint in lowered]
        for two in _beginnings(runs) & _BEGINNINGS.keys():
            hinted += [shape for hint, shape in _BEGINNINGS[two] if hint in lowered]
    for shape in sorted(set(hinted), key=_ORDER.__getitem__):
        text, count = _without(shape, text)
        total += count
    return text, total


def _runs(text: str) -> list[str]:
    """Return the words as long as a token, but paths of small letters."""
    words = text.split()
    if max(map(len, words), default=0) < SHORTEST_RUN:
        return []
    return [word for word in words if len(word) >= SHORTEST_RUN and _TELLING.search(word)]


def _beginnings(runs: list[str]) -> set[str]:
    """Return the first two characters of every word, also of one that is glued to what an escape ends."""
    found = set()
    for run in runs:
        lowered = run.lower()
        found.update(_WORDS.findall(lowered))
        if "\\" in run or "[" in run or "%" in run or ";" in run:
            found.update(_ESCAPED_WORDS.findall(lowered))
    return found


def _without(shape: Shape, text: str) -> tuple[str, int]:
    mark = f"[REDACTED:{shape.kind}]"
    if not shape.groups:
        return _compiled(shape.pattern).subn(mark, text)
    count = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal count
        group = next(name for name in shape.groups if match[name] is not None)
        if not JUDGES[group](match[group]):
            return match[0]
        count += 1
        return match[0][: match.start(group) - match.start()] + mark

    return _compiled(shape.pattern).sub(replace, text), count


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile at the first use: most texts hold the hints of two or three shapes."""
    return re.compile(pattern, re.DOTALL)


def _without_private(text: str) -> tuple[str, int]:
    if "<private" not in text.lower():
        return text, 0
    kept, depth, start, count = [], 0, 0, 0
    for tag in _PRIVATE.finditer(text):
        if depth == 0:
            kept.append(text[start : tag.start()])
            count += not tag[1]
        depth = max(0, depth - 1) if tag[1] else depth + 1
        start = tag.end()
    if depth == 0:
        kept.append(text[start:])
    # What was cut out may leave the halves of another tag side by side; that one is no mark.
    return _PRIVATE.sub(lambda tag: "‹" + tag[0][1:], "".join(kept)), count
