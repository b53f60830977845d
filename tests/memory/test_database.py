"""The database as a file: made, shared by processes, refused, imported."""

from __future__ import annotations

import json
import random
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused
from progress_plugin.core.paths import database_path
from progress_plugin.memory import database
from progress_plugin.memory.database import why_unusable
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.mem_compact import list_compactions, restore_compaction
from progress_plugin.usecases.memory.mem_progress import list_revisions, read_progress
from progress_plugin.usecases.memory.observations import import_memory
from tests.memory.calls import mem_save, mem_search
from tests.memory.conftest import NOW, Rows

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(__file__).with_name("data")


def test_it_is_in_the_user_data_directory_unless_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert database_path() == str(home / ".local" / "share" / "agent-progress" / "memory.db")
    monkeypatch.setenv("AGENT_PROGRESS_DB", "~/elsewhere.db")
    assert database_path() == str(home / "elsewhere.db")
    monkeypatch.delenv("AGENT_PROGRESS_DB")
    monkeypatch.delenv("HOME")
    assert mem_search(memory_location(), "c")["count"] == 0
    with pytest.raises(AgentProgressError, match="set AGENT_PROGRESS_DB"):
        mem_save(memory_location(), "t", "c", "d", now=NOW)


def test_it_is_made_private_and_has_the_columns_of_the_contract(tmp_path: Path) -> None:
    odd = MemoryLocation(database=str(tmp_path / "a?b#c%20 d" / "m.db"), root=None, names=("shop",))
    mem_save(odd, "t", "c", "d", now=NOW)
    assert mem_search(odd, "c")["count"] == 1
    path = Path(odd.database)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]
    with closing(sqlite3.connect(path)) as db:
        assert [row[1] for row in db.execute("PRAGMA table_info(observations)")] == [
            "id", "session_id", "type", "title", "content", "tool_name", "project", "scope", "topic_key", "namespace",
            "normalized_hash", "revision_count", "duplicate_count", "last_seen_at", "created_at", "updated_at",
            "deleted_at",
        ]  # fmt: skip
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize(
    "content", [b"text that is no database and long enough", b"SQLite format 3\0", 1, 99]
)
def test_another_file_or_format_is_refused_and_left_alone(
    place: MemoryLocation, rows: Rows, content: bytes | int
) -> None:
    path = Path(place.database)
    if isinstance(content, int):
        mem_save(place, "t", "c", "d", now=NOW)
        rows(f"PRAGMA user_version = {content}")
    else:
        path.parent.mkdir()
        path.write_bytes(content)
    before, reason = path.read_bytes(), str(why_unusable(place.database))
    assert reason.startswith(f"{path} ")
    assert "\n" not in reason
    for attempt in (lambda: mem_save(place, "t", "c", "d", now=NOW), lambda: mem_search(place, "c")):
        with pytest.raises(BadInput, match=re.escape(reason)):
            attempt()
    assert path.read_bytes() == before


def test_a_writer_that_waits_is_named(place: MemoryLocation, monkeypatch: pytest.MonkeyPatch) -> None:
    mem_save(place, "t", "c", "d", now=NOW)
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0.01)
    with closing(sqlite3.connect(place.database)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="another process"):
            mem_save(place, "t", "other", "d", now=NOW)
        assert mem_search(place, "c")["count"] == 1


def test_a_place_that_cannot_be_used_is_one_line_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    blocked = MemoryLocation(database=str(tmp_path / "file" / "m.db"), root=None, names=("shop",))
    assert why_unusable(str(tmp_path / "a" / "b" / "memory.db")) is None
    with pytest.raises(AgentProgressError, match="cannot be created"):
        mem_save(blocked, "t", "c", "d", now=NOW)
    missing = MemoryLocation(database=str(tmp_path / "m.db"), root=None, names=("shop",))
    assert list_revisions(missing, "shop", None) == list_compactions(missing) == []
    with pytest.raises(Refused, match="no memory database"):
        restore_compaction(missing, now=NOW)
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@pytest.mark.parametrize(
    "extra", ["sync_id TEXT,", "namespace TEXT,", ""], ids=["engram", "hoofy", "old hoofy"]
)
def test_the_live_rows_of_another_program_are_imported_once(
    place: MemoryLocation, tmp_path: Path, rows: Rows, extra: str
) -> None:
    source = tmp_path / "theirs.db"
    with closing(sqlite3.connect(source)) as db:
        db.executescript((DATA / "foreign.sql").read_text("utf-8").replace("{extra}", extra))
    before = source.read_bytes()
    with pytest.raises(BadInput, match="memory import FILE"):
        mem_search(MemoryLocation(database=str(source), root=None, names=("shop",)), "tides")
    assert import_memory(place, str(source), now=NOW) == {"imported": 2, "known": 0}
    assert import_memory(place, str(source), now=NOW) == {"imported": 0, "known": 2}
    assert mem_search(place, "season")["observations"][0]["title"] == "Tides"
    assert read_progress(place, "shop", None)["content"] == {"goal": "theirs"}
    assert rows("SELECT created_at FROM observations ORDER BY id")[1] == ("2026-04-01 10:00:00",)
    assert source.read_bytes() == before
    (tmp_path / "other.db").write_text("no database")
    with pytest.raises(BadInput, match="nothing was imported"):
        import_memory(place, str(tmp_path / "other.db"), now=NOW)


# Many processes


WORKER = """
import json, sys
from datetime import UTC, datetime
from progress_plugin.core.errors import Refused
from progress_plugin.usecases.memory.location import MemoryLocation
from tests.memory.calls import mem_compact, mem_progress, mem_save

place = MemoryLocation(database=sys.argv[1], root="/shop", names=("shop",))
sys.stdin.read(1)
for number in range(int(sys.argv[3])):
    item, now = f"{sys.argv[2]}-{number}", datetime.now(UTC)
    revision = mem_progress(place, "shop", {"completed": [item]}, base_revision=0, now=now)["revision"]
    print("revision", revision, item, flush=True)
    saved = mem_save(place, item, item, "decision", now=datetime(2020, 1, 1, tzinfo=UTC))["id"]
    print("saved", saved, item, flush=True)
    old = [one["id"] for one in mem_compact(place, 30, limit=5, now=now)["observations"]]
    try:
        taken = mem_compact(place, 30, compact_ids=old, summary_title=item, now=now) if old else None
    except Refused:
        continue  # another process was first
    if taken:
        print("compacted", taken["deleted"], json.dumps(old).replace(" ", ""), flush=True)
"""


def start(place: MemoryLocation, worker: str, rounds: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, place.database, worker, str(rounds)], cwd=REPOSITORY, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def reported(output: str, kind: str) -> list[tuple[int, str]]:
    lines = [line.split() for line in output.splitlines() if line.startswith(kind + " ")]
    return [(int(line[1]), line[2]) for line in lines if len(line) == 3]


def check(rows: Rows, output: str) -> None:
    """Compare the database with everything that a process was answered."""
    assert rows("PRAGMA integrity_check") == [("ok",)]
    revisions = rows("SELECT revision_count FROM observations WHERE type = 'progress' ORDER BY id")
    assert revisions == [(number,) for number in range(1, len(revisions) + 1)]
    [(live,)] = rows("SELECT content FROM observations WHERE type = 'progress' AND deleted_at IS NULL")
    assert {item for _, item in reported(output, "revision")} <= set(json.loads(live)["completed"])
    saved = dict(rows("SELECT id, title FROM observations WHERE type = 'decision'"))
    assert all(saved[number] == item for number, item in reported(output, "saved"))
    taken = Counter(number for _, ids in reported(output, "compacted") for number in json.loads(ids))
    gone = rows("SELECT id FROM observations WHERE type = 'decision' AND deleted_at IS NOT NULL")
    assert {(number,) for number in taken} <= set(gone)
    assert not taken or max(taken.values()) == 1


@pytest.mark.slow
def test_sixteen_processes_that_begin_at_once_lose_nothing(place: MemoryLocation, rows: Rows) -> None:
    processes = [start(place, f"w{number}", 2) for number in range(16)]
    outputs = [process.communicate("x") for process in processes]
    assert [error for _, error in outputs] == [""] * 16
    output = "".join(text for text, _ in outputs)
    assert len(reported(output, "revision")) == 32
    assert reported(output, "compacted")
    check(rows, output)


@pytest.mark.slow
def test_kills_at_any_instant_lose_nothing_that_was_answered(place: MemoryLocation, rows: Rows) -> None:
    chance, output = random.Random(4), ""
    for turn in range(3):
        processes = [start(place, f"w{turn}-{number}", 1000) for number in range(3)]
        for process in processes:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("x")
            process.stdin.flush()
            for _ in range(1 + chance.randrange(8)):
                output += process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        output += "".join(process.communicate()[0] for process in processes)
    check(rows, output)
