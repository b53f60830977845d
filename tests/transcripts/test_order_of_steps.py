"""Only a check that began after the last edit proves anything, even if both are close in time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from progress_plugin.transcripts.events import CommandRun, FileEdit
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.usecases.evidence import Completion, evidence_of
from tests.transcripts.recorded import record_of_events, record_of_lines

STALE, VERIFIED = "claimed, pytest ran before the last edit only", "verified: pytest passed"
SECOND = datetime(2026, 11, 20, 9, 0, 5, tzinfo=UTC).timestamp()


def record_of(client: str, lines: Sequence[dict[str, Any]]) -> SessionRecord:
    return record_of_lines(client, lines)


def proof(record: SessionRecord, after: float = 60) -> str:
    found = evidence_of(record.steps, Completion(SECOND + after))
    assert found is not None
    assert (found.words() == STALE) == record.is_outdated(record.checks["pytest"])
    return found.words()


def at(second: str) -> str:
    return f"2026-11-20T09:00:{second}Z"


def gemini_call(tool: str, number: int) -> dict[str, Any]:
    shell = {"command": "pytest -q"}
    edit = {"file_path": "/p/tides.py"}
    return {
        "id": f"call_{number}",
        "name": tool,
        "args": shell if tool == "run_shell_command" else edit,
        "status": "success",
        "timestamp": at("05.131"),  # both are dated to the end of the last one
        "resultDisplay": "3 passed in 0.02s" if tool == "run_shell_command" else {"filePath": "/p/tides.py"},
    }


@pytest.mark.parametrize(
    ("tools", "words"),
    [(["run_shell_command", "replace"], STALE), (["replace", "run_shell_command"], VERIFIED)],
)
def test_of_calls_with_one_time_the_order_decides(tools: list[str], words: str) -> None:
    calls = [gemini_call(tool, number) for number, tool in enumerate(tools)]
    told = {"type": "gemini", "id": "m", "timestamp": at("05.000"), "content": "", "toolCalls": calls}
    assert proof(record_of("gemini", [told])) == words


def claude_call(name: str, tool: str, second: str, **given: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": name, "name": tool, "input": given}
    return {"type": "assistant", "timestamp": at(second), "cwd": "/p", "message": {"content": [block]}}


def claude_result(name: str, second: str, told: dict[str, Any], text: str = "3 passed") -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": name, "content": text}
    return {
        "type": "user",
        "timestamp": at(second),
        "cwd": "/p",
        "message": {"content": [block]},
        "toolUseResult": told,
    }


EDITED: dict[str, Any] = {"filePath": "tides.py", "oldString": "a"}
PASSED: dict[str, Any] = {"stdout": "3 passed", "stderr": "", "interrupted": False}


def test_a_check_in_the_background_proves_nothing_of_what_is_edited_while_it_runs() -> None:
    notice = "<task-notification><tool-use-id>b</tool-use-id> completed (exit code 0)</task-notification>"
    lines = [
        claude_call("a", "Write", "01.000", file_path="/p/tides.py"),
        claude_result("a", "01.100", EDITED),
        claude_call("b", "Bash", "02.000", command="pytest -q"),
        claude_result("b", "02.100", {"backgroundTaskId": "x"}, "running"),
        claude_call("c", "Edit", "03.000", file_path="/p/tides.py"),
        claude_result("c", "03.100", EDITED),
        {"type": "user", "timestamp": at("04.000"), "message": {"content": notice}},
    ]
    assert proof(record_of("claude", lines)) == STALE
    assert proof(record_of("claude", [*lines[:4], *lines[6:]])) == VERIFIED


def test_an_edit_and_a_check_that_are_called_at_once_run_one_after_the_other() -> None:
    lines = [
        claude_call("a", "Edit", "01.000", file_path="/p/tides.py"),
        claude_call("b", "Bash", "01.001", command="pytest -q"),
        claude_result("a", "01.300", EDITED),
        claude_result("b", "03.000", PASSED),
    ]
    assert proof(record_of("claude", lines)) == VERIFIED
    assert proof(record_of("claude", [lines[1], lines[0], lines[2], lines[3]])) == STALE


def test_a_check_that_runs_beside_an_edit_proves_nothing_of_it() -> None:
    def event(kind: str, second: str, **data: Any) -> dict[str, Any]:
        return {"type": f"tool.execution_{kind}", "timestamp": at(second), "data": data}

    lines = [
        event("start", "01.000", toolCallId="a", toolName="bash", arguments={"command": "pytest -q"}),
        event("start", "01.002", toolCallId="b", toolName="edit", arguments={"path": "/p/tides.py"}),
        event("complete", "01.050", toolCallId="b", fileEdits=[{"path": "/p/tides.py", "kind": "edit"}]),
        event(
            "complete",
            "01.900",
            toolCallId="a",
            shellExecution={"exitCode": 0},
            result={"content": "3 passed"},
        ),
    ]
    assert proof(record_of("copilot", lines)) == STALE


def test_a_command_that_goes_on_while_its_agent_edits_proves_nothing_of_the_edit() -> None:
    def response(second: str, **payload: Any) -> dict[str, Any]:
        return {"type": "response_item", "timestamp": at(second), "payload": payload}

    def completed(second: str, **item: Any) -> dict[str, Any]:
        told = {"type": "item_completed", "item": item}
        return {"type": "event_msg", "timestamp": at(second), "payload": told}

    command = {"type": "CommandExecution", "command": ["bash", "-lc", "pytest -q"], "exit_code": 0}
    patch = {"type": "FileChange", "id": "p", "changes": {"/p/tides.py": {"type": "update"}}}
    begun = completed("00.500", type="UserMessage", content=[{"type": "text", "text": "Go on."}])
    called = response("01.000", type="function_call", name="exec_command", call_id="c", arguments="{}")
    yielded = response("02.000", type="function_call_output", call_id="c", output="still running")
    patching = response("03.000", type="custom_tool_call", name="apply_patch", call_id="p", input="")
    patched = completed("03.100", **patch)
    ended = completed("04.000", id="c", aggregated_output="3 passed", **command)
    assert proof(record_of("codex", [begun, called, yielded, patching, patched, ended])) == STALE
    assert proof(record_of("codex", [begun, patching, called, patched, ended])) == VERIFIED


def test_what_failed_in_the_second_of_the_completion_before_is_not_forgotten() -> None:
    record = record_of_events(
        FileEdit(at("01.000"), "/p/pier.py"),
        CommandRun(at("05.500"), "pytest -q", 1, "1 failed"),
        FileEdit(at("05.600"), "/p/tides.py"),
        CommandRun(at("06.500"), "ruff check .", 0),
    )
    found = evidence_of(record.steps, Completion(SECOND + 3), [SECOND])
    assert found is not None
    assert found.words() == STALE
