"""`retract` and `mute`: entries that no longer count, learnings that are no longer shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import TABLES

QUARRY = "The quarry gate locks at noon, fetch stones before"


def log(answer: Any, *learnings: str) -> str:
    """Append an entry with learnings and return its id."""
    options = [word for text in learnings for word in ("--learning", text)]
    return str(answer("log", "debug_resolved", "-m", f"x{len(learnings)}", *options)["entries"][0]["id"])


def texts(answer: Any) -> list[str]:
    """Return the learnings that status shows."""
    return [learning["text"] for learning in answer("status")["learnings"]]


def test_retract_names_every_id_that_it_cannot_take_back(project: Path, answer: Any, run: Any) -> None:
    entry = log(answer)
    retraction = answer("retract", entry)["entries"][0]["id"]
    before = (project / ".agent-os/progress/progress.json").read_bytes()
    code, out, err = run("retract", entry, retraction, "entry-none")
    assert (code, out, err.count("\n")) == (2, "", 1)
    faults = (
        f"{entry} is retracted already",
        f"{retraction} is a retraction",
        "entry-none is not in this log",
    )
    assert [fault for fault in faults if fault not in err] == []
    assert (project / ".agent-os/progress/progress.json").read_bytes() == before


def test_a_rewording_stays_muted_and_another_figure_does_not(project: Path, answer: Any) -> None:
    log(answer, "The harbour crane lifts at most 40 tons")
    answer("mute", "harbour crane")
    log(answer, "The harbour crane lifts at most 40 tons, always", "Ropes rot in the east shed")
    log(answer, "The harbour crane lifts at most 55 tons", "Oil is in the east shed", "Never oil in frost")
    shown = texts(answer)
    assert "The harbour crane lifts at most 40 tons, always" not in shown
    assert "The harbour crane lifts at most 55 tons" in shown


def test_an_entrys_id_mutes_until_the_mute_is_retracted(project: Path, answer: Any, run: Any) -> None:
    entry = log(answer, "Ropes rot in the east shed", "Never oil the winch in frost")
    undo = run("mute", entry)[1].splitlines()[-1].removeprefix("To show it again: agent-progress ")
    assert texts(answer) == [QUARRY]
    assert run(*undo.split())[0] == 0
    assert len(texts(answer)) == 3


def test_a_text_that_several_learnings_say_is_asked_back(project: Path, answer: Any, run: Any) -> None:
    log(answer, "Ropes rot in the east shed", "Winch oil is in the east shed, row 2")
    code, out, err = run("mute", "east shed")
    assert (code, out, err.count("\n"), "2 learnings say that" in err) == (2, "", 1, True)
    assert len(answer("mute", "east shed", "--all")["entries"][0]["data"]["mutes"]) == 2


@pytest.mark.parametrize(("words", "fault"), TABLES["mute: refused"])
def test_what_cannot_be_muted_is_one_line_and_writes_nothing(
    project: Path, run: Any, words: list[str], fault: str
) -> None:
    code, out, err = run("mute", *words)
    assert (code, out, err.count("\n"), fault in err) == (2, "", 1, True)
    assert not (project / ".agent-os").exists()


def test_what_is_muted_is_listed_with_the_way_back(project: Path, answer: Any, run: Any) -> None:
    assert run("mute", "--list")[:2] == (0, "Nothing is muted.\n")
    log(answer, "The harbour crane lifts at most 40 tons")
    first, second = (answer("mute", text)["entries"][0] for text in ("quarry", "harbour crane"))
    answer("archive", "--days", "0", "--at-least", "0")
    muted = [{"id": each["id"], "texts": each["data"]["mutes"]} for each in (first, second)]
    assert answer("mute", "--list") == {"muted": muted}
    assert run("mute", "--list")[1].splitlines()[:2] == [
        f"muted: {QUARRY}", f"To show it again: agent-progress retract {first['id']}"
    ]  # fmt: skip
    run("retract", first["id"])
    assert answer("mute", "--list") == {"muted": muted[1:]}
