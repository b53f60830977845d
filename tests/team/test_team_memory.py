"""The memory of a team's project: observations and progress documents, on every machine, none lost."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from tests.team.members import KEY, Member, agreed, member, waited_for
from tests.team.postgres import Database

LIVE = "SELECT content FROM observations WHERE deleted_at IS NULL ORDER BY content"


def test_what_one_has_learnt_the_other_finds_with_the_name_of_who_said_it(
    ours: Member, theirs: Member
) -> None:
    ours.keep("Tide gate", "Shut at night, since the mud comes in", topic_key="gates/tide")
    agreed(ours, theirs)
    shown = theirs.run("memory", "search", "mud")
    assert "Tide gate" in shown
    assert f"by {ours.name()}" in shown
    assert "by " not in ours.run("memory", "search", "mud")
    assert theirs.sync() == ours.sync() == (0, 0)


@pytest.mark.slow
def test_what_was_replaced_or_compacted_goes_everywhere(ours: Member, theirs: Member) -> None:
    ours.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    old = [ours.keep(f"Berth {number}", f"Painted {number}") for number in range(2)]
    agreed(ours, theirs)
    assert theirs.remembered() == {"Tide gate", "Berth 0", "Berth 1"}
    theirs.keep("Tide gate", "Shut at noon", topic_key="gates/tide")
    ours.compact(old, "Berths", "Both are painted")
    agreed(ours, theirs)
    assert ours.rows(LIVE) == theirs.rows(LIVE) == [("Both are painted",), ("Shut at noon",)]
    ours.run("memory", "restore")
    agreed(ours, theirs)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Berth 0", "Berth 1"}


def test_only_what_was_saved_for_this_project_in_a_clone_that_takes_part_travels(
    theirs: Member, tmp_path: Path, database: Database
) -> None:
    clone = member(tmp_path, "third", database)
    clone.log("third begins")
    before = clone.keep("Before", "Said before anybody shared")
    clone.sync_here()
    clone.keep("Elsewhere", "Of another project", project="quarry")
    clone.keep("Mine", "Of the person alone", scope="personal")
    clone.keep("Ours", "Of the team")
    agreed(clone, theirs)
    clone.compact([before], "Sum", "Said before anybody shared")
    agreed(clone, theirs)
    assert theirs.remembered() == {"Ours"}


@pytest.mark.slow
def test_a_memory_that_was_lost_or_restored_from_a_backup_has_all_again_and_once(
    ours: Member, theirs: Member
) -> None:
    ours.keep("Tide gate", "Shut at night")
    waited_for(ours)
    [path] = (ours.home / ".local/share").rglob("*.db")
    backup = path.read_bytes()
    ours.write(goal="Book")
    theirs.keep("Crane", "Greased on Mondays")
    agreed(ours, theirs)
    path.write_bytes(backup)
    for lost in (theirs.home / ".local/share").rglob("*.db*"):
        lost.unlink()
    agreed(ours, theirs)
    for each in (ours, theirs):
        assert each.remembered() == {"Tide gate", "Crane"}
        assert each.document() == {"goal": "Book"}


@pytest.mark.slow
def test_a_server_that_was_restored_from_a_backup_gets_all_again(
    ours: Member, theirs: Member, database: Database
) -> None:
    ours.keep("Tide gate", "Shut at night")
    ours.write(goal="Book")
    agreed(ours, theirs)
    database.do("delete from agent_progress.log where kind in ('observation', 'document')")
    theirs.keep("Crane", "Greased on Mondays")
    agreed(ours, theirs)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Crane"}
    kinds = dict(database.do("select kind, count(*) from agent_progress.log group by kind"))
    assert (kinds["document"], kinds["observation"]) == (1, 2)


def test_rows_that_are_no_observation_are_passed_over_and_secrets_taken_out(
    ours: Member, database: Database
) -> None:
    bodies: list[object] = [
        {"type": "decision", "title": "Fine", "content": "DB_PASSWORD=q7!Rz4LmT9v is in it"},
        {"type": "progress", "title": "x", "content": "{}", "topic_key": "progress/harbour"},
        {"type": "decision", "title": "", "content": "y"},
        ["no", "object"],
    ]
    for number, body in enumerate(bodies, 1):
        database.add(KEY, "observation", f"{number:032x}", json.dumps(body))
    text = json.dumps({"goal": "API_TOKEN=q7Rz4LmT9vXw2Yb8 is in it"})
    database.add(KEY, "document", " 1", json.dumps({"key": "", "text": text}))
    database.add(KEY, "document", " 2", "no json")
    assert "4 observations or documents of the server cannot be used" in ours.run("sync", err=True)
    assert ours.remembered() == {"Fine"}
    kept = str(ours.rows("SELECT * FROM observations"))
    assert "q7" not in kept
    assert kept.count("REDACTED") >= 2


def test_changes_of_two_in_different_fields_become_one_document(ours: Member, theirs: Member) -> None:
    ours.write(goal="Book", next_steps=["a", "b"], owner={"name": "Ines", "desk": 1})
    agreed(ours, theirs)
    with ours.offline():
        ours.write(goal="Book berths", next_steps=["b", "c"], owner={"name": "Ines", "desk": 1})
    with theirs.offline():
        owner = {"name": "Ines", "desk": 2}
        theirs.write(goal="Book", next_steps=["a", "b", "d"], completed=["c"], owner=owner)
    agreed(ours, theirs)
    merged = {"goal": "Book berths", "next_steps": ["b", "c", "d"], "completed": ["c"], "owner": owner}
    assert ours.document() == theirs.document() == merged


@pytest.mark.slow
def test_of_one_field_that_two_have_changed_the_first_is_kept_and_the_other_named(
    ours: Member, theirs: Member
) -> None:
    ours.write(goal="Book")
    agreed(ours, theirs)
    with ours.offline():
        ours.write(goal="Book berths")
    with theirs.offline():
        theirs.write(goal="Book cranes")
    for each in (ours, theirs):
        with each.offline():
            document = json.dumps({"by": each.name()})
            each.run("memory", "progress", "--namespace", "tide gate", "--content", document)
    ours.sync_here()
    shown = theirs.run("sync", err=True)
    assert f"{ours.name()} wrote the progress document, too; kept as in that version: goal" in shown
    assert "to see yours: `memory progress --revision 2`" in shown
    assert "to see yours: `memory progress --namespace 'tide gate' --revision 1`" in shown
    agreed(ours, theirs)
    assert ours.document() == theirs.document() == {"goal": "Book berths"}
    assert "Book cranes" in theirs.run("memory", "progress", "--revision", "2")


@pytest.mark.slow
def test_what_was_merged_is_not_lost_to_a_third_who_was_faster(
    ours: Member, theirs: Member, database: Database
) -> None:
    ours.write(goal="Book")
    agreed(ours, theirs)
    with theirs.offline():
        theirs.write(goal="Book", b=2)
    body = json.dumps({"key": "", "text": json.dumps({"goal": "Book", "c": 3})})
    add = "select agent_progress.append(%s, 'faster', array['document'], array[' 2'], array[%s])"
    waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%append%'"
    with psycopg.connect(database.url_of("admin")) as faster:
        faster.execute(add, [KEY, body])
        slower = theirs.started("sync")
        while database.do(waiting) == [(0,)]:
            assert slower.poll() is None
    slower.communicate()
    assert slower.returncode == 0
    ours.sync_here()
    assert ours.document() == theirs.document() == {"goal": "Book", "c": 3, "b": 2}


@pytest.mark.slow
def test_who_writes_without_having_read_what_a_sync_brought_takes_nothing_away(
    ours: Member, theirs: Member
) -> None:
    ours.write(goal="Book", next_steps=["a"])
    agreed(ours, theirs)
    theirs.write(goal="Book", next_steps=["a"], blockers=["No bank account"])
    agreed(ours, theirs)
    ours.run("memory", "progress", "--content", json.dumps({"goal": "Book", "next_steps": ["a", "b"]}))
    agreed(ours, theirs)
    assert theirs.document() == {"goal": "Book", "next_steps": ["a", "b"], "blockers": ["No bank account"]}
    theirs.write(goal="Book berths")
    agreed(ours, theirs)
    refusal = ours.run("memory", "progress", "--content", '{"goal": "Book cranes"}', status=1, err=True)
    assert f"{theirs.name()} wrote revision" in refusal
    assert "Book berths" in refusal
