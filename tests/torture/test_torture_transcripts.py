"""A damaged transcript is read as far as possible; no secret in it is kept."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.summary.session_section import describe, section
from progress_plugin.transcripts.clients.opencode import read_lines
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.transcript import transcript_lines
from tests.torture.figures import SECONDS
from tests.transcripts import client_sessions
from tests.transcripts.client_sessions import CLIENTS, SECRET
from tests.transcripts.recorded import kept, record_of_lines

_DAMAGED = 17_000 if SECONDS else 60
"""Damaged transcripts of each client."""
_WHOLE_SECRET = re.compile(f"(?<![A-Za-z0-9]){SECRET}")
"""It begins where a word begins: letters in front of it, which no client puts there, make it another word."""
_PIECES = (
    b"", b"\n", b"\x00" * 40, b"\xff\xfe", b"{", b"}", b"[" * 3000, b'{"a":' * 2000, b'"', b"\\", b"\\ud83d", b"null",
    b"1e999", b"9" * 400, b'"type":"user"', b'"cwd":"/etc"', b"</hook_context>", b"<hook_context>", b"x" * 20_000,
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    return find_project(str(root))


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return a file with one to four things wrong in it: bytes replaced or put in between, or its end cut off."""
    for _ in range(chance.randrange(1, 5)):
        place = chance.randrange(len(data) + 1)
        end = place + chance.choice((0, 0, 1, 5, 200))
        data = data[:place] + (chance.choice(_PIECES) + data[end:] if chance.random() < 0.8 else b"")
    return data


def told(client: str, path: Path, root: str) -> str:
    """Return all that is kept of a session, and all that is shown of it."""
    name = client.partition(" ")[0]
    lines = read_lines(str(path), "any") if name == "opencode" else transcript_lines(str(path))
    return told_of(record_of_lines(name, lines, root))


def told_of(record: SessionRecord) -> str:
    shown = [section(record, running=running) for running in (True, False)]
    return json.dumps([record.to_data(), *shown, describe(kept(record))], ensure_ascii=False)


def test_a_transcript_with_anything_wrong_in_it_breaks_nothing_and_gives_no_secret_away(
    project: Project, tmp_path: Path
) -> None:
    for client in CLIENTS:
        path = client_sessions.write(client, tmp_path / client, Path(project.root))
        whole = path.read_bytes()
        text = told(client, path, project.root)
        assert "pier.py" in text
        assert "REDACTED" in text
        for seed in range(_DAMAGED):
            path.write_bytes(damaged(whole, random.Random(seed)))
            assert not _WHOLE_SECRET.search(told(client, path, project.root)), (client, seed)


def test_a_secret_that_a_bound_would_cut_is_redacted_first(project: Project) -> None:
    for before, after in ((0, 0), (40, 580), (60, 7_980), (3_990, 8_010), (7_980, 19_980), (8_000, 0)):
        words = f"{'x ' * (before // 2)}{SECRET}{' x' * (after // 2)}"
        ran = {"command": f"pytest {words}", "aggregated_output": f"Error: {words}", "exit_code": 1}
        content = [{"type": "text", "text": words}]
        items = [
            {"type": "UserMessage", "content": content},
            {"type": "AgentMessage", "content": content},
            {"type": "CommandExecution", **ran},
        ]
        completed = ({"type": "item_completed", "item": item} for item in items)
        lines = [{"type": "event_msg", "payload": payload} for payload in completed]
        text = told_of(record_of_lines("codex", lines, project.root))
        for length in range(len(SECRET) - 12):
            assert SECRET[length : length + 12] not in text, (before, after, length)
