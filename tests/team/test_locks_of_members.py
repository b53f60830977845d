"""What a member can hold that others wait for: nothing of a writer's own, and what it is, it is named for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from progress_plugin.core.errors import Busy
from progress_plugin.core.project import find_project
from progress_plugin.log import team_state
from progress_plugin.team import connection, writer_rights
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.usecases.team.sync import sync
from tests.team.members import KEY, Member, here, member
from tests.team.postgres import Database, ensure_role

_NAMES = """
insert into agent_progress.tombstones (project, writer, number, id)
select 'p', 'm' || number, 1, lpad(number::text, 32, '0') from generate_series(%s::int, %s::int) as number
"""


@pytest.fixture
def mallory(database: Database) -> Iterator[psycopg.Connection]:
    """Return the connection of another member."""
    ensure_role(database, "mallory", "login in role agent_progress_writer")
    with psycopg.connect(database.url.replace("person@", "mallory@"), autocommit=True) as made:
        yield made


def _sync(clone: Member) -> None:
    with here(clone):
        sync(find_project(str(clone.root)), joins=False)


def test_a_lock_by_a_writers_name_keeps_nobody_waiting(
    ours: Member, database: Database, mallory: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_SECONDS", 1)
    ours.log_offline("Quays are swept")
    mallory.execute("select pg_advisory_lock(hashtextextended(%s, 0))", [f"{KEY}\n{ours.name()}"])
    _sync(ours)
    assert database.do("select count(*) from agent_progress.entries") == [(2,)]


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        ("entries (project, writer, number, id, body)", "2, 'x', '{}'::jsonb"),
        ("observations (project, writer, number, id, body)", "1, 'obs-' || repeat('0', 32), '{}'"),
        ("documents (project, writer, revision, key, body)", "1, 'x', '{}'"),
        ("tombstones (project, writer, number, id)", "1, repeat('0', 32)"),
    ],
)
def test_a_row_in_the_name_of_another_is_refused_before_it_is_there(
    ours: Member, mallory: psycopg.Connection, columns: str, values: str
) -> None:
    """Its statement goes on for a minute behind it: till it ended the number would be taken."""
    mallory.execute("set statement_timeout = '3s'")
    row = f"select %s, %s, {values}"
    adding = f"insert into agent_progress.{columns} {row} union all {row} from pg_sleep(60)"
    with pytest.raises(psycopg.Error) as refused:
        mallory.execute(adding, [KEY, ours.name()] * 2)  # type: ignore[call-overload]
    assert refused.value.sqlstate == writer_rights.OF_ANOTHER_ROLE


def test_who_holds_a_lock_is_named(
    ours: Member, mallory: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOCK_SECONDS", 1)
    with mallory.transaction():
        mallory.execute("lock table agent_progress.claims")
        held = rf"Locks there are held by mallory \(process {mallory.info.backend_pid}\): whoever runs the server"
        with pytest.raises(TeamServerFault, match=held):
            _sync(ours)
    _sync(ours)


def test_a_role_gives_no_more_names_within_a_day_than_it_may(
    database: Database, mallory: psycopg.Connection
) -> None:
    most = writer_rights.NAMES_A_DAY
    mallory.execute(_NAMES, [1, most])
    with pytest.raises(psycopg.Error) as refused:
        mallory.execute(_NAMES, [most + 1, most + 1])
    assert refused.value.sqlstate == writer_rights.TOO_MANY_NAMES
    database.do("update agent_progress.writers set since = since - interval '1 day'")
    mallory.execute(_NAMES, [most + 1, most + 1])


def test_another_sync_of_a_clone_is_called_that(tmp_path: Path, database: Database) -> None:
    ours = member(tmp_path, "ours", database)
    ours.sync()
    with (
        here(ours),
        team_state.sync_lock(find_project(str(ours.root)).log_directory, 0),
        pytest.raises(Busy, match="this clone is being synced by process"),
    ):
        sync(find_project(str(ours.root)), joins=False, patience=0)
