"""The tables of a team's server: made by number, and entries that nobody of ours can change."""

from __future__ import annotations

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from progress_plugin.team import schema
from progress_plugin.team.writer_rights import OF_ANOTHER_ROLE
from tests.conftest import REPOSITORY
from tests.team import postgres
from tests.team.members import KEY, member
from tests.team.postgres import ADD_ENTRY, Cluster, Database


@pytest.mark.usefixtures("ours")
@pytest.mark.parametrize(
    "statement",
    [
        "update agent_progress.entries set body = '{}'",
        "update agent_progress.entries set body = null",
        "delete from agent_progress.entries",
        "truncate agent_progress.entries",
        "update agent_progress.tombstones set id = ''",
        "insert into agent_progress.writers (project, writer, owner) values ('p', 'w', 'person')",
        "update agent_progress.writers set owner = 'person'",
        "insert into agent_progress.entries values ('p', 'w', 1, 'x', '{}', '2099-01-01')",
        "delete from agent_progress.tombstones",
        "delete from agent_progress.migrations",
        "drop table agent_progress.entries",
        "alter table agent_progress.entries disable trigger all",
    ],
)
def test_the_server_refuses_that_a_person_changes_history(database: Database, statement: str) -> None:
    with (
        psycopg.connect(database.url, autocommit=True) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)  # type: ignore[call-overload]
    assert database.do("select count(*) from agent_progress.entries where body is not null")[0][0] > 0


@pytest.mark.usefixtures("ours")
def test_one_who_erases_may_blank_an_entry_and_nothing_else(database: Database) -> None:
    database.do("drop role if exists eraser")
    database.do("create role eraser login in role agent_progress_eraser")
    with psycopg.connect(database.cluster.url(database.name, "eraser"), autocommit=True) as connection:
        for refused in ("update agent_progress.entries set body = '{}'", "delete from agent_progress.entries",
                        "update agent_progress.entries set writer = 'other'"):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(refused)  # type: ignore[call-overload]
        connection.execute("update agent_progress.entries set body = null")
    assert database.do("select count(*) from agent_progress.entries where body is not null") == [(0,)]


@pytest.mark.usefixtures("ours")
def test_the_owner_cannot_change_an_entry_by_mistake(database: Database) -> None:
    for statement in ("update agent_progress.entries set number = 7", "delete from agent_progress.entries"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            database.do(statement)


def test_numbers_of_a_writer_have_no_gap_whoever_gives_them(database: Database) -> None:
    database.without_checks()
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(ADD_ENTRY, ["p", "w", 1, "a", "{}"])
        with pytest.raises(psycopg.errors.CheckViolation, match="leaves a gap"):
            connection.execute(ADD_ENTRY, ["p", "w", 3, "c", "{}"])
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(ADD_ENTRY, ["p", "w", 1, "b", "{}"])
        connection.execute(ADD_ENTRY, ["p", "w", 2, "b", "{}"])


def test_init_makes_the_tables_once_and_says_what_a_role_may(tmp_path: Path, cluster: Cluster) -> None:
    empty = postgres.database(cluster, tables=False)
    clone = member(tmp_path, "ours", empty.admin)
    told = clone.run("team", "init")
    assert f"Schema agent_progress: {schema.version()} (was 0)." in told
    assert "admin owns the tables, so no grant binds it" in told
    assert "(as before)" in clone.run("team", "init")
    postgres.ensure_role(empty, "guest", "login")
    clone.reaches(empty.cluster.url(empty.name, "guest"))
    told = clone.run("team", "init", status=3, err=True)
    assert "your role may not make the tables" in told
    assert "whoever runs the server applies what `agent-progress team init --sql` prints; nothing was" in told
    empty.do("grant agent_progress_writer to guest")
    assert "As guest you may: select, insert entries." in clone.run("team", "init")
    empty.do("revoke agent_progress_writer from guest")


def test_ten_that_make_the_tables_at_once_make_them_once(tmp_path: Path, cluster: Cluster) -> None:
    empty = postgres.database(cluster, tables=False)
    clone = member(tmp_path, "ours", empty.admin)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: json.loads(clone.run("team", "init", "--json")), range(10)))
    assert {answer["now"] for answer in answers} == {schema.version()}
    assert empty.do("select number from agent_progress.migrations") == [
        (number + 1,) for number in range(schema.version())
    ]


def test_a_server_without_tables_and_a_newer_one_are_told_in_one_line(
    tmp_path: Path, cluster: Cluster
) -> None:
    empty = postgres.database(cluster, tables=False)
    clone = member(tmp_path, "ours", empty.admin)
    assert "whoever runs it does `agent-progress team init`" in clone.run("sync", status=2, err=True)
    clone.run("team", "init")
    empty.do("insert into agent_progress.migrations (number) values (99)")
    clone.log("Berths are listed", task="US-001")
    for words in (("sync",), ("team", "init")):
        told = clone.run(*words, status=2, err=True)
        assert "has schema 99, newer than" in told
        assert told.count("\n") == 1
    assert list(clone.said()) == ["Berths are listed"]
    assert empty.do("select count(*) from agent_progress.entries") == [(0,)]


def test_the_printed_sql_is_what_psql_applies(cluster: Cluster, tmp_path: Path) -> None:
    empty = postgres.database(cluster, tables=False)
    clone = member(tmp_path, "ours", empty.admin)
    script = clone.run("team", "init", "--sql")
    done = subprocess.run(
        ["psql", "-v", "ON_ERROR_STOP=1", "-q", empty.admin],
        input=script,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert clone.sync() == (0, 0)
    assert empty.do("select count(*) from agent_progress.entries where project = %s", KEY) == [(0,)]


def test_the_documented_rights_are_those_that_the_tables_grant(database: Database) -> None:
    page = (REPOSITORY / "docs/many-machines.md").read_text("utf-8")
    table = (
        page.partition("<!-- rights of agent_progress_writer")[2].partition("\n\n\n")[0].partition("## ")[0]
    )
    told = {
        name.strip(" `"): set(rights.strip().split(", "))
        for names, rights in re.findall(r"^\| (`.+?) \| (\w[\w, ]*) \|", table, re.MULTILINE)
        for name in names.split(",")
    }
    granted: dict[str, set[str]] = {}
    for name, right in database.do(
        "select table_name, lower(privilege_type) from information_schema.role_column_grants "
        "where grantee = 'agent_progress_writer' and table_schema = 'agent_progress' "
        "union select table_name, lower(privilege_type) from information_schema.role_table_grants "
        "where grantee = 'agent_progress_writer' and table_schema = 'agent_progress'"
    ):
        granted.setdefault(name, set()).add(right)
    assert told == granted


@pytest.mark.parametrize("number", range(1, schema.version() + 1))
def test_the_printed_sql_takes_the_steps_that_an_older_server_lacks(
    cluster: Cluster, tmp_path: Path, number: int
) -> None:
    older = postgres.database(cluster, tables=False)
    for each in range(1, number + 1):
        older.do(schema.step(each))
    clone = member(tmp_path, "ours", older.admin)
    done = subprocess.run(
        ["psql", "-v", "ON_ERROR_STOP=1", "-q", older.admin],
        input=clone.run("team", "init", "--sql"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert clone.sync() == (0, 0)


def test_erasures_from_before_they_had_a_writer_still_count_and_belong_to_no_role(
    cluster: Cluster, tmp_path: Path
) -> None:
    older = postgres.database(cluster, tables=False)
    for each in range(1, 4):
        older.do(schema.step(each))
    told = "insert into agent_progress.tombstones (project, digest) values ('p', %s), ('p', %s), ('q', %s)"
    older.do(told, "1" * 32, "2" * 32, "1" * 32)
    member(tmp_path, "ours", older.admin).run("team", "init")
    rows = older.do("select project, writer, number, id from agent_progress.tombstones order by 1, 3")
    assert rows == [
        ("p", "unknown", 1, "1" * 32), ("p", "unknown", 2, "2" * 32), ("q", "unknown", 1, "1" * 32),
    ]  # fmt: skip
    postgres.ensure_role(older, "person", "login in role agent_progress_writer")
    add = "insert into agent_progress.tombstones (project, writer, number, id) values ('p', 'unknown', 3, %s)"
    with psycopg.connect(older.url, autocommit=True) as connection:
        with pytest.raises(psycopg.Error) as refused:
            connection.execute(add, ["3" * 32])
        assert refused.value.sqlstate == OF_ANOTHER_ROLE


def test_a_role_that_may_also_blank_bodies_is_not_called_one_that_may_change_entries(
    database: Database, tmp_path: Path
) -> None:
    postgres.ensure_role(database, "keeper", "login in role agent_progress_writer, agent_progress_eraser")
    clone = member(tmp_path, "ours", database.cluster.url(database.name, "keeper"))
    told = clone.run("team", "init")
    assert "are never changed" not in told
    assert "a role needs" not in told
