"""No content of a transcript makes reading it fail."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from progress_plugin.core.project import Project
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.transcript import read_events, transcript_lines
from tests.transcripts.claude_transcript import ClaudeTranscript
from tests.transcripts.recorded import kept, record_of_lines

NAMES = [
    "type", "message", "content", "toolUseResult", "payload", "data", "item", "toolCalls", "result",
    "arguments", "changes", "plan", "todos", "input", "timestamp", "id", "call_id", "name", "source",
    "tool_use_id", "is_error", "role", "uuid", "cwd", "attachment", "prompt", "fileEdits",
]  # fmt: skip
KINDS = [
    "user", "assistant", "attachment", "system", "event_msg", "response_item", "session_meta",
    "item_completed", "function_call", "user.message", "tool.execution_start", "tool.execution_complete",
    "gemini", "tool_result", "tool_use", "text", "Bash", "Write", "CommandExecution", "FileChange",
    "update_plan", "apply_patch", "run_shell_command", "write_todos", "TodoWrite", "queued_command",
]  # fmt: skip


@pytest.fixture
def whole(told: ClaudeTranscript) -> bytes:
    told.asks("Build the pier.")
    told.plans("1", "Piles", "completed")
    told.writes("pier.py", new=True)
    told.runs("pytest -q | tail", 1, "1 failed")
    told.is_compacted()
    told.says("It does not hold.")
    return told.path.read_bytes()


def read_bytes(path: Path, data: bytes, root: str) -> SessionRecord:
    path.write_bytes(data)
    return record_of_lines("claude", transcript_lines(str(path)), root)


def test_a_transcript_cut_anywhere_is_read_as_far_as_it_goes(
    project: Project, told: ClaudeTranscript, whole: bytes
) -> None:
    for length in range(0, len(whole), 7):
        record = read_bytes(told.path, whole[:length], project.root)
        assert record.asked <= 1
        assert set(record.files) <= {"pier.py"}


def test_a_transcript_of_any_bytes_breaks_nothing(
    project: Project, told: ClaudeTranscript, whole: bytes
) -> None:
    chance = random.Random(17)
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 40)):
            place = chance.randrange(len(data))
            data[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        record = read_bytes(told.path, bytes(data), project.root)
        assert kept(record) == record


@pytest.mark.parametrize("client", ["claude", "codex", "copilot", "gemini"])
def test_records_of_any_shape_break_no_reader(client: str, project: Project) -> None:
    chance = random.Random(4)

    def anything(depth: int) -> object:
        if depth == 0 or chance.random() < 0.3:
            return chance.choice([None, True, 7, -1.5, "", "Exit code 3\nx", "\ud83d", [], {}, *KINDS])
        if chance.random() < 0.4:
            return [anything(depth - 1) for _ in range(chance.randrange(4))]
        return {chance.choice(NAMES): anything(depth - 1) for _ in range(chance.randrange(7))}

    for _ in range(250):
        lines = [
            {chance.choice(NAMES): anything(4) for _ in range(8)} | {"type": chance.choice(KINDS)}
            for _ in range(4)
        ]
        record_of_lines(client, lines, project.root)


@pytest.mark.parametrize("name", ["/quay/\x00.py", "/quay/\ud83d.py", "\x00", "/" + "q" * 5000])
def test_what_cannot_be_the_name_of_a_file_is_not_in_the_project(name: str, project: Project) -> None:
    written = {"type": "FileChange", "changes": {name: {"type": "add"}}}
    line = {"type": "event_msg", "payload": {"type": "item_completed", "item": written}}
    assert list(read_events("codex", [line]))
    assert record_of_lines("codex", [line], project.root).files == {}
