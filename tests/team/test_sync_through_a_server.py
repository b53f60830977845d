"""Clones that share their history through a team's server: every entry everywhere, once, with its writer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.team.clones import OURS, SHARED, Clone
from tests.team.members import KEY, STATE, Member, joined, member
from tests.team.postgres import Database

WHEN = {"timestamp": "2026-11-01T10:10:10Z", "type": "milestone_reached"}


def entries_of(clone: Clone) -> list[dict[str, Any]]:
    """Return the entries of a log as they are on the disk."""
    entries: list[dict[str, Any]] = json.loads((clone.root / OURS / "progress.json").read_text("utf-8"))[
        "entries"
    ]
    return entries


def insert(clone: Clone, *entries: dict[str, Any]) -> None:
    """Put entries into a log by hand."""
    path = clone.root / OURS / "progress.json"
    document = json.loads(path.read_text("utf-8"))
    document["entries"] += entries
    path.write_text(json.dumps(document), "utf-8")


def test_the_work_of_others_is_shown_with_their_name_and_not_logged_as_done_here(
    ours: Member, theirs: Member
) -> None:
    ours.sync()
    assert ours.said() == {"Berths are listed": None, "Bookings are refused": theirs.name()}
    assert theirs.said() == {"Berths are listed": ours.name(), "Bookings are refused": None}
    context, _ = ours.start()
    assert f"US-102 (✓ by {theirs.name()})" in context
    assert f"(by {theirs.name()})" in ours.run("recent")


def test_a_copied_clone_is_a_writer_of_its_own_and_sends_nothing_twice(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    copy = member(tmp_path, "copy", database)
    shutil.copytree(ours.root / OURS, copy.root / OURS, dirs_exist_ok=True)
    copy.log("Written in the copy")
    copy.sync()
    assert copy.name() != ours.name()
    writers = database.do("select writer from agent_progress.log order by seq")
    assert writers == [(ours.name(),), (copy.name(),)]


@pytest.mark.slow
@pytest.mark.parametrize("with_state", [True, False])
def test_a_clone_restored_from_a_backup_gets_again_what_it_lost(
    ours: Member, theirs: Member, database: Database, with_state: bool
) -> None:
    paths = [ours.root / OURS / "progress.json", *([ours.private(STATE)] if with_state else [])]
    kept = {path: path.read_bytes() for path in paths}
    ours.log("Written after the backup")
    ours.sync()
    for path, data in kept.items():
        path.write_bytes(data)
    shutil.rmtree(ours.home / ".local/share/agent-progress/logs", ignore_errors=True)
    ours.log_offline("Written after it was restored")
    ours.sync()
    theirs.sync()
    assert database.texts() == sorted(theirs.said()) == sorted(ours.said())
    assert len(ours.entries()) == 4
    assert ours.said()["Written after the backup"] is None


@pytest.mark.slow
def test_a_server_restored_from_a_backup_gets_again_what_it_lost(
    ours: Member, theirs: Member, database: Database
) -> None:
    for number in range(3):
        ours.log(f"Berth {number} is painted")
    ours.sync()
    theirs.sync()
    database.do("delete from agent_progress.log where seq > 2")
    theirs.log_offline("Quays are swept")  # it takes a number that another row had
    theirs.sync()
    for clone in (ours, theirs, ours):
        clone.sync()
    assert database.do("select min(seq), max(seq), count(*) from agent_progress.log") == [(1, 6, 6)]
    assert set(theirs.said()) == set(ours.said()) == set(database.texts())
    assert len(theirs.entries()) == len(ours.entries()) == 6


@pytest.mark.slow
def test_new_tables_get_everything_again_from_every_clone(
    ours: Member, theirs: Member, database: Database
) -> None:
    database.do("alter schema agent_progress rename to agent_progress_6")
    ours.reaches(database.url_of("admin"))
    ours.run("team", "init")
    for clone in (ours, theirs, ours):
        clone.sync()
    assert set(theirs.said()) == set(ours.said()) == set(database.texts())


ODD = {"NUL": "a\x00b", "half a character": "\ud83d alone", "a large number": 10**4000}


def test_what_a_database_may_not_hold_travels_all_the_same(ours: Member, theirs: Member) -> None:
    odd = [{"id": f"odd-{number}", **WHEN, "data": {"x": x}} for number, x in enumerate(ODD.values())]
    insert(ours, *odd)
    ours.sync()
    theirs.sync()
    found = [entry for entry in entries_of(theirs) if entry["id"].startswith("odd-")]
    assert found == [{**entry, "writer": ours.name()} for entry in odd]


def test_rows_that_are_no_entries_are_passed_over_and_the_next_one_comes(
    ours: Member, database: Database
) -> None:
    good = {"id": "good", **WHEN, "data": {"description": "good"}}
    for name, body in (("no-json", "{"), ("another-id", json.dumps(good)), ("good", json.dumps(good))):
        database.add(KEY, "entry", name, body)
    assert "2 rows of the server hold no valid entry" in ours.run("sync", err=True)
    assert ours.said() == {"Berths are listed": None, "good": "mallory"}
    assert ours.sync() == (0, 0)


def test_an_erased_entry_comes_back_nowhere(ours: Member, tmp_path: Path, database: Database) -> None:
    name = ours.log("The gate opens on hush")
    ours.sync()
    ours.run("erase", name, "--yes")
    ours.sync()
    late = joined(tmp_path, "late", database, "I am new", "US-103")
    ours.sync()
    assert "The gate opens on hush" not in {*ours.said(), *late.said()}
    assert "Berths are listed" in late.said()


@pytest.mark.slow
def test_the_history_through_git_and_the_one_through_a_server_are_one(ours: Member, theirs: Member) -> None:
    for clone in (ours, theirs):
        (clone.root / OURS / "config.toml").write_text("share = true\n", "utf-8")
    ours.log("Shared both ways")
    ours.sync()
    theirs.sync()
    shutil.copytree(ours.root / SHARED, theirs.root / SHARED, dirs_exist_ok=True)
    theirs.start()
    assert theirs.said()["Shared both ways"] == ours.name()
    assert len(theirs.entries()) == 3


TOKEN = "ghp_" + "a1B2" * 9
RAW = {
    "id": "raw",
    **WHEN,
    "branch": TOKEN,
    "data": {"description": f"Berths <private>of the mayor</private> with {TOKEN}"},
}


def test_what_is_raw_in_the_log_leaves_the_machine_redacted_and_stays_as_it_is(
    ours: Member, database: Database
) -> None:
    insert(ours, RAW)
    ours.run("config", "set", "share", "true")
    ours.sync()
    [(sent,)] = database.do("select body from agent_progress.log where id = 'raw'")
    [shared] = [file.read_text("utf-8") for file in (ours.root / SHARED).rglob("raw.*")]
    for text in (sent, shared):
        assert "Berths" in text
        assert TOKEN not in text
        assert "mayor" not in text
    assert RAW in entries_of(ours)
    assert ours.sync() == (0, 0)
