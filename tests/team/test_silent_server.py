"""A team's server that takes a connection and then says nothing: whoever asks it is not kept waiting."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from progress_plugin.core.project import Project, find_project
from progress_plugin.log import team_state
from progress_plugin.team import bounded_connection, schema
from progress_plugin.team.connection import TeamServerFault
from progress_plugin.usecases.team.claiming import claim_story
from progress_plugin.usecases.team.sync import sync
from progress_plugin.usecases.team.team_tables import make_tables
from tests.team import postgres
from tests.team.members import here, member
from tests.team.postgres import Cluster, Database

WAITING = (
    "select pid from pg_stat_activity where application_name = 'agent-progress' "
    "and datname = current_database() and wait_event_type = 'Lock'"
)


def _sync(project: Project) -> object:
    return sync(project, joins=False)


def _claim(project: Project) -> object:
    return claim_story(project, "US-001", timedelta(hours=2), session=None, now=datetime.now(UTC))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("ask", [_sync, _claim])
def test_a_server_that_stops_in_the_middle_of_an_answer_ends_the_command_and_frees_the_lock(
    tmp_path: Path, database: Database, ask: Callable[[Project], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = member(tmp_path, "ours", database)
    ours.sync()
    monkeypatch.setattr(bounded_connection, "ANSWER_SECONDS", 2)
    with here(ours), psycopg.connect(database.admin) as lock, ThreadPoolExecutor(1) as pool:
        lock.execute("lock table agent_progress.entries in access exclusive mode")
        project = find_project(str(ours.root))
        asked = pool.submit(ask, project)
        while not (found := database.do(WAITING)):
            assert not asked.done()
        [(pid,)] = found
        os.kill(pid, signal.SIGSTOP)
        try:
            lock.rollback()
            with pytest.raises(TeamServerFault, match="no answer for 2 seconds"):
                asked.result()
            with team_state.sync_lock(project.log_directory, 0):
                pass
        finally:
            os.kill(pid, signal.SIGCONT)


def test_a_change_of_tables_may_take_longer_than_any_statement_of_a_sync(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = postgres.database(cluster, tables=False)
    for number in range(1, 4):
        older.do(schema.step(number))
    ours = member(tmp_path, "ours", older.admin)
    with here(ours), psycopg.connect(older.admin) as lock, ThreadPoolExecutor(1) as pool:
        lock.execute("lock table agent_progress.entries in access exclusive mode")
        asked = pool.submit(make_tables)
        while not older.do(WAITING):
            assert not asked.done()
        monkeypatch.setattr(bounded_connection, "ANSWER_SECONDS", 0)
        lock.execute("select count(*) from generate_series(1, 4000000)")
        monkeypatch.setattr(bounded_connection, "ANSWER_SECONDS", 40)
        lock.rollback()
        assert asked.result().now == schema.version()
