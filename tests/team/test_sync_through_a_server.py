"""Clones that share their history through a team's server: every entry everywhere, once, with its writer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.log import shared_entries
from tests.team.clones import OURS, SHARED
from tests.team.members import KEY, STATE, Member, entry_body, here, member
from tests.team.postgres import ADD_ENTRY, Database


@pytest.fixture
def theirs(tmp_path: Path, database: Database) -> Member:
    """Return a colleague's clone that takes part, with one entry."""
    clone = member(tmp_path, "theirs", database)
    clone.log("Bookings are refused", task="US-002")
    clone.sync()
    return clone


def test_the_work_of_others_is_shown_with_their_name_and_not_logged_as_done_here(
    ours: Member, theirs: Member
) -> None:
    assert ours.sync() == (1, 0)
    assert ours.said() == {"Berths are listed": None, "Bookings are refused": theirs.name()}
    assert theirs.said() == {"Berths are listed": ours.name(), "Bookings are refused": None}
    context, _ = ours.start()
    assert f"US-002 (✓ by {theirs.name()})" in context
    assert f"(by {theirs.name()})" in ours.run("recent")


def test_a_clone_takes_part_only_once_somebody_has_asked_for_it(tmp_path: Path, database: Database) -> None:
    clone = member(tmp_path, "private", database)
    clone.log("Nobody's business")
    clone.start()
    assert not clone.private("team").exists()
    assert database.texts() == []


def written(database: Database) -> list[tuple[str, str]]:
    """Return writer and text of every entry on the server."""
    what = "select writer, body::json->'data'->>'description' from agent_progress.log where kind = 'entry'"
    return sorted(database.do(what))


def test_a_copied_clone_is_a_writer_of_its_own_and_sends_nothing_twice(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    copy = member(tmp_path, "copy", database)
    shutil.copytree(ours.root / OURS, copy.root / OURS, dirs_exist_ok=True)
    copy.log("Written in the copy")
    copy.sync()
    assert copy.name() != ours.name()
    assert written(database) == sorted(
        [(ours.name(), "Berths are listed"), (copy.name(), "Written in the copy")]
    )


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


ODD: dict[str, dict[str, Any]] = {
    "NUL": {"notes": "a\x00b"},
    "half a character": {"notes": "\ud83d alone"},
    "a number of 200,000 digits": {"notes": "x", "large": 10**4000},
}


def test_what_a_database_may_not_hold_travels_all_the_same(ours: Member, theirs: Member) -> None:
    path = ours.root / OURS / "progress.json"
    document = json.loads(path.read_text("utf-8"))
    when = {"timestamp": "2026-11-01T10:10:10Z", "type": "milestone_reached"}
    names = [f"entry-20261101-101010-aaaaa{number}" for number in range(len(ODD))]
    odd = [{"id": name, **when, "data": data} for name, data in zip(names, ODD.values(), strict=True)]
    document["entries"] += odd
    path.write_text(json.dumps(document), "utf-8")
    ours.sync()
    theirs.sync()
    found = json.loads((theirs.root / OURS / "progress.json").read_text("utf-8"))["entries"]
    assert [item for item in found if item["id"] in names] == [
        {**each, "writer": ours.name()} for each in odd
    ]


STRANGE = {
    "no object": "[]",
    "no type": '{"id": "%s", "timestamp": "2026-11-01T10:10:10Z", "data": {}}',
    "another id": '{"id": "other", "timestamp": "2026-11-01T10:10:10Z", "type": "milestone_reached", "data": {}}',
    "data that is no object": '{"id": "%s", "timestamp": "2026-11-01T10:10:10Z", "type": "milestone_reached", "data": []}',
    "too large": '{"id": "%s", "timestamp": "2026-11-01T10:10:10Z", "type": "x", "data": {"notes": "'
    + "x" * shared_entries.LARGEST
    + '"}}',
    "too deep": '{"id": "%s", "timestamp": "2026-11-01T10:10:10Z", "type": "x", "data": {"a": '
    + "[" * 200
    + "]" * 200
    + "}}",
    "no JSON": "{",
}


def test_rows_that_are_no_entries_are_passed_over_and_the_next_one_comes(
    ours: Member, database: Database
) -> None:
    for number, body in enumerate(STRANGE.values()):
        name = f"entry-strange-{number}"
        database.do(ADD_ENTRY, KEY, "mallory", name, body.replace("%s", name))
    database.do(ADD_ENTRY, KEY, "mallory", "entry-good", entry_body("entry-good", "good"))
    assert f"{len(STRANGE)} rows of the server hold no valid entry" in ours.run("sync", err=True)
    assert ours.said() == {"Berths are listed": None, "good": "mallory"}
    assert ours.sync() == (0, 0)


def test_an_erased_entry_comes_back_nowhere(
    ours: Member, theirs: Member, tmp_path: Path, database: Database
) -> None:
    name = ours.log("The gate opens on hush")
    ours.sync()
    ours.run("erase", name, "--yes")
    ours.sync()
    late = member(tmp_path, "late", database)
    late.log("I am new")
    late.sync()
    ours.sync()
    assert "The gate opens on hush" not in {*ours.said(), *late.said()}
    assert "Berths are listed" in late.said()
    del theirs


def test_the_history_through_git_and_the_one_through_a_server_are_one(ours: Member, theirs: Member) -> None:
    (ours.root / OURS / "config.toml").write_text("share = true\n", "utf-8")
    ours.log("Shared both ways")
    ours.sync()
    theirs.sync()
    (theirs.root / OURS / "config.toml").write_text("share = true\n", "utf-8")
    shutil.copytree(ours.root / OURS / "shared", theirs.root / OURS / "shared", dirs_exist_ok=True)
    theirs.start()
    assert list(theirs.said()).count("Shared both ways") == 1
    assert theirs.said()["Shared both ways"] == ours.name()


_RAISES = (
    "create or replace function public.refuse() returns trigger language plpgsql as $$ begin "
    "raise exception 'no' using errcode = '{}'; end $$; "
    "create trigger a_refuse before insert on agent_progress.log "
    "for each row execute function public.refuse()"
)
_NO_MORE = "drop trigger a_refuse on agent_progress.log"
TROUBLES = {
    "read-only": ("alter role person in database {db} set default_transaction_read_only = on",
                  "alter role person in database {db} reset default_transaction_read_only", "takes no writes"),
    "without rights": ("revoke all on function agent_progress.append from agent_progress_writer",
                       "grant execute on function agent_progress.append to agent_progress_writer", "your role may not do that"),
    "full": (_RAISES.format("53100"), _NO_MORE, "its disk is full"),
    "slow": (_RAISES.format("57014"), _NO_MORE, "took longer than"),
}  # fmt: skip


def test_a_server_in_trouble_is_told_in_one_line_and_the_next_sync_does_the_rest(
    ours: Member, theirs: Member, database: Database
) -> None:
    ours.log_offline("Quays are swept")
    for trouble in TROUBLES.values():
        make, undo, said = (each.replace("{db}", database.name) for each in trouble)
        database.do(make)
        told = ours.run("sync", status=3, err=True)
        assert said in told
        assert told.count("\n") == 1
        database.do(undo)
    ours.sync()
    theirs.sync()
    assert "Quays are swept" in theirs.said()


def test_a_remote_that_changed_is_followed_only_by_joining_again(ours: Member, database: Database) -> None:
    from progress_plugin.core.project import find_project
    from progress_plugin.usecases.team.sync import sync

    ours.git("remote", "set-url", "origin", "git@example.org:mallory/other.git")
    ours.log("Not for them")
    with here(ours):
        sync(find_project(str(ours.root)), joins=False)
    assert database.do("select distinct project from agent_progress.log") == [(KEY,)]
    ours.run("team", "join")
    assert database.do("select count(distinct project) from agent_progress.log") == [(2,)]


TOKEN = "ghp_" + "a1B2" * 9
RAW = {
    "id": "entry-20261101-101010-aaaaaa",
    "timestamp": "2026-11-01T10:10:10Z",
    "type": "milestone_reached",
    "branch": TOKEN,
    "data": {"description": f"Berths <private>of the mayor</private> with {TOKEN}"},
}


def test_what_stands_raw_in_the_log_leaves_the_machine_redacted_and_stays_as_it_is(
    tmp_path: Path, database: Database
) -> None:
    clone = member(tmp_path, "ours", database)
    clone.log("Berths are listed")
    path = clone.root / OURS / "progress.json"
    document = json.loads(path.read_text("utf-8"))
    document["entries"].append(RAW)
    path.write_text(json.dumps(document), "utf-8")
    clone.run("config", "set", "share", "true")
    clone.run("repair")
    clone.sync()
    [sent] = database.do("select body from agent_progress.log where id = %s", RAW["id"])
    [shared] = [file.read_text("utf-8") for file in (clone.root / SHARED).rglob(f"{RAW['id']}.*")]
    for told in (str(sent[0]), shared):
        assert "Berths" in told
        assert TOKEN not in told
        assert "mayor" not in told
    kept = json.loads(path.read_text("utf-8"))["entries"]
    assert [item for item in kept if item["id"] == RAW["id"]] == [RAW]
    assert clone.sync() == (0, 0)
