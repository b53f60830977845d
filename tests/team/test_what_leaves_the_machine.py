"""What is sent to the server or put into `shared/` is redacted, whoever wrote it into the log."""

from __future__ import annotations

import json
from pathlib import Path

from tests.team.clones import OURS, SHARED
from tests.team.members import member
from tests.team.postgres import Database

TOKEN = "ghp_" + "a1B2" * 9
RAW = {
    "id": "entry-20261101-101010-aaaaaa",
    "timestamp": "2026-11-01T10:10:10Z",
    "type": "milestone_reached",
    "branch": TOKEN,
    "data": {"description": f"Berths <private>of the mayor</private> with {TOKEN}"},
}


def test_what_stands_raw_in_the_log_leaves_the_machine_redacted_and_stays_as_it_is(
    tmp_path: Path, database: Database
) -> None:
    clone = member(tmp_path, "ours", database)
    clone.log("Berths are listed")
    path = clone.root / OURS / "progress.json"
    document = json.loads(path.read_text("utf-8"))
    document["entries"].append(RAW)
    path.write_text(json.dumps(document), "utf-8")
    clone.run("config", "set", "share", "true")
    clone.run("repair")
    clone.sync()
    [sent] = database.do("select body from agent_progress.log where id = %s", RAW["id"])
    [shared] = [file.read_text("utf-8") for file in (clone.root / SHARED).rglob(f"{RAW['id']}.*")]
    for told in (str(sent[0]), shared):
        assert "Berths" in told
        assert TOKEN not in told
        assert "mayor" not in told
    kept = json.loads(path.read_text("utf-8"))["entries"]
    assert [item for item in kept if item["id"] == RAW["id"]] == [RAW]
    assert "different entries" not in clone.run("verify", err=True)
    assert clone.sync() == (0, 0)
