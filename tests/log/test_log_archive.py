"""Old entries leave the log for months of their own, and stay known."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.paths import state_file
from progress_plugin.log import history
from progress_plugin.log.archive import INDEX_FILE, MAX_KEPT, ArchiveIndex, Limits, read_index
from progress_plugin.log.entry import EntryDraft

REPAIR = "; run `agent-progress repair`"


def index_file(place: Any) -> Path:
    return Path(state_file(str(place.root), INDEX_FILE))


def load_index(place: Any) -> ArchiveIndex:
    return read_index(place.directory, history.store.load(place.directory))


def months(place: Any) -> dict[str, list[str]]:
    """Return the ids in each month of the archive."""
    files = sorted((place.path / "archive").glob("[0-9]*.json"))
    return {path.name: [entry["id"] for entry in json.loads(path.read_bytes())["entries"]] for path in files}


def test_below_five_hundred_entries_nothing_moves_however_old(place: Any) -> None:
    place.write(place.old_entries(498, days=10))
    place.done()
    assert len(place.ids()) == 499
    assert months(place) == {}


def test_from_five_hundred_on_those_older_than_thirty_days_move_by_utc_month(place: Any) -> None:
    place.write(place.old_entries(499, days=0.5))
    new = place.append(EntryDraft("task_completed", {}))
    moved = months(place)
    assert list(moved) == ["2025-07.json", "2025-08.json", "2025-09.json", "2025-10.json", "2025-11.json",
                           "2025-12.json", "2026-01.json", "2026-02.json"]  # fmt: skip
    assert [name for ids in moved.values() for name in ids] == [f"old-{number}" for number in range(439)]
    assert place.ids() == [*(f"old-{number}" for number in range(439, 499)), new.entries[0]["id"]]
    metadata = place.document()["metadata"]
    metadata.pop("project_id")
    assert metadata == {
        "total_entries": 61,
        "archived_entries": 439,
        "oldest_entry": "2025-07-08T03:09:26Z",
        "last_updated": "2026-03-14T15:09:26Z",
        "archived_through": "2026-02-12",
    }
    assert new.notes == ["439 older entries were moved to the archive"]
    last = (place.path / "progress.md").read_text().splitlines()[-1]
    assert last == "*Older entries archived through 2026-02-12 in `archive/`*"


def test_over_the_ceiling_the_oldest_move_whatever_their_age(place: Any) -> None:
    place.write(place.old_entries(4999, days=0.001))
    new = place.done()["id"]
    assert len(place.ids()) == 2500
    assert place.ids()[-1] == new
    assert sum(len(ids) for ids in months(place).values()) == 2500


def test_undated_entries_leave_with_those_before_them(place: Any) -> None:
    entries = place.old_entries(6, days=20)
    entries[0]["timestamp"] = "long ago"
    entries[3]["timestamp"] = None
    place.write(entries)
    first = place.done(limits=Limits(entries=5))["id"]
    assert place.ids() == ["old-5", first]
    assert {name for ids in months(place).values() for name in ids} == {f"old-{n}" for n in range(5)}


def test_equal_ids_of_different_entries_are_all_archived(place: Any) -> None:
    entry = {"id": "same", "timestamp": "2026-01-05T10:00:00Z", "type": "task_completed"}
    place.write([entry | {"data": {"n": number}} for number in range(3)])
    place.done(limits=Limits(entries=2))
    assert months(place) == {"2026-01.json": ["same", "same", "same"]}


def test_a_damaged_month_is_kept_aside_and_its_entries_stay(place: Any) -> None:
    place.write(place.old_entries(3, days=20))
    place.done(limits=Limits(entries=2, days=35))
    month = place.path / "archive" / "2026-01.json"
    damaged = month.read_bytes()[:-5]
    month.write_bytes(damaged)
    place.write([{"id": "late", "timestamp": "2026-01-30T00:00:00Z", "type": "x"}])
    notes = place.append(EntryDraft("task_completed", {}), limits=Limits(entries=2)).notes
    assert months(place)["2026-01.json"] == ["old-0", "late"]
    copies = list((place.path / "archive").glob("2026-01.json.corrupt-*"))
    assert [copy.read_bytes() for copy in copies] == [damaged]
    assert "the damaged file is kept as archive/2026-01.json.corrupt-20260314T150926Z" in notes


def test_entries_for_a_month_in_conflict_stay_in_the_log(place: Any) -> None:
    month = place.path / "archive" / "2026-01.json"
    month.parent.mkdir()
    before = b'{"entries": [\n<<<<<<< a\n{"id": "a"}\n=======\n{"id": "b"}\n>>>>>>> b\n]}'
    month.write_bytes(before)
    place.write(place.old_entries(3, days=25))
    notes = place.append(EntryDraft("task_completed", {}), limits=Limits(entries=2)).notes
    assert month.read_bytes() == before
    assert place.ids()[:2] == ["old-1", "old-2"]
    assert notes[0].endswith("its entries stay in the log until then")


def big_archive(place: Any, files: int, each: int) -> None:
    """Make an archive of many months and its index, as years of work would."""
    (place.path / "archive").mkdir()
    for number in range(files):
        year, month = 2000 + number // 12, number % 12 + 1
        entries = [
            {"id": f"a-{number}-{nth}", "timestamp": f"{year}-{month:02}-{nth % 28 + 1:02}T00:00:00Z",
             "type": "task_completed", "task_id": f"T-{number}-{nth}",
             "data": {"description": f"work {nth}", "learnings": [f"thing {number}-{nth} is so"]}}
            for nth in range(each)
        ]  # fmt: skip
        (place.path / "archive" / f"{year}-{month:02}.json").write_text(json.dumps({"entries": entries}))
    place.write([], metadata={"archived_entries": load_index(place).count})


def change_months(place: Any, content: bytes = b'{"entries": []}') -> None:
    """Change the content of every month, but neither its size nor its time: whoever reads one is found out."""
    for path in (place.path / "archive").glob("2*.json"):
        status = path.stat()
        path.write_bytes(content.ljust(status.st_size))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_an_append_opens_no_month_of_the_archive(place: Any) -> None:
    big_archive(place, 20, 10)
    change_months(place)
    place.write(place.old_entries(5, days=0.1), metadata={"archived_entries": 200})
    place.done()
    assert place.document()["metadata"]["archived_entries"] == 200
    loaded = history.load(place.directory)
    assert len(loaded.newest(20)[-20:]) == 20
    assert loaded.blockers() == []


def test_the_index_does_not_grow_with_the_history(place: Any) -> None:
    big_archive(place, 60, 100)
    assert index_file(place).stat().st_size < 250_000
    state = load_index(place)
    assert (len(state.kept), state.count) == (MAX_KEPT, 6000)
    assert state.kept[-1]["data"]["learnings"] == ["thing 59-99 is so"]


def test_folding_what_moves_is_the_same_as_folding_everything(place: Any) -> None:
    entries = place.old_entries(60, days=3)
    for number in range(0, 60, 7):
        entries[number] |= {
            "type": "task_blocked",
            "data": {"issue": f"key {number}", "learnings": ["a", "b"]},
        }
    for number in range(5, 60, 11):
        entries[number] |= {
            "task_id": f"T-{number - 4}",
            "data": {"supplements": f"old-{number - 4}", "notes": "n"},
        }
    entries[31]["data"] = {"retracts": ["old-14", "old-40"]}
    entries[33]["data"] = {"resolves": ["old-21"], "mutes": ["a"]}
    place.write(entries)
    for days in range(150, 0, -30):
        place.append(EntryDraft("session_ended", {}), limits=Limits(entries=1, days=days))
    stored = load_index(place)
    index_file(place).unlink()
    assert vars(stored) == vars(load_index(place))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"format": 109}',
        b"\xff",
        b'{"format": 11}',
        b'{"format": 11, "months": [], "hidden": []}',
        b'{"format": 11, "months": {"2000-01.json": 1}, "hidden": []}',
        b'{"format": 11, "months": {}, "hidden": [], "count": 7, "mutes": ["forged"]}',
    ],
)
def test_an_index_that_is_none_is_made_again(place: Any, content: bytes) -> None:
    big_archive(place, 2, 2)
    index_file(place).write_bytes(content)
    state = load_index(place)
    assert (state.count, state.mutes) == (4, [])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (None, f"archive/ holds 4 of 6 entries{REPAIR}"),
        (b'{"entries": [{"id": "a-1-0"}]}', f"archive/ holds 5 of 6 entries{REPAIR}"),
        (b'{"entries": [', f"archive/2000-02.json does not parse (Expecting value, line 1): it is read as far as it goes{REPAIR}"),
    ],
)  # fmt: skip
def test_a_month_that_has_lost_entries_is_named_until_it_is_repaired(
    place: Any, change: bytes | None, problem: str
) -> None:
    big_archive(place, 3, 2)
    month = place.path / "archive" / "2000-02.json"
    if change is None:
        month.unlink()
    else:
        month.write_bytes(change)
    place.done()
    place.done()
    loaded = history.load(place.directory)
    assert loaded.problems() == [problem]
    assert loaded.index.count == (5 if change and b"a-1-0" in change else 4)


def archived(place: Any, *drafts: EntryDraft, days: int = 60) -> list[dict[str, Any]]:
    """Append in the past, and let it be archived by a later append."""
    now = place.now
    place.now = now - timedelta(days=days)
    entries: list[dict[str, Any]] = place.append(*drafts).entries
    place.now = now
    place.append(EntryDraft("milestone_reached", {}), limits=Limits(entries=1))
    return entries


def open_blockers(place: Any) -> list[str]:
    return [entry["id"] for entry in history.load(place.directory).blockers()]


def test_an_archived_blocker_is_open_until_the_log_resolves_it(place: Any) -> None:
    blocker = archived(place, EntryDraft("task_blocked", {"issue": "no key"}, "auth", "US-1"))[0]["id"]
    assert open_blockers(place) == [blocker]
    place.append(EntryDraft("task_completed", {}, "other", "US-1"))
    assert open_blockers(place) == [blocker]
    place.append(EntryDraft("debug_resolved", {}, "auth", "US-1"))
    assert open_blockers(place) == []


@pytest.mark.parametrize("by_id", [False, True])
def test_an_archived_blocker_is_resolved_by_a_later_month(place: Any, by_id: bool) -> None:
    blocker = archived(place, EntryDraft("task_blocked", {"issue": "no key"}, "auth", "US-1"), days=90)[0]
    end = EntryDraft("milestone_reached", {"resolves": [blocker["id"]]})
    archived(place, end if by_id else EntryDraft("task_completed", {}, "auth", "US-1"), days=60)
    assert list(months(place)) == ["2025-12.json", "2026-01.json"]
    assert open_blockers(place) == []


def test_what_was_archived_can_be_taken_back(place: Any) -> None:
    wrong, right = archived(
        place,
        EntryDraft("task_completed", {"learnings": ["wrong"]}, None, "US-1"),
        EntryDraft("task_blocked", {"issue": "wrong", "learnings": ["right"]}, None, "US-2"),
    )
    place.append(EntryDraft("scope_override", {"retracts": [wrong["id"]]}))
    assert [entry["id"] for entry in history.load(place.directory).index.kept] == [right["id"]]
    place.append(EntryDraft("scope_override", {"retracts": right["id"]}))
    assert history.load(place.directory).index.kept == []
    change_months(place)
    assert history.load(place.directory).index.count == 2


def test_a_retraction_that_is_archived_itself_still_counts(place: Any) -> None:
    wrong = archived(place, EntryDraft("task_blocked", {"issue": "wrong"}, None, "US-1"), days=90)[0]
    archived(place, EntryDraft("scope_override", {"retracts": [wrong["id"]]}), days=60)
    assert open_blockers(place) == []
    index_file(place).unlink()
    assert open_blockers(place) == []


def test_an_addition_to_an_archived_entry_is_shown_with_it_once(place: Any) -> None:
    first = archived(
        place,
        EntryDraft("task_completed", {"description": "Lit", "learnings": ["long " * 300]}, None, "US-1"),
    )[0]
    place.append(
        EntryDraft("task_completed", {"supplements": first["id"], "description": "Turns"}, None, "US-1")
    )
    loaded = history.load(place.directory)
    shown = [entry["data"] for entry in loaded.stories_logged() if entry.get("task_id") == "US-1"]
    assert [(data["description"], data["earlier_descriptions"]) for data in shown] == [("Turns", ["Lit"])]
    place.append(EntryDraft("milestone_reached", {}), limits=Limits(entries=1, days=-1))
    again = history.load(place.directory)
    shown = [entry["data"] for entry in again.stories_logged() if entry.get("task_id") == "US-1"]
    assert [data["description"] for data in shown] == ["Turns"]


def test_recent_goes_on_into_the_archive_if_the_log_is_short(place: Any) -> None:
    place.write(place.old_entries(40, days=2))
    place.done("US-1", limits=Limits(entries=10, days=30))
    loaded = history.load(place.directory)
    assert len(loaded.log.items) == 16
    every = [*(f"old-{n}" for n in range(40)), place.ids()[-1]]
    assert [entry["id"] for entry in loaded.newest(20)][-20:] == every[-20:]
    assert [entry["id"] for entry in loaded.newest(41)] == every
