"""Each file of ours, as an older and as a newer version would leave it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import progress_plugin as version
from progress_plugin.core.errors import BadInput
from progress_plugin.core.paths import state_file
from progress_plugin.memory import database, migrations, schema
from progress_plugin.memory.compaction_log import Ledger
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search
from tests.conftest import REPOSITORY
from tests.torture.workplace import Workplace

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
OTHERS = pytest.mark.parametrize("step", [-1, 1], ids=["older", "newer"])


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """Return a project with an archived entry, a log, a plan and all that is made of them."""
    for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    place = Workplace(tmp_path / "lighthouse")
    place.plan(done=4)
    place.log("Light the lamp", "--task", "US-001")
    place.command("archive", "--days", "0", "--at-least", "1")
    place.log("Count the boats", "--task", "US-002")
    place.start()
    place.hooks.edited("prd.json")
    return place


@pytest.fixture
def memory(home: Path) -> MemoryLocation:
    """Return a memory with one observation."""
    place = MemoryLocation(database=str(home / "memory.db"), root=None, name="shop")
    mem_save(place, "Cache", "Keys carry the version", "decision", now=NOW)
    return place


def test_the_page_says_the_numbers_that_the_code_has() -> None:
    page = (REPOSITORY / "docs/file-formats.md").read_text("utf-8")
    section = page.split("## Versions\n", 1)[1].split("\n## ", 1)[0]
    numbers = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", section, re.MULTILINE))
    assert {name: number for name, number in numbers.items() if name != "File" and "---" not in name} == {
        "`progress.json`, `archive/YYYY-MM.json`": version.LOG_FORMAT,
        "`archive/index.json`": str(version.ARCHIVE_INDEX_FORMAT),
        "`start.json`": str(version.START_CACHE_FORMAT),
        "`file-notes.json`": str(version.FILE_INDEX_FORMAT),
        "`shared/**/*.json`": "–",
        "`team/state`, `team/fault`, `team/erased`, `team/memory`, `team/saved-…`": str(
            version.TEAM_STATE_FORMAT
        ),
        "`last-seen.json`": str(version.LAST_SEEN_FORMAT),
        "`spool/*.json`": "1",
        "`memory.db`": str(migrations.version()),
        "`compactions.jsonl`": "–",
        "`recall/` in the cache": str(version.RECALL_FORMAT),
    }


@OTHERS
def test_the_index_of_the_archive_is_made_again(workplace: Workplace, step: int) -> None:
    path = workplace.ours / "archive/index.json"
    made, context = path.read_bytes(), workplace.context()
    number = int(re.findall(rb'"format": (\d+)', made)[0])
    other = made.replace(b'"format": %d' % number, b'"format": %d' % (number + step))
    path.write_bytes(other)
    assert workplace.context() == context
    assert workplace.log("Oil the hinges") == 0
    assert b'"format": %d' % number in path.read_bytes()
    assert len(workplace.everything()) == 3


@OTHERS
def test_a_start_cache_is_made_again_and_nothing_of_it_is_printed(workplace: Workplace, step: int) -> None:
    path = Path(state_file(str(workplace.root), "start.json"))
    cache, context = json.loads(path.read_bytes()), workplace.context()
    made = f"{version.VERSION} {version.START_CACHE_FORMAT}"
    assert cache["version"] == made
    other = {**cache, "version": f"{version.VERSION} {version.START_CACHE_FORMAT + step}"}
    path.write_text(json.dumps(other).replace("Count", "Stale"))
    assert workplace.context() == context
    assert json.loads(path.read_bytes())["version"] == made


def test_an_event_in_a_newer_format_waits_for_a_program_that_knows_it(workplace: Workplace) -> None:
    folder = Path(state_file(str(workplace.root), "spool"))
    folder.mkdir(parents=True, exist_ok=True)
    newer = folder / f"{1:020d}-0a0b0c0d{version.PENDING_EVENT_ENDING}.2"
    newer.write_bytes(b"what a newer version keeps")
    workplace.work()
    assert newer.read_bytes() == b"what a newer version keeps"
    assert [path.name for path in folder.iterdir() if path.name.endswith(".unreadable")] == []


@pytest.mark.parametrize("number", [0, -2])
def test_an_older_memory_database_is_read_as_it_is_and_migrated_by_the_next_write(
    memory: MemoryLocation, number: int
) -> None:
    with closing(sqlite3.connect(memory.database)) as connection:
        indexes = _indexes(connection)
        for name in indexes:
            connection.execute(f"DROP INDEX {name}")
        connection.execute(f"PRAGMA user_version = {number}")
    assert len(indexes) == len(schema.INDEXES)
    assert mem_search(memory, "version")["count"] == 1
    with closing(sqlite3.connect(memory.database)) as connection:
        assert (_indexes(connection), _number(connection)) == ([], number)
    mem_save(memory, "Tides", "They differ by season", "decision", now=NOW)
    with closing(sqlite3.connect(memory.database)) as connection:
        assert (_indexes(connection), _number(connection)) == (indexes, migrations.version())
    assert mem_search(memory, "")["count"] == 2


def test_a_step_that_fails_changes_nothing_and_those_before_it_stay(
    memory: MemoryLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = ("ALTER TABLE observations ADD COLUMN tide TEXT",)
    bad = ("ALTER TABLE observations ADD COLUMN moon TEXT", "INSERT INTO nowhere VALUES (1)")
    number = migrations.version()
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, good, bad))
    with pytest.raises(Exception, match="no such table: nowhere"):
        mem_save(memory, "Tides", "They differ by season", "decision", now=NOW)
    with closing(sqlite3.connect(memory.database)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(observations)")]
        assert ("tide" in columns, "moon" in columns, _number(connection)) == (True, False, number + 1)
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS[:-1], bad[:1]))
    mem_save(memory, "Tides", "They differ by season", "decision", now=NOW)
    with closing(sqlite3.connect(memory.database)) as connection:
        assert _number(connection) == number + 2
    assert mem_search(memory, "")["count"] == 2


def test_a_newer_memory_database_is_refused_in_one_line_and_left_untouched(memory: MemoryLocation) -> None:
    with closing(sqlite3.connect(memory.database)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = Path(memory.database).read_bytes()
    line = (
        f"{memory.database} has memory format 99, newer than {migrations.version()}; "
        "update agent-progress, or set AGENT_PROGRESS_DB"
    )
    asked: list[Callable[[], object]] = [
        lambda: mem_save(memory, "Tides", "They differ", "decision", now=NOW),
        lambda: mem_search(memory, ""),
        lambda: database.glance(str(memory.database), lambda store: store),
    ]
    for ask in asked:
        with pytest.raises(BadInput) as refused:
            ask()
        assert str(refused.value) == line
    assert database.why_unusable(memory.database) == line
    assert Path(memory.database).read_bytes() == before
    assert [path.name for path in Path(memory.database).parent.glob("memory.db*")] == ["memory.db"]


def test_a_database_of_another_program_may_have_any_number(memory: MemoryLocation) -> None:
    with closing(sqlite3.connect(memory.database)) as connection:
        connection.execute("PRAGMA application_id = 0")
        connection.execute("PRAGMA user_version = 99")
    mem_save(memory, "Tides", "They differ by season", "decision", now=NOW)
    assert mem_search(memory, "")["count"] == 2
    with closing(sqlite3.connect(memory.database)) as connection:
        assert _number(connection) == 99


def test_lines_about_compactions_that_another_version_wrote_are_passed_over(tmp_path: Path) -> None:
    ledger = Ledger(str(tmp_path / "compactions.jsonl"))
    line = {"compacted": [1], "summary_id": 2, "at": "2026-05-01T12:00:00Z", "project": "shop"}
    whole = {**line, "database": str(tmp_path / "memory.db")}
    lines = ["[]", "{cut", '{"format": 2, "took": [3]}', json.dumps(whole), json.dumps(line)]
    Path(ledger.path).write_text("\n".join(lines) + "\n")
    assert [one.ids for one in ledger.compactions(str(tmp_path / "memory.db"))] == [(1,)]


def _double(number: int) -> int:
    return 2 * number


def _indexes(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'own%'")
    return sorted(row[0] for row in rows)


def _number(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
