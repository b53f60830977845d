"""The filters of a question do what their names say, alone and together, and say it where they leave nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from progress_plugin.cli.main import main
from progress_plugin.core.errors import BadInput
from progress_plugin.usecases.recalling.answer_text import as_objects, recall_text
from progress_plugin.usecases.recalling.recall import Recalled, since
from tests.recall.test_recall import said

Ask = Callable[..., Recalled]


@pytest.mark.parametrize(
    ("wanted", "named"),
    [
        ({"story": "US-999"}, "story US-999"),
        ({"file": "nowhere.ts"}, "file nowhere.ts"),
        ({"kind": "dependency"}, "kind dependency"),
        ({"since": datetime(2030, 1, 1, tzinfo=UTC)}, "since 2030-01-01T00:00:00Z"),
        ({"story": "US-002", "kind": "blocker"}, "story US-002, kind blocker"),
    ],
)
def test_filters_that_leave_nothing_are_named(ask: Ask, wanted: dict[str, object], named: str) -> None:
    found = ask("gate", **wanted)
    told = recall_text(found)
    assert told.startswith(f"Nothing in the history fits with {named} (")
    assert told.endswith(" searched); without that, something does.")
    assert as_objects(found)["notes"] == [told]
    assert recall_text(ask("lighthouse", **wanted)).endswith(" searched).")
    assert recall_text(ask("", **wanted)).endswith(" searched).")


def test_a_path_and_a_story_together_give_what_the_story_says_of_the_file(ask: Ask) -> None:
    about_the_gate = ask("src/gate/shut.py", story="US-002").hits
    assert {hit.stories for hit in about_the_gate} == {("US-002",)}
    assert ask("src/gate/shut.py", story="US-001").hits == []


@pytest.mark.parametrize("name", ["file", "story", "kind"])
@pytest.mark.parametrize("value", ["", " "])
def test_a_filter_without_a_value_is_refused(ask: Ask, name: str, value: str) -> None:
    with pytest.raises(BadInput, match=rf"^the {name} to look for is empty"):
        ask("gate", **{name: value})
    with pytest.raises(BadInput, match=r"^what is empty is no time"):
        since("", datetime(2026, 3, 10, tzinfo=UTC))


def test_the_command_refuses_a_time_without_a_value(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", str(root), "recall", "gate", "--since", ""]) == 2
    assert "what is empty is no time" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["ÜBER-1", "über-1", "Straße ß", "STRASSE SS", "ΣΟΦΟΣ-2", "σοφος-2"])
def test_a_story_is_the_same_in_large_and_small_letters_of_any_script(
    ask: Ask, root: Path, name: str
) -> None:
    told = {"über-1": "The buoy is over", "Strasse ß": "The buoy is lit", "σοφος-2": "The buoy is wise"}
    stories = [{"id": id_, "title": title, "passes": True} for id_, title in told.items()]
    (root / "prd.json").write_text(json.dumps({"userStories": stories}), "utf-8")
    (wanted,) = [id_ for id_ in told if id_.casefold() == name.casefold()]
    for words in ("buoy", ""):
        assert {hit.stories for hit in ask(words, 9, story=name).hits} == {(wanted,)}


@pytest.mark.parametrize("kind", ["Gotcha", "gotchas", " GOTCHA "])
def test_a_kind_is_known_however_it_is_written(ask: Ask, kind: str) -> None:
    assert {hit.kind for hit in ask("gate tide", 20, kind=kind).hits} == {"gotcha"}


def test_times_in_any_zone_are_compared_as_times(ask: Ask, root: Path) -> None:
    said = {"A": "2026-03-04T23:30:00-05:00", "B": "2026-03-05T01:30:00Z", "C": "March 9, 2026"}
    entries = [
        {
            "id": name,
            "timestamp": when,
            "type": "milestone_reached",
            "data": {"description": f"Buoy {name} is out"},
        }
        for name, when in said.items()
    ]
    (root / ".agent-os/progress").mkdir(parents=True)
    (root / ".agent-os/progress/progress.json").write_text(json.dumps({"version": "1.0", "entries": entries}))

    def newer_than(hour: int) -> set[str]:
        hits = ask("buoy", 20, since=datetime(2026, 3, 5, hour, tzinfo=UTC)).hits
        return {hit.text for hit in hits}

    assert newer_than(1) >= {"Buoy A is out", "Buoy B is out"}
    assert {text for text in newer_than(2) if "Buoy" in text} == {"Buoy A is out"}
    assert not newer_than(5)


def test_a_folder_is_what_is_in_it(ask: Ask) -> None:
    assert any("shuts by itself" in text for text in said(ask("gate", 20, file="src/gate")))
    assert any("shuts by itself" in text for text in said(ask("gate", 20, file="gate/")))
    assert ask("gate", file="other/gate").hits == []
    assert ask("gate", file="src/ga").hits == []


def test_a_path_through_a_link_to_the_project_is_one_inside(ask: Ask, root: Path, tmp_path: Path) -> None:
    os.symlink(root, tmp_path / "link")
    for place in (root, tmp_path / "link"):
        hits = ask("gate", 20, file=str(place / "src/gate/shut.py")).hits
        assert any("shuts by itself" in f"{hit.text} {hit.around}" for hit in hits)


@pytest.mark.parametrize(
    "path",
    [
        "src/gate/shut.py:14", "src/gate/shut.py:14:3", "src/gate/shut.py#L14-L20", "./src/gate/",
        "src//gate/shut.py", "ROOT/src/gate/shut.py", "ROOT/src/gate/shut.py:14", "ROOT/src/../src/gate",
        "/elsewhere/harbour/src/gate/shut.py",
    ],
)  # fmt: skip
def test_a_file_is_the_same_however_its_path_is_written(ask: Ask, root: Path, path: str) -> None:
    told = " ".join(said(ask("", 20, file=path.replace("ROOT", str(root)))))
    assert "shuts by itself" in told
    assert "assignBerth" not in told


@pytest.mark.parametrize("path", [".", "./", "ROOT", "ROOT/"])
def test_the_root_is_all_that_is_in_it(ask: Ask, root: Path, path: str) -> None:
    assert ask("gate", 20, file=path.replace("ROOT", str(root))).hits == ask("gate", 20).hits


def test_a_file_of_another_project_is_none_of_this_one(ask: Ask, root: Path, tmp_path: Path) -> None:
    (tmp_path / "quay/harbour/src/gate").mkdir(parents=True)
    (tmp_path / "quay/harbour/src/gate/shut.py").touch()
    assert ask("", file="/elsewhere/quay/src/gate/shut.py").hits == []
    assert ask("", file=str(tmp_path / "quay/harbour/src/gate/shut.py")).hits == []
    with (root / "progress.md").open("a", encoding="utf-8") as log:
        log.write(
            "\n## 2026-04-01 - US-009: x\n- The proxy reads /etc/harbour-proxy/gate.conf at its start\n"
        )
    assert "proxy" in ask("", file="/etc/harbour-proxy/gate.conf").hits[0].text
    assert ask("", file="/etc/quay-proxy/gate.conf").hits == []


@pytest.mark.parametrize("words", ["src/gate/shut.py", "src/gate/shut.py:14", " src/gate/db.ts"])
def test_of_a_path_that_something_names_only_what_names_it_is_told(
    ask: Callable[..., Recalled], root: Path, words: str
) -> None:
    with (root / "progress.md").open("a", encoding="utf-8") as log:
        log.write(
            "\n## 2026-03-05 09:00 - US-003: Winter storage\n\n- src/sheds/gate.py holds the gate's boats\n"
        )
    found = ask(words, n=5)
    name = words.strip().partition(":")[0].rpartition("/")[2]
    assert found.hits
    assert all(name in hit.text for hit in found.hits)


def test_of_a_path_that_nothing_names_what_comes_near_is_told(ask: Callable[..., Recalled]) -> None:
    assert ask("src/berths/free.ts").hits
