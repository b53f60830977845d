"""A row on the server under the id of somebody's entry, which anybody may put there."""

from __future__ import annotations

import json
from pathlib import Path

from tests.team.clones import OURS
from tests.team.members import KEY, Member, entry_body, member
from tests.team.postgres import ADD_ENTRY, Database


def test_a_row_under_the_id_of_an_entry_keeps_that_entry_away_from_nobody(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    ours.log_offline("Quays are swept")
    [name] = [each for each, text in ours_by_id(ours).items() if text == "Quays are swept"]
    database.do(ADD_ENTRY, KEY, "mallory", 1, name, entry_body(name, "Nothing was done"))
    told = ours.run("sync", err=True)
    assert f"mallory has put another entry on the team's server under the id {name}" in told
    assert "Nothing was done" in told
    assert ours.said()["Quays are swept"] is None
    assert "Nothing was done" not in ours.said()
    rows = database.do(
        "select writer, body->'data'->>'description' from agent_progress.entries where id = %s", name
    )
    assert sorted(rows) == sorted([("mallory", "Nothing was done"), (ours.name(), "Quays are swept")])
    assert "under the id" not in ours.run("sync", err=True)
    said = "mallory has put another entry on the team's server under the id"
    assert f"{said} {name}" in ours.run("verify", status=1)
    assert said in ours.run("doctor", status=1)
    late = member(tmp_path, "late", database)
    told = late.run("sync", err=True)
    assert f"under the id {name}" in told
    assert len({"Nothing was done", "Quays are swept"} & set(late.said())) == 1
    assert f"under the id {name}" in late.run("verify", status=1)


def test_whoever_knew_a_forged_entry_first_is_told_of_the_true_one(
    ours: Member, tmp_path: Path, database: Database
) -> None:
    late = member(tmp_path, "late", database)
    ours.log_offline("Quays are swept")
    [name] = [each for each, text in ours_by_id(ours).items() if text == "Quays are swept"]
    database.do(ADD_ENTRY, KEY, "mallory", 1, name, entry_body(name, "Nothing was done"))
    late.sync()
    assert late.said()["Nothing was done"] == "mallory"
    ours.sync()
    told = late.run("sync", err=True)
    assert (
        f"{ours.name()} has put another entry on the team's server under the id {name} (Quays are swept)"
        in told
    )


def test_what_stands_there_as_it_is_under_another_name_is_sent_by_nobody_again(
    ours: Member, database: Database
) -> None:
    ours.log_offline("Quays are swept")
    document = json.loads((ours.root / OURS / "progress.json").read_text("utf-8"))
    [entry] = [item for item in document["entries"] if item["data"].get("description") == "Quays are swept"]
    database.do(ADD_ENTRY, KEY, "mallory", 1, entry["id"], json.dumps(entry))
    assert ours.sync() == (0, 0)
    assert ours.sync() == (0, 0)
    assert database.do("select writer from agent_progress.entries where id = %s", entry["id"]) == [
        ("mallory",)
    ]
    assert "under the id" not in ours.run("verify")


def test_many_rows_under_one_id_are_looked_at_within_bounds(ours: Member, database: Database) -> None:
    ours.log_offline("Quays are swept")
    [name] = [each for each, text in ours_by_id(ours).items() if text == "Quays are swept"]
    database.do(
        "insert into agent_progress.entries (project, writer, number, id, body) "
        "select %s, 'a-' || n, 1, %s, %s from generate_series(1, 300) as n", KEY, name, entry_body(name, "x" * 200_000),
    )  # fmt: skip
    assert ours.sync() == (0, 1)


def ours_by_id(clone: Member) -> dict[str, str]:
    """Return what the entries of a clone's log say, by id."""
    items = json.loads((clone.root / OURS / "progress.json").read_text("utf-8"))["entries"]
    return {item["id"]: item["data"].get("description", "") for item in items}
