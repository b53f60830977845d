"""Reading never raises, whatever the text, and its time grows in proportion to the length of the text."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.text import markdown

LINES = 50
MAX_GROWTH = 2.5  # of the calls, for twice the text

REPEATED = [
    "- ", "> ", "#", "**", "[", "`", "2026-01-05 ", "MILL-1, ", "word ", "a: ", "\t", "<!-- ", "|",
    "## MILL-1 - x\n", "## 2026-01-05\n- a\n", "2026-01-05 09:10 did it\n", "- [ ] MILL-1 a\n", "- a: b\nc: d\n",
    "```\n", "```sh\nx\n", "    ```\n", "====\na\n====\n", "---\n", "> a\n", "- a\n\n  b\n\n", "|a|b|\n|-|-|\n|x|done|\n",
    "**Label:** x\n", "<!--\n", "## Session 1\n- a\n", "1. a\n   - b\n", "A1: DONE — x\n", "【注意】x\n",
]  # fmt: skip


def calls_to_read(text: str) -> int:
    """Count the calls of Python functions that reading takes."""
    count = 0

    def count_call(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(count_call)
    try:
        read_agent_log("log.md", text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("part", REPEATED)
def test_reading_grows_with_the_text(part: str) -> None:
    read_agent_log("log.md", part)  # tables and patterns are loaded
    once, twice = calls_to_read(part * LINES), calls_to_read(part * (2 * LINES))
    assert twice <= MAX_GROWTH * once


def test_long_files_are_cut_and_the_cut_is_named() -> None:
    problems = read_agent_log("log.md", "oak " * markdown.MAX_CHARS).problems
    assert problems == ("log.md: only the first 4,000,000 characters are read",)


def test_long_lines_are_cut() -> None:
    log = read_agent_log("log.md", "- " + "oak " * 3000)
    assert sum(len(each.text) for each in log.statements) <= markdown.MAX_LINE_CHARS


@pytest.mark.parametrize(
    "text",
    ["", "\n", "\ufeff", "---", "---\na: b", "\r\n\r", "\0", "<!--", "```", "|", "- [", "#", "Branch: `"],
)
def test_odd_texts_are_read(text: str) -> None:
    assert read_agent_log("log.md", text).entries == ()
