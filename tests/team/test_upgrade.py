"""Data of the version before schema 7 is read and continued: a team database, a clone, a history through git."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.paths import flat_name
from tests.team import postgres
from tests.team.clones import OURS, Clone
from tests.team.members import STATE, Member, member
from tests.team.memory_machines import machine
from tests.team.postgres import Cluster, Database

EARLIER = Path(__file__).parent / "earlier_version"


@pytest.fixture
def earlier() -> dict[str, Any]:
    """Return the files of a clone as that version wrote them."""
    data: dict[str, Any] = json.loads((EARLIER / "clone.json").read_text("utf-8"))
    return data


@pytest.fixture
def old_database(cluster: Cluster) -> Database:
    """Return a team database as that version made it, dumped by pg_dump."""
    found = postgres.database(cluster, tables=False)
    for name, options in (
        ("agent_progress_writer", "nologin"),
        ("agent_progress_eraser", "nologin"),
        ("person", "login in role agent_progress_writer"),
    ):
        postgres.ensure_role(found, name, options)
    found.do((EARLIER / "team.sql").read_text("utf-8"))
    found.do(
        "reset search_path; update agent_progress.claims set since = now(), until = now() + interval '1 day'"
    )
    return found


def old_clone(tmp_path: Path, database: Database, earlier: dict[str, Any]) -> Member:
    """Return a clone that took part with that version."""
    clone = member(tmp_path, "ours", database)
    (clone.root / OURS).mkdir(parents=True)
    (clone.root / OURS / "progress.json").write_text(json.dumps(earlier["progress.json"]), "utf-8")
    clone.private("team").mkdir(parents=True)
    for name in (STATE, "team/erased"):
        clone.private(name).write_text(earlier[name], "utf-8")
    host = socket.gethostname().partition(".")[0].lower()
    names = clone.home / ".local/share/agent-progress/writers" / host
    names.mkdir(parents=True)
    (names / flat_name(str(clone.root))).write_text(f"{earlier['writer']} seal member\n", "ascii")
    return clone


def test_a_team_database_is_migrated_by_one_step_and_continued(
    tmp_path: Path, old_database: Database, earlier: dict[str, Any]
) -> None:
    ours = old_clone(tmp_path, old_database, earlier)
    refusal = ours.run("sync", status=2, err=True)
    assert "has schema 6, older than 7; the person who runs it does `agent-progress team init`" in refusal
    ours.reaches(old_database.admin)
    shown = ours.run("team", "init")
    assert "Schema agent_progress: 7 (was 6)." in shown
    assert "the tables of schema 6 are kept as agent_progress_6" in shown
    ours.reaches(old_database.url)
    ours.log("Written by the new version")
    ours.sync()
    assert ours.name() == earlier["writer"]
    before = {entry["id"] for entry in earlier["progress.json"]["entries"]}
    assert before <= ours.entries().keys()
    assert list(ours.said().values()).count(None) == 4
    held = json.loads(ours.run("status", "--json"))["claims"]
    assert [(each["story"], each["writer"]) for each in held] == [("US-003", None)]
    late = machine(tmp_path, "late", old_database)
    assert set(late.said()) == {*ours.said(), "late begins"} - {"A secret slip"}
    assert late.remembered() == {"Tides", "Gates"}
    assert late.document() == {"phase": "build", "done": ["US-001", "US-002"]}
    assert old_database.do("select count(*) from agent_progress_6.entries") == [(6,)]


def test_an_older_database_is_refused_with_what_to_do(tmp_path: Path, old_database: Database) -> None:
    old_database.do("delete from agent_progress.migrations where number > 4")
    clone = member(tmp_path, "ours", old_database.admin)
    for words in (("team", "init"), ("sync",)):
        assert "has schema 4: a schema older than 6 is brought to 6 by the version" in clone.run(
            *words, status=2, err=True
        )


def test_a_history_through_git_is_read_and_continued(tmp_path: Path, earlier: dict[str, Any]) -> None:
    clone = Clone(tmp_path / "ours", tmp_path / "home")
    clone.root.mkdir()
    clone.git("init", "-q", "-b", "main")
    for name, text in earlier["shared"].items():
        (clone.root / name).parent.mkdir(parents=True, exist_ok=True)
        (clone.root / name).write_text(text, "utf-8")
    clone.commit()
    clone.start()
    assert set(clone.said()) == {"Berths are listed", "Cranes are booked"}
    clone.log("Written by the new version")
    clone.commit()
    assert len(clone.files()) == 3
    assert clone.run("verify") == "Log and archive are in order.\n"
