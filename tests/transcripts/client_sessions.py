"""The same session as each client writes it, with secrets in every place and with what our own hooks printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.summary.start_context import head
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.opencode_database import OpenCodeDatabase

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
MARK = "lantern-of-our-own"
OURS = f"{head('Harbour')}# Progress Summary: {MARK}\n{END_OF_CONTEXT}\n"
REQUEST = f"Build the pier, the token is {SECRET}, go."
CLOSING = f"One test fails; I used {SECRET} for it."
COMMAND = f"TOKEN={SECRET} pytest tests"
OUTPUT = f"E   AssertionError: {SECRET} != 3.5\n1 failed, 2 passed in 0.1s"
TASKS = [("Drive the piles", "completed"), (f"Rotate {SECRET}", "in_progress")]
CLIENTS = ("claude", "codex", "codex old", "copilot", "gemini", "opencode")


def write(client: str, home: Path, root: Path, *, rounds: int = 1) -> Path:
    """Write the session of a client, its work so many times over; return its file."""
    if client == "claude":
        return _claude(home, root, rounds)
    if client == "opencode":
        return _opencode(home, root, rounds)
    records = {"codex": _codex, "codex old": _old_codex, "copilot": _copilot, "gemini": _gemini}[client]
    folder = home / client.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    if client == "gemini":
        (folder / ".project_root").write_text(str(root), "utf-8")
        folder /= "chats"
        folder.mkdir(exist_ok=True)
    path = folder / "session.jsonl"
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in _numbered(records(root, rounds))]
    path.write_bytes("".join(lines).encode())
    return path


def _numbered(records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for number, record in enumerate(records):
        yield {"timestamp": f"2026-11-20T09:{number // 60 % 60:02}:{number % 60:02}.000Z", **record}


def _claude(home: Path, root: Path, rounds: int) -> Path:
    told = ClaudeTranscript(home, root, "any")
    told.injects(OURS)
    told.asks(REQUEST)
    for number in range(rounds):
        told.writes("pier.py", new=number == 0)
        told.runs(COMMAND, 1, OUTPUT)
    for number, (text, status) in enumerate(TASKS):
        told.plans(str(number), text, status)
    told.says(CLOSING)
    return told.path


def _opencode(home: Path, root: Path, rounds: int) -> Path:
    made = OpenCodeDatabase(home / "opencode.db", root)
    made.begins("any")
    made.asks("any", REQUEST, {"type": "text", "text": OURS, "synthetic": True})
    for number in range(rounds):
        made.writes("any", "pier.py", new=number == 0)
        made.runs("any", COMMAND, 1, OUTPUT)
    todos = [{"content": text, "status": status} for text, status in TASKS]
    made.calls("any", "todowrite", {"todos": todos})
    made.says("any", CLOSING)
    made.close()
    return made.path


def _codex(root: Path, rounds: int) -> Iterator[dict[str, Any]]:
    yield {
        "type": "session_meta",
        "payload": {"id": "any", "cwd": str(root), "source": "exec", "git": {"branch": "main"}},
    }
    yield _response(type="message", role="developer", content=[{"type": "input_text", "text": OURS}])
    yield _item(type="UserMessage", id="1", content=[{"type": "text", "text": REQUEST}])
    for number in range(rounds):
        change = {"type": "update" if number else "add"}
        yield _item(type="FileChange", changes={str(root / "pier.py"): change}, status="completed")
        shell = ["/bin/bash", "-lc", COMMAND]
        yield _item(
            type="CommandExecution", command=shell, aggregated_output=OUTPUT, exit_code=1, status="failed"
        )
    yield _plan()
    yield _item(type="AgentMessage", content=[{"type": "Text", "text": CLOSING}])


def _old_codex(root: Path, rounds: int) -> Iterator[dict[str, Any]]:
    yield {"type": "session_meta", "payload": {"id": "any", "cwd": str(root), "source": "exec"}}
    yield _response(type="message", role="developer", content=[{"type": "input_text", "text": OURS}])
    yield {"type": "event_msg", "payload": {"type": "user_message", "message": REQUEST}}
    for number in range(rounds):
        change = {"type": "update" if number else "add"}
        changes = {str(root / "pier.py"): change}
        yield {
            "type": "event_msg",
            "payload": {"type": "patch_apply_end", "success": True, "changes": changes},
        }
        told = json.dumps({"cmd": COMMAND})
        yield _response(type="function_call", name="exec_command", arguments=told, call_id=f"c{number}")
        printed = f"Process exited with code 1\nOutput:\n{OUTPUT}"
        yield _response(type="function_call_output", call_id=f"c{number}", output=printed)
    yield _plan()
    yield {"type": "event_msg", "payload": {"type": "agent_message", "message": CLOSING}}


def _plan() -> dict[str, Any]:
    plan = json.dumps({"plan": [{"step": text, "status": status} for text, status in TASKS]})
    return _response(type="function_call", name="update_plan", arguments=plan, call_id="plan")


def _item(**item: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}


def _response(**payload: Any) -> dict[str, Any]:
    return {"type": "response_item", "payload": payload}


def _copilot(root: Path, rounds: int) -> Iterator[dict[str, Any]]:
    yield {
        "type": "session.start",
        "data": {"context": {"cwd": str(root), "branch": "main"}, "selectedModel": "m"},
    }
    yield {"type": "hook.end", "data": {"output": OURS}}
    yield {
        "type": "user.message",
        "id": "u1",
        "data": {"content": REQUEST, "transformedContent": f"{OURS}{REQUEST}"},
    }
    for number in range(rounds):
        edit, run = f"e{number}", f"r{number}"
        given = {"path": str(root / "pier.py")}
        yield {
            "type": "tool.execution_start",
            "data": {"toolCallId": edit, "toolName": "edit", "arguments": given},
        }
        edits = [{"path": str(root / "pier.py"), "kind": "edit" if number else "create"}]
        yield {
            "type": "tool.execution_complete",
            "data": {"toolCallId": edit, "success": True, "fileEdits": edits},
        }
        told = {"toolCallId": run, "toolName": "bash", "arguments": {"command": COMMAND}}
        yield {"type": "tool.execution_start", "data": told}
        ended = {"success": True, "shellExecution": {"exitCode": 1}, "result": {"content": OUTPUT}}
        yield {"type": "tool.execution_complete", "data": {"toolCallId": run, **ended}}
    yield {"type": "assistant.message", "data": {"content": CLOSING}}


def _gemini(root: Path, rounds: int) -> Iterator[dict[str, Any]]:
    yield {"sessionId": "any", "kind": "main"}
    asked = f"<hook_context>{OURS}</hook_context>{REQUEST}"
    yield {"type": "user", "id": "u1", "content": [{"text": asked}]}
    for number in range(rounds):
        path = str(root / "pier.py")
        write = _call(
            f"w{number}", "write_file", {"file_path": path}, {"filePath": path, "isNewFile": number == 0}
        )
        run = _call(f"r{number}", "run_shell_command", {"command": COMMAND}, OUTPUT)
        output = f"Output: {OUTPUT}\nExit Code: 1\n"
        run["result"] = [{"functionResponse": {"response": {"output": output}}}]
        yield {"type": "gemini", "id": f"g{number}", "content": "", "model": "m", "toolCalls": [write, run]}
    todos = [{"description": text, "status": status} for text, status in TASKS]
    yield {
        "type": "gemini",
        "id": "t",
        "content": "",
        "toolCalls": [_call("t", "write_todos", {"todos": todos}, "")],
    }
    yield {"type": "gemini", "id": "c", "content": CLOSING}


def _call(name: str, tool: str, given: Any, shown: Any) -> dict[str, Any]:
    return {"id": name, "name": tool, "args": given, "status": "success", "resultDisplay": shown}
