"""A writer's name belongs to the role that wrote under it first: nobody else writes in it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import psycopg
import pytest

from progress_plugin.team.writer_rights import OF_ANOTHER_ROLE
from tests.team import postgres
from tests.team.clones import OURS
from tests.team.members import KEY, STATE, Member, entry_body, member
from tests.team.postgres import ADD_ENTRY, Database

IN_OUR_NAME = {
    "an entry": (
        ADD_ENTRY,
        [2, "forged", '{"id": "forged", "timestamp": "2026-11-01T10:10:10Z", "type": "x"}'],
    ),
    "an observation": (
        "insert into agent_progress.observations (project, writer, number, id, body) values (%s, %s, 1, %s, '{}')",
        ["obs-" + "0" * 32],
    ),
    "a document": (
        "insert into agent_progress.documents (project, writer, key, revision, body) values (%s, %s, '', 1, %s)",
        ['"{}"'],
    ),
    "an erasure": (
        "insert into agent_progress.tombstones (project, writer, number, id) values (%s, %s, 1, %s)",
        ["0" * 32],
    ),
    "a claim": (
        "insert into agent_progress.claims values (%s, 'us-002', 'US-002', %s, '', now(), now() + %s::interval)",
        ["1 day"],
    ),
    "the end of a claim": ("delete from agent_progress.claims where project = %s and writer = %s", []),
    "another end of a claim": (
        "update agent_progress.claims set until = now() + interval '1 hour' where project = %s and writer = %s",
        [],
    ),
}


def person(database: Database, name: str) -> str:
    """Return the URL of a colleague with a role of their own."""
    postgres.ensure_role(database, name, "login in role agent_progress_writer")
    return database.cluster.url(database.name, name)


@pytest.fixture
def ours(ours: Member) -> Member:
    """Return a clone that takes part, with one entry and a claim."""
    ours.run("claim", "US-003")
    return ours


@pytest.mark.parametrize("what", IN_OUR_NAME)
def test_nobody_writes_in_the_name_of_another_role(ours: Member, database: Database, what: str) -> None:
    statement, given = IN_OUR_NAME[what]
    with (
        psycopg.connect(person(database, "mallory"), autocommit=True) as connection,
        pytest.raises(psycopg.Error) as refused,
    ):
        connection.execute(statement.encode(), [KEY, ours.name(), *given])
    assert refused.value.sqlstate == OF_ANOTHER_ROLE
    assert database.do("select story, writer from agent_progress.claims") == [("US-003", ours.name())]


def test_a_claim_that_has_run_out_is_free_for_every_role(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    database.do("update agent_progress.claims set until = now() - interval '1 second'")
    theirs = member(tmp_path, "theirs", person(database, "anna"))
    theirs.sync()
    assert "is claimed until" in theirs.run("claim", "US-003")
    assert f"{theirs.name()} claims US-003" in ours.run("claim", "US-003", status=1, err=True)


def test_a_clone_whose_name_somebody_took_first_gets_another_one_and_nothing_is_taken_for_its_own(
    tmp_path: Path, database: Database
) -> None:
    clone = member(tmp_path, "ours", database)
    clone.log("Berths are listed")
    (clone.root / OURS / "config.toml").write_text("share = true\n", "utf-8")
    clone.run("repair")
    taken = clone.name()  # which a commit tells everybody
    mallory = person(database, "mallory")
    with psycopg.connect(mallory, autocommit=True) as connection:
        connection.execute(ADD_ENTRY, [KEY, taken, 1, "forged", entry_body("forged", "Nothing was done")])
    told = clone.run("sync", err=True)
    assert f"{taken} belongs to another role of the team's server, which wrote under it first" in told
    assert clone.name() != taken
    assert clone.said() == {"Nothing was done": taken, "Berths are listed": None}
    with psycopg.connect(mallory, autocommit=True) as connection, pytest.raises(psycopg.Error) as refused:
        connection.execute(ADD_ENTRY, [KEY, clone.name(), 2, "again", entry_body("again", "Nor was this")])
    assert refused.value.sqlstate == OF_ANOTHER_ROLE
    assert "this one is" not in clone.run("sync", err=True)


def test_a_restored_backup_keeps_its_claims_under_its_new_name(ours: Member, database: Database) -> None:
    ours.sync()
    kept = {path: path.read_bytes() for path in (ours.root / OURS / "progress.json", ours.private(STATE))}
    before = ours.name()
    ours.log("Written after the backup")
    ours.sync()
    for path, data in kept.items():
        path.write_bytes(data)
    shutil.rmtree(ours.home / ".local/share/agent-progress/copies", ignore_errors=True)
    assert f"another clone writes as {before}" in ours.run("sync", err=True)
    assert database.do("select story, writer from agent_progress.claims") == [("US-003", ours.name())]
    assert (ours.name(), "person") in database.do("select writer, owner from agent_progress.writers")
    assert "US-003 is free." in ours.run("release", "US-003")


REFUSED = {
    "none": None,
    "no object": "[]",
    "without an id": '{"timestamp": "2026-11-01T10:10:10Z", "type": "x"}',
    "of another id": '{"id": "y", "timestamp": "2026-11-01T10:10:10Z", "type": "x"}',
    "without a time": '{"id": "x", "type": "x"}',
    "with a time that is none": '{"id": "x", "timestamp": {"year": 2099}, "type": "x"}',
    "with data that are none": '{"id": "x", "timestamp": "2026-11-01T10:10:10Z", "type": "x", "data": 1}',
    "with an infinite number": '{"id": "x", "timestamp": "2026-11-01T10:10:10Z", "type": "x", "data": {"a": [1e999]}}',
    "wrapped, and more": '{"wrapped": "{}", "x": 1}',
    "too large": json.dumps({"id": "x", "timestamp": "2026-11-01T10:10:10Z", "type": "x", "data": {"a": "x" * 1_100_000}}),
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED)
def test_the_server_takes_no_row_that_is_no_entry(database: Database, body: str) -> None:
    with (
        psycopg.connect(database.url, autocommit=True) as connection,
        pytest.raises(psycopg.errors.CheckViolation),
    ):
        connection.execute(ADD_ENTRY, [KEY, "mallory", 1, "x", REFUSED[body]])


def test_whoever_owns_the_tables_restores_rows_in_any_order_and_takes_no_name_by_it(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    for number in range(3):
        ours.log(f"Berth {number} is painted")
    ours.sync()
    rows = database.do("select project, writer, number, id, body::text from agent_progress.entries order by number desc")  # fmt: skip
    other = postgres.database(database.cluster)
    command = "copy agent_progress.entries (project, writer, number, id, body) from stdin"
    with (
        psycopg.connect(other.admin, autocommit=True) as connection,
        connection.cursor().copy(command) as copy,
    ):
        for row in rows:
            copy.write_row(row)
    ours.reaches(other.url)
    assert ours.sync() == (0, 0)
    late = member(tmp_path, "late", other)
    assert late.sync() == (4, 0)
