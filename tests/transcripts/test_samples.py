"""Transcripts that real clients wrote in scripted runs, with what is known to be in them.

They are not part of the repository: `AGENT_PROGRESS_TRANSCRIPTS` names their directory.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from progress_plugin.transcripts.clients.opencode import read_lines
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.transcript import transcript_lines
from tests.transcripts.recorded import record_of_lines, requests_of

_NAMED = os.environ.get("AGENT_PROGRESS_TRANSCRIPTS", "")
SAMPLES = Path(_NAMED) if _NAMED else None
ROOT = "/home/me/harbour"

pytestmark = pytest.mark.skipif(
    SAMPLES is None or not SAMPLES.is_dir(), reason="AGENT_PROGRESS_TRANSCRIPTS names no directory of samples"
)


def read(client: str, name: str) -> SessionRecord:
    """Return the record of one sample."""
    assert SAMPLES is not None
    return record_at(client, "sample", str(SAMPLES / name))


def record_at(client: str, session: str, path: str) -> SessionRecord:
    """Return the record of a session's transcript."""
    lines = read_lines(path, session) if client == "opencode" else transcript_lines(path)
    return record_of_lines(client, lines, ROOT)


@pytest.mark.parametrize(
    ("client", "name", "closing", "open_task"),
    [
        ("claude", "claude-code-2.1.330.jsonl", "LOW is back to 0.7, the test passes now.", "pending"),
        ("claude", "claude-code-2.1.197.jsonl", "LOW is back to 0.7, the test passes now.", "pending"),
        ("codex", "codex-0.169.0.jsonl", "LOW is back to 0.7, the test passes now.", "in_progress"),
        ("copilot", "copilot-1.0.102/events.jsonl", "LOW is back to 0.7, the test passes now.", ""),
        ("gemini", "gemini-0.61.0.jsonl", "LOW is back to 0.7, the test passes now.", "in_progress"),
    ],
)
def test_the_full_run_is_told_alike_by_every_client(
    client: str, name: str, closing: str, open_task: str
) -> None:
    record = read(client, name)
    typed = [request.text for request in record.requests if not request.text.startswith("/")]
    assert typed == [
        "Add a tide table to the harbour project and commit it.",
        "Fix the failing test: LOW must be 0.7.",
    ]
    assert [(file.path, file.times, file.created) for file in record.files.values()] == [
        ("tides.py", 3, True)
    ]
    if open_task:
        tasks = [(task.text, task.status) for task in record.tasks.values()]
        assert tasks == [("Write tide table", "completed"), ("Run checks", open_task)]
    assert record.closing == closing


def test_a_request_typed_while_the_agent_worked_counts_and_a_notification_does_not() -> None:
    record = read("claude", "claude-code-2.1.330-queued.jsonl")
    assert requests_of(record) == [
        "First request: look around the harbour.",
        "Second request: go on.",
    ]


def test_a_withdrawn_request_is_one_too() -> None:
    record = read("claude", "claude-code-2.1.330-interactive.jsonl")
    assert requests_of(record) == [
        "run the slow thing",
        "go on differently",
        "ask slowly",
        "ask slowly/rename harbour walk",
        "third prompt",
    ]


def test_what_runs_inside_of_code_is_told_by_its_items() -> None:
    record = read("codex", "codex-0.169.0-codemode.jsonl")
    assert [file.path for file in record.files.values()] == ["quay.py"]


def opencode(name: str, folder: Path) -> SessionRecord:
    """Return the record of the main session in a dump of OpenCode's database."""
    assert SAMPLES is not None
    path = folder / "opencode.db"
    with closing(sqlite3.connect(path)) as store:
        store.executescript((SAMPLES / name).read_text("utf-8"))
        (session,) = store.execute("select id from session where parent_id is null").fetchone()
    return record_at("opencode", session, str(path))


def test_opencodes_full_run_is_told_like_that_of_every_client(tmp_path: Path) -> None:
    record = opencode("opencode-1.18.33.sql", tmp_path)
    assert requests_of(record) == [
        "Add a tide table to the harbour project and commit it.",
        "Fix the failing test: LOW must be 0.7.",
        "Provoke compaction",
    ]
    assert [(file.path, file.times, file.created) for file in record.files.values()] == [
        ("tides.py", 3, True)
    ]
    tasks = [(task.text, task.status) for task in record.tasks.values()]
    assert tasks == [("Write tide table", "completed"), ("Run checks", "in_progress")]
    assert record.closing == "Done after compaction."


def test_a_fork_of_opencodes_tells_what_came_after_it(tmp_path: Path) -> None:
    record = opencode("opencode-1.18.33-fork.sql", tmp_path)
    assert not record.files
    assert record.asked == 1


def test_the_orders_of_a_subagent_of_opencodes_are_no_request(tmp_path: Path) -> None:
    record = opencode("opencode-1.18.33-subagent.sql", tmp_path)
    assert requests_of(record) == ["Look around"]
    assert record.closing == "All done."
