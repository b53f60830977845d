"""Transcripts with something wrong in them: a seed gives the same one every time."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

_PIECES = (
    b"", b"\n", b"\n\n", b"\x00" * 40, b"\xff\xfe", b"{", b"}", b"[" * 3000, b'{"a":' * 2000, b'"', b"\\", b"\\ud83d", b"null",
    b"1e999", b"-1", b"9" * 400, b"\xe2\x80\xa8", b"\xf0\x9f\x8c", b"true", b'"type":"user"', b'"cwd":"/"', b'"cwd":"/etc"', b"\r\n",
    b"</hook_context>", b"<hook_context>", b"../../../etc/passwd", b"x" * 20_000,
)  # fmt: skip
_VALUES: Sequence[Any] = (
    None, True, -1, 2**70, 1.5, "", "x" * 9000, "\ud83d", "\u2028", "/", "/etc/passwd", "../..", [], {}, [[[[]]]], {"": {}}, ["a", 1, None],
    "2026-11-20T09:00:00.000Z", "2999-99-99T99:99:99Z", "agent-progress: x", "/x\x00y", "/\ud83d", "\x1b[31m", "`|<!-- -->",
)  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a transcript of lines with one to four things wrong in it."""
    for _ in range(chance.randrange(1, 5)):
        data = chance.choice((_bytes, _bytes, _lines, _values, _values, _cut))(data, chance)
    return data


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes of a database with one to twenty things wrong in them."""
    for _ in range(chance.randrange(1, 20)):
        data = _flipped(data, chance) if chance.random() < 0.9 else _cut(data, chance)
    return data


def other_value(value: Any, chance: random.Random) -> Any:
    """Return a JSON value in which one, at any depth, is another."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        if chance.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: other_value(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        place = chance.randrange(len(value))
        return [*value[:place], other_value(value[place], chance), *value[place + 1 :]]
    return chance.choice(_VALUES)


def _bytes(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.5:
        return _flipped(data, chance)
    place = chance.randrange(len(data) + 1)
    end = place + chance.choice((0, 0, 1, 5, 200))
    return data[:place] + chance.choice(_PIECES) + data[end:]


def _flipped(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
    doing = chance.randrange(3)
    if doing == 0:
        lines[here], lines[there] = lines[there], lines[here]
    elif doing == 1:
        del lines[here]
    else:
        lines[here:here] = [lines[there]] * chance.choice((1, 2, 50))
    return b"".join(lines)


def _values(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    try:
        value = json.loads(lines[place])
    except (ValueError, RecursionError):
        return data
    for _ in range(chance.randrange(1, 4)):
        value = other_value(value, chance)
    lines[place] = json.dumps(value).encode("utf-8", "replace")
    return b"\n".join(lines)
