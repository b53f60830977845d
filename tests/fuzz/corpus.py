"""InputSnapshot of one kind that are worth changing: each reached lines that none before it had."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

from tests.fuzz.shapes import WORDS
from tests.torture.hostile_text import HOSTILE
from tests.torture.mutation import mutated
from tests.transcripts.client_sessions import SECRET

LONGEST = 8192
"""Bytes of an input."""
_MOST = 3000
_MARKS = (
    *(text[:300].encode("utf-8", "replace") for text in HOSTILE.values()),
    *(word.encode() for word in WORDS),
    SECRET.encode(), f'"{SECRET}"'.encode(), f" token={SECRET} ".encode(), b"<private>", b"</private>", b"**Learnings:**\n- ",
    b"## 2026-03-01 - US-001: ", b"- [x] ", b"```\n", b"<!-- ", b"\n---\n", b"| a | b |\n|---|---|\n", b"\x1b[31m", b"\xe2\x80\x8b",
)  # fmt: skip
Line = tuple[CodeType, int]
_PACKAGE = "progress_plugin"


class Corpus:
    """What is changed to make new inputs, and the lines of the package that were reached so far."""

    def __init__(self, seeds: Iterable[bytes], chance: random.Random) -> None:
        self.inputs = [seed[:LONGEST] for seed in seeds]
        self.chance = chance
        self._reached: set[Line] = set()

    def new(self) -> bytes:
        """Return an input that was perhaps never tried."""
        chance = self.chance
        data = chance.choice(self.inputs)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            data = chance.choice(
                (_as_a_transcript, _as_a_transcript, _with_a_mark, _with_a_part, self._joined)
            )(data[:LONGEST], chance)
        return data[:LONGEST]

    def part(self) -> bytes:
        """Return a short piece of an input, to be there over and over."""
        data = self.new()
        start = self.chance.randrange(max(len(data) - 1, 1))
        return data[start : start + self.chance.choice((1, 3, 10, 80))]

    def traced(self, journey: Callable[[bytes], object], data: bytes) -> bool:
        """Try an input and look where it leads; return whether it is kept since it leads to new lines."""
        found: set[Line] = set()
        _with_lines(found, journey, data)
        if found <= self._reached:
            return False
        self._reached |= found
        if len(self.inputs) < _MOST:
            self.inputs.append(data)
        else:
            self.inputs[self.chance.randrange(_MOST)] = data
        return True

    @property
    def lines(self) -> int:
        """How many lines of the package were reached."""
        return len(self._reached)

    def _joined(self, data: bytes, chance: random.Random) -> bytes:
        other = chance.choice(self.inputs)
        return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _as_a_transcript(data: bytes, chance: random.Random) -> bytes:
    """Change bytes, lines and the values of JSON."""
    return mutated(data, chance)


def _with_a_mark(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    end = place + chance.choice((0, 0, 0, 4, 30))
    return data[:place] + chance.choice(_MARKS) + data[end:]


def _with_a_part(data: bytes, chance: random.Random) -> bytes:
    """Put a piece of an input somewhere else in it, or there several times."""
    start = chance.randrange(len(data) + 1)
    piece = data[start : start + chance.choice((1, 4, 20, 100, 500))] * chance.choice((1, 1, 2, 10))
    place = chance.randrange(len(data) + 1)
    return data[:place] + piece + data[place:]


def _with_lines(found: set[Line], journey: Callable[[bytes], object], data: bytes) -> None:
    def inside(frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            found.add((frame.f_code, frame.f_lineno))
        return inside

    def entered(frame: FrameType, _event: str, _argument: Any) -> Any:
        return inside if _PACKAGE in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        journey(data)
    finally:
        sys.settrace(before)
