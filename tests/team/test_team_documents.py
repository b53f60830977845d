"""Progress documents of a team's project: gone on with on every machine, and of what two changed nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psycopg

from tests.team.members import KEY, NOWHERE, waited_for
from tests.team.memory_machines import Machine, agreed, machine
from tests.team.postgres import Database


def offline(each: Machine, **fields: Any) -> None:
    """Write the document while the server cannot be reached."""
    each.reaches(NOWHERE)
    each.write(**fields)
    waited_for(each)
    each.reaches(each.url)


def test_changes_of_two_in_different_fields_become_one_document(pair: tuple[Machine, Machine]) -> None:
    ours, theirs = pair
    ours.write(goal="Book", next_steps=["a", "b"], owner={"name": "Ines", "desk": 1})
    agreed(*pair)
    offline(ours, goal="Book berths", next_steps=["b", "c"], owner={"name": "Ines", "desk": 1})
    offline(
        theirs, goal="Book", next_steps=["a", "b", "d"], completed=["c"], owner={"name": "Ines", "desk": 2}
    )
    agreed(*pair)
    joined = {
        "goal": "Book berths",
        "next_steps": ["b", "d"],
        "completed": ["c"],
        "owner": {"name": "Ines", "desk": 2},
    }
    assert ours.document() == theirs.document() == joined


def test_of_one_field_that_two_have_changed_the_first_is_kept_and_the_other_named(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.write(goal="Book")
    agreed(*pair)
    offline(ours, goal="Book berths")
    offline(theirs, goal="Book cranes")
    ours.together()
    waited_for(theirs)
    told = theirs.run("sync", err=True)
    assert f"{ours.name()} wrote the progress document, too: goal is kept as there" in told
    assert "yours as it was: `memory progress --revision 2`" in told
    agreed(*pair)
    assert ours.document() == theirs.document() == {"goal": "Book berths"}
    assert "Book cranes" in theirs.run("memory", "progress", "--revision", "2")


def test_what_was_joined_is_not_lost_to_a_third_who_was_faster(
    pair: tuple[Machine, Machine], tmp_path: Path, database: Database
) -> None:
    ours, theirs = pair
    third = machine(tmp_path, "third", database)
    ours.write(goal="Book")
    agreed(ours, theirs, third)
    offline(ours, goal="Book", a=1)
    offline(theirs, goal="Book", b=2)
    offline(third, goal="Book", c=3)
    ours.together()
    waited_for(theirs)
    body = json.dumps({"key": "", "text": json.dumps({"goal": "Book", "a": 1, "c": 3})})
    add = "select agent_progress.append(%s, 'faster', array['document'], array[' 3'], array[%s])"
    waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%append%'"
    with psycopg.connect(database.admin) as faster:
        faster.execute(add, [KEY, body])
        slower = theirs.started("sync")
        while database.do(waiting) == [(0,)]:
            assert slower.poll() is None
    slower.communicate()
    assert slower.returncode == 0
    agreed(ours, theirs, third)
    assert (
        ours.document() == theirs.document() == third.document() == {"goal": "Book", "a": 1, "c": 3, "b": 2}
    )


def test_who_writes_without_having_read_what_a_sync_brought_takes_nothing_away(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.write(goal="Book", next_steps=["a"])
    agreed(*pair)
    theirs.write(goal="Book", next_steps=["a"], blockers=["No bank account"])
    agreed(*pair)
    ours.run("memory", "progress", "--content", json.dumps({"goal": "Book", "next_steps": ["a", "b"]}))
    agreed(*pair)
    assert theirs.document() == {"goal": "Book", "next_steps": ["a", "b"], "blockers": ["No bank account"]}
    theirs.write(goal="Book berths")
    agreed(*pair)
    told = ours.run("memory", "progress", "--content", '{"goal": "Book cranes"}', status=1, err=True)
    assert f"{theirs.name()} wrote revision" in told
    assert "Book berths" in told
