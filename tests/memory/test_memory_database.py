"""The database as a file."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, Refused
from progress_plugin.core.paths import database_path
from progress_plugin.memory import database, network_disk
from progress_plugin.memory.database import reading, why_unusable, writing
from progress_plugin.usecases.memory.answer_text import progress_text
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.mem_progress import list_revisions, mem_progress
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search
from progress_plugin.usecases.memory.restore_compaction import restore_compaction

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
REPOSITORY = Path(__file__).resolve().parents[2]


def test_it_stands_in_the_user_data_directory_unless_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert database_path() == str(home / ".local" / "share" / "agent-progress" / "memory.db")
    monkeypatch.setenv("AGENT_PROGRESS_DB", "~/elsewhere.db")
    assert database_path() == str(home / "elsewhere.db")
    monkeypatch.delenv("AGENT_PROGRESS_DB")
    monkeypatch.delenv("HOME")
    assert database_path() is None


def test_it_is_made_private_with_a_journal_ahead_and_nothing_beside_it(place: MemoryLocation) -> None:
    with writing(place.database) as store:
        assert store.own
        assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    folder = Path(place.database).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(os.stat(place.database).st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["memory.db"]


def test_processes_that_make_it_at_once_share_one(place: MemoryLocation) -> None:
    script = (
        "import sys; from datetime import UTC, datetime\n"
        "from progress_plugin.usecases.memory.location import MemoryLocation\n"
        "from progress_plugin.usecases.memory.mem_save import mem_save\n"
        "sys.stdin.read(1)\n"
        "mem_save(MemoryLocation(database=sys.argv[1], root=None, name='shop'), sys.argv[2], sys.argv[2], 'decision',"
        " now=datetime.now(UTC))\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, place.database, f"n{number}"],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
        )
        for number in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"x")
        process.stdin.flush()
    for process in processes:
        process.communicate()

    assert [process.returncode for process in processes] == [0] * 8
    assert mem_search(place, "", limit=50)["count"] == 8


@pytest.mark.parametrize(
    "content", [b"", b"this is no database at all, only text that is long enough", b"SQLite format 3\0"]
)
def test_a_file_that_is_no_memory_database_is_refused_and_left_alone(
    place: MemoryLocation, content: bytes
) -> None:
    Path(place.database).parent.mkdir()
    Path(place.database).write_bytes(content)

    for attempt in (lambda: mem_save(place, "t", "c", "d", now=NOW), lambda: mem_search(place, "c")):
        with pytest.raises(BadInput, match=r"memory\.db"):
            attempt()

    assert Path(place.database).read_bytes() == content
    assert why_unusable(place.database) is not None


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are listed by Linux")
def test_a_file_that_is_no_database_is_not_held_open(place: MemoryLocation) -> None:
    Path(place.database).parent.mkdir()
    Path(place.database).write_text("this is no database at all, only text that is long enough")
    with pytest.raises(BadInput) as refusal:  # it keeps the frames, and with them the connection
        mem_search(place, "c")
    opened = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    assert place.database not in opened, refusal


def test_a_database_of_something_else_is_refused(place: MemoryLocation) -> None:
    Path(place.database).parent.mkdir()
    with sqlite3.connect(place.database) as connection:
        connection.execute("CREATE TABLE observations (id INTEGER, text TEXT)")
    connection.close()

    with pytest.raises(BadInput, match="not a memory database"):
        mem_save(place, "t", "c", "d", now=NOW)


def test_a_writer_that_does_not_let_go_is_named_as_such(
    place: MemoryLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    mem_save(place, "t", "c", "d", now=NOW)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    other = sqlite3.connect(place.database)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(Busy, match="another process"):
        mem_save(place, "t", "other", "d", now=NOW)
    assert mem_search(place, "c")["count"] == 1

    other.rollback()
    other.close()


def test_an_exception_inside_a_transaction_undoes_all_of_it(place: MemoryLocation) -> None:
    mem_save(place, "t", "c", "d", now=NOW)
    with pytest.raises(ZeroDivisionError), writing(place.database) as store:  # noqa: PT012
        store.connection.execute("DELETE FROM observations")
        _ = 1 / 0

    assert mem_search(place, "c")["count"] == 1


def test_reading_changes_nothing_even_where_it_is_tried(place: MemoryLocation) -> None:
    mem_save(place, "t", "c", "d", now=NOW)

    with pytest.raises(AgentProgressError), reading(place.database) as store:
        store.connection.execute("DELETE FROM observations")

    assert mem_search(place, "c")["count"] == 1


def test_a_name_with_signs_that_mean_something_in_a_uri_is_a_name(tmp_path: Path) -> None:
    odd = MemoryLocation(database=str(tmp_path / "a?b#c%20 d" / "m.db"), root=None, name="shop")
    mem_save(odd, "t", "c", "d", now=NOW)

    assert mem_search(odd, "c")["count"] == 1
    assert Path(odd.database).is_file()


def test_why_it_cannot_be_used_is_said_without_making_anything(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")

    assert why_unusable(None) == "there is no home directory; name a file with AGENT_PROGRESS_DB"
    assert why_unusable(str(tmp_path / "a" / "b" / "memory.db")) is None
    assert "cannot be created" in str(why_unusable(str(file / "memory.db")))
    assert list(tmp_path.iterdir()) == [file]


def test_a_place_where_nothing_can_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    blocked = MemoryLocation(database=str(tmp_path / "file" / "m.db"), root=None, name="shop")

    with pytest.raises(AgentProgressError, match="cannot be created"):
        mem_save(blocked, "t", "c", "d", now=NOW)


READ_ONLY = """
import os, sys
from datetime import UTC, datetime
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.memory import store_observation, search
from progress_plugin.memory.progress_document import current
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search

place = MemoryLocation(database=sys.argv[1], root=None, name="shop")
mem_save(place, "t", "c", "d", now=datetime.now(UTC))
if sys.argv[2] == "journal":
    open(place.database + "-wal", "wb").close()
os.chmod(place.database, 0o444)
os.chmod(os.path.dirname(place.database), 0o555)
if os.geteuid() == 0:
    os.setuid(65534)  # nothing is read-only for root
print(mem_search(place, "c")["count"], current(place.database, ["shop"], "/"))
try:
    mem_save(place, "t", "other", "d", now=datetime.now(UTC))
except AgentProgressError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("journal", ["journal", "none"])
def test_a_read_only_directory_can_be_read_and_refuses_writing_in_one_line(journal: str) -> None:
    with tempfile.TemporaryDirectory() as open_to_all:
        os.chmod(open_to_all, 0o755)
        path = os.path.join(open_to_all, "data", "memory.db")
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, path, journal],
            cwd=REPOSITORY, capture_output=True, text=True, check=False,
            # Once it is nobody it cannot write down what it covered.
            env={name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")},
        )  # fmt: skip
        os.chmod(os.path.dirname(path), 0o755)

    assert done.stderr == ""
    read, refused = done.stdout.splitlines()
    assert read == "1 None"
    assert refused.startswith(f"Refused {path} cannot be opened or written")


BUSY_FOR_A_READER = """
import os, sys
from progress_plugin.core.errors import Busy
from progress_plugin.memory.database import reading
os.setuid(65534)
try:
    with reading(sys.argv[1], 0.1):
        print("read")
except Busy:
    print("busy")
"""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become another user")
def test_a_database_that_is_being_written_is_busy_for_a_reader_without_write_permission() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "memory.db")
        with writing(path):
            pass
        os.chmod(path, 0o644)
        writer = sqlite3.connect(path, isolation_level=None)
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("BEGIN EXCLUSIVE")
        command = [sys.executable, "-c", BUSY_FOR_A_READER, path]
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
        writer.close()
    assert done.stdout == "busy\n"


@pytest.mark.parametrize(
    ("path", "network"),
    [("/home/me/x.db", True), ("/home/me/local/x.db", False), ("/homeless/x.db", False), ("/a b/x.db", True)],
)
def test_the_deepest_mount_decides_whether_a_disk_is_a_network_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, network: bool
) -> None:
    table = tmp_path / "mounts"
    table.write_text(
        "/dev/sda1 / ext4 rw 0 0\nserver:/h /home nfs4 rw 0 0\n/dev/sdb1 /home/me/local xfs rw 0 0\n"
        "//s/share /a\\040b cifs rw 0 0\nbroken\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(network_disk, "MOUNTS", str(table))

    assert network_disk.on_network_disk(path) is network


def test_without_a_mount_table_a_disk_counts_as_local(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_disk, "MOUNTS", str(tmp_path / "none"))

    assert network_disk.on_network_disk("/x") is False


def test_on_a_network_disk_the_journal_is_a_rollback_journal(
    place: MemoryLocation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mounts"
    table.write_text("server:/h / nfs rw 0 0\n", encoding="utf-8")
    monkeypatch.setattr(network_disk, "MOUNTS", str(table))

    mem_save(place, "t", "c", "d", now=NOW)

    with reading(place.database) as store:
        assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert mem_search(place, "c")["count"] == 1


def test_every_listed_query_uses_an_index_of_ours(place: MemoryLocation, add: Callable[..., int]) -> None:
    add()
    plans = {
        "own_by_age": "SELECT count(*) FROM observations WHERE deleted_at IS NULL AND project = 'shop' "
        "AND max(created_at, updated_at, coalesce(last_seen_at, created_at)) < 'x'",
        "own_by_topic": "SELECT id FROM observations WHERE topic_key IN ('a', 'b') AND project = 'shop'",
        "own_by_hash": "SELECT id FROM observations WHERE normalized_hash = 'h' AND coalesce(project, '') = '' "
        "AND deleted_at IS NULL",
        "own_documents": "SELECT project FROM observations WHERE type = 'progress' AND deleted_at IS NULL",
    }
    with reading(place.database) as store:
        for index, query in plans.items():
            plan = " ".join(row[3] for row in store.connection.execute(f"EXPLAIN QUERY PLAN {query}"))
            assert index in plan


def test_without_hard_links_it_is_moved_into_place_and_one_that_is_there_is_kept(
    place: MemoryLocation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    mem_save(place, "t", "c", "d", now=NOW)
    database._create(place.database)

    assert mem_search(place, "c")["count"] == 1
    assert sorted(path.name for path in Path(place.database).parent.iterdir()) == [
        "memory.db",
        "memory.db.lock",
    ]


def test_outside_any_project_the_memory_works_by_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(home))
    place = memory_location()
    assert (place.root, place.name) == (None, None)

    answer = mem_progress(place, "shop", "{}", now=NOW)

    assert progress_text(answer).endswith("There is no project here, so no session start shows it.")
    assert mem_search(place, "")["project"] == "*"


def test_without_a_home_the_memory_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")

    with pytest.raises(BadInput, match="AGENT_PROGRESS_DB"):
        memory_location()


def test_what_needs_a_database_says_so_where_there_is_none(place: MemoryLocation) -> None:
    assert list_revisions(place, "shop", None) == []
    with pytest.raises(Refused, match="no memory database"):
        restore_compaction(place, now=NOW)
    assert not Path(place.database).exists()


def test_a_merge_and_a_replaced_root_are_told_in_words(place: MemoryLocation, tmp_path: Path) -> None:
    mem_progress(place, "shop", {"a": 1}, now=NOW)
    mem_progress(place, "shop", {"a": 1, "b": 2}, now=NOW)

    moved = Path(str(place.root)).rename(tmp_path / "moved")
    elsewhere = replace(place, root=str(moved))
    answer = mem_progress(elsewhere, "shop", {"a": 1, "c": 3}, base_revision=1, now=NOW)

    assert progress_text(answer) == (
        "Saved progress of shop: revision 3, id 3. Merged with revision 2; read it before you go on. "
        f"It replaced the document of {place.root}, which is gone."
    )
