"""verify says what is wrong and changes nothing; repair mends it and keeps every original."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import find_project
from progress_plugin.log import store
from progress_plugin.usecases.upkeep import find_faults, repair_log
from tests.log.conftest import limits


def snapshot(place: Any) -> dict[Path, bytes]:
    """Return every file but the lock's, which says when it was taken."""
    return {
        path: path.read_bytes() for path in place.root.rglob("*") if path.is_file() and path.name != "lock"
    }


def found(place: Any) -> list[str]:
    """Return what verify says, having checked that it changed nothing."""
    before = snapshot(place)
    faults = find_faults(find_project(str(place.root)), place.now)
    assert snapshot(place) == before
    return [str(fault).replace(str(place.root), "ROOT") for fault in faults]


def mend(place: Any) -> list[str]:
    """Repair, and check that nothing that can be repaired is left."""
    notes = repair_log(find_project(str(place.root)), place.now)
    assert [sentence for sentence in found(place) if "agent-progress repair" in sentence] == []
    return [note.replace(str(place.root), "ROOT") for note in notes]


def with_archive(place: Any) -> None:
    place.write(place.old_entries(6, days=20))
    place.done(limits=limits(entries=5))


def test_a_log_in_order_has_no_findings_and_nothing_to_repair(place: Any) -> None:
    with_archive(place)
    assert found(place) == []
    before = snapshot(place)
    assert mend(place) == []
    assert snapshot(place) == before


def test_a_damaged_log_is_found_and_mended(place: Any) -> None:
    ids = [place.done(f"US-{number}")["id"] for number in range(3)]
    whole = place.file.read_bytes()
    place.file.write_bytes(whole[:-200])
    sentences = found(place)
    assert re.match(r"progress\.json does not parse \(.*; run `agent-progress repair`$", sentences[0])
    notes = mend(place)
    assert place.ids() == ids
    assert [path.read_bytes() for path in place.path.glob("progress.json.corrupt-*")] == [whole[:-200]]
    assert notes[-1] == "the damaged file is kept as progress.json.corrupt-20260314T150926Z"


def test_a_log_that_has_vanished_is_found_in_its_copies_and_brought_back(place: Any) -> None:
    ids = [place.done(f"US-{number}")["id"] for number in range(3)]
    place.file.unlink()
    assert re.match(
        r".*/logs/.*\.[0-9a-f]{16} holds 3 entries that are in neither log nor archive; "
        r"run `agent-progress repair` to bring back what is missing$",
        found(place)[0],
    )
    mend(place)
    assert place.ids() == ids


def test_entries_come_back_where_their_time_puts_them(place: Any) -> None:
    entries = place.old_entries(4)
    place.write(entries)
    place.done()
    document = place.document()
    document["entries"].pop(1)
    document["metadata"]["total_entries"] -= 1
    place.file.write_text(json.dumps(document))
    mend(place)
    assert place.ids()[:4] == ["old-0", "old-1", "old-2", "old-3"]


def test_an_entry_in_log_and_archive_is_found_and_kept_once(place: Any) -> None:
    with_archive(place)
    month = json.loads((place.path / "archive" / "2026-01.json").read_bytes())["entries"]
    document = place.document()
    document["entries"] = month + document["entries"]
    document.pop("metadata")
    place.file.write_text(json.dumps(document))
    assert found(place) == ["1 entry is in log and archive twice; run `agent-progress repair`"]
    assert mend(place) == ["mended: 1 entry is in log and archive twice"]
    assert [entry["id"] for entry in store.read_all_entries(place.directory)].count("old-3") == 1


def test_a_damaged_month_is_found_mended_and_kept(place: Any) -> None:
    with_archive(place)
    month = place.path / "archive" / "2025-12.json"
    whole = month.read_bytes()
    month.write_bytes(whole[:-9])
    assert found(place)[0].startswith("archive/2025-12.json does not parse (")
    mend(place)
    assert {entry["id"] for entry in store.read_all_entries(place.directory)} >= {
        f"old-{number}" for number in range(6)
    }
    assert [path.read_bytes() for path in (place.path / "archive").glob("*.corrupt-*")] == [whole[:-9]]


def test_a_log_of_a_newer_version_is_told_and_not_repaired(place: Any) -> None:
    content = b'{"version": "2.0", "entries": []}'
    place.file.write_bytes(content)
    assert found(place)[0].startswith(
        "progress.json has version 2.0, newer than 1.0; it is read and not written"
    )
    with pytest.raises(BadInput, match="nothing was written"):
        mend(place)
    assert place.file.read_bytes() == content
