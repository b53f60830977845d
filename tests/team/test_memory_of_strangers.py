"""What a team's server, its people or a repository could do to a memory that travels."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from progress_plugin.core.files import content_digest
from progress_plugin.memory.travelling_observation import TravellingObservation
from progress_plugin.team import schema
from tests.team import postgres
from tests.team.members import KEY, STATE, member
from tests.team.memory_machines import Machine
from tests.team.postgres import Cluster, Database


@pytest.mark.parametrize("table", ["observations", "documents"])
def test_the_server_refuses_that_a_person_changes_the_memory(
    pair: tuple[Machine, Machine], database: Database, table: str
) -> None:
    ours, _ = pair
    ours.keep("Tide gate", "Shut at night")
    ours.write(goal="Book")
    ours.together()
    with psycopg.connect(database.url, autocommit=True) as connection:
        for statement in (
            f"update agent_progress.{table} set body = null",
            f"delete from agent_progress.{table}",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)  # type: ignore[call-overload]
    assert database.do(f"select count(*) from agent_progress.{table} where body is not null") == [(1,)]


def test_a_strangers_rows_are_validated_redacted_and_passed_over(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, _ = pair
    bodies = [
        {"type": "decision", "title": "Fine", "content": "DB_PASSWORD=q7!Rz4LmT9v is in it"},
        {"type": "progress", "title": "x", "content": "{}", "topic_key": "progress/harbour"},
        {"type": "decision", "title": "x", "content": "y", "topic_key": "progress/harbour"},
        {"type": "decision", "title": "", "content": "y"},
        {"type": "decision", "title": 7, "content": "y"},
        ["no", "object"],
    ]
    add = "insert into agent_progress.observations (project, writer, number, id, body) values (%s, 'stranger', %s, %s, %s)"
    for number, body in enumerate(bodies, 1):
        database.do(add, KEY, number, f"obs-{number:032x}", json.dumps(body))
    document = "insert into agent_progress.documents (project, key, revision, writer, body) values (%s, '', %s, 'stranger', %s)"
    database.do(document, KEY, 1, json.dumps('{"goal": "API_TOKEN=q7Rz4LmT9vXw2Yb8 is in it"}'))
    told = ours.run("sync", err=True)
    assert "5 observations of the server cannot be believed" in told
    assert ours.remembered() == {"Fine"}
    database.do(document, KEY, 2, "no json")
    assert "1 revision of progress documents there cannot be believed (by stranger)" in ours.run(
        "sync", err=True
    )
    kept = str(ours.rows("SELECT * FROM observations"))
    assert "q7" not in kept
    assert kept.count("REDACTED") >= 2
    assert ours.sync() == (0, 0)


@pytest.mark.parametrize("is_sealed", [False, True])
def test_a_note_that_a_repository_brings_sends_nothing(
    tmp_path: Path, database: Database, is_sealed: bool
) -> None:
    ours = member(tmp_path, "ours", database)
    ours.__class__ = Machine
    assert isinstance(ours, Machine)
    ours.log("ours begins")
    ours.keep("Before", "Said before anybody shared")
    [(created,)] = ours.rows("SELECT created_at FROM observations")
    [path] = (ours.home / ".local/share").rglob("*.db")
    told = TravellingObservation("decision", "Before", "Said before anybody shared", None, None, created)
    note = json.dumps([1, str(path), content_digest(told.text.encode()).decode()])
    if is_sealed:
        ours.sync()
        seal = ours.private(STATE).read_bytes().partition(b"\n")[0].decode()
    else:
        ours.private("team").mkdir(parents=True)
        seal = "agent-progress team 1 0.0.0"
    ours.private("team/saved-1-000000000000").write_text(f"{seal}\n{note}\n")
    ours.sync()
    # The same note counts where this very clone has made it.
    assert database.do("select count(*) from agent_progress.observations") == [(int(is_sealed),)]


def test_a_team_of_the_first_schema_is_brought_up_with_its_entries(tmp_path: Path, cluster: Cluster) -> None:
    older = postgres.database(cluster, tables=False)
    older.do(schema.step(1))
    clone = member(tmp_path, "ours", older.admin)
    assert "older than" in clone.run("sync", status=2, err=True)
    assert f"Schema agent_progress: {schema.version()} (was 1)." in clone.run("team", "init")
    clone.log("Berths are listed")
    clone.run("sync")
    assert older.do("select count(*) from agent_progress.entries") == [(1,)]
