"""`log` by the standard library alone, and by click: one command, whoever reads its line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.cli.log import command
from progress_plugin.cli.log_plain import Unreadable, parsed, run
from progress_plugin.cli.log_request import OPTIONS
from progress_plugin.cli.main import main

NAMES = [name for option in OPTIONS for name in option.names]
ONE_OF_EACH: list[list[str]] = [
    [name] if option.metavar is None else [name, "7" if option.least is not None else '{"a": 1}']
    for option in OPTIONS
    for name in option.names
]
BLOCKED = {
    "id": '{"a": 1}',
    "timestamp": "2026-03-01T09:00:00Z",
    "type": "task_blocked",
    "task_id": "T-1",
    "data": {"issue": "x"},
}
UNREADABLE = [
    [], ["x", "y"], ["x", "y", "z"], ["--tsk", "3", "x"], ["x", "--t", "1"], ["x", "--durations", "1"], ["-x"],
    ["x", "-jm"], ["x", "--duration", "soon"], ["x", "--duration", "-1"], ["--duration", "-1"], ["x", "--task"],
    ["x", "--json=1"], ["x", "-m"], ["--zzzzzz"], ["--hel"], ["x", "--learnin", "a"], ["--notes=", "--"],
]  # fmt: skip


def told(capsys: Any, door: Any, words: list[str]) -> tuple[int, str, str]:
    code = door(words)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def both(capsys: Any, words: list[str]) -> tuple[int, str, str]:
    """Return what the command answers, by click and without it, which is the same."""
    by_click = told(capsys, main, words)
    assert told(capsys, run, words) == by_click
    return by_click


@pytest.mark.parametrize("words", UNREADABLE, ids=" ".join)
def test_what_cannot_be_read_gets_the_same_answer(capsys: Any, words: list[str]) -> None:
    code, out, err = both(capsys, ["-C", "/nowhere", "log", *words])
    assert (code, out) == (2, "")
    assert err.startswith("agent-progress: ")
    assert "/nowhere" not in err


@pytest.mark.parametrize("columns", ["40", "63", "80", "200"])
def test_the_help_is_the_same(capsys: Any, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for words in (["-h"], ["x", "--help"], ["--duration", "x", "-h"]):
        code, out, _ = both(capsys, ["log", *words])
        assert code == 0
        assert all(name in out for name in NAMES)


@pytest.mark.parametrize("place", [["-C", "DIR"], ["--project-dir", "DIR"], ["--project-dir=DIR"], ["-CDIR"]])
@pytest.mark.parametrize("option", ONE_OF_EACH, ids=" ".join)
def test_every_option_makes_the_same_entry(
    capsys: Any, tmp_path: Path, option: list[str], place: list[str]
) -> None:
    entries, printed = [], []
    for name, door in (("click", main), ("plain", run)):
        root = tmp_path / name
        (root / ".agent-os/progress").mkdir(parents=True)
        (root / ".agent-os/progress/progress.json").write_text(json.dumps({"entries": [BLOCKED]}))
        words = [word.replace("DIR", str(root)) for word in place]
        code, out, err = told(capsys, door, [*words, "log", "task_completed", "--task", "T-1", *option])
        assert (code, err) == (0, "")
        printed.append(_without_moments(out) + err)
        log = root / ".agent-os/progress/progress.json"
        told_there = json.loads(_without_moments(log.read_text()))["entries"] if log.exists() else []
        entries.append(told_there)
    assert entries[0] == entries[1]
    assert printed[0] == printed[1]


def test_what_may_not_be_logged_is_refused_in_the_same_words(capsys: Any, tmp_path: Path) -> None:
    for words in (["coffee_break"], ["task_completed", "--data", "["], ["task_completed", "--data", "[]"]):
        code, out, err = both(capsys, ["-C", str(tmp_path), "log", *words])
        assert (code, out, err.count("\n")) == (2, "", 1)
    assert not list(tmp_path.rglob("progress.json"))


WORDS = st.lists(
    st.sampled_from([*NAMES, "x", "", "-", "--", "5", "-5", "--duration=3", "-mtext", "-m=a", "--task=a=b", "--jso", "-h"])
    | st.text(alphabet="-=am5 ", max_size=5),
    max_size=6,
)  # fmt: skip


@given(WORDS)
def test_any_line_is_read_alike(words: list[str]) -> None:
    try:
        context = command.make_context(
            "log", list(words), help_option_names=["-h", "--help"], resilient_parsing=False
        )
        expected: Any = (context.params.pop("type_"), context.params)
    except click.exceptions.Exit:
        expected = None
    except click.UsageError as error:
        expected = error.format_message()
    try:
        found: Any = parsed(words)
    except Unreadable as error:
        found = str(error)
    assert found == expected


def _without_moments(text: str) -> str:
    return re.sub(r"entry-[0-9a-z-]+|\d{4}-\d\d-\d\dT[0-9:]+Z", "…", text)
