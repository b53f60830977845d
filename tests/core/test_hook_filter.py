"""Which events concern us, judged by a glance at their bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.fast.hook_filter import concerns_us
from progress_plugin.core.fast.hook_input import field

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=20) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


def _tool(**tool_input: Any) -> bytes:
    return json.dumps({"session_id": "s", "tool_input": tool_input, "tool_response": {"ok": True}}).encode()


@pytest.mark.parametrize(
    "path",
    [
        "/p/prd.json",
        "/p/tasks/progress.md",
        "C:\\work\\prd.json",
        "/p/.beads/issues.jsonl",
        "/p/specs/x/tasks.md",
    ],
)
def test_an_edit_of_a_plan_or_log_concerns_us(path: str) -> None:
    assert concerns_us("PostToolUse", _tool(file_path=path, content='say "git commit"'))


@pytest.mark.parametrize("path", ["/p/main.py", "/p/prd.json.bak", "/p/my-progress.md", "/prd.json/readme"])
def test_an_edit_of_anything_else_does_not(path: str) -> None:
    assert not concerns_us(
        "PostToolUse", _tool(file_path=path, content='"file_path": "prd.json", git commit')
    )


@pytest.mark.parametrize(
    "command", ["git commit -m x", "git -c a=b commit", "cd x && X=1 git commit", "git -C d commit"]
)
def test_a_commit_concerns_us(command: str) -> None:
    assert concerns_us("PostToolUse", _tool(command=command))


def test_any_other_command_does_not() -> None:
    assert not concerns_us("PostToolUse", _tool(command="ls -la && make test"))


@given(value=st.text(max_size=60), other=st.dictionaries(st.text(max_size=9), ANY_JSON, max_size=4))
def test_a_field_is_read_as_json_reads_it(value: str, other: dict[str, Any]) -> None:
    event = {**other, "source": value}
    event.pop("nested", None)
    told = json.dumps({"source": value, "nested": other}, ensure_ascii=bool(len(value) % 2)).encode(
        "utf-8", "surrogatepass"
    )
    expected = value or None
    if expected is not None and any("\ud800" <= char <= "\udfff" for char in value):
        return
    assert field(told, b"source") == expected


@given(raw=st.binary(max_size=200))
def test_no_bytes_make_the_gate_fail(raw: bytes) -> None:
    for event in ("PostToolUse", "Stop", "TaskCompleted", "SessionEnd", ""):
        concerns_us(event, raw)
