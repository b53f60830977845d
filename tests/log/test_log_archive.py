"""Old entries move to archive files by month, and still count."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from progress_plugin.log import store
from progress_plugin.log.archive import MAX_READ
from progress_plugin.log.document import Log, serialise
from progress_plugin.log.entry import new_draft
from tests.log.conftest import limits

REPAIR = "; run `agent-progress repair`"


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
    new = place.append(new_draft("task_completed", {}))
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
    first = place.done(limits=limits(entries=5))["id"]
    assert place.ids() == ["old-5", first]
    assert {name for ids in months(place).values() for name in ids} == {f"old-{n}" for n in range(5)}


def test_a_damaged_month_is_kept_aside_and_its_entries_stay(place: Any) -> None:
    place.write(place.old_entries(3, days=20))
    place.done(limits=limits(entries=2, days=35))
    month = place.path / "archive" / "2026-01.json"
    damaged = month.read_bytes()[:-5]
    month.write_bytes(damaged)
    place.write([{"id": "late", "timestamp": "2026-01-30T00:00:00Z", "type": "x"}])
    notes = place.append(new_draft("task_completed", {}), limits=limits(entries=2)).notes
    assert months(place)["2026-01.json"] == ["old-0", "late"]
    copies = list((place.path / "archive").glob("2026-01.json.corrupt-*"))
    assert [copy.read_bytes() for copy in copies] == [damaged]
    assert "the damaged file is kept as archive/2026-01.json.corrupt-20260314T150926Z" in notes


def test_entries_for_a_month_of_a_newer_version_stay_in_the_log(place: Any) -> None:
    month = place.path / "archive" / "2026-01.json"
    month.parent.mkdir()
    before = b'{"version": "2.0", "entries": []}'
    month.write_bytes(before)
    place.write(place.old_entries(3, days=25))
    notes = place.append(new_draft("task_completed", {}), limits=limits(entries=2)).notes
    assert month.read_bytes() == before
    assert place.ids()[:2] == ["old-1", "old-2"]
    assert notes[0].endswith("its entries stay in the log until then")


def big_archive(place: Any, files: int, each: int) -> None:
    """Make an archive of many months, as years of work would."""
    (place.path / "archive").mkdir()
    for number in range(files):
        year, month = 2000 + number // 12, number % 12 + 1
        entries = [
            {"id": f"a-{number}-{nth}", "timestamp": f"{year}-{month:02}-{nth * 28 // each + 1:02}T00:00:00Z",
             "type": "task_completed", "task_id": f"T-{number}-{nth}", "data": {"description": f"work {nth}"}}
            for nth in range(each)
        ]  # fmt: skip
        content = serialise(Log({}, entries))
        (place.path / "archive" / f"{year}-{month:02}.json").write_bytes(content)
    place.write([], metadata={"archived_entries": files * each})


def test_of_a_long_history_only_the_newest_months_are_opened(place: Any) -> None:
    big_archive(place, 20, 100)
    for path in sorted((place.path / "archive").iterdir())[:15]:
        path.write_bytes(path.read_bytes().replace(b"timestamp", b"time \n stamp"))
    place.done()
    assert place.document()["metadata"]["archived_entries"] == 2000
    loaded = store.load_history(place.directory)
    assert loaded.problems() == []
    assert (len(loaded.archived), loaded.archived_count) == (MAX_READ, 2000)
    assert loaded.newest(20)[-2]["id"] == "a-19-99"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (None, f"archive/ holds 4 of 6 entries{REPAIR}"),
        (b'{"entries": [{"id": "a-1-0"}]}', f"archive/ holds 5 of 6 entries{REPAIR}"),
        (b'{"entries": [', "archive/2000-02.json does not parse (Expecting value: line 1 column 14 (char 13)): 0 entries read from it"),
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
    loaded = store.load_history(place.directory)
    assert problem in loaded.problems()
    assert loaded.archived_count == (5 if change and b"a-1-0" in change else 4)


def archived(place: Any, *drafts: dict[str, Any], days: int = 60) -> list[dict[str, Any]]:
    """Append in the past, and let it be archived by a later append."""
    now = place.now
    place.now = now - timedelta(days=days)
    entries: list[dict[str, Any]] = place.append(*drafts).entries
    place.now = now
    place.append(new_draft("milestone_reached", {}), limits=limits(entries=1))
    return entries


def test_an_open_blocker_stays_in_the_log_until_it_is_resolved(place: Any) -> None:
    (blocker,) = archived(place, new_draft("task_blocked", {"issue": "no key"}, "auth", "US-1"))
    added = {"supplements": blocker["id"], "notes": "Asked for one"}
    archived(place, new_draft("task_blocked", added, "auth", "US-1"))
    assert [entry["data"]["notes"] for entry in store.load_history(place.directory).blockers()] == [
        "Asked for one"
    ]
    assert months(place) == {}
    archived(place, new_draft("debug_resolved", {}, "auth", "US-1"))
    assert store.load_history(place.directory).blockers() == []
    assert len(months(place)["2026-01.json"]) == 3


def test_what_was_archived_can_be_taken_back_for_ever(place: Any) -> None:
    (wrong,) = archived(place, new_draft("task_completed", {"learnings": ["wrong"]}, None, "US-1"))
    archived(place, new_draft("scope_override", {"retracts": [wrong["id"]], "mutes": ["noise"]}))
    assert [name for ids in months(place).values() for name in ids] == [wrong["id"]]
    loaded = store.load_history(place.directory)
    assert (loaded.archived, loaded.archived_count) == ([], 1)


def test_an_addition_to_an_archived_entry_is_shown_with_it_once(place: Any) -> None:
    (first,) = archived(place, new_draft("task_completed", {"description": "Lit"}, None, "US-1"))
    added = {"supplements": first["id"], "description": "Turns"}
    place.append(new_draft("task_completed", added, None, "US-1"))
    loaded = store.load_history(place.directory)
    shown = [entry["data"] for entry in loaded.effective_entries if entry.get("task_id") == "US-1"]
    assert [data["description"] for data in shown] == ["Turns\n\nLit"]


def test_recent_goes_on_into_the_archive_if_the_log_is_short(place: Any) -> None:
    place.write(place.old_entries(40, days=2))
    place.done("US-1", limits=limits(entries=10, days=30))
    loaded = store.load_history(place.directory)
    assert len(loaded.log.items) == 16
    every = [*(f"old-{n}" for n in range(40)), place.ids()[-1]]
    assert [entry["id"] for entry in loaded.newest(20)][-20:] == every[-20:]
    assert [entry["id"] for entry in loaded.newest(41)] == every
