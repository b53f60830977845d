"""Old entries leave the log for months of their own, and stay known."""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.log import archive_index, history
from progress_plugin.log.archive import Limits, due
from progress_plugin.log.archived_story_table import Word, id_key, last_words
from progress_plugin.log.entry import EntryDraft

OPENED: list[str] = []
LAST_GOOD = ": the figures are those of its last good state; run `agent-progress repair`"


def _note_opened(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(args[0], str):
        OPENED.append(os.path.basename(args[0]))


sys.addaudithook(_note_opened)


def months(place: Any) -> dict[str, list[str]]:
    """Return the ids in each month of the archive."""
    files = sorted((place.path / "archive").glob("[0-9]*.json"))
    return {path.name: [entry["id"] for entry in json.loads(path.read_bytes())["entries"]] for path in files}


def opened_months() -> list[str]:
    return [name for name in OPENED if re.fullmatch(r"\d{4}-\d\d\.json", name)]


def test_below_five_hundred_entries_nothing_moves_however_old(place: Any) -> None:
    place.write(place.old_entries(498, days=10))
    place.done()
    assert len(place.ids()) == 499
    assert months(place) == {}


def test_from_five_hundred_on_those_older_than_thirty_days_move_by_utc_month(place: Any) -> None:
    place.write(place.old_entries(499, days=0.5))
    new = place.done()["id"]
    moved = months(place)
    assert list(moved) == ["2025-07.json", "2025-08.json", "2025-09.json", "2025-10.json", "2025-11.json",
                           "2025-12.json", "2026-01.json", "2026-02.json"]  # fmt: skip
    assert [name for ids in moved.values() for name in ids] == [f"old-{number}" for number in range(439)]
    assert place.ids() == [*(f"old-{number}" for number in range(439, 499)), new]


def test_the_document_tells_of_the_archive(place: Any) -> None:
    place.write(place.old_entries(499, days=0.5))
    appended = place.append(EntryDraft("task_completed", {}))
    assert place.document()["metadata"] == {
        "total_entries": 61,
        "archived_entries": 439,
        "oldest_entry": "2025-07-08T03:09:26Z",
        "last_updated": "2026-03-14T15:09:26Z",
        "archived_through": "2026-02-12",
    }
    assert appended.notes == ["439 older entries were moved to the archive"]
    last = (place.path / "progress.md").read_text().splitlines()[-1]
    assert last == "*Older entries archived through 2026-02-12 in `archive/`*"


def test_both_figures_can_be_set(place: Any) -> None:
    place.write(place.old_entries(9, days=1))
    place.done(limits=Limits(entries=10, days=5))
    assert place.ids()[:-1] == ["old-4", "old-5", "old-6", "old-7", "old-8"]


def test_over_the_ceiling_the_oldest_move_whatever_their_age(place: Any) -> None:
    place.write(place.old_entries(4999, days=0.001))
    new = place.done()["id"]
    assert len(place.ids()) == 2500
    assert place.ids()[-1] == new
    assert sum(len(ids) for ids in months(place).values()) == 2500


def test_undated_entries_stay_until_the_ceiling_is_reached(place: Any) -> None:
    entries = place.old_entries(6, days=20)
    entries[0]["timestamp"] = "long ago"
    entries[3]["timestamp"] = None
    place.write(entries)
    first = place.done(limits=Limits(entries=5))["id"]
    assert place.ids() == ["old-0", "old-3", "old-5", first]
    second = place.done(limits=Limits(entries=5, ceiling=4, floor=1))["id"]
    assert months(place) == {
        "2025-12.json": ["old-1", "old-2"],
        "2026-02.json": ["old-4", "old-0", "old-3", "old-5"],
        "2026-03.json": [first],
    }
    assert place.ids() == [second]


def test_an_entry_of_the_first_century_is_found_again(place: Any) -> None:
    place.write([{"id": "ancient", "timestamp": "0045-01-05T10:00:00Z", "type": "x"}, *place.old_entries(1)])
    place.done(limits=Limits(entries=2))
    assert months(place) == {"0045-01.json": ["ancient"]}
    assert place.document()["metadata"]["archived_entries"] == 1
    assert place.document()["metadata"]["oldest_entry"] == "0045-01-05T10:00:00Z"


def test_due_gives_each_undated_entry_the_time_of_the_one_before_it(place: Any) -> None:
    items = [{"timestamp": "2026-01-05"}, "text", {"timestamp": "2026-01-07"}]
    leaving = due(items, Limits(entries=1, days=36_500, ceiling=3, floor=1), place.now)
    assert [f"{when:%d}" for when, _ in leaving] == ["05", "05"]


def test_equal_ids_of_different_entries_are_all_archived(place: Any) -> None:
    entries = [
        {"id": "same", "timestamp": "2026-01-05T10:00:00Z", "type": "task_completed", "data": {"n": number}}
        for number in range(3)
    ]
    place.write(entries)
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
    assert notes[1] == "the damaged file is kept as archive/2026-01.json.corrupt-20260314T150926Z"


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


def test_an_archive_that_is_a_link_out_of_the_project_is_not_written(place: Any, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (place.path / "archive").symlink_to(tmp_path / "outside")
    place.write(place.old_entries(3, days=50))
    before = place.file.read_bytes()
    with pytest.raises(Exception, match="remove the link"):
        place.done(limits=Limits(entries=2))
    assert list((tmp_path / "outside").iterdir()) == []
    assert place.file.read_bytes() == before


def big_archive(place: Any, files: int, each: int) -> None:
    """Make an archive of many months, and the index of it, as years of work would."""
    (place.path / "archive").mkdir()
    for number in range(files):
        year, month = 2000 + number // 12, number % 12 + 1
        entries = [
            {"id": f"a-{number}-{place_}", "timestamp": f"{year}-{month:02}-{place_ % 28 + 1:02}T00:00:00Z",
             "type": "task_completed", "task_id": f"T-{number}-{place_}",
             "data": {"description": f"work {place_}", "learnings": [f"thing {number}-{place_} is so"]}}
            for place_ in range(each)
        ]  # fmt: skip
        (place.path / "archive" / f"{year}-{month:02}.json").write_text(json.dumps({"entries": entries}))
    index = archive_index.load(place.directory)
    index.save()


def test_an_append_opens_no_month_of_the_archive(place: Any) -> None:
    big_archive(place, 20, 10)
    place.write(place.old_entries(5, days=0.1))
    place.done()
    OPENED.clear()
    place.done()
    loaded = history.load(place.directory)
    loaded.recent()
    loaded.blockers()
    assert opened_months() == []
    assert place.document()["metadata"]["archived_entries"] == 200


def test_the_index_does_not_grow_with_the_history(place: Any) -> None:
    big_archive(place, 60, 100)
    size = (place.path / "archive" / "index.json").stat().st_size
    assert size < 250_000
    index = archive_index.load(place.directory)
    assert (len(index.learnings()), len(index.stories())) == (400, 200)
    assert index.left_out() == {"learnings": 5600}
    assert index.table().counts == {"task_completed": 5800}
    assert index.learnings()[-1]["text"] == "thing 59-99 is so"


def test_a_month_that_was_changed_is_read_again_and_only_it_and_later_ones(place: Any) -> None:
    big_archive(place, 4, 2)
    month = place.path / "archive" / "2000-03.json"
    document = json.loads(month.read_bytes())
    document["entries"].append(
        {"id": "by-hand", "timestamp": "2000-03-30", "type": "task_blocked", "data": {"issue": "?"}}
    )
    month.write_text(json.dumps(document))
    OPENED.clear()
    index = archive_index.load(place.directory)
    assert [blocker["id"] for blocker in index.open_blockers()] == ["by-hand"]
    assert opened_months() == ["2000-03.json", "2000-04.json"]
    assert index.totals().entries == 9


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"format": 99}',
        b"\xff",
        b'{"format": 1}',
        b'{"format": 1, "files": [], "hidden": []}',
        b'{"format": 1, "files": {"2000-01.json": {"size": 1}, "2000-02.json": null}, "hidden": []}',
    ],
)
def test_an_index_that_is_none_is_made_again(place: Any, content: bytes) -> None:
    big_archive(place, 2, 2)
    (place.path / "archive" / "index.json").write_bytes(content)
    assert archive_index.load(place.directory).totals().entries == 4


def test_a_month_that_is_gone_is_named_and_its_figures_stay(place: Any) -> None:
    big_archive(place, 3, 2)
    (place.path / "archive" / "2000-02.json").unlink()
    place.done()
    assert place.document()["metadata"]["archived_entries"] == 6
    loaded = history.load(place.directory)
    assert loaded.problems() == [f"archive/2000-02.json is gone, with 2 entries{LAST_GOOD}"]
    assert [story["id"] for story in loaded.index.stories()] == [
        "a-0-0",
        "a-0-1",
        "a-1-0",
        "a-1-1",
        "a-2-0",
        "a-2-1",
    ]


def archived(place: Any, *drafts: EntryDraft, days: int = 60) -> list[dict[str, Any]]:
    """Append in the past, and let it be archived by a later append."""
    now = place.now
    place.now = now - timedelta(days=days)
    entries: list[dict[str, Any]] = place.append(*drafts).entries
    place.now = now
    place.append(EntryDraft("milestone_reached", {}), limits=Limits(entries=1))
    return entries


def test_an_archived_blocker_is_open_until_the_log_resolves_it(place: Any) -> None:
    blocked = EntryDraft("task_blocked", {"issue": "no key"}, "auth", "US-1")
    blocker = archived(place, blocked)[0]
    assert history.load(place.directory).blockers() == [blocker]
    place.append(EntryDraft("task_completed", {}, "other", "US-1"))
    assert history.load(place.directory).blockers() == [blocker]
    place.append(EntryDraft("debug_resolved", {}, "auth", "US-1"))
    assert history.load(place.directory).blockers() == []


def test_an_archived_blocker_is_resolved_by_a_later_month(place: Any) -> None:
    archived(place, EntryDraft("task_blocked", {"issue": "no key"}, "auth", "US-1"), days=90)
    archived(place, EntryDraft("task_completed", {}, "auth", "US-1"), days=60)
    assert list(months(place)) == ["2025-12.json", "2026-01.json"]
    assert history.load(place.directory).blockers() == []


def test_an_archived_blocker_is_resolved_by_its_id(place: Any) -> None:
    blocker = archived(place, EntryDraft("task_blocked", {"issue": "no key"}), days=90)[0]
    archived(place, EntryDraft("milestone_reached", {"resolves": [blocker["id"]]}), days=60)
    assert history.load(place.directory).blockers() == []


def test_an_archived_blocker_is_not_resolved_by_the_same_task_of_another_plan(place: Any) -> None:
    def of(plan: str) -> dict[str, Any]:
        return {"plan": plan, "plan_id": plan, "branch": None, "title": "Login page"}

    blocked = EntryDraft("task_blocked", {"issue": "no key"}, None, "US-1", story=of("prd.json"))
    long = blocked._replace(data={"issue": "no key", "notes": ["x" * 100] * 100})
    blockers = [*archived(place, blocked, days=120), *archived(place, long, days=90)]
    archived(place, EntryDraft("task_completed", {}, None, "US-1", story=of("docs/prd.json")), days=60)
    assert [each["id"] for each in history.load(place.directory).blockers()] == [
        each["id"] for each in blockers
    ]
    archived(place, EntryDraft("task_completed", {}, None, "US-1", story=of("prd.json")), days=40)
    assert history.load(place.directory).blockers() == []


def test_what_was_archived_can_be_taken_back(place: Any) -> None:
    wrong, right = archived(
        place,
        EntryDraft("task_completed", {"learnings": ["wrong"]}, None, "US-1"),
        EntryDraft("task_blocked", {"issue": "wrong", "learnings": ["right"]}, None, "US-2"),
    )
    place.append(EntryDraft("scope_override", {"retracts": [wrong["id"]]}))
    assert [fact["text"] for fact in history.load(place.directory).index.learnings()] == ["right"]
    place.append(EntryDraft("scope_override", {"retracts": right["id"]}))
    loaded = history.load(place.directory)
    assert (loaded.index.learnings(), loaded.index.stories(), loaded.blockers()) == ([], [], [])


def test_a_retraction_into_the_archive_has_it_read_once_and_not_again(place: Any) -> None:
    big_archive(place, 3, 2)
    place.append(EntryDraft("scope_override", {"retracts": "a-1-0"}))
    OPENED.clear()
    place.done()
    assert [story["id"] for story in history.load(place.directory).index.stories()] == [
        "a-0-0", "a-0-1", "a-1-1", "a-2-0", "a-2-1",
    ]  # fmt: skip
    assert opened_months() == []


def test_a_retraction_that_is_archived_itself_still_counts(place: Any) -> None:
    wrong = archived(place, EntryDraft("task_blocked", {"issue": "wrong"}, None, "US-1"), days=90)[0]
    archived(place, EntryDraft("scope_override", {"retracts": [wrong["id"]]}), days=60)
    assert history.load(place.directory).blockers() == []
    (place.path / "archive" / "index.json").unlink()
    assert history.load(place.directory).blockers() == []


def test_learnings_of_the_archive_are_counted_by_text(place: Any) -> None:
    archived(
        place,
        EntryDraft("task_completed", {"learnings": ["a", "b"]}, "s", "US-1"),
        EntryDraft(
            "debug_resolved", {"root_cause": "c", "resolution": "d", "learnings": ["a"]}, None, "US-2"
        ),
    )
    facts = history.load(place.directory).index.learnings()
    assert [
        (fact["field"], fact["text"], fact.get("cure"), fact["count"], fact["task_id"]) for fact in facts
    ] == [
        ("learnings", "b", None, 1, "US-1"),
        ("learnings", "a", None, 2, "US-2"),
        ("root_cause", "c", "d", 1, "US-2"),
    ]


def test_recent_goes_on_into_the_archive_where_the_log_is_short(place: Any) -> None:
    place.write(place.old_entries(40, days=2))
    place.done("US-1", limits=Limits(entries=10, days=30))
    loaded = history.load(place.directory)
    assert len(loaded.log.items) == 16
    OPENED.clear()
    assert [entry["id"] for entry in loaded.recent().entries] == [
        *(f"old-{n}" for n in range(21, 40)),
        place.ids()[-1],
    ]
    assert opened_months() == []
    assert [entry["id"] for entry in loaded.recent(41).entries] == [
        *(f"old-{n}" for n in range(40)),
        place.ids()[-1],
    ]


def test_an_entry_of_megabytes_does_not_go_into_the_index_whole(place: Any) -> None:
    archived(
        place,
        EntryDraft("task_blocked", {"issue": "x" * 3_000_000, "learnings": ["y" * 1_000_000]}, None, "US-1"),
    )
    assert (place.path / "archive" / "index.json").stat().st_size < 20_000
    assert history.load(place.directory).blockers()[0]["data"]["issue"].startswith("xxx")


def blocked_in_its_month(place: Any, number: int) -> None:
    """Have the first story of a month blocked, as a month read anew will tell."""
    month = place.path / "archive" / f"2000-{number:02}.json"
    document = json.loads(month.read_bytes())
    document["entries"][0] |= {"type": "task_blocked", "branch": "side", "data": {"plan": "prd.json"}}
    month.write_text(json.dumps(document))


def test_a_blocked_story_stays_whole_however_many_come_after_it(place: Any) -> None:
    big_archive(place, 12, 100)
    blocked_in_its_month(place, 1)
    index = archive_index.load(place.directory)
    index.save()
    assert (index.stories()[0]["id"], len(index.stories())) == ("a-0-0", 201)
    assert archive_index.load(place.directory).table().counts == {"task_completed": 999}


def test_the_table_tells_of_each_story_its_last_word_and_whose_plan_it_was(place: Any) -> None:
    big_archive(place, 12, 100)
    index = archive_index.load(place.directory)
    known, other, told = id_key(None, "t-3-7"), id_key("auth", "t-3-7"), id_key(None, "T-11-99")
    assert index.words([known, other, told]) == {known: Word("task_completed", None, None)}, (
        "the rest is told"
    )


def test_of_the_table_only_the_beginning_and_the_buckets_of_the_stories_asked_for_are_read(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    big_archive(place, 12, 1000)
    index = archive_index.load(place.directory)
    read = []
    genuine = os.read

    def counted(handle: int, most: int) -> bytes:
        data = genuine(handle, most)
        read.append(len(data))
        return data

    monkeypatch.setattr(os, "read", counted)
    keys = [id_key(None, f"t-3-{number}") for number in range(20)]
    assert len(index.words(keys)) == 20
    assert (place.path / "archive" / "stories").stat().st_size > 4 * 64 * 1024 > 2 * sum(read)


def test_a_table_that_others_have_replaced_is_read_no_further(place: Any) -> None:
    big_archive(place, 12, 100)
    index = archive_index.load(place.directory)
    known = id_key(None, "t-3-7")
    assert index.table().find([known])
    path = place.path / "archive" / "stories"
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(head.replace(b'"sum": ', b'"sum": 1') + b"\n" + rest.replace(b"t-3-7", b"t-9-9"))
    assert index.table().find([known]) is None
    index = archive_index.load(place.directory)
    index.table()
    path.unlink()
    assert index.words([known]) == {known: Word("task_completed", None, None)}


def test_a_later_month_has_the_last_word(place: Any) -> None:
    told = {
        "2000-01.json": [["task_blocked", "prd.json", "side", "\tus-1\n\tus-2"]],
        "2000-02.json": [["task_completed", None, None, "\tus-1"]],
    }
    assert last_words(told) == {
        "\tus-1": Word("task_completed", None, None),
        "\tus-2": Word("task_blocked", "prd.json", "side"),
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda _: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:2000],
        lambda data: data[:6000],
        lambda data: data.replace(b"\n0000000000", b"\n000000000x", 1),
        lambda data: b"[]\n" + data,
        lambda data: data.replace(b'"buckets": ', b'"buckets": 9', 1),
        lambda data: data.replace(b'"task_completed": ', b'"task_completed": "x', 1),
        lambda data: data.replace(b'"words": [[', b'"words": [[7, ', 1),
    ],
)
def test_a_table_that_is_none_is_made_again(place: Any, change: Any) -> None:
    big_archive(place, 12, 100)
    path = place.path / "archive" / "stories"
    path.write_bytes(change(path.read_bytes()))
    assert archive_index.load(place.directory).table().counts == {"task_completed": 1000}


def test_a_month_that_never_was_good_counts_as_far_as_it_can_be_read(place: Any) -> None:
    big_archive(place, 3, 2)
    for path in archive_index.files(place.directory):
        os.unlink(path)
    month = place.path / "archive" / "2000-02.json"
    month.write_bytes(month.read_bytes()[:-30])
    loaded = history.load(place.directory)
    assert loaded.index.totals().entries == 5
    [problem] = loaded.problems()
    assert problem.endswith("line 1): it is read as far as it goes; run `agent-progress repair`")


def test_the_last_good_figures_of_a_month_outlast_a_save_a_retraction_and_a_change_before_it(
    place: Any,
) -> None:
    big_archive(place, 12, 100)
    month = place.path / "archive" / "2000-03.json"
    month.write_bytes(b'{"entries": [')
    place.done()
    place.append(EntryDraft("scope_override", {"retracts": "a-0-1"}))
    blocked_in_its_month(place, 1)
    loaded = history.load(place.directory)
    assert loaded.index.totals().entries == 1200
    assert loaded.index.table().counts == {"task_completed": 998}
    assert list(loaded.index.problems()) == ["2000-03.json"]


def test_nothing_moves_into_a_month_that_has_lost_entries(place: Any) -> None:
    place.write(place.old_entries(3, days=20))
    place.done(limits=Limits(entries=2, days=35))
    month = place.path / "archive" / "2026-01.json"
    month.write_bytes(b'{"entries": [')
    place.write([{"id": "late", "timestamp": "2026-01-30T00:00:00Z", "type": "x"}])
    notes = place.append(EntryDraft("task_completed", {}), limits=Limits(entries=2)).notes
    assert month.read_bytes() == b'{"entries": ['
    assert place.ids()[0] == "late"
    assert len(notes) == 1
    assert notes[0].startswith("archive/2026-01.json has lost 1 of 1 entry; run `agent-progress repair`")


def test_a_table_whose_file_is_gone_stands_again_after_the_next_append(place: Any) -> None:
    big_archive(place, 12, 100)
    place.done()
    (place.path / "archive" / "stories").unlink()
    place.done()
    OPENED.clear()
    assert archive_index.load(place.directory).table().counts == {"task_completed": 1000}
    assert opened_months() == []
