"""An OpenCode session is read from the client's database, which is never changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.transcripts.clients.opencode import MAX_PART_BYTES, query_database
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.transcripts.transcript import usual_path
from tests.conftest import REPOSITORY
from tests.transcripts.opencode_database import OpenCodeDatabase
from tests.transcripts.recorded import kept, read, requests_of


@pytest.fixture
def client(home: Path, project: Project) -> Iterator[OpenCodeDatabase]:
    made = OpenCodeDatabase(home / ".local/share/opencode/opencode.db", Path(project.root))
    made.begins("ses_1")
    yield made
    made.close()


def record_of(project: Project, path: Path, session: str = "ses_1") -> SessionRecord:
    return read(project, path, "opencode", session)


def files_beside(path: Path) -> dict[str, tuple[int, int]]:
    return {each.name: (each.stat().st_size, each.stat().st_mtime_ns) for each in path.parent.iterdir()}


def test_a_session_is_told_like_that_of_every_client(project: Project, client: OpenCodeDatabase) -> None:
    client.asks("ses_1", '"Build the pier, and say \\"done\\"."')
    client.writes("ses_1", "pier.py", new=True)
    client.writes("ses_1", str(Path(project.root) / "pier.py"))
    client.runs("ses_1", "pytest -q", 1, "E   assert 3.3 == 3.5\n1 failed")
    todos = (("Drive the piles", "completed"), ("Lay planks", "pending"))
    listed = [{"content": text, "status": status} for text, status in todos]
    client.calls("ses_1", "todowrite", {"todos": listed})
    client.says("ses_1", "One test still fails.")
    record = record_of(project, client.path)
    assert requests_of(record) == ['Build the pier, and say "done".']
    assert [(file.path, file.times, file.created) for file in record.files.values()] == [("pier.py", 2, True)]
    assert [(run.what, run.passed, run.says) for run in record.failing] == [
        ("pytest", False, "E assert 3.3 == 3.5")
    ]
    assert tuple((task.text, task.status) for task in record.tasks.values()) == todos
    assert record.closing == "One test still fails."
    assert record.started.startswith("2026-11-22T")


def test_a_call_that_runs_waits_for_its_end_and_what_comes_after_it_does_not(
    project: Project, client: OpenCodeDatabase
) -> None:
    client.asks("ses_1", "Test the pier.")
    message = client.answers("ses_1")
    call = {"type": "tool", "tool": "bash", "state": {"status": "running", "input": {"command": "pytest"}}}
    part = client.part("ses_1", message, call)
    client.writes("ses_1", "pier.py", new=True)
    record = record_of(project, client.path)
    assert (list(record.checks), list(record.files)) == ([], ["pier.py"])
    ended = {
        "status": "completed",
        "input": {"command": "pytest"},
        "metadata": {"exit": 0, "output": "3 passed"},
    }
    client.changes(part, call | {"state": ended})
    record = record_of(project, client.path)
    assert [(run.what, run.passed) for run in record.checks.values()] == [("pytest", True)]


def test_what_was_not_typed_is_no_request(project: Project, client: OpenCodeDatabase) -> None:
    client.asks(
        "ses_1", "Build the pier.", {"type": "text", "text": "the whole of a file", "synthetic": True}
    )
    client.message("ses_1", {"role": "user"})
    client.part("ses_1", client.message("ses_1", {"role": "user"}), {"type": "compaction", "auto": True})
    client.says("ses_1", "## Goal\nthe pier", summary=True)
    continued = {"type": "text", "text": "Continue if you have next steps", "synthetic": True}
    client.part("ses_1", client.message("ses_1", {"role": "user"}), continued)
    client.writes("ses_1", "pier.py")
    record = record_of(project, client.path)
    assert requests_of(record) == ["Build the pier."]
    assert record.closing == ""


def test_a_subagents_work_counts_and_its_orders_are_no_request(
    project: Project, client: OpenCodeDatabase
) -> None:
    client.asks("ses_1", "Have somebody build the pier.")
    client.begins("ses_2", parent="ses_1", title="build it (@builder subagent)")
    client.asks("ses_2", "Build the pier.")
    client.writes("ses_2", "pier.py", new=True)
    client.says("ses_2", "It is built.")
    record = record_of(project, client.path)
    assert requests_of(record) == ["Have somebody build the pier."]
    assert (list(record.files), record.closing) == (["pier.py"], "")


def test_a_fork_tells_only_what_is_its_own(project: Project, client: OpenCodeDatabase) -> None:
    client.asks("ses_1", "Build the pier.")
    client.writes("ses_1", "pier.py", new=True)
    client.is_forked("ses_1", "ses_2")
    client.asks("ses_2", "What is left?")
    record = record_of(project, client.path, "ses_2")
    assert requests_of(record) == ["What is left?"]
    assert not record.files


def test_the_work_of_sub_agents_is_bounded_and_a_circle_of_them_ends(
    project: Project, client: OpenCodeDatabase
) -> None:
    client.asks("ses_1", "Have the harbour built.")
    for number in range(60):
        above = "ses_1" if number < 3 else f"sub_{number - 3}"
        client.begins(f"sub_{number}", parent=above, title="t (@builder subagent)")
        client.writes(f"sub_{number}", f"{number}.py")
    assert len(record_of(project, client.path).files) == 50
    client.store.execute("update session set parent_id = 'sub_2' where id = 'ses_1'")
    assert record_of(project, client.path).foreign


def test_nothing_beside_the_database_is_made_or_written_whoever_holds_it(
    project: Project, client: OpenCodeDatabase
) -> None:
    client.asks("ses_1", "Build the pier.")
    before = files_beside(client.path)
    assert "opencode.db-wal" in before
    assert record_of(project, client.path).asked == 1
    assert files_beside(client.path) == before
    client.runs("ses_1", "pytest")
    client.close()
    before = files_beside(client.path)
    assert list(before) == ["opencode.db"]
    assert list(record_of(project, client.path).checks) == ["pytest"]
    assert files_beside(client.path) == before


def test_what_a_killed_client_left_in_its_log_is_read(project: Project, home: Path, tmp_path: Path) -> None:
    path = home / ".local/share/opencode/opencode.db"
    code = (
        "import os, sys; from pathlib import Path; from tests.transcripts.opencode_database import OpenCodeDatabase\n"
        "made = OpenCodeDatabase(Path(sys.argv[1]), Path(sys.argv[2])); made.begins('ses_1')\n"
        "made.asks('ses_1', 'Build the pier.'); made.writes('ses_1', 'pier.py'); os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path), project.root], cwd=REPOSITORY, check=False)
    assert done.returncode == 9
    assert path.stat().st_size <= 4096
    before = files_beside(path)
    assert list(record_of(project, path).files) == ["pier.py"]
    assert files_beside(path) == before


def test_a_database_that_another_process_has_locked_is_read_later(
    project: Project, client: OpenCodeDatabase
) -> None:
    client.asks("ses_1", "Build the pier.")
    client.store.execute("pragma journal_mode = delete")
    client.store.execute("begin exclusive")
    client.store.execute("update session set title = 'x'")
    assert record_of(project, client.path).foreign
    client.store.execute("commit")
    assert record_of(project, client.path).asked == 1


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_a_named_pipe_in_the_place_of_a_file_is_not_waited_for(
    project: Project, client: OpenCodeDatabase, ending: str
) -> None:
    client.asks("ses_1", "Build the pier.")
    client.close()
    place = Path(f"{client.path}{ending}")
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    assert record_of(project, client.path).foreign


@pytest.mark.parametrize("content", [b"", b"no database at all" * 500, b"SQLite format 3\x00" + bytes(5000)])
def test_a_file_that_is_no_database_has_no_session(project: Project, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(content)
    assert record_of(project, path).foreign
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "change",
    [
        "drop table part",
        "update part set data = x'00ff'",
        "update part set data = '[[[' || hex(zeroblob(3000))",
        "update part set time_created = 'soon'",
        "update message set data = '7'",
        "update session set directory = 3",
        "update part set data = json_set(data, '$.state', 'odd')",
    ],
)
def test_tables_and_rows_of_another_shape_break_nothing(
    project: Project, client: OpenCodeDatabase, change: str
) -> None:
    client.asks("ses_1", "Build the pier.")
    client.runs("ses_1", "pytest", 1, "1 failed")
    client.store.execute(change)
    record = record_of(project, client.path)
    assert kept(record) == record


def test_a_value_of_enormous_length_is_passed_over(project: Project, client: OpenCodeDatabase) -> None:
    client.asks("ses_1", "Build the pier.")
    client.runs("ses_1", "cat picture", 0, "x" * MAX_PART_BYTES)
    client.writes("ses_1", "pier.py", new=True)
    record = record_of(project, client.path)
    assert list(record.files) == ["pier.py"]


def test_a_query_without_end_is_given_up(client: OpenCodeDatabase) -> None:
    endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
    assert query_database(str(client.path), lambda store: store.execute(endless).fetchall(), 0.05) is None


def test_the_database_is_that_which_the_client_wrote_last(
    home: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / ".local/share/opencode"
    assert usual_path("opencode", "ses_1", project.root) == ""
    folder.mkdir(parents=True)
    for number, name in enumerate(("opencode.db", "opencode-beta.db", "opencode.db-wal", "other.db")):
        (folder / name).touch()
        os.utime(folder / name, (1_700_000_000 + number,) * 2)
    assert usual_path("opencode", "ses_1", project.root) == str(folder / "opencode.db")
    (folder / "opencode.db-wal").unlink()
    assert usual_path("opencode", "ses_1", project.root) == str(folder / "opencode-beta.db")
    monkeypatch.setenv("OPENCODE_DB", "mine.db")
    assert usual_path("opencode", "ses_1", project.root) == str(folder / "mine.db")
    monkeypatch.setenv("OPENCODE_DB", str(Path(project.root) / "brought.db"))
    assert usual_path("opencode", "ses_1", project.root) == ""


def test_the_hook_of_a_turns_end_reads_the_session_and_leaves_the_project_alone(
    client: OpenCodeDatabase, home: Path, tmp_path: Path
) -> None:
    client.root = root = tmp_path / "quay"
    (root / ".git").mkdir(parents=True)
    client.begins("ses_9")
    client.asks("ses_9", "Build the quay.")
    client.writes("ses_9", "quay.py", new=True)
    said = json.dumps({"hook_event_name": "Stop", "session_id": "ses_9", "cwd": str(root)}).encode()
    door = [sys.executable, "-I", "-S", str(REPOSITORY / "progress_plugin/__main__.py"), "hook", "Stop"]
    for named in ([], ["opencode"]):
        assert not SessionStore(find_project(str(root))).records()
        done = subprocess.run([*door, *named], input=said, capture_output=True, cwd=root, check=True)
        assert done.stdout + done.stderr == b""
    (record,) = SessionStore(find_project(str(root))).records()
    assert (record.client, list(record.files)) == ("opencode", ["quay.py"])
    assert os.listdir(root) == [".git"]
