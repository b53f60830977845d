"""Whatever stands in a transcript breaks no reading of it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from progress_plugin.core.project import Project
from progress_plugin.core.session_state import note_begun
from progress_plugin.transcripts.begun_transcripts import (
    begun_transcripts,
    end_begun,
)
from progress_plugin.transcripts.clients.readers import reader_of
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.transcript_files import is_of
from progress_plugin.transcripts.transcript_lines import Place
from tests.transcripts.claude_transcript import ClaudeTranscript


def test_a_transcript_cut_anywhere_is_read_as_far_as_it_goes(
    project: Project, told: ClaudeTranscript
) -> None:
    told.asks("Build the pier.")
    told.writes("pier.py", new=True)
    told.runs("pytest", 1, "1 failed")
    told.says("It does not hold.")
    whole = told.path.read_bytes()
    for length in range(len(whole)):
        record = _read_bytes(told.path, whole[:length], project.root)
        assert record.asked <= 1
        assert set(record.files) <= {"pier.py"}


def test_a_transcript_of_any_bytes_breaks_nothing(project: Project, told: ClaudeTranscript) -> None:
    told.asks("Build the pier.")
    told.plans("1", "Piles", "completed")
    told.writes("pier.py", new=True)
    told.runs("pytest -q | tail", 0, "3 passed")
    told.is_compacted()
    whole = told.path.read_bytes()
    chance = random.Random(17)
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 40)):
            place = chance.randrange(len(data))
            data[place : place + chance.randrange(3)] = bytes(
                chance.randrange(256) for _ in range(chance.randrange(3))
            )
        record = _read_bytes(told.path, bytes(data), project.root)
        assert SessionRecord.from_json(json.loads(json.dumps(record.as_json())), project.root) is not None


@pytest.mark.parametrize("client", ["claude", "codex", "copilot", "gemini"])
def test_records_of_any_shape_break_no_reader(client: str, project: Project) -> None:
    names = [
        "type",
        "message",
        "content",
        "toolUseResult",
        "payload",
        "data",
        "item",
        "toolCalls",
        "result",
        "arguments",
        "changes",
        "plan",
        "todos",
        "input",
        "timestamp",
        "id",
        "call_id",
        "name",
        "source",
        "tool_use_id",
        "is_error",
        "role",
        "uuid",
        "cwd",
        "attachment",
        "prompt",
        "fileEdits",
        "told",
        "calls",
    ]
    kinds = [
        "user",
        "assistant",
        "attachment",
        "system",
        "event_msg",
        "response_item",
        "session_meta",
        "item_completed",
        "function_call",
        "user.message",
        "tool.execution_start",
        "tool.execution_complete",
        "gemini",
        "tool_result",
        "tool_use",
        "text",
        "Bash",
        "Write",
        "CommandExecution",
        "FileChange",
        "update_plan",
        "apply_patch",
        "run_shell_command",
        "write_todos",
        "TodoWrite",
        "queued_command",
    ]
    chance = random.Random(4)

    def anything(depth: int) -> object:
        if depth == 0 or chance.random() < 0.3:
            return chance.choice([None, True, 7, -1.5, "", "Exit code 3\nx", "\ud83d", [], {}, *kinds])
        if chance.random() < 0.4:
            return [anything(depth - 1) for _ in range(chance.randrange(4))]
        return {chance.choice(names): anything(depth - 1) for _ in range(chance.randrange(7))}

    for _ in range(2000):
        reader = reader_of(client, anything(2))
        record = SessionRecord(client, "any", project.root)
        for _ in range(4):
            told = {chance.choice(names): anything(4) for _ in range(8)} | {"type": chance.choice(kinds)}
            reader.directory(told)
            for event in reader.events(told):
                record.take(event)
        json.dumps([record.as_json(), reader.carried]).encode("utf-8")


@pytest.mark.parametrize("name", ["/quay/\x00.py", "/quay/\ud83d.py", "\x00", "/" + "q" * 5000])
def test_what_is_no_name_of_a_file_is_one_outside(name: str, project: Project) -> None:
    record = SessionRecord("codex", "any", project.root)
    written = {"type": "patch_apply_end", "success": True, "changes": {name: {"type": "add"}}}
    for event in reader_of("codex", None).events({"type": "event_msg", "payload": written}):
        record.take(event)
    assert (record.files, record.outside) == ({}, 1)
    json.dumps(record.as_json()).encode()
    assert not is_of(project, name)


def _read_bytes(path: Path, data: bytes, root: str) -> SessionRecord:
    path.write_bytes(data)
    record, reader = SessionRecord("claude", "any", root), reader_of("claude", None)
    for line in Place(str(path)).lines():
        for event in reader.events(line):
            record.take(event)
    return record


@pytest.mark.parametrize("path", ["/x\0y", "x\0y"])
def test_a_null_byte_in_what_a_client_names_is_no_error(path: str, project: Project, home: Path) -> None:
    note_begun(project.root, "codex", "ok", path)
    assert begun_transcripts(project) == []
    end_begun(project, "codex", "\0a")
    end_begun(project, "codex", "ok")
