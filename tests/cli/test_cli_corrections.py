"""`retract` and `mute`: entries that no longer count, learnings that are no longer shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def log(answer: Any, *arguments: str) -> str:
    """Append an entry and return its id."""
    return str(answer("log", *arguments)["entries"][0]["id"])


def texts(answer: Any) -> list[str]:
    """Return the learnings that status tells."""
    return [learning["text"] for learning in answer("status")["learnings"]]


def test_retract_names_every_id_that_it_cannot_take_back(project: Path, answer: Any, run: Any) -> None:
    entry = log(answer, "milestone_reached", "-m", "x")
    retraction = answer("retract", entry)["entries"][0]["id"]
    before = (project / ".agent-os/progress/progress.json").read_bytes()
    code, out, err = run("retract", entry, retraction, "entry-none")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{entry} is retracted already" in err
    assert f"{retraction} is a retraction" in err
    assert "entry-none is no entry of this log" in err
    assert (project / ".agent-os/progress/progress.json").read_bytes() == before


def test_a_rewording_of_a_muted_learning_stays_muted_and_another_figure_does_not(
    project: Path, answer: Any
) -> None:
    log(answer, "debug_resolved", "-m", "x", "--learning", "The harbour crane lifts at most 40 tons")
    answer("mute", "harbour crane")
    log(answer, "debug_resolved", "-m", "y", "--learning", "The harbour crane lifts at most 40 tons, always")
    assert "The harbour crane lifts at most 40 tons, always" not in texts(answer)
    log(answer, "debug_resolved", "-m", "z", "--learning", "The harbour crane lifts at most 55 tons")
    assert "The harbour crane lifts at most 55 tons" in texts(answer)


def test_retracting_the_mute_shows_the_learning_again(project: Path, answer: Any, run: Any) -> None:
    _, out, _ = run("mute", "The  QUARRY gate")
    assert texts(answer) == []
    undo = out.splitlines()[-1].removeprefix("To show it again: agent-progress ")
    assert run(*undo.split())[0] == 0
    assert texts(answer) == ["The quarry gate locks at noon, fetch stones before"]


def test_an_entrys_id_mutes_all_its_learnings(project: Path, answer: Any) -> None:
    more = ["--learning", "Ropes rot in the east shed", "--learning", "Never oil the winch in frost"]
    entry = log(answer, "debug_resolved", "-m", "x", *more)
    answer("mute", entry)
    assert texts(answer) == ["The quarry gate locks at noon, fetch stones before"]


def test_a_text_that_several_learnings_say_is_asked_back(project: Path, answer: Any, run: Any) -> None:
    more = ["--learning", "Ropes rot in the east shed", "--learning", "Winch oil is in the east shed, row 2"]
    log(answer, "debug_resolved", "-m", "x", *more)
    code, out, err = run("mute", "east shed")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "2 learnings say that" in err
    assert len(answer("mute", "east shed", "--all")["entries"][0]["data"]["mutes"]) == 2


@pytest.mark.parametrize(("words", "said"), [("no such thing", "no learning says"), ("  ", "name a part")])
def test_a_text_that_no_learning_says_is_exit_2(project: Path, run: Any, words: str, said: str) -> None:
    code, _, err = run("mute", words)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err
    assert not (project / ".agent-os").exists()


def test_what_is_muted_is_listed_with_the_way_back_wherever_its_entry_is(
    project: Path, answer: Any, run: Any
) -> None:
    assert run("mute", "--list")[:2] == (0, "Nothing is muted.\n")
    assert answer("mute", "--list") == {"muted": []}
    log(answer, "debug_resolved", "-m", "x", "--learning", "The harbour crane lifts at most 40 tons")
    first = answer("mute", "quarry")["entries"][0]
    second = answer("mute", "harbour crane")["entries"][0]
    answer("archive", "--days", "0", "--at-least", "0")
    told = [{"id": each["id"], "texts": each["data"]["mutes"]} for each in (first, second)]
    assert answer("mute", "--list") == {"muted": told}
    assert run("mute", "--list")[1].splitlines() == [
        line
        for each in told
        for line in (f"muted: {each['texts'][0]}", f"To show it again: agent-progress retract {each['id']}")
    ]
    run("retract", first["id"])
    assert answer("mute", "--list") == {"muted": told[1:]}


@pytest.mark.parametrize("words", [["mute"], ["mute", "quarry", "--list"], ["mute", "--list", "--all"]])
def test_mute_without_a_text_or_with_more_than_a_list_says_what_it_takes(
    project: Path, run: Any, words: list[str]
) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "--list" in err
    assert not (project / ".agent-os/progress/progress.json").exists()
