"""Compaction: what is offered and refused, that a refusal changes nothing, and how it is undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput, Refused
from progress_plugin.memory.database import writing
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import list_compactions, restore_compaction
from tests.memory.calls import mem_compact, mem_progress, mem_save
from tests.memory.conftest import NOW, Add, Dump, Rows

EXAMPLES = json.loads((Path(__file__).with_name("data") / "examples.json").read_text("utf-8"))
GONE = "2026-04-01 00:00:00"


def compact(place: MemoryLocation, days: Any = 30, **given: Any) -> dict[str, Any]:
    return mem_compact(place, days, now=NOW, **given)


def ids_of(answer: dict[str, Any]) -> list[int]:
    return [row["id"] for row in answer["observations"]]


def test_identify_lists_what_was_not_touched_oldest_first(place: MemoryLocation, add: Add) -> None:
    assert compact(place)["count"] == 0
    assert not Path(place.database).exists()
    old, older = add(40, title="Cache", content="word \n" * 100, scope="personal", type="bugfix"), add(400)
    for column in ("created_at", "updated_at", "last_seen_at"):
        add(100, **{column: "2026-04-30 12:00:00"})
    add(100, type="compaction_summary")
    add(100, deleted_at=GONE)
    mem_progress(place, "shop", "{}", now=NOW - timedelta(days=100))
    answer = compact(place)
    assert ids_of(answer) == [older, old]
    assert answer["observations"][1] == {
        "id": old, "type": "bugfix", "title": "Cache", "project": "shop", "scope": "personal",
        "created_at": "2026-03-22 12:00:00", "snippet": ("word " * 100)[:100].strip(),
    }  # fmt: skip
    assert f"compact_ids=[{older}, {old}]" in answer["hint"]
    assert compact(place, 365_000)["count"] == 0
    first = compact(place, limit=1)
    assert (ids_of(first), first["count"], first["total"]) == ([older], 1, 2)


def test_the_project_defaults_to_this_one_and_a_star_is_all(place: MemoryLocation, add: Add) -> None:
    here, there, nowhere = add(40), add(41, project="other"), add(42, project=None)
    assert ids_of(compact(place)) == [here]
    assert ids_of(compact(place, project="other")) == [there]
    assert ids_of(compact(place, project="*")) == [nowhere, there, here]
    personal, spaced = add(40, scope="personal"), add(40, namespace="agent/7")
    assert ids_of(compact(place, scope="personal")) == [personal]
    assert ids_of(compact(place, namespace="agent/7")) == [spaced]
    with pytest.raises(BadInput, match="no project here"):
        compact(replace(place, names=(), root=None))


@pytest.mark.parametrize("form", [list, str])
def test_execute_takes_exactly_the_ids_and_leaves_the_summary(
    place: MemoryLocation, add: Add, rows: Rows, form: Callable[[list[int]], object]
) -> None:
    first, second, kept = add(40), add(50), add(60)
    secret = "Short.<private>gone</private>"
    answer = compact(
        place, compact_ids=form([first, second] * 3), summary_title="Old things", summary_content=secret
    )
    summary = answer.pop("summary_id")
    assert answer == {
        "mode": "execute", "project": "shop", "scope": None, "namespace": None, "deleted": 2, "before": 3, "after": 2,
    }  # fmt: skip
    columns = "id, type, title, content, project, scope"
    assert rows(f"SELECT {columns} FROM observations WHERE deleted_at IS NULL ORDER BY id") == [
        (kept, "decision", "a title", "some content", "shop", "project"),
        (summary, "compaction_summary", "Old things", "Short.", "shop", "project"),
    ]


def test_a_summary_with_a_private_title_is_kept(place: MemoryLocation, add: Add, rows: Rows) -> None:
    title = "<private>gone</private>"
    summary = compact(place, compact_ids=[add(40)], summary_title=title, summary_content="s")["summary_id"]
    assert rows("SELECT content FROM observations WHERE id = ?", summary) == [("s",)]


def test_the_summary_has_the_common_scope_and_without_a_filter_the_common_project(
    place: MemoryLocation, add: Add, rows: Rows
) -> None:
    mine, yours = add(40, scope="personal", project="a"), add(40, scope="personal", project="b")
    common = compact(place, project="*", compact_ids=[mine], summary_title="t")["summary_id"]
    mixed = add(40, project="a")
    neither = compact(place, project="*", compact_ids=[yours, mixed], summary_title="t")["summary_id"]
    facts = "SELECT scope, project FROM observations WHERE id = ?"
    assert rows(facts, common) == [("personal", "a")]
    assert rows(facts, neither) == [("project", None)]


BAD = [
    *EXAMPLES["bad compactions"],
    (30, {"compact_ids": "[" * 100_000}, "valid list"),
    (30, {"compact_ids": list(range(1, 202))}, "200"),
    (30, {"compact_ids": [1], "summary_title": "t" * 4097}, "summary_title has 4097 bytes, at most 4096"),
    (30, {"compact_ids": [1], "summary_title": "t", "summary_content": "c" * 1048577}, "1048577 bytes"),
]


@pytest.mark.parametrize(("days", "given", "fault"), BAD)
def test_bad_arguments_are_refused_and_change_nothing(
    place: MemoryLocation, add: Add, dump: Dump, days: Any, given: dict[str, Any], fault: str
) -> None:
    add(40)
    before = dump()
    with pytest.raises((BadInput, Refused), match=fault):
        compact(place, days, **given)
    assert dump() == before


@pytest.mark.parametrize("project", ["shop", "*"])
def test_every_id_that_may_not_be_taken_is_named_and_nothing_changes(
    place: MemoryLocation, add: Add, dump: Dump, project: str
) -> None:
    good, young = add(40), add(1)
    gone = add(40, deleted_at=GONE)
    document = mem_progress(place, "shop", "{}", now=NOW - timedelta(days=100))["id"]
    before = dump()
    with pytest.raises(Refused) as refusal:
        compact(place, project=project, compact_ids=[good, young, gone, document, 999], summary_title="t")
    assert str(refusal.value) == (
        f"nothing was compacted. younger than the threshold: {young}; already deleted: {gone}; "
        f"a live progress document: {document}; unknown: 999. List them again and send only ids that it lists"
    )
    for given in ({"project": "other"}, {"scope": "personal"}, {"namespace": "n"}):
        with pytest.raises(Refused, match=f"outside the filter: {good}"):
            compact(place, compact_ids=[good], **given)
    assert dump() == before
    assert list_compactions(place) == []


def test_a_summary_that_cannot_be_written_leaves_all(place: MemoryLocation, add: Add, dump: Dump) -> None:
    number = add(40)
    with writing(place.database) as db:
        db.execute(
            "CREATE TRIGGER fault BEFORE INSERT ON observations WHEN new.type = 'compaction_summary' "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    before = dump()
    with pytest.raises(AgentProgressError, match="no room"):
        compact(place, compact_ids=[number], summary_title="t")
    assert dump() == before


def test_restoring_brings_the_rows_back_as_they_were(place: MemoryLocation, add: Add, rows: Rows) -> None:
    numbers = [add(40), add(50)]
    everything = "SELECT * FROM observations WHERE id <= 2 ORDER BY id"
    before = rows(everything)
    summary = compact(place, compact_ids=numbers, summary_title="t")["summary_id"]
    answer = restore_compaction(place, now=NOW)
    assert (answer["restored"], answer["superseded"]) == (numbers, [])
    assert rows(everything) == before
    assert rows("SELECT deleted_at IS NULL FROM observations WHERE id = ?", summary) == [(0,)]


def test_restoring_goes_back_one_compaction_at_a_time(place: MemoryLocation, add: Add) -> None:
    with pytest.raises(Refused, match="no memory database"):
        restore_compaction(place, now=NOW)
    first, second = add(40), add(50)
    compact(place, compact_ids=[first])
    assert compact(place, compact_ids=[second])["summary_id"] is None
    assert restore_compaction(place, 1, now=NOW)["restored"] == [first]
    compact(place, compact_ids=[first])
    assert restore_compaction(place, now=NOW)["restored"] == [first]
    assert restore_compaction(place, now=NOW)["restored"] == [second]
    with pytest.raises(Refused, match="undone already"):
        restore_compaction(place, now=NOW)


def test_a_row_whose_topic_was_saved_again_stays_deleted(place: MemoryLocation, add: Add) -> None:
    other, topic = add(40), add(40, topic_key="decision/cache")
    compact(place, compact_ids=[other, topic])
    mem_save(place, "Cache", "newer", "decision", topic_key="decision/cache", now=NOW)
    answer = restore_compaction(place, now=NOW)
    assert (answer["restored"], answer["superseded"]) == ([other], [topic])
