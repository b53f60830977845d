"""The MCP server in bad circumstances: a locked database, queries without words, links in paths."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.memory.location import MemoryLocation
from tests.hooks.simulated_client import Hooks, Repository
from tests.mcp.conftest import Start, connect, database, project, start, variables
from tests.memory.calls import mem_progress, mem_save, mem_search

__all__ = ["connect", "database", "project", "start", "variables"]

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)


def test_a_server_comes_up_with_its_tools_while_another_process_holds_the_database(
    start: Start, database: Path
) -> None:
    mem_save(place_of(database), "t", "c", "note", now=NOW)
    with closing(sqlite3.connect(database, isolation_level=None)) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("UPDATE observations SET content = 'half written'")
        with start() as server:
            server.send('{"jsonrpc": "2.0", "id": 8, "method": "tools/list"}')
            assert len(server.receive()["result"]["tools"]) == 5


def place_of(database: Path, name: str = "shop") -> MemoryLocation:
    return MemoryLocation(database=str(database), root=None, names=(name,))


@pytest.fixture
def place(database: Path) -> MemoryLocation:
    return place_of(database)


@pytest.mark.parametrize("query", ["\0", "🚀"])
def test_a_query_without_a_word_is_refused(place: MemoryLocation, query: str) -> None:
    mem_save(place, "t", "the newest of all", "note", now=NOW)
    with pytest.raises(BadInput, match="nothing can be searched for in"):
        mem_search(place, query)


def test_all_projects_are_no_project_to_write_to(place: MemoryLocation) -> None:
    with pytest.raises(BadInput, match="means all projects"):
        mem_save(place, "t", "c", "note", project=" * ", now=NOW)
    with pytest.raises(BadInput, match="means all projects"):
        mem_progress(place, "*", '{"a": 1}', now=NOW)
    assert not os.path.exists(place.database)


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Repository, Path]:
    """Return a repository, and a link from elsewhere into the middle of it."""
    repository = Repository(tmp_path / "real/lighthouse")
    repository.plan(done=4)
    (repository.root / "src/deep").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/way").symlink_to(repository.root / "src")
    return repository, tmp_path / "elsewhere/way/deep"


def test_a_session_whose_directory_is_reached_through_a_link_is_seen(linked: tuple[Repository, Path]) -> None:
    repository, way = linked
    hooks = Hooks(repository.root)
    hooks.environment = {"CLAUDE_PROJECT_DIR": str(way)}
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    assert "4/14" in str(hooks.start().user_line)
    assert hooks.start("resume").context == ""
    repository.plan(done=5)
    hooks.event("Stop")
    assert [entry["task_id"] for entry in hooks.finished()] == ["US-005"]
    hooks.event("SessionEnd", reason="exit")
    assert hooks.log()[-1]["type"] == "session_ended"


def test_a_home_that_is_reached_through_a_link_is_no_project(tmp_path: Path) -> None:
    real = Repository(tmp_path / "users/anna")
    real.plan(done=4)
    (real.root / ".agent-os/progress").mkdir(parents=True)
    (tmp_path / "home").symlink_to(real.root)
    (real.root / "notes").mkdir()
    hooks = Hooks(real.root / "notes")
    hooks.environment = {"HOME": str(tmp_path / "home"), "CLAUDE_PROJECT_DIR": str(real.root / "notes")}
    assert hooks.start().raw == b""
