"""Observations of a team's project: on every machine, none lost, none of others'."""

from __future__ import annotations

import json
from pathlib import Path

from tests.team.members import KEY, NOWHERE, member, waited_for
from tests.team.memory_machines import Machine, agreed, machine
from tests.team.postgres import Database


def test_what_one_has_learnt_the_other_finds_with_the_name_of_who_said_it(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night, since the mud comes in", topic_key="gates/tide")
    agreed(*pair)
    told = theirs.run("memory", "search", "mud")
    assert "Tide gate" in told
    assert f"by {ours.name()}" in told
    assert "by " not in ours.run("memory", "search", "mud")
    assert theirs.sync() == ours.sync() == (0, 0)


def test_what_was_replaced_or_compacted_goes_everywhere(pair: tuple[Machine, Machine]) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    old = [ours.keep(f"Berth {number}", f"Painted {number}") for number in range(2)]
    agreed(*pair)
    assert theirs.remembered() == {"Tide gate", "Berth 0", "Berth 1"}
    theirs.keep("Tide gate", "Shut at noon", topic_key="gates/tide")
    ours.compact(old, "Berths", "Both are painted")
    agreed(*pair)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Berths"}
    for each in pair:
        assert "Shut at noon" in each.run("memory", "search", "tide")
    ours.run("memory", "restore")
    agreed(*pair)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Berth 0", "Berth 1"}


def test_what_two_have_said_is_one_and_outlives_who_did_not_know_of_the_other(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    ours.together()
    ours.reaches(NOWHERE)
    ours.keep("Tide gate", "Shut at noon", topic_key="gates/tide")
    theirs.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    theirs.together()
    waited_for(ours)
    ours.reaches(ours.url)
    agreed(*pair)
    live = "SELECT content FROM observations WHERE deleted_at IS NULL ORDER BY content"
    assert ours.rows(live) == theirs.rows(live) == [("Shut at night",), ("Shut at noon",)]
    theirs.keep("Tide gate", "Open", topic_key="gates/tide")
    agreed(*pair)
    assert ours.rows(live) == theirs.rows(live) == [("Open",)]


def test_only_what_was_saved_for_this_project_in_a_clone_that_takes_part_travels(
    tmp_path: Path, database: Database
) -> None:
    theirs = machine(tmp_path, "theirs", database)
    ours = member(tmp_path, "ours", database)
    ours.__class__ = Machine
    assert isinstance(ours, Machine)
    ours.log("ours begins")
    before = ours.keep("Before", "Said before anybody shared")
    ours.together()
    ours.keep("Elsewhere", "Of another project", project="quarry")
    ours.keep("Mine", "Of the person alone", scope="personal")
    ours.keep("Ours", "Of the team")
    agreed(ours, theirs)
    assert theirs.remembered() == {"Ours"}
    ours.compact([before], "Sum", "Said before anybody shared")
    agreed(ours, theirs)
    assert theirs.remembered() == {"Ours"}


def test_a_memory_that_was_lost_or_restored_from_a_backup_has_all_again_and_once(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night")
    waited_for(ours)
    [path] = (ours.home / ".local/share").rglob("*.db")
    backup = path.read_bytes()
    ours.write(goal="Book")
    theirs.keep("Crane", "Greased on Mondays")
    agreed(*pair)
    path.write_bytes(backup)
    for lost in (theirs.home / ".local/share").rglob("*.db*"):
        lost.unlink()
    agreed(*pair)
    for each in pair:
        assert each.remembered() == {"Tide gate", "Crane"}
        assert each.document() == {"goal": "Book"}


def test_a_server_that_was_restored_from_a_backup_gets_all_again(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night")
    ours.write(goal="Book")
    agreed(*pair)
    database.do("delete from agent_progress.log where kind in ('observation', 'document')")
    theirs.keep("Crane", "Greased on Mondays")
    agreed(*pair)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Crane"}
    kinds = dict(database.do("select kind, count(*) from agent_progress.log group by kind"))
    assert (kinds["document"], kinds["observation"]) == (1, 2)


def test_rows_that_are_no_observation_are_passed_over_and_secrets_taken_out(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, _ = pair
    bodies = [
        {"type": "decision", "title": "Fine", "content": "DB_PASSWORD=q7!Rz4LmT9v is in it"},
        {"type": "progress", "title": "x", "content": "{}", "topic_key": "progress/harbour"},
        {"type": "decision", "title": "", "content": "y"},
        ["no", "object"],
    ]
    add = "select agent_progress.append(%s, 'other', array[%s], array[%s], array[%s])"
    for number, body in enumerate(bodies, 1):
        database.do(add, KEY, "observation", f"{number:032x}", json.dumps(body))
    text = json.dumps({"goal": "API_TOKEN=q7Rz4LmT9vXw2Yb8 is in it"})
    database.do(add, KEY, "document", " 1", json.dumps({"key": "", "text": text}))
    database.do(add, KEY, "document", " 2", "no json")
    assert "observations or documents of the server cannot be used" in ours.run("sync", err=True)
    assert ours.remembered() == {"Fine"}
    kept = str(ours.rows("SELECT * FROM observations"))
    assert "q7" not in kept
    assert kept.count("REDACTED") >= 2
