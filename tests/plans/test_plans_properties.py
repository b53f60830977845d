"""What holds for any file under the name of a plan."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput
from progress_plugin.core.known_paths import NESTED, PLANS
from progress_plugin.model.story import Plan, count
from progress_plugin.plans.reader import read_plan

PLACES = (*PLANS, *(f"{folder}/*/{name}" for folder, names in NESTED for name in names))

SPEC = ".agent-os/specs/2026-01-01-x"
PATHS = (
    "prd.json",
    "feature_list.json",
    ".taskmaster/tasks/tasks.json",
    f"{SPEC}/tasks.json",
    f"{SPEC}/tasks.md",
    ".beads/issues.jsonl",
    "task_plan.md",
    ".planning/ROADMAP.md",
)
JSON_PATHS = tuple(path for path in PATHS if path.endswith(".json"))
KEYS = st.sampled_from(
    [
        "userStories",
        "stories",
        "features",
        "tasks",
        "phases",
        "id",
        "title",
        "description",
        "passes",
        "passed",
        "status",
        "state",
        "dependsOn",
        "dependencies",
        "attempts",
        "subtasks",
        "steps",
        "status_legend",
        "rules",
        "legend",
        "inProgress",
        "blocked",
        "priority",
        "metadata",
        "parent",
        "optimization",
        "parallelization",
        "blocked_by",
        "name",
    ]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["done", "in progress", "blocked", "1", "A", "tombstone", "❌", "[x]", "\ud800"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=6)
    ),
)
RECORDS = st.lists(st.dictionaries(KEYS, VALUES, max_size=7), max_size=6)
LINES = st.lists(
    st.sampled_from(
        [
            "# Task Plan: x",
            "## Phases",
            "## Phase 1: a",
            "### Phase 2：b [done]",
            "## Task 1: c ✅",
            "### Task 1.1: d",
            "- [x] 1. e",
            "  - [ ] 1.1 f",
            "\t- [~] g",
            "- [x] Phase 3: h",
            "**Status:** complete",
            "Status: ❌",
            "- **Dependencies:** Task 1, Phase 1",
            "⚠️ Blocking issue: i",
            "| Phase | Status |",
            "| 1. j | done |",
            "1. k - completed",
            "```",
            "<!--",
            "-->",
            "",
        ]
    )
    | st.text(max_size=12),
    max_size=25,
)


def test_every_kind_of_file_that_is_looked_for_is_tried_here() -> None:
    kinds = {("agent-os" in path, path.rpartition("/")[2]) for path in PATHS}
    older = {(False, "beads.jsonl")}
    assert {("agent-os" in path, path.rpartition("/")[2]) for path in PLACES} - older == kinds


def nothing(_: str) -> None:
    """Return no sibling."""


def checked(path: str, data: bytes) -> Plan | None:
    """Return what the reader makes of the data, after checking what must hold for every plan."""
    try:
        plan = read_plan(path, data, nothing)
    except BadInput as error:
        assert str(error).startswith(f"{path}: ")  # noqa: PT017 - anything but BadInput is to reach the test
        assert "\n" not in str(error)  # noqa: PT017
        return None
    if plan is not None:
        assert sum(count(plan.stories).values()) == len(plan.stories)
        assert len({story.id for story in plan.stories}) == len(plan.stories)
        assert [story.position for story in plan.stories] == list(range(len(plan.stories)))
        assert all(story.id and "\n" not in story.id + story.title for story in plan.stories)
        assert "\n" not in "".join(plan.drift + plan.problems)
        repr(plan).encode()
    return plan


@pytest.mark.parametrize("path", JSON_PATHS)
@given(value=VALUES | RECORDS | st.fixed_dictionaries({"tasks": RECORDS}))
def test_any_json_value_is_a_plan_a_foreign_file_or_one_clear_line(path: str, value: Any) -> None:
    checked(path, json.dumps(value).encode())


@given(records=RECORDS)
def test_any_json_lines_are_a_plan_a_foreign_file_or_one_clear_line(records: list[Any]) -> None:
    checked(".beads/issues.jsonl", "\n".join(json.dumps(record) for record in records).encode())


@pytest.mark.parametrize("path", PATHS)
@given(data=st.binary())
@example(data=b"")
@example(data=b"\xff\xfe{")
@example(data=b"[" * 100_000)
@example(data=b'{"tasks":' * 50_000)
@example(data=b"9" * 10_000)
@example(data=b"<<<<<<< HEAD\n[]\n=======\n[1]\n>>>>>>> b\n")
def test_any_bytes_are_a_plan_a_foreign_file_or_one_clear_line(path: str, data: bytes) -> None:
    checked(path, data)


@pytest.mark.parametrize("path", [path for path in PATHS if path.endswith(".md")])
@given(lines=LINES)
def test_any_markdown_is_a_plan_or_a_foreign_file(path: str, lines: list[str]) -> None:
    plan = checked(path, "\n".join(lines).encode())
    for story in plan.stories if plan else ():
        assert story.line is not None


@pytest.mark.parametrize("path", ["task_plan.md", f"{SPEC}/tasks.md", ".beads/issues.jsonl", "prd.json"])
@given(lines=LINES, records=RECORDS)
def test_line_ends_and_encodings_make_no_difference(path: str, lines: list[str], records: list[Any]) -> None:
    if path.endswith(".md"):
        text = "\n".join("".join(line.splitlines()).replace("\ufeff", "").replace("\0", "") for line in lines)
    elif path.endswith(".jsonl"):
        text = "\n".join(json.dumps(record) for record in records)
    else:
        text = json.dumps(records, indent=1)
    plain = checked(path, text.encode())
    windows = text.replace("\n", "\r\n")
    assert checked(path, windows.encode()) == plain
    assert checked(path, codecs.BOM_UTF8 + windows.encode()) == plain
    assert checked(path, codecs.BOM_UTF16_LE + windows.encode("utf-16-le")) == plain
    assert checked(path, codecs.BOM_UTF16_BE + text.encode("utf-16-be")) == plain


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "lines",
    [
        ["[", "<<<<<<< HEAD", '{"id": 1}', "=======", '{"id": 2}', ">>>>>>> other", "]"],
        ["[", "<<<<<<<", '{"id": 1}', "=======", '{"id": 2}', ">>>>>>>", "]"],
        ['[{"id": 1}', ">>>>>>>", "]"],
        ['[{"id": 1}', "|||||||", "]"],
    ],
)
def test_git_conflict_markers_are_called_by_their_name(lines: list[str], end: str) -> None:
    with pytest.raises(BadInput, match=r"^prd\.json: holds git conflict markers; resolve the conflict$"):
        read_plan("prd.json", end.join(lines).encode(), nothing)


def _same_ids(number: int) -> str:
    return json.dumps([{"id": "A", "passes": False}] * number)


def _chain(number: int) -> str:
    records = [
        {"id": str(n), "status": "open", "dependsOn": [str(n - 1), f"gone-{n}"]} for n in range(number)
    ]
    return json.dumps([{"id": "-1", "status": "failed"}, *records])


def _strange_words(number: int) -> str:
    return json.dumps([{"id": n, "status": f"word {n}"} for n in range(number)])


def _boxes(number: int) -> str:
    return "".join(f"- [ ] {n}. a\n  - [x] {n}.1 b\n" for n in range(number))


def _ever_deeper(number: int) -> str:
    return "".join(f"{'  ' * (n % 400)}- [ ] deep {n}\n" for n in range(number))


def _phases(number: int) -> str:
    return "".join(f"### Phase {n}: a\n- [x] b\n**Status:** complete\n" for n in range(number))


def _same_phase(number: int) -> str:
    return "### Phase 1: a\n- [ ] b\n" * number


@pytest.mark.parametrize(
    ("path", "build"),
    [
        ("prd.json", _same_ids),
        ("prd.json", _chain),
        ("prd.json", _strange_words),
        (".agent-os/specs/x/tasks.md", _boxes),
        (".agent-os/specs/x/tasks.md", _ever_deeper),
        ("task_plan.md", _phases),
        ("task_plan.md", _same_phase),
    ],
)
def test_ten_times_the_stories_take_ten_times_the_calls(path: str, build: Callable[[int], str]) -> None:
    small, large = (_calls(path, build(number).encode()) for number in (400, 4_000))
    assert large <= 11 * small


def _calls(path: str, data: bytes) -> int:
    """Return the number of function calls, Python's and C's, that reading takes: exact, unlike time."""
    calls = 0

    def profile(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    read_plan(path, data, nothing)
    sys.setprofile(profile)
    try:
        read_plan(path, data, nothing)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "line",
    [
        "# " + "#" * 60_000 + "x",
        "# " + "# " * 30_000 + "x",
        "|" + " " * 60_000 + "x",
        "- [ ] a" + " " * 60_000 + "x",
        "- [ ] " + "A - " * 20_000 + "x",
        "- [ ] " + "(" * 60_000,
        "### Phase 1" + ".1" * 30_000 + "-2",
        "### Phase 1" + ": " * 30_000 + "x",
        "## Phases\n1. " + " - a" * 20_000,
        " " * 60_000 + "x",
        "**" * 30_000,
        "**a:** b " * 10_000,
        "⚠️" * 20_000 + "block" * 10_000,
        "<!--" * 20_000,
    ],
)
@pytest.mark.parametrize("path", ["task_plan.md", ".agent-os/specs/x/tasks.md"])
def test_no_line_sends_a_pattern_round_in_circles(path: str, line: str) -> None:
    # A quadratic pattern would take minutes here; a linear one takes no time worth measuring.
    checked(path, f"# Plan\n{line}\n".encode())
