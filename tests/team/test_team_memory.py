"""Progress documents and observations of a team's project: on every machine, none lost, none of others' (S20.5)."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from progress_plugin.core.fast.minimal_os import content_digest
from progress_plugin.memory.travelling_observation import TravellingObservation
from progress_plugin.team import schema
from tests.team import postgres
from tests.team.clones import OURS
from tests.team.members import KEY, NOWHERE, STATE, Member, member, waited_for
from tests.team.postgres import Cluster, Database


class Machine(Member):
    """A clone whose agent keeps a memory, too."""

    def keep(self, title: str, content: str, **options: str) -> int:
        """Save an observation, and return its id."""
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        given = ("--title", title, "--content", content, "--type", "decision", "--json", *words)
        row: int = json.loads(self.run("memory", "save", *given))["id"]
        return row

    def write(self, **fields: Any) -> None:
        """Write the progress document as an agent does that has read it."""
        found = json.loads(self.run("memory", "progress", "--json", status=self.answers()))
        base = ("--base-revision", str(found["revision"])) if found["found"] else ()
        self.run("memory", "progress", "--content", json.dumps(fields), *base)

    def answers(self) -> int:
        """Return what a read of the progress document ends with: 1 where there is none."""
        live = "SELECT count(*) FROM observations WHERE type = 'progress' AND deleted_at IS NULL"
        paths = list((self.home / ".local/share").rglob("*.db"))
        return 0 if paths and self.rows(live) != [(0,)] else 1

    def document(self) -> Any:
        """Return the progress document."""
        return json.loads(self.run("memory", "progress", "--json"))["content"]

    def remembered(self) -> set[str]:
        """Return the titles of all live observations, each of which is there once."""
        rows = self.rows("SELECT title FROM observations WHERE deleted_at IS NULL AND type <> 'progress'")
        assert len({row[0] for row in rows}) == len(rows)
        return {row[0] for row in rows}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return rows of the memory database."""
        [path] = (self.home / ".local/share").rglob("*.db")
        with sqlite3.connect(path) as connection:
            return connection.execute(statement).fetchall()

    def together(self) -> None:
        """Sync until nothing of this machine is under way any more."""
        waited_for(self)
        self.sync()


def machine(place: Path, name: str, database: Database | str) -> Machine:
    """Return a clone that takes part, on a machine with a memory of its own."""
    made = member(place, name, database)
    made.__class__ = Machine
    assert isinstance(made, Machine)
    made.log(f"{name} begins")
    made.together()
    return made


@pytest.fixture
def pair(tmp_path: Path, database: Database) -> tuple[Machine, Machine]:
    """Return two machines of a team."""
    return machine(tmp_path, "ours", database), machine(tmp_path, "theirs", database)


def agreed(*machines: Machine) -> None:
    """Sync until everybody has heard of everything."""
    for _ in range(2):
        for each in machines:
            each.together()


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
    ours.run("memory", "compact", "--older-than-days", "0.00001", "--ids", json.dumps(old),
             "--summary-title", "Berths", "--summary-content", "Both are painted")  # fmt: skip
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
    ours.run("memory", "compact", "--older-than-days", "0.00001", "--ids", f"[{before}]",
             "--summary-title", "Sum", "--summary-content", "Said before anybody shared")  # fmt: skip
    agreed(ours, theirs)
    assert theirs.remembered() == {"Ours"}


def test_a_document_is_gone_on_with_on_another_machine(pair: tuple[Machine, Machine]) -> None:
    ours, theirs = pair
    ours.write(goal="Berths can be booked", next_steps=["Refuse doubles", "Take payments"])
    agreed(*pair)
    assert theirs.document() == ours.document()
    assert "Refuse doubles" in theirs.start()[0]
    theirs.write(goal="Berths can be booked", completed=["Refuse doubles"], next_steps=["Take payments"])
    agreed(*pair)
    assert ours.document() == {
        "goal": "Berths can be booked", "completed": ["Refuse doubles"], "next_steps": ["Take payments"],
    }  # fmt: skip


def test_a_document_is_as_old_on_another_machine_as_on_the_server(tmp_path: Path, database: Database) -> None:
    ours = machine(tmp_path, "ours", database)
    ours.write(goal="Berths can be booked")
    ours.together()
    database.do("alter table agent_progress.documents disable trigger all")
    database.do("update agent_progress.documents set arrived = '2026-01-05 10:00+00'")
    theirs = machine(tmp_path, "theirs", database)
    live = "SELECT updated_at FROM observations WHERE deleted_at IS NULL AND type = 'progress'"
    assert theirs.rows(live) == [("2026-01-05 10:00:00",)]


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


def test_of_one_field_that_two_have_changed_both_are_kept_and_shown(pair: tuple[Machine, Machine]) -> None:
    ours, theirs = pair
    ours.write(goal="Book")
    agreed(*pair)
    offline(ours, goal="Book berths")
    offline(theirs, goal="Book cranes")
    ours.together()
    waited_for(theirs)
    told = theirs.run("sync", err=True)
    assert f"{ours.name()} wrote the progress document, too: goal stands as there" in told
    agreed(*pair)
    both = {
        "goal": "Book berths",
        "other_versions": [{"field": "goal", "by": theirs.name(), "value": "Book cranes"}],
    }
    assert ours.document() == theirs.document() == both
    for each in pair:
        context, _ = each.start()
        assert "Book berths" in context
        assert "Book cranes" in context
    theirs.write(goal="Book berths and cranes")
    agreed(*pair)
    assert ours.document() == {"goal": "Book berths and cranes"}


def test_a_document_that_is_no_object_is_not_lost_either(pair: tuple[Machine, Machine]) -> None:
    ours, theirs = pair
    for each, text in ((ours, "1"), (theirs, "2")):
        each.reaches(NOWHERE)
        each.run("memory", "progress", "--content", text)
        waited_for(each)
        each.reaches(each.url)
    ours.together()
    assert "the whole document stands as there" in theirs.run("sync", err=True)
    assert theirs.document() == 1
    assert json.loads(theirs.run("memory", "progress", "--revision", "1", "--json"))["content"] == 2


def test_a_namespace_and_numbers_travel_as_they_are(pair: tuple[Machine, Machine]) -> None:
    ours, theirs = pair
    text = '{"n": 1.00000000000000000001, "z\\u0000": "\\ud83d", "k": {"b": 1, "a": [1e400]}}'
    ours.run("memory", "progress", "--namespace", "crane", "--content", text)
    agreed(*pair)
    assert ours.rows("SELECT content FROM observations") == theirs.rows("SELECT content FROM observations")


def test_a_memory_that_lost_its_state_or_its_rows_has_all_again_and_once(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night")
    ours.write(goal="Book")
    theirs.keep("Crane", "Greased on Mondays")
    agreed(*pair)
    (ours.root / OURS / "team/memory").unlink()
    agreed(*pair)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Crane"}
    for path in (theirs.home / ".local/share").rglob("*.db*"):
        path.unlink()
    (theirs.root / OURS / "team/memory").unlink()
    agreed(*pair)
    assert theirs.remembered() == {"Tide gate", "Crane"}
    assert theirs.document() == {"goal": "Book"}


def test_a_database_that_was_lost_takes_nothing_from_the_team_and_sends_nothing_of_other_projects(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, theirs = pair
    for number in range(3):
        theirs.keep(f"Crane {number}", f"Greased on day {number}")
    ours.keep("Tide gate", "Shut at night")
    ours.write(goal="Book")
    agreed(*pair)
    for path in (ours.home / ".local/share").rglob("*.db*"):
        path.unlink()
    for number in range(5):
        ours.keep(f"Quarry {number}", "Of another project", project="quarry")
    agreed(*pair)
    everything = {"Crane 0", "Crane 1", "Crane 2", "Tide gate"}
    assert theirs.remembered() == everything
    assert ours.remembered() == everything | {f"Quarry {number}" for number in range(5)}
    assert ours.document() == theirs.document() == {"goal": "Book"}
    assert database.do("select count(*) from agent_progress.observations where id like 'gone-%'") == [(0,)]


def test_a_database_that_was_restored_from_a_backup_does_not_take_the_team_back(
    pair: tuple[Machine, Machine], tmp_path: Path
) -> None:
    ours, theirs = pair
    ours.write(goal="Book", completed=["a"])
    agreed(*pair)
    [path] = (ours.home / ".local/share").rglob("*.db")
    with sqlite3.connect(path) as source, sqlite3.connect(tmp_path / "backup.db") as copy:
        source.backup(copy)
    theirs.write(goal="Book", completed=["a", "b"])
    theirs.keep("Crane", "Greased on Mondays")
    agreed(*pair)
    for stale in path.parent.glob("*.db*"):
        stale.unlink()
    path.write_bytes((tmp_path / "backup.db").read_bytes())
    agreed(*pair)
    assert ours.document() == theirs.document() == {"goal": "Book", "completed": ["a", "b"]}
    assert ours.remembered() == theirs.remembered() == {"Crane"}


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
    text = json.dumps(json.dumps({"goal": "Book", "a": 1, "c": 3}))
    add = "insert into agent_progress.documents (project, key, revision, writer, body) values (%s, '', 3, 'faster', %s)"
    waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert%'"
    with psycopg.connect(database.admin) as faster:
        faster.execute(add, [KEY, text])
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


def test_documents_of_other_projects_stay_and_one_that_nobody_owns_is_left_alone(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, theirs = pair
    quarry = ("memory", "progress", "quarry", "--namespace", "x", "--content")
    ours.run(*quarry, '{"goal": "Dig"}')
    theirs.write(goal="Book")
    theirs.together()
    ours.rows("SELECT 1")
    [path] = (ours.home / ".local/share").rglob("*.db")
    [(name,)] = theirs.rows("SELECT project FROM observations WHERE type = 'progress'")
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO observations (session_id, type, title, content, project, topic_key) SELECT id, 'progress', "
            "'x', '{\"goal\": \"Of another program\"}', ?, ? FROM sessions LIMIT 1",
            (name, f"progress/{name}"),
        )
    agreed(*pair)
    assert ours.document() == {"goal": "Book"}
    assert "Of another program" in str(ours.rows("SELECT content FROM observations WHERE deleted_at IS NULL"))
    assert database.do("select distinct key from agent_progress.documents") == [("",)]
    assert "Of another program" not in str(database.do("select body from agent_progress.documents"))


def test_an_observation_that_was_sent_but_not_acknowledged_does_not_rise_again(
    pair: tuple[Machine, Machine],
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    waited_for(ours)
    state = ours.root / OURS / "team/memory"
    before = state.read_bytes()
    ours.together()
    told = json.loads(before.partition(b"\n")[2])
    now = json.loads(state.read_bytes().partition(b"\n")[2])
    # As a kill between the server's answer and the note of it leaves it.
    half = {**told, "shared": now["shared"], "pending": sorted(now["shared"])}
    state.write_bytes(before.partition(b"\n")[0] + b"\n" + json.dumps(half).encode())
    ours.keep("Tide gate", "Open", topic_key="gates/tide")
    agreed(*pair)
    live = "SELECT content FROM observations WHERE deleted_at IS NULL"
    assert ours.rows(live) == theirs.rows(live) == [("Open",)]


def test_a_server_that_was_restored_from_a_backup_gets_all_again(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, theirs = pair
    ours.keep("Tide gate", "Shut at night")
    ours.write(goal="Book")
    agreed(*pair)
    for table in ("observations", "documents"):
        database.do(f"alter table agent_progress.{table} disable trigger all")
        database.do(f"delete from agent_progress.{table}")
        database.do(f"alter table agent_progress.{table} enable trigger all")
    theirs.keep("Crane", "Greased on Mondays")
    agreed(*pair)
    assert ours.remembered() == theirs.remembered() == {"Tide gate", "Crane"}
    assert database.do("select count(*) from agent_progress.documents") == [(1,)]
    assert database.do("select count(distinct id), count(*) from agent_progress.observations") == [(2, 2)]


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
    assert "revision 2 of the progress document there cannot be believed" in ours.run("sync", err=True)
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
        seal = (ours.root / STATE).read_bytes().partition(b"\n")[0].decode()
    else:
        (ours.root / OURS / "team").mkdir()
        seal = "agent-progress team 1 0.0.0"
    (ours.root / OURS / "team/saved-1-000000000000").write_text(f"{seal}\n{note}\n")
    ours.sync()
    # The same note counts where this very clone has made it.
    assert database.do("select count(*) from agent_progress.observations") == [(int(is_sealed),)]


def test_what_was_here_before_the_team_said_it_too_stays_here_and_is_not_sent(
    tmp_path: Path, database: Database
) -> None:
    theirs = machine(tmp_path, "theirs", database)
    theirs.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    theirs.together()
    ours = member(tmp_path, "ours", database)
    ours.__class__ = Machine
    assert isinstance(ours, Machine)
    ours.log("ours begins")
    ours.keep("Tide gate", "Shut at night", topic_key="gates/tide")
    agreed(ours, theirs)
    theirs.keep("Tide gate", "Open", topic_key="gates/tide")
    agreed(ours, theirs, ours)
    live = "SELECT content FROM observations WHERE deleted_at IS NULL ORDER BY content"
    assert ours.rows(live) == [("Open",), ("Shut at night",)]
    assert theirs.rows(live) == [("Open",)]


def test_a_team_of_the_first_schema_is_brought_up_with_its_entries(tmp_path: Path, cluster: Cluster) -> None:
    older = postgres.database(cluster, tables=False)
    older.do(schema.step(1))
    clone = member(tmp_path, "ours", older.admin)
    assert "older than" in clone.run("sync", status=2, err=True)
    assert f"Schema agent_progress: {schema.version()} (was 1)." in clone.run("team", "init")
    clone.log("Berths are listed")
    clone.run("sync")
    assert older.do("select count(*) from agent_progress.entries") == [(1,)]
