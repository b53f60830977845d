"""Revisions of progress documents that are none, which anybody of a team may add: nobody's work is lost to them."""

from __future__ import annotations

import json

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.team import document_rows
from progress_plugin.usecases.team import believable_document
from progress_plugin.usecases.team.sync import sync
from tests.team.members import KEY, NOWHERE, here, waited_for
from tests.team.memory_machines import Machine, agreed
from tests.team.postgres import Database

_ON_TOP = """
insert into agent_progress.documents (project, key, revision, writer, body)
select project, key, max(revision) + number, 'mallory', 'null'
from agent_progress.documents, generate_series(1, %s) as number group by project, key, number
order by number
"""
_ELSEWHERE = """
insert into agent_progress.documents (project, key, revision, writer, body)
select %s, 'j' || number, 1, 'mallory', 'null' from generate_series(1, %s) as number
"""


def _parted(pair: tuple[Machine, Machine]) -> None:
    """Have theirs on the server go on from what both have, and ours without a line to it."""
    ours, theirs = pair
    ours.write(goal="Book", completed=["Quays"])
    agreed(*pair)
    theirs.write(goal="Book", completed=["Quays", "Cranes"])
    theirs.together()
    ours.reaches(NOWHERE)
    ours.write(goal="Book", completed=["Quays"], blockers=["No bank account"])
    waited_for(ours)
    ours.reaches(ours.url)


def _told(clone: Machine) -> list[str]:
    """Sync, and return what is said of what cannot be believed."""
    waited_for(clone)
    with here(clone):
        done = sync(find_project(str(clone.root)), joins=True)
    assert done is not None
    return [note for note in done.notes if "believed" in note]


def test_what_another_wrote_below_a_junk_revision_is_joined(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    _parted(pair)
    database.do(_ON_TOP, 3)
    ours, theirs = pair
    passed = "3 revisions of progress documents there cannot be believed (by mallory); passed over"
    assert _told(ours) == [passed]
    agreed(*pair)
    both = {"goal": "Book", "completed": ["Quays", "Cranes"], "blockers": ["No bank account"]}
    assert ours.document() == theirs.document() == both
    assert (_told(ours), _told(theirs)) == ([], [])


def test_nothing_is_sent_over_revisions_that_are_not_looked_at_yet(
    pair: tuple[Machine, Machine], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(believable_document, "MOST_PASSED", 3)
    monkeypatch.setattr(document_rows, "MOST_REVISIONS", 2)
    _parted(pair)
    database.do(_ON_TOP, 6)
    newest = "select max(revision) from agent_progress.documents"
    before = database.do(newest)
    ours, theirs = pair
    ours.together()
    assert database.do(newest) == before
    agreed(*pair)
    both = {"goal": "Book", "completed": ["Quays", "Cranes"], "blockers": ["No bank account"]}
    assert ours.document() == theirs.document() == both


def test_junk_beside_the_documents_is_told_once_and_not_read_again(
    pair: tuple[Machine, Machine], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(believable_document, "MOST_PASSED", 4)
    ours, _ = pair
    database.do(_ELSEWHERE, KEY, 6)
    [passed, waiting] = _told(ours)
    assert passed.startswith("4 revisions of progress documents there cannot be believed (by mallory)")
    assert waiting.startswith("2 progress documents there wait for the next sync")
    assert [line[:12] for line in _told(ours)] == ["2 revisions "]
    assert _told(ours) == []
    database.do("alter table agent_progress.documents disable trigger all")
    database.do("update agent_progress.documents set body = %s", json.dumps('{"goal": "Rent"}'))
    assert _told(ours) == []
    assert not list((ours.home / ".local/share").rglob("*.db"))


def test_a_junk_document_that_somebody_goes_on_with_is_taken_in(
    pair: tuple[Machine, Machine], database: Database
) -> None:
    ours, theirs = pair
    database.do(_ELSEWHERE, KEY, 1)
    assert len(_told(ours)) == 1
    theirs.run("memory", "progress", "--namespace", "j1", "--content", '{"goal": "Rent"}')
    agreed(*pair)
    found = json.loads(ours.run("memory", "progress", "--namespace", "j1", "--json"))
    assert found["content"] == {"goal": "Rent"}
