"""What a sync of the memory does grows with what is new, not with how many wrote it."""

from __future__ import annotations

import json
from pathlib import Path

from progress_plugin.team import document_rows
from progress_plugin.team.connection import connected
from tests.team.members import KEY, Member, member, waited_for
from tests.team.memory_machines import machine
from tests.team.postgres import Database


def writes_of_a_sync(clone: Member, place: Path) -> int:
    """Sync, and return how often the state of the memory was put in place."""
    script = (
        "import runpy, sys\n"
        "def hear(event, args, place=sys.argv[1]):\n"
        "    if event == 'os.rename' and str(args[1]).rstrip(\"'\").endswith('memory'):\n"
        "        with open(place, 'a') as file:\n"
        "            file.write('x')\n"
        "sys.addaudithook(hear)\n"
        "sys.argv = ['agent-progress', 'sync']\n"
        "runpy.run_module('progress_plugin', run_name='__main__')\n"
    )
    place.write_text("", "ascii")
    clone.python(script, str(place))
    return len(place.read_text("ascii"))


def _observe(database: Database, number: int) -> None:
    told = {"type": "decision", "title": f"Gate {number}", "content": f"Shut at {number}"}
    database.do(
        "insert into agent_progress.observations (project, writer, number, id, body) "
        "values (%s, %s, 1, %s, %s)",
        KEY, f"w{number}", f"obs-{number:032x}", json.dumps(told),
    )  # fmt: skip


def test_the_state_is_written_as_often_for_many_writers_as_for_one(
    tmp_path: Path, database: Database
) -> None:
    ours = member(tmp_path, "ours", database)
    ours.sync()
    waited_for(ours)
    _observe(database, 0)
    first = writes_of_a_sync(ours, tmp_path / "count")
    assert first > 0
    for number in range(1, 30):
        _observe(database, number)
    assert writes_of_a_sync(ours, tmp_path / "count") == first


_ADD_DOCUMENTS = """
insert into agent_progress.documents (project, key, revision, writer, body)
select %s, 'k' || lpad(number::text, 4, '0'), 1, 'mallory', '1' from generate_series(1, %s) as number
"""


def test_no_document_is_left_out_however_many_there_are(database: Database) -> None:
    database.do(_ADD_DOCUMENTS, KEY, 1001)
    with connected(database.url) as server:
        found = [key for part in document_rows.heads(server, KEY, {}) for key in part]
    assert found == [f"k{number:04}" for number in range(1, 1002)]


def test_documents_with_nothing_new_cost_neither_a_statement_nor_a_write_each(
    tmp_path: Path, database: Database
) -> None:
    ours = machine(tmp_path, "ours", database)
    for number in range(3):
        database.do(
            "insert into agent_progress.documents (project, key, revision, writer, body) "
            "values (%s, %s, 1, 'mallory', %s)",
            KEY, f"k{number}", json.dumps(json.dumps({"goal": f"Book {number}"})),
        )  # fmt: skip
    ours.together()
    assert ours.rows("SELECT count(*) FROM observations WHERE type = 'progress'") == [(3,)]
    assert (
        writes_of_a_sync(ours, tmp_path / "count") == 2
    )  # those of the observations, before and after what is sent
