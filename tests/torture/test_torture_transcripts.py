"""A client's transcript is read as far as it goes, whatever has become of it; no secret of it is kept."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.summary.session_section import describe, section
from progress_plugin.transcripts.clients.opencode import read_lines
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.transcript import transcript_lines
from tests.torture.figures import SECONDS
from tests.torture.mutation import damaged, mutated, other_value
from tests.transcripts import client_sessions
from tests.transcripts.client_sessions import CLIENTS, MARK, OURS, SECRET
from tests.transcripts.recorded import kept, record_of_lines

_LAST = 5 * 1024
_MUTATED = 17_000 if SECONDS else 150
"""Mutated transcripts of each client: 100,000 in all in a long run."""
_SECRET = re.compile(f"(?<![A-Za-z0-9]){SECRET}")
"""It begins where a word begins: letters in front of it, which no client puts there, make it another word."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "harbour"
    (root / ".agent-os/progress").mkdir(parents=True)
    return find_project(str(root))


def _ours(client: str) -> bytes:
    """Return what we printed as a transcript has it: where it is not whole any more, nobody could know it."""
    whole = json.dumps(OURS, ensure_ascii=False)[1:-1]
    return (f"<hook_context>{whole}" if client == "gemini" else whole).encode()


def name_of(client: str) -> str:
    return client.partition(" ")[0]


def read(client: str, path: Path, root: str) -> SessionRecord:
    """Return the record of a transcript."""
    client = name_of(client)
    lines = read_lines(str(path), "any") if client == "opencode" else transcript_lines(str(path))
    return record_of_lines(client, lines, root)


def told(record: SessionRecord) -> str:
    """Return all that is kept of a session, and all that is shown of it."""
    again = kept(record)
    shown = [section(record, running=running) for running in (True, False)]
    return json.dumps([record.model_dump(), *shown, describe(again)], ensure_ascii=False)


@pytest.mark.slow
def test_a_database_cut_at_any_byte_tells_what_it_tells_or_nothing(project: Project, tmp_path: Path) -> None:
    path = client_sessions.write("opencode", tmp_path / "home", Path(project.root))
    whole = path.read_bytes()
    step = 1 if SECONDS else 13
    cuts = range(len(whole) - _LAST, len(whole), step)
    for length in cuts:
        path.write_bytes(whole[:length])
        text = told(read("opencode", path, project.root))
        assert SECRET not in text
        assert path.read_bytes() == whole[:length]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_transcript_with_anything_wrong_in_it_breaks_nothing_and_gives_no_secret_away(
    client: str, project: Project, tmp_path: Path
) -> None:
    path = client_sessions.write(client, tmp_path / "home", Path(project.root))
    whole = path.read_bytes()
    text = told(read(client, path, project.root))
    assert "pier.py" in text
    assert "REDACTED" in text
    for seed in range(_MUTATED):
        chance = random.Random(seed)
        if client == "opencode":
            path.write_bytes(damaged(whole, chance) if seed % 2 else whole)
            if not seed % 2:
                _other_rows(path, chance)
        else:
            path.write_bytes(mutated(whole, chance))
        text = told(read(client, path, project.root))
        assert not _SECRET.search(text), seed
        assert MARK not in text or MARK.encode() in path.read_bytes().replace(_ours(client), b""), seed


def _other_rows(path: Path, chance: random.Random) -> None:
    """Change values in the rows of a database, of any table and column."""
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        for _ in range(chance.randrange(1, 4)):
            table = chance.choice(("part", "part", "message", "session"))
            number, *row = chance.choice(store.execute(f"select rowid, * from {table}").fetchall())
            columns = [each[1] for each in store.execute(f"pragma table_info({table})")]
            place = chance.randrange(1, len(row))
            value = row[place]
            if isinstance(value, str) and value.startswith("{"):
                value = json.dumps(other_value(json.loads(value), chance))
            else:
                value = chance.choice((None, -1, 2**62, 1.5, "", "x" * 9000, b"\xff\x00", "/etc"))
            store.execute(f"update {table} set {columns[place]} = ? where rowid = ?", (value, number))


@pytest.mark.parametrize("space", ["x ", " ", "\n"])
@pytest.mark.parametrize("before", [0, 40, 60, 3_990, 7_980, 8_000])
@pytest.mark.parametrize("after", [0, 580, 7_980, 8_010, 19_980])
def test_a_secret_that_a_bound_would_cut_is_redacted_first(
    space: str, before: int, after: int, project: Project
) -> None:
    words = f"{space * (before // len(space))}{SECRET}{space[::-1] * (after // len(space))}"
    line = json.dumps({"cmd": f"pytest {words}"})
    printed = f"Process exited with code 1\nOutput:\nError: {words}"
    events = (
        ("event_msg", {"type": "user_message", "message": words}),
        ("event_msg", {"type": "agent_message", "message": words}),
        ("response_item", {"type": "function_call", "name": "shell", "call_id": "1", "arguments": line}),
        ("response_item", {"type": "function_call_output", "call_id": "1", "output": printed}),
    )
    lines = [{"type": kind, "payload": payload} for kind, payload in events]
    text = told(record_of_lines("codex", lines, project.root))
    for length in range(len(SECRET) - 12):
        assert SECRET[length : length + 12] not in text, length
