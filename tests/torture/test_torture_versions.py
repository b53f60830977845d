"""Logs of other versions of this program are read as far as possible, and written only if nothing is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.torture.workplace import Workplace, once_each

ENTRY = {
    "id": "e-1",
    "timestamp": "2026-03-01T10:00:00Z",
    "type": "task_completed",
    "data": {"description": "lit the lamp"},
}
NEWER_ENTRY = {
    **ENTRY,
    "id": "e-2",
    "type": "story_split",
    "links": [{"to": "e-1"}],
    "data": {"description": "newer", "parts": {"a": 1}},
}


def _write(place: Workplace, document: Any) -> bytes:
    place.ours.mkdir(parents=True, exist_ok=True)
    data = json.dumps(document).encode()
    (place.ours / "progress.json").write_bytes(data)
    return data


@pytest.mark.parametrize("version", ["2.0-beta", 3])
def test_a_newer_major_version_is_shown_and_never_written(workplace: Workplace, version: Any) -> None:
    data = _write(
        workplace, {"version": version, "project": "P", "entries": [ENTRY, NEWER_ENTRY], "shards": ["a"]}
    )
    assert workplace.log("not written") == 2
    workplace.work()
    assert (workplace.ours / "progress.json").read_bytes() == data
    once_each(workplace.everything(), ["e-1", "e-2"])
    assert "newer than 1.0" in workplace.context()


def test_after_a_downgrade_the_older_program_reads_what_the_newer_left(workplace: Workplace) -> None:
    workplace.log("by this version")
    workplace.start()
    cache = workplace.private("start.json")
    stored = json.loads(cache.read_bytes())
    cache.write_text(json.dumps({**stored, "version": "99.0 99", "context": "of another version"}))
    baseline = workplace.private("last-seen.json")
    baseline.write_text(json.dumps({"format": 99, "plans": {"prd.json": {"shape": "new"}}}))
    assert "by this version" in workplace.context()
    assert workplace.log("by the older one") == 0
    assert len(workplace.everything()) == 2
    assert workplace.command("verify") == 0
