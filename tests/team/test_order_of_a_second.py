"""What one clone writes within a second stands in its order on every machine, however it came."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest

from progress_plugin.log.entry import WRITER, EntryDraft, new_entry
from progress_plugin.log.late_entries import in_order
from tests.team.clones import OURS, SHARED, Clone, begun, cloned

NOW = datetime(2026, 11, 23, 10, 0, tzinfo=UTC)
STEPS = [f"Step {number}" for number in range(8)]


def written(clone: Clone) -> list[str]:
    """Return what the log says, in its order."""
    items = json.loads((clone.root / OURS / "progress.json").read_text("utf-8"))["entries"]
    return [text for item in items if (text := item["data"].get("description", "")).startswith("Step")]


def logged_in_one_second(clone: Clone) -> None:
    """Log several steps by one process, which takes less than a second for them."""
    script = """
import sys
from datetime import UTC, datetime
from progress_plugin.core.project import find_project
from progress_plugin.usecases.recording.log_entry import log_entry
for text in sys.argv[1:]:
    log_entry(find_project(None), "milestone_reached", now=datetime(2026, 11, 23, 10, tzinfo=UTC), description=text)
"""
    clone.python(script, *STEPS)


def test_a_pull_brings_the_entries_of_a_second_in_the_order_of_their_writer(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    theirs = cloned(ours, tmp_path, "theirs")
    logged_in_one_second(theirs)
    theirs.commit()
    ours.git("pull", "-q", str(theirs.root), "main")
    ours.run("recent")
    assert written(ours) == written(theirs) == STEPS


def test_so_do_several_pulls_whatever_each_of_them_brings(tmp_path: Path) -> None:
    ours = begun(tmp_path, "ours")
    theirs = cloned(ours, tmp_path, "theirs")
    logged_in_one_second(theirs)
    files = sorted((theirs.root / SHARED).rglob("*.json"))
    for file in (*files[1::2], *files[0::2]):
        place = ours.root / file.relative_to(theirs.root)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
        ours.run("recent")
    assert written(ours) == STEPS


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_in_whatever_order_they_arrive_they_stand_alike(order: tuple[int, ...]) -> None:
    ids: list[str | None] = []
    for _ in order:
        ids.append(new_entry(EntryDraft("milestone_reached", {}), now=NOW, taken=ids)["id"])
    made = [{"id": name, "timestamp": "2026-11-23T10:00:00Z", WRITER: "host-b"} for name in ids]
    ours = {"id": "entry-own", "timestamp": "2026-11-23T10:00:00Z"}
    log: list[dict[str, object]] = [ours]
    for place in order:
        log = in_order(log, [made[place]])
    assert log == [ours, *made]
