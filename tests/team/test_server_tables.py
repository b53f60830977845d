"""The tables of a team's server: made once, numbered without gaps, and changed by nobody."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import psycopg
import pytest

from progress_plugin.team.server import SCHEMA, Cursor, NewRow, opened
from tests.team import postgres
from tests.team.members import Member, member
from tests.team.postgres import Cluster, Database


@pytest.mark.parametrize(
    "statement",
    [
        "update agent_progress.log set body = '{}'",
        "delete from agent_progress.log",
        "insert into agent_progress.log (project, seq, kind, id, writer) values ('p', 9, 'entry', 'x', 'w')",
        "delete from agent_progress.migrations",
        "drop table agent_progress.log",
    ],
)
def test_a_person_can_only_append(database: Database, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        database.do(statement, login="person")


def test_rows_of_many_connections_have_numbers_without_gaps_and_are_read_in_their_order(
    database: Database,
) -> None:
    """A reader that asks all the time for what comes next misses nothing."""

    def append(writer: int) -> None:
        with opened(database.url, "p", f"w{writer}") as server:
            for number in range(10):
                server.append([NewRow("entry", f"{writer}-{number}-{part}", "{}") for part in range(3)])

    seen: list[str] = []
    with ThreadPoolExecutor(8) as pool, opened(database.url, "p", "reader") as reader:
        running = [pool.submit(append, writer) for writer in range(8)]
        is_over = False
        while not is_over:
            is_over = all(each.done() for each in running)
            for row in chain.from_iterable(reader.read_pages(Cursor(len(seen)), ["entry"])):
                assert row.seq == len(seen) + 1
                seen.append(row.id)
        for each in running:
            each.result()
    assert len(set(seen)) == len(seen) == 8 * 10 * 3


def test_init_makes_the_tables_once_and_says_who_may_write(tmp_path: Path, cluster: Cluster) -> None:
    empty = postgres.database(cluster, tables=False)
    clone = member(tmp_path, "ours", empty.url_of("admin"))
    assert "its administrator has to run `agent-progress team init`" in clone.run("sync", status=3, err=True)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: json.loads(clone.run("team", "init", "--json")), range(4)))
    assert sorted(answer["before"] for answer in answers) == [0, SCHEMA, SCHEMA, SCHEMA]
    shown = clone.run("team", "init")
    assert f"Schema agent_progress: {SCHEMA} (as before)." in shown
    assert "`create role NAME login in role agent_progress_writer`" in shown


def test_another_schema_is_refused_with_what_to_do(ours: Member, database: Database) -> None:
    for number, remedy in ((SCHEMA + 1, "is newer, update"), (SCHEMA - 1, "alter schema")):
        database.do("update agent_progress.migrations set number = %s", number)
        refusal = ours.run("sync", status=2, err=True)
        assert f"has schema {number}, this version has {SCHEMA}: " in refusal
        assert remedy in refusal
