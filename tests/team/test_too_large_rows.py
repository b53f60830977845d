"""Rows on a team's server that are larger than any entry: never read as a text, in the way of nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from progress_plugin.team.connection import connected
from progress_plugin.team.numbered_rows import ENTRIES, MOST_SENT, MOST_STORED, OBSERVATIONS, Row, portions
from tests.team.members import KEY, Member, member
from tests.team.postgres import Database

_ADD = """
insert into agent_progress.entries (project, writer, number, id, body)
select %s, 'mallory', number, 'm-' || number, (select jsonb_build_object('a', jsonb_agg(1)) from generate_series(1, 340000))
from generate_series(1, %s) as number
"""
_ADD_OBSERVATIONS = """
insert into agent_progress.observations (project, writer, number, id, body)
select %s, 'mallory', number, 'obs-' || lpad(number::text, 32, '0'), '"' || repeat('x', 4 * 1024 * 1024) || '"'
from generate_series(1, %s) as number
"""


@pytest.fixture(autouse=True)
def _older(database: Database) -> None:
    database.without_checks()


@pytest.fixture
def ours(tmp_path: Path, database: Database) -> Member:
    """Return a clone that takes part."""
    clone = member(tmp_path, "ours", database)
    clone.sync()
    return clone


def _read(database: Database) -> list[list[Row]]:
    with connected(database.url) as server:
        parts = [ENTRIES.above(server, KEY, "mallory", 0)]
        while parts[-1]:
            parts.append(ENTRIES.above(server, KEY, "mallory", parts[-1][-1].number))
    return parts[:-1]


def test_a_row_that_is_no_entry_by_its_size_is_not_made_a_text(database: Database) -> None:
    database.do(_ADD, KEY, 12)
    stored = dict(database.do("select number, pg_column_size(body) from agent_progress.entries"))
    parts = _read(database)
    assert [row.number for part in parts for row in part] == list(range(1, 13))
    assert {row.body for part in parts for row in part} == {""}
    assert max(sum(stored[row.number] for row in part) for part in parts) <= MOST_STORED
    assert len(parts) > 1  # the server, too, opens no more than that for one statement


def test_one_that_is_larger_than_all_that_is_read_at_once_does_not_stop_the_rest(database: Database) -> None:
    database.do(
        "insert into agent_progress.entries (project, writer, number, id, body) values "
        "(%s, 'mallory', 1, 'm-1', (select jsonb_build_object('a', string_agg(md5(n::text), '')) "
        "from generate_series(1, 30000) as n)), (%s, 'mallory', 2, 'm-2', '{}')",
        KEY,
        KEY,
    )
    assert database.do("select max(pg_column_size(body)) from agent_progress.entries")[0][0] > MOST_STORED
    parts = _read(database)
    assert [[row.number for row in part] for part in parts] == [[1], [2]]
    assert parts[1][0].body == "{}"


def test_observations_are_measured_where_they_are_stored(database: Database) -> None:
    database.do(_ADD_OBSERVATIONS, KEY, 9)
    with connected(database.url) as server:
        rows = OBSERVATIONS.above(server, KEY, "mallory", 0)
    assert sum(len(row.body or "") for row in rows) <= 32 * 1024 * 1024
    assert [row.number for row in rows] == list(range(1, 8))


def test_what_is_sent_at_once_is_bounded_by_rows_and_by_bytes() -> None:
    sizes = [1, 1, 1, MOST_SENT - 2, 2, MOST_SENT + 1, 1]
    parts = list(portions(sizes, int, most=2))
    assert parts == [[1, 1], [1, MOST_SENT - 2], [2], [MOST_SENT + 1], [1]]


def test_own_work_goes_out_past_rows_that_are_no_entries(ours: Member, database: Database) -> None:
    database.do(_ADD, KEY, 8)
    ours.log_offline("Berths are listed")
    assert "8 rows of the server hold no entry that can be believed" in ours.run("sync", err=True)
    assert database.do("select count(*) from agent_progress.entries where writer <> 'mallory'") == [(1,)]


def test_own_work_goes_out_where_the_work_of_others_cannot_be_taken_in(
    ours: Member, database: Database
) -> None:
    database.do(
        "insert into agent_progress.entries (project, writer, number, id, body) "
        "values (%s, 'mallory', 1, 'm-1', '{}')",
        KEY,
    )
    database.do("revoke select on agent_progress.entries from agent_progress_writer")
    database.do(
        "grant select (project, writer, number, id) on agent_progress.entries to agent_progress_writer"
    )
    ours.log_offline("Berths are listed")
    assert "your role may not do that" in ours.run("sync", status=3, err=True)
    sent = database.do(
        "select body->'data'->>'description' from agent_progress.entries where writer <> 'mallory'"
    )
    assert sent == [("Berths are listed",)]
