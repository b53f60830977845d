"""A file with hundreds of equal parts is read fast: no reading time grows with the square of the size."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import BadInput
from progress_plugin.log.document import parse
from progress_plugin.log.merge import effective, read_blockers
from progress_plugin.log.progress_md import render
from progress_plugin.plans.documents import read_plans
from progress_plugin.recall.filters import file_pattern
from progress_plugin.selection.merge import find_overtaken, merge
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.safe_output import clean
from progress_plugin.text.search_terms import MAX_QUESTION_CHARS, question_of, terms_of
from tests.hostile.structures import LOGS, LONG_LINES, MARKDOWN, PLANS, Made

NOW = datetime(2026, 3, 14, tzinfo=UTC)
PARTS = 500
MAX_S = 1.5  # of processor time; linear readers take a tenth of it, on any machine


def _read_log(text: str) -> None:
    log = read_agent_log("progress.md", text)
    merge(log.learnings)
    find_overtaken(log.statements)


def _read_plan(name: str) -> Callable[[str], None]:
    def read(text: str) -> None:
        try:
            read_plans(name, text)
        except BadInput:
            return

    return read


def _read_own_log(text: str) -> None:
    log = parse(text.encode())
    entries = effective(log.entries)
    read_blockers(entries)
    render(log.document, entries)


def _ask(text: str) -> None:
    clean(text)
    terms_of(text)
    question_of(text[:MAX_QUESTION_CHARS])
    file_pattern("src/a.py").search(text)


READERS: list[tuple[Callable[[str], None], dict[str, Made]]] = [
    (_read_log, MARKDOWN | LONG_LINES),
    (_read_plan("tasks.md"), MARKDOWN),
    (_read_plan("prd.json"), PLANS),
    (_read_own_log, LOGS),
    (_ask, LONG_LINES),
]


@pytest.mark.slow
def test_no_structure_makes_a_reader_slow() -> None:
    slow = {}
    for read, structures in READERS:
        for name, made in structures.items():
            text = made(PARTS)
            start = time.process_time()
            read(text)
            if (seconds := time.process_time() - start) > MAX_S:
                slow[name] = seconds
    assert slow == {}


def test_paths_are_found_in_a_long_line() -> None:
    for unit in ("+", "a+", "(a/", "a/(", "`a/", "a.", "./", "@-", "a.py"):
        assert "src/a.py" in paths_in(f"`{unit * 100_000}` and src/a.py")
    assert paths_in("改了、" * 400 + "`src/a.py`" + "，然后" * 400) == ("src/a.py",)


def test_entries_behind_forty_thousand_damaged_ones_are_read() -> None:
    damaged = LOGS["every entry damaged"](20_000)
    whole = LOGS["completions"](50)
    log = parse((damaged[:-2] + ", " + whole.split("[", 1)[1]).encode())
    assert len(log.entries) == 50


def test_an_entry_longer_than_any_window_is_read_out_of_a_damaged_log() -> None:
    long = {
        "id": "entry-1",
        "timestamp": "2026-03-01T10:00:00Z",
        "type": "x",
        "data": {"notes": "n" * 3_000_000},
    }
    text = '{"entries": [{"id": "broken", ' + json.dumps(long) + "]"
    assert [entry["id"] for entry in parse(text.encode()).entries] == ["entry-1"]
