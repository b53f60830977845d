"""What the server tells of its project at a glance is what it finds out by reading everything."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.fast import server_introduction
from progress_plugin.core.fast.server_introduction import quick_introduction
from progress_plugin.memory.schema import APPLICATION_ID
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.memory.location import memory_location
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.server_instructions import told
from tests.hooks.real_doors import Hooks, Repository

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"


@pytest.fixture(autouse=True)
def told_nothing(monkeypatch: pytest.MonkeyPatch, database: Path) -> None:
    """Take away what the agent that runs these tests may have told, and have an own database."""
    for name in ("COPILOT_AGENT_SESSION_ID", "CODEX_SESSION_ID", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(database))


def glance(monkeypatch: pytest.MonkeyPatch, directory: Path) -> str | None:
    """Return what is told of a directory at a glance; it is what reading everything comes to, or nothing."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(directory))
    quick, slow = quick_introduction(), told()
    assert quick is None or (quick.instructions, quick.has_memory) == (slow.instructions, slow.has_memory)
    return quick.instructions if quick else None


def test_a_repository_that_has_nothing_of_ours_is_known_by_its_folder(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "src/deep").mkdir(parents=True)
    for place in (project, project / "src/deep"):
        assert "exact name: 'shop'." in (glance(monkeypatch, place) or "")


def test_a_folder_outside_any_repository_is_known_by_itself(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quay/stores").mkdir(parents=True)
    assert "'stores'" in (glance(monkeypatch, tmp_path / "quay/stores") or "")


@pytest.mark.parametrize("place", ["/", "~"])
def test_where_everybodys_projects_are_there_is_none(
    home: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    assert "No project here" in (glance(monkeypatch, Path(place).expanduser()) or "")


def test_a_project_with_a_summary_is_known_by_it_until_an_input_changes(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(tmp_path / "lighthouse")
    repository.plan(done=4)
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    hooks = Hooks(repository.root)
    hooks.start()
    known = glance(monkeypatch, repository.root)
    assert known is not None
    assert repr(memory_location().name) in known
    repository.plan(done=5)
    assert glance(monkeypatch, repository.root) is None
    hooks.event("Stop")
    assert glance(monkeypatch, repository.root) == known


def test_what_others_keep_in_the_memory_makes_no_difference(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(tmp_path / "lighthouse")
    repository.plan(done=4)
    (repository.root / ".agent-os/progress").mkdir(parents=True)
    Hooks(repository.root).start()
    known = glance(monkeypatch, repository.root)
    from datetime import UTC, datetime

    mem_save(memory_location(), "t", "c", "note", project="another", now=datetime.now(UTC))
    assert glance(monkeypatch, repository.root) == known is not None


def test_settings_that_may_name_projects_are_read(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".config/agent-progress").mkdir(parents=True)
    (home / ".config/agent-progress/config.toml").write_text('project = "other"\n')
    assert glance(monkeypatch, project) is None


@pytest.mark.parametrize(
    "name", ["a-name-of-many-characters-that-may-be-a-secret", "the quay", "<b>", "ß", "a'b"]
)
def test_a_folders_name_that_is_not_plain_is_made_harmless_first(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name / ".git").mkdir(parents=True)
    assert glance(monkeypatch, tmp_path / name) is None


def test_in_a_folder_that_is_gone_there_is_no_project(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    assert quick_introduction() is None
    assert "No project here" in told().instructions


@given(st.text(alphabet=PLAIN, min_size=1, max_size=server_introduction._SHORT))
def test_a_plain_name_is_harmless_as_it_is(name: str) -> None:
    assert one_line(name) == name


@pytest.mark.parametrize("make", ["file", "link"])
def test_what_is_no_folder_of_gits_is_looked_into(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, make: str
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "elsewhere").mkdir()
    if make == "file":
        (tmp_path / "shop/.git").write_text("gitdir: ../elsewhere\n")
    else:
        (tmp_path / "shop/.git").symlink_to(tmp_path / "elsewhere")
    assert glance(monkeypatch, tmp_path / "shop") is None


def test_a_database_of_ours_is_known_by_the_head_of_its_file(
    project: Path, home: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import UTC, datetime

    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    mem_save(memory_location(), "t", "c", "note", now=datetime.now(UTC))
    assert (
        database.read_bytes()[68:72]
        == APPLICATION_ID.to_bytes(4, "big")
        == server_introduction._APPLICATION_ID
    )
    assert glance(monkeypatch, project)


@pytest.mark.parametrize("what", ["text", "nothing", "short", "folder", "foreign", "pipe", "journal"])
def test_any_other_database_is_opened_first(
    project: Path, home: Path, database: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    database.parent.mkdir(parents=True)
    match what:
        case "text":
            database.write_text("no database, but long enough to be looked at " * 9)
        case "nothing":
            database.touch()
        case "short":
            database.write_bytes(b"SQLite format 3\0")
        case "folder":
            database.mkdir()
        case "foreign":
            with closing(sqlite3.connect(database)) as connection:
                connection.execute("CREATE TABLE observations (id)")
        case "pipe":
            os.mkfifo(database)
        case "journal":
            os.mkfifo(f"{database}-wal")
    assert glance(monkeypatch, project) is None


def test_where_no_database_can_be_made_the_reason_is_found_out(
    project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(tmp_path / "file/memory.db"))
    assert glance(monkeypatch, project) is None
    assert not told().has_memory
