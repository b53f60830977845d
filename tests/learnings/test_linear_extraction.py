"""Reading a log and finding its learnings: the work grows as the log does, counted in calls, not in time."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.learnings.extract import extract
from progress_plugin.learnings.merge import merge
from progress_plugin.learnings.topics import topics
from progress_plugin.model.learning import Learning
from progress_plugin.text.markdown import read_blocks

_WORDS = [
    "anchor",
    "beacon",
    "cable",
    "davit",
    "ensign",
    "fender",
    "galley",
    "hawser",
    "inlet",
    "jetty",
    "keel",
    "lantern",
    "mast",
    "oakum",
    "pilot",
]


def _log(entries: int, first: int = 1) -> str:
    """Return a log of entries with texts of their own: readers remember lines that they have seen."""
    return "\n".join(
        f"## 2026-01-{number % 28 + 1:02} - US-{number:04}: Mend {_WORDS[number % 15]} {number}\n"
        f"- Mended the {_WORDS[number * 7 % 15]} of berth {number}\n"
        "- **Learnings:**\n"
        f"  - Always check {_WORDS[number * 3 % 15]}_{number} before `berth_{number}` is opened\n"
        f"  - The {_WORDS[number * 4 % 15]} in src/{_WORDS[number % 15]}_{number}.py fails without tide {number}\n"
        "---\n"
        for number in range(first, first + entries)
    )


def _extracted(text: str) -> list[Learning]:
    log = read_log(text, "progress.md")
    return extract(log.document, log.owner_of_line, "progress.md")


def _calls(of: Callable[[], object]) -> int:
    """Return how many functions, ours and Python's own, are called."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        of()
    finally:
        sys.setprofile(before)
    return count


def test_extraction_from_ten_times_the_log_takes_at_most_eleven_times_the_calls() -> None:
    small, large = _log(30), _log(300, first=5000)
    _extracted(_log(30, first=2000))  # patterns are compiled at their first use
    assert _calls(lambda: _extracted(large)) <= 11 * _calls(lambda: _extracted(small))


def test_merging_ten_times_the_learnings_takes_at_most_twenty_times_the_calls() -> None:
    # Each one is compared with those that share rare words with it: while the log is small all words are rare.
    small, large = _extracted(_log(30)), _extracted(_log(300, first=5000))
    assert _calls(lambda: merge(large)) <= 20 * _calls(lambda: merge(small))


def test_reading_takes_few_calls_for_each_line() -> None:
    text = _log(300, first=9000)
    assert _calls(lambda: read_log(text, "progress.md")) <= 46 * len(text.splitlines())


def test_grouping_compiles_no_pattern_for_the_names_it_finds() -> None:
    learnings = _extracted(_log(40, first=7000))
    topics(_extracted(_log(40)))  # its own patterns are compiled at their first use
    kept = getattr(re, "_cache")  # noqa: B009 - what was compiled, by pattern; typeshed does not know it
    before = set(kept)
    assert topics(learnings)
    assert set(kept) - before == set()


@pytest.mark.parametrize("entries", [1, 40])
def test_each_line_becomes_part_of_one_block(entries: int) -> None:
    text = _log(entries)
    starts = [block.line for block in read_blocks(text).blocks]
    assert starts == sorted(set(starts))
    assert len(starts) == sum(1 for line in text.splitlines() if line.strip())
