"""A kill at any instant loses nothing that was acknowledged, and leaves files that parse.

An audit hook counts every call that changes the disk, so that a step added later is killed at as well.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.config.settings import Settings
from progress_plugin.log import store
from progress_plugin.log.entry import canonical, new_draft
from tests.log.conftest import limits
from tests.torture.changes import killed_at
from tests.torture.figures import instants


def plain(place: Any) -> Settings:
    place.write(place.old_entries(4, days=0.1))
    place.done("US-0")
    return limits()


def archiving(place: Any) -> Settings:
    place.write(place.old_entries(8, days=20))
    place.done("US-0")
    return limits(entries=5, days=30)


def archiving_into_months_that_exist(place: Any) -> Settings:
    place.write(place.old_entries(8, days=9))
    place.done("US-0", limits=limits(entries=5, days=40))
    return limits(entries=5, days=5)


def damaged(place: Any) -> Settings:
    place.write(place.old_entries(4, days=0.1))
    place.done("US-0")
    place.done("US-1")
    place.file.write_bytes(place.file.read_bytes()[:-300])
    return limits()


def vanished(place: Any) -> Settings:
    place.done("US-0")
    place.file.unlink()
    return limits()


@pytest.mark.parametrize("prepare", [plain, archiving, archiving_into_months_that_exist, damaged, vanished])
def test_killed_before_any_of_its_changes_an_append_loses_nothing(
    place: Any, prepare: Any, tmp_path: Path, home: Path
) -> None:
    limits = prepare(place)
    acknowledged = Counter(canonical(entry) for entry in store.read_all_entries(place.directory))
    before = place.file.read_bytes() if place.file.exists() else b""
    for name, original in (("project", place.root), ("home", home)):
        shutil.copytree(original, tmp_path / "before" / name)
    draft = new_draft("task_completed", {}, None, "US-NEW")
    for step in instants(4):
        if not killed_at(step, lambda: place.append(draft, limits=limits)):
            break
        check(place, acknowledged, f"killed before change {step}", before)
        again = place.done("US-AGAIN", limits=limits)
        check(place, acknowledged, f"killed before change {step}, and written again")
        assert_once(place, again)
        for name, target in (("project", place.root), ("home", home)):
            shutil.rmtree(target)
            shutil.copytree(tmp_path / "before" / name, target)
    assert step > 8


def check(place: Any, acknowledged: Counter[str], when: str, before: bytes = b"") -> None:
    """Check that every file parses that did before, and that readers see each acknowledged entry once."""
    for path in place.path.rglob("*.json"):
        data = path.read_bytes()
        assert data == before or json.loads(data) is not None, (when, path)
    seen = Counter(canonical(entry) for entry in store.read_all_entries(place.directory))
    assert {key: seen[key] for key in acknowledged} == acknowledged, when
    told = store.load_history(place.directory).newest(1000)
    assert dict.fromkeys(acknowledged, 1) == Counter(
        canonical(entry) for entry in told if canonical(entry) in acknowledged
    ), when


def assert_once(place: Any, entry: dict[str, Any]) -> None:
    """Check that after the next write with these limits no entry is both in the log and in the archive."""
    months = [
        json.loads(path.read_bytes())["entries"] for path in (place.path / "archive").glob("[0-9]*.json")
    ]
    stored = Counter(item["id"] for items in (place.document()["entries"], *months) for item in items)
    assert set(stored.values()) == {1}
    assert entry["id"] in stored
    metadata = place.document()["metadata"]
    assert metadata["total_entries"] + metadata["archived_entries"] == len(stored)
