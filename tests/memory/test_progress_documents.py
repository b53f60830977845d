"""The progress document: kept, merged, refused, and shown only by session starts of its own repository."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory import json_values
from progress_plugin.memory.database import reading
from progress_plugin.memory.documents import document_of_root
from progress_plugin.memory.json_values import merge
from progress_plugin.memory.observations import MAX_CONTENT_BYTES
from progress_plugin.usecases.answers import render_answer
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.mem_progress import list_revisions, read_progress, restore_revision
from tests.memory.calls import mem_progress
from tests.memory.conftest import NOW, Add, Dump, Rows

EXAMPLES, MERGES = (
    json.loads((Path(__file__).with_name("data") / name).read_text("utf-8"))
    for name in ("examples.json", "merges.json")
)


def write(
    place: MemoryLocation, content: object, project: str | None = "shop", **given_: Any
) -> dict[str, Any]:
    return mem_progress(place, project, content, now=NOW, **given_)


def read(place: MemoryLocation, project: str = "shop", **given_: Any) -> dict[str, Any]:
    return mem_progress(place, project, None, now=NOW, **given_)


def start(place: MemoryLocation, root: str | None = None) -> Any:
    with reading(place.database) as db:
        found = document_of_root(db, place.names, root or place.root or "")
    return None if found is None else found.value


@pytest.mark.parametrize("nothing", [None, "", " \n\t"])
def test_without_content_it_reads_or_names_what_is_near(place: MemoryLocation, nothing: object) -> None:
    assert write(place, nothing) == {"found": False, "project": "shop", "similar": []}
    assert not Path(place.database).exists()
    write(place, "{}", "web-mart")
    similar = {name: read(place, name)["similar"] for name in ("Web-Mart", "webmart", "unrelated")}
    assert similar == {"Web-Mart": ["web-mart"], "webmart": ["web-mart"], "unrelated": []}


def test_each_namespace_has_its_own_document(place: MemoryLocation, rows: Rows) -> None:
    here = write(place, '{"goal": "mine"}', session_id="s9")
    there = write(place, '{"goal": "its"}', namespace="agent/7")
    assert (here["shown_at_start"], there["shown_at_start"]) == (True, False)
    assert "it reads project 'shop'" in render_answer("memory_progress", there)
    columns = "id, session_id, type, title, content, project, scope, topic_key, revision_count"
    assert rows(f"SELECT {columns} FROM observations ORDER BY id") == [
        (1, "s9", "progress", "Progress: shop", '{"goal": "mine"}', "shop", "project", "progress/shop", 1),
        (2, "manual-save", "progress", "Progress: shop", '{"goal": "its"}', "shop", "project",
         "progress/agent/7/shop", 1),
    ]  # fmt: skip
    assert rows("SELECT project, directory FROM sessions WHERE id = 's9'") == [("shop", place.root)]
    assert read(place, namespace="agent/7")["content"] == {"goal": "its"}
    assert read(place)["content"] == start(place) == {"goal": "mine"}


def test_earlier_revisions_can_be_read_and_restored(place: MemoryLocation, rows: Rows) -> None:
    for number in range(3):
        assert write(place, f'{{"n":  {number}}}')["revision"] == number + 1
    assert rows("SELECT content FROM observations WHERE deleted_at IS NULL") == [('{"n":  2}',)]
    assert [one["revision"] for one in list_revisions(place, "shop", None)] == [3, 2, 1]
    assert read_progress(place, "shop", None, revision=1)["content"] == {"n": 0}
    answer = restore_revision(place, "shop", None, 1, now=NOW)
    assert (answer["revision"], answer["restored"]) == (4, 1)
    assert read(place)["text"] == '{"n":  0}'
    with pytest.raises(Refused, match="revision 9"):
        restore_revision(place, "shop", None, 9, now=NOW)


@pytest.mark.parametrize(
    "content", [{}, [1], {"goal": None}, 0, False, '"text"', "null", "1e3", '{"n": 1.10}']
)
def test_any_json_value_is_kept_and_a_text_as_it_was_sent(place: MemoryLocation, content: object) -> None:
    write(place, content)
    assert read(place)["content"] == (json.loads(content) if isinstance(content, str) else content)
    assert read(place)["text"] == content or not isinstance(content, str)


def test_a_mebibyte_comes_back_byte_for_byte_and_one_more_byte_is_refused(place: MemoryLocation) -> None:
    text = '{"goal":  "' + "é" * ((MAX_CONTENT_BYTES - 13) // 2) + '"}'
    text += " " * (MAX_CONTENT_BYTES - len(text.encode()))
    write(place, text)
    assert read(place)["text"] == text
    with pytest.raises(BadInput, match="1048577 bytes"):
        write(place, text + " ")
    assert read(place)["revision"] == 1


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        *((bad, "no valid JSON") for bad in ("{bad", "{'a': 1}", '"\x00"', "[NaN]", "1e999", "1" * 5000)),
        ({"a": float("nan")}, "no valid JSON"),
        ('{"a": 1, "a": 2}', "occurs twice"),
        ("[" * 101 + "]" * 101, "100 levels"),
        ("[" * 200_000, "no valid JSON"),
        *((half, "no valid JSON|not valid UTF-8") for half in ('"\udcff"', '"\\ud83d"', {"a": "\ud83d"})),
    ],
)
def test_invalid_json_is_refused_and_changes_nothing(
    place: MemoryLocation, dump: Dump, content: object, fault: str
) -> None:
    write(place, "{}")
    before = dump()
    with pytest.raises(BadInput, match=fault):
        write(place, content)
    assert dump() == before


@pytest.mark.parametrize("project", [None, "", "  "])
def test_the_project_may_be_left_out_where_there_is_one(place: MemoryLocation, project: str | None) -> None:
    outside = replace(place, root=None, names=())
    with pytest.raises(BadInput, match="there is no project here: name one"):
        write(outside, "{}", project)
    assert not Path(place.database).exists()
    assert write(place, "{}", project)["project"] == "shop"
    answer = write(outside, {"goal": "second"}, base_revision=1)
    assert render_answer("memory_progress", answer).endswith(
        "There is no project here, so no session start shows it."
    )
    assert start(place) == {"goal": "second"}


def test_private_parts_and_secrets_are_removed_and_counted(place: MemoryLocation) -> None:
    secret = "ghp_" + "a1B2" * 9
    answer = write(place, f'{{"goal": "a <private>b</private> c", "token": "{secret}"}}')
    kept = read(place)["text"]
    assert answer["removed_parts"] == 2
    assert "<private>" not in kept
    assert "ghp_" not in kept
    assert json.loads(kept)["goal"].split() == ["a", "c"]
    write(place, '{"a": "x <private>y", "b": "z</private> w"}')
    assert set(json.loads(read(place)["text"])) == {"a", "b"}


# Two writers


def test_two_agents_that_both_write_lose_nothing(place: MemoryLocation) -> None:
    write(place, {"goal": "g", "completed": ["a"], "next_steps": ["b", "c"]})
    second = {"goal": "g", "completed": ["a", "b"], "next_steps": ["c"], "blockers": ["x"]}
    write(place, second, base_revision=1)
    third = {"goal": "g", "completed": ["a", "c"], "next_steps": ["b", "d"], "notes": "n"}
    answer = write(place, third, base_revision=1)
    assert (answer["revision"], answer["merged_with"]) == (3, 2)
    assert render_answer("memory_progress", answer).endswith(
        "Merged with revision 2; read it before you go on."
    )
    assert read(place)["content"] == {
        "goal": "g", "completed": ["a", "b", "c"], "next_steps": ["d"], "blockers": ["x"], "notes": "n",
    }  # fmt: skip
    assert write(place, {"completed": []}, base_revision=3)["merged_with"] is None
    assert read(place)["content"] == {"completed": []}


@pytest.mark.parametrize(("first", "second", "field"), EXAMPLES["conflicts"])
def test_a_conflict_is_refused_with_both_versions_and_changes_nothing(
    place: MemoryLocation, dump: Dump, first: object, second: object, field: str
) -> None:
    write(place, {"goal": "g", "blockers": ["b"]})
    write(place, first, base_revision=1)
    before = dump()
    with pytest.raises(Refused, match=field) as refusal:
        write(place, second, base_revision=1)
    assert json_values.dump(first) in str(refusal.value)
    assert json_values.dump(second) in str(refusal.value)
    assert "base_revision 2" in str(refusal.value)
    assert dump() == before


def test_a_base_revision_that_never_existed_is_refused(place: MemoryLocation) -> None:
    with pytest.raises(BadInput, match="no document yet"):
        write(place, "{}", base_revision=1)
    write(place, "{}")
    with pytest.raises(BadInput, match="base_revision 7 does not exist"):
        write(place, "{}", base_revision=7)


@pytest.mark.parametrize("case", MERGES, ids=str)
def test_a_change_of_one_side_is_taken_and_of_two_the_first(case: dict[str, Any]) -> None:
    merged = merge(case["base"], case["first"], case["second"])
    assert merged == (case["value"], case["conflicts"])


WORDS = st.sampled_from(["Sweep", "Paint", "Grease", "Moor"])
DOCUMENTS = st.dictionaries(
    st.sampled_from(["goal", "next_steps", "completed", "notes"]),
    st.one_of(WORDS, st.lists(WORDS, max_size=4, unique=True), st.dictionaries(WORDS, WORDS)),
)


@given(base=st.none() | DOCUMENTS, first=DOCUMENTS, second=DOCUMENTS)
def test_every_word_that_either_side_added_is_kept(base: Any, first: Any, second: Any) -> None:
    merged, conflicts = merge(base, first, second)
    before, text = json.dumps(base or {}), json.dumps(merged)
    for side in (first, second):
        assert conflicts or all(word in text for word in _words(side) if word not in before)


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [word for pair in value.items() for each in pair for word in _words(each)]
    return [word for each in value for word in _words(each)] if isinstance(value, list) else [value]


# The repository it belongs to


def test_every_name_of_a_repository_means_its_one_document(place: MemoryLocation, rows: Rows) -> None:
    here, outside = replace(place, names=("shop", "Corner shop")), replace(place, root=None, names=())
    write(outside, {"goal": "f"}, "Corner shop")  # which the repository takes over
    assert start(here) == read(here)["content"] == {"goal": "f"}
    assert write(here, {"goal": "g"}, "Corner shop", base_revision=1)["revision"] == 2
    on_a_branch = replace(place, names=("shop", "Returns"))
    for name in ("shop", "Corner shop", "Returns"):
        answer = read(on_a_branch, name)
        assert (answer["content"], answer["project"]) == ({"goal": "g"}, "shop")
    assert start(on_a_branch) == {"goal": "g"}
    assert rows("SELECT DISTINCT project, topic_key FROM observations") == [("shop", "progress/shop")]


def test_two_repositories_of_one_name_keep_a_document_each(place: MemoryLocation, tmp_path: Path) -> None:
    write(place, {"goal": "first"})
    (tmp_path / "b").mkdir()
    other = replace(place, root=str(tmp_path / "b"))
    assert start(other) is None
    answer = write(other, {"goal": "second"})
    assert (answer["revision"], answer["project"]) == (1, "shop-2")
    assert write(other, {"goal": "third"}, base_revision=1)["revision"] == 2
    assert (start(place), start(other)) == ({"goal": "first"}, {"goal": "third"})
    assert (read(place)["content"], read(other)["content"]) == ({"goal": "first"}, {"goal": "third"})


def test_a_document_of_another_repository_is_only_read(place: MemoryLocation, tmp_path: Path) -> None:
    write(place, {"goal": "first"})
    (tmp_path / "b").mkdir()
    other = replace(place, root=str(tmp_path / "b"), names=("b",))
    assert read(other)["content"] == {"goal": "first"}
    with pytest.raises(Refused, match=f"shop is the project in {place.root}"):
        write(other, {"goal": "second"})
    assert read(place)["revision"] == 1


def test_a_repository_that_moved_takes_its_document_along(place: MemoryLocation, tmp_path: Path) -> None:
    write(place, {"goal": "g"})
    moved = replace(place, root=str(Path(str(place.root)).rename(tmp_path / "moved")))
    assert start(moved) is None
    assert read(moved)["content"] == {"goal": "g"}
    assert write(moved, {"goal": "h"}, base_revision=1)["revision"] == 2
    assert start(moved) == {"goal": "h"}


def test_linked_worktrees_share_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main, linked = tmp_path / "shop", tmp_path / "shop-feature"
    main.mkdir()
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (
        ("init", "-q"),
        (*author, "commit", "-q", "--allow-empty", "-m", "x"),
        ("worktree", "add", "-q", str(linked)),
    ):
        subprocess.run(["git", "-C", str(main), *command], check=True)
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(tmp_path / "m.db"))
    here, there = memory_location(str(main)), memory_location(str(linked))
    write(there, {"goal": "from the worktree"})
    assert (here.root, here.name) == (there.root, there.name) == (str(main.resolve()), "shop")
    assert read(here)["content"] == start(here, here.root) == {"goal": "from the worktree"}


def test_reading_for_a_start_leaves_no_trace(place: MemoryLocation) -> None:
    write(place, "{}")
    folder = Path(place.database).parent
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    start(place)
    read(place)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert list(before) == ["memory.db"]


def test_a_document_that_is_not_json_is_shown_as_text(place: MemoryLocation, add: Add) -> None:
    add(1, type="progress", topic_key="progress/shop", content="cut off {")
    assert start(place) == "cut off {"
