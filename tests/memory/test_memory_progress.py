"""The progress document: what is kept, merged, refused, shown at a start."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.core.errors import BadInput, Refused
from progress_plugin.memory import json_text, size_limit
from progress_plugin.memory.database import Store, glance
from progress_plugin.memory.progress_document import current
from progress_plugin.usecases.memory.answer_text import progress_text
from progress_plugin.usecases.memory.location import MemoryLocation, memory_location
from progress_plugin.usecases.memory.mem_progress import (
    list_revisions,
    mem_progress,
    read_progress,
    restore_revision,
)

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
Rows = Callable[..., list[tuple[Any, ...]]]


def write(
    place: MemoryLocation, content: object, project: str | None = "shop", **given_: Any
) -> dict[str, Any]:
    return mem_progress(place, project, content, now=NOW, **given_)


def read(place: MemoryLocation, project: str = "shop", **given_: Any) -> dict[str, Any]:
    return mem_progress(place, project, None, now=NOW, **given_)


@pytest.mark.parametrize("nothing", [None, "", " \n\t"])
def test_without_content_it_reads_and_a_miss_creates_no_database(
    place: MemoryLocation, nothing: object
) -> None:
    answer = write(place, nothing)

    assert answer == {"found": False, "project": "shop", "similar": []}
    assert not Path(place.database).exists()


def test_a_row_has_the_facts_that_the_contract_names(place: MemoryLocation, rows: Rows) -> None:
    answer = write(place, '{"goal": "sell"}', session_id="s9")

    facts = "SELECT id, session_id, type, title, content, project, scope, topic_key, revision_count FROM observations"
    assert rows(facts) == [
        (
            answer["id"],
            "s9",
            "progress",
            "Progress: shop",
            '{"goal": "sell"}',
            "shop",
            "project",
            "progress/shop",
            1,
        )
    ]
    assert rows("SELECT id, project, directory FROM sessions") == [("s9", "shop", place.root)]


def test_a_namespace_has_its_own_key_and_document(place: MemoryLocation, rows: Rows) -> None:
    write(place, '{"goal": "mine"}')
    write(place, '{"goal": "theirs"}', namespace="agent/7")

    assert rows("SELECT topic_key, namespace FROM observations ORDER BY id") == [
        ("progress/shop", None),
        ("progress/agent/7/shop", "agent/7"),
    ]
    assert read(place, namespace="agent/7")["content"] == {"goal": "theirs"}
    assert read(place)["content"] == {"goal": "mine"}


def test_there_is_one_live_document_and_its_history_stays(place: MemoryLocation, rows: Rows) -> None:
    for number in range(3):
        assert write(place, {"n": number})["revision"] == number + 1

    assert rows("SELECT content FROM observations WHERE deleted_at IS NULL") == [('{"n": 2}',)]
    assert [one["revision"] for one in list_revisions(place, "shop", None)] == [3, 2, 1]
    assert read_progress(place, "shop", None, revision=1)["content"] == {"n": 0}


def test_an_earlier_revision_becomes_the_content_of_a_new_one(place: MemoryLocation) -> None:
    write(place, '{"goal":  "first"}')
    write(place, '{"goal": "second"}')

    answer = restore_revision(place, "shop", None, 1, now=NOW)

    assert (answer["revision"], answer["restored"]) == (3, 1)
    assert read(place)["text"] == '{"goal":  "first"}'
    with pytest.raises(Refused, match="revision 9"):
        restore_revision(place, "shop", None, 9, now=NOW)


@pytest.mark.parametrize("content", [{}, [], [1], {"goal": None}, 0, False, '"text"', "null", "1e3"])
def test_any_value_but_a_blank_is_a_write(place: MemoryLocation, content: object) -> None:
    write(place, content)

    assert read(place)["content"] == (json.loads(content) if isinstance(content, str) else content)


def test_a_text_of_a_mebibyte_comes_back_byte_for_byte_and_one_more_byte_is_refused(
    place: MemoryLocation,
) -> None:
    text = '{"goal":  "' + "é" * ((size_limit.MAX_CONTENT_BYTES - 13) // 2) + '"}'
    text = text + " " * (size_limit.MAX_CONTENT_BYTES - len(text.encode()))
    assert len(text.encode()) == 1024 * 1024

    write(place, text)

    assert read(place)["text"] == text
    with pytest.raises(BadInput, match="1048577 bytes"):
        write(place, text + " ")
    assert read(place)["revision"] == 1


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_every_json_value_survives_as_value_and_its_text_as_text(value: Any) -> None:
    text = json.dumps(value, indent=1)

    assert json_text.parse(text) == (value, text)
    assert json.loads(json_text.dump(value)) == value
    json_text.printable(value)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{bad", "no valid JSON"),
        ("{'a': 1}", "no valid JSON"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ({"a": float("nan")}, "no valid JSON"),
        ('{"a": 1, "a": 2}', "occurs twice"),
        ("[" * 101 + "]" * 101, "100 levels"),
        ("[" * 200_000, "100 levels"),
        ('"\x00"', "no valid JSON"),
        ('"\udcff"', "no UTF-8"),
    ],
)
def test_what_is_no_json_is_refused_and_changes_nothing(
    place: MemoryLocation, dump: Callable[[], list[str]], content: object, fault: str
) -> None:
    write(place, "{}")
    before = dump()

    with pytest.raises(BadInput, match=fault):
        write(place, content)

    assert dump() == before


@pytest.mark.parametrize("project", [None, "", "  "])
def test_a_missing_project_is_refused(place: MemoryLocation, project: Any) -> None:
    with pytest.raises(BadInput, match="project is required"):
        write(place, "{}", project)
    assert not Path(place.database).exists()


def test_half_a_surrogate_pair_is_kept_in_the_text_and_shown_as_a_replacement(place: MemoryLocation) -> None:
    write(place, '"\\ud800"')

    assert (read(place)["text"], read(place)["content"]) == ('"\\ud800"', "\ufffd")


def test_private_parts_and_secrets_are_taken_out_and_counted(place: MemoryLocation) -> None:
    answer = write(place, '{"goal": "a <private>b</private> c", "token": "ghp_' + "a1B2" * 9 + '"}')

    kept = read(place)["text"]
    assert answer["removed_parts"] == 2
    assert "<private>" not in kept
    assert "ghp_" not in kept
    assert json.loads(kept)["goal"].split() == ["a", "c"]


def test_a_private_part_across_members_leaves_valid_json(place: MemoryLocation) -> None:
    write(place, '{"a": "x <private>y", "b": "z</private> w"}')

    assert set(json.loads(read(place)["text"])) == {"a", "b"}


def test_a_name_near_the_one_asked_for_is_listed(place: MemoryLocation) -> None:
    write(place, "{}", "web-shop")

    assert read(place, "Web-Shop")["similar"] == ["web-shop"]
    assert read(place, "webshop")["similar"] == ["web-shop"]
    assert read(place, "unrelated")["similar"] == []


def test_the_answer_says_which_name_a_session_start_reads(place: MemoryLocation) -> None:
    there, here = write(place, "{}", "Shop"), write(place, "{}")

    assert (there["shown_at_start"], there["session_start_reads"]) == (False, "shop")
    assert here["shown_at_start"]
    assert not write(place, "{}", namespace="n")["shown_at_start"]


# Two writers


def test_a_write_with_the_newest_base_revision_stands_as_it_is(place: MemoryLocation) -> None:
    write(place, {"completed": ["a", "b"]})

    assert write(place, {"completed": []}, base_revision=1)["merged_with"] is None
    assert read(place)["content"] == {"completed": []}


def test_two_agents_that_both_write_lose_nothing(place: MemoryLocation) -> None:
    write(place, {"goal": "g", "completed": ["a"], "next_steps": ["b", "c"]})
    write(
        place, {"goal": "g", "completed": ["a", "b"], "next_steps": ["c"], "blockers": ["x"]}, base_revision=1
    )

    answer = write(
        place, {"goal": "g", "completed": ["a", "c"], "next_steps": ["b", "d"], "notes": "n"}, base_revision=1
    )

    assert (answer["revision"], answer["merged_with"]) == (3, 2)
    assert read(place)["content"] == {
        "goal": "g", "completed": ["a", "b", "c"], "next_steps": ["d"], "blockers": ["x"], "notes": "n",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "field"),
    [
        ({"goal": "one"}, {"goal": "two"}, "goal"),
        ({"goal": "g", "deep": {"a": 1}}, {"goal": "g", "deep": {"a": 2}}, r"deep\.a"),
        ({"goal": "g", "x": 1}, {"goal": "g", "x": [1]}, "x"),
        ({"goal": "g"}, {"goal": "g", "blockers": ["b"]}, "blockers"),
        ({"goal": "g", "blockers": []}, {"goal": "g", "blockers": ["b", "c"]}, "blockers"),
        ({"goal": "g", "blockers": ["b", "c"]}, {"goal": "g", "blockers": []}, "blockers"),
        ([1], [2], "the whole document"),
    ],
)
def test_a_conflict_is_refused_with_both_versions_and_changes_nothing(
    place: MemoryLocation, dump: Callable[[], list[str]], first: object, second: object, field: str
) -> None:
    write(place, {"goal": "g", "blockers": ["b"]})
    write(place, first, base_revision=1)
    before = dump()

    with pytest.raises(Refused, match=field) as refusal:
        write(place, second, base_revision=1)

    assert json_text.dump(first) in str(refusal.value)
    assert json_text.dump(second) in str(refusal.value)
    assert "base_revision 2" in str(refusal.value)
    assert dump() == before


def test_a_base_revision_that_never_was_is_refused(place: MemoryLocation) -> None:
    write(place, "{}")

    with pytest.raises(BadInput, match="base_revision"):
        write(place, "{}", base_revision=7)


def test_a_base_revision_without_any_document_is_refused(place: MemoryLocation) -> None:
    with pytest.raises(BadInput, match="no document yet"):
        write(place, "{}", base_revision=1)


# What a session start reads


def start(place: MemoryLocation, root: str | None = None, name: str = "shop") -> Any:
    found = current(place.database, [name], root or place.root or "")
    return None if found is None else found.content


def test_a_start_reads_the_document_of_its_project(place: MemoryLocation) -> None:
    assert start(place) is None
    write(place, {"goal": "g"})

    found = current(place.database, ["other", "shop"], place.root or "")

    assert found is not None
    assert (found.id, found.revision, found.updated_at) == (1, 1, "2026-05-01 12:00:00")
    assert found.content == {"goal": "g"}


def test_a_document_bound_to_another_root_is_never_shown(place: MemoryLocation, tmp_path: Path) -> None:
    write(place, {"goal": "g"})

    assert start(place, str(tmp_path / "elsewhere")) is None


def test_one_that_another_program_wrote_is_shown_by_name(
    place: MemoryLocation, add: Callable[..., int], tmp_path: Path
) -> None:
    add(1, type="progress", topic_key="progress/shop", content='{"goal": "foreign"}')

    assert start(place, str(tmp_path / "anywhere")) == {"goal": "foreign"}
    assert start(place, name="other") is None


def test_replacing_a_document_of_a_root_that_is_gone_is_said(place: MemoryLocation, tmp_path: Path) -> None:
    write(place, "{}")
    moved = replace(place, root=str(Path(str(place.root)).rename(tmp_path / "moved")))

    answer = write(moved, "{}")

    assert (answer["replaced_root"], answer["revision"]) == (place.root, 2)
    assert write(moved, "{}")["replaced_root"] is None


def test_another_project_of_the_name_keeps_its_document_and_the_first_one_its_own(
    place: MemoryLocation, tmp_path: Path, rows: Rows
) -> None:
    write(place, {"goal": "first"})
    (tmp_path / "other").mkdir()
    other = replace(place, root=str(tmp_path / "other"))

    answer = write(other, {"goal": "second"})

    assert (answer["revision"], answer["namesake"], answer["replaced_root"]) == (1, place.root, None)
    assert write(other, {"goal": "third"}, base_revision=1)["revision"] == 2
    assert write(place, {"goal": "fourth"}, base_revision=1)["revision"] == 2
    assert (start(place), start(other, other.root)) == ({"goal": "fourth"}, {"goal": "third"})
    assert (read(place)["content"], read(other)["content"]) == ({"goal": "fourth"}, {"goal": "third"})
    live = rows("SELECT topic_key, project FROM observations WHERE deleted_at IS NULL ORDER BY topic_key")
    assert [(key.partition("@")[0], name) for key, name in live] == [("progress/shop", "shop")] * 2
    assert len({key for key, _ in live}) == 2


@pytest.mark.parametrize("namespace", [None, "scout"])
def test_what_another_root_wrote_is_never_replaced_by_any_write(
    place: MemoryLocation, tmp_path: Path, namespace: str | None
) -> None:
    write(place, {"goal": "first"}, namespace=namespace)
    (tmp_path / "other").mkdir()
    for name in ("shop", "other"):
        write(replace(place, root=str(tmp_path / "other"), name=name), {"goal": "else"}, namespace=namespace)
    assert read(place, namespace=namespace)["content"] == {"goal": "first"}
    assert read(place, namespace=namespace)["revision"] == 1


def test_a_write_from_no_project_continues_the_document_it_names(place: MemoryLocation) -> None:
    write(place, {"goal": "first"})

    answer = write(replace(place, root=None, name=None), {"goal": "second"}, base_revision=1)

    assert progress_text(answer) == (
        "Saved progress of shop: revision 2, id 2. "
        f"There is no project here; it stays the document of {place.root}."
    )
    assert start(place) == {"goal": "second"}


def test_reading_for_a_start_leaves_no_trace(place: MemoryLocation) -> None:
    write(place, "{}")
    folder = Path(place.database).parent
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}

    start(place)
    read(place)

    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert list(before) == ["memory.db"]


def test_a_start_sees_what_a_process_with_an_open_journal_wrote(place: MemoryLocation) -> None:
    write(place, {"goal": "old"})
    other = sqlite3.connect(place.database)
    other.execute('UPDATE observations SET content = \'{"goal": "new"}\'')
    other.commit()

    assert os.path.exists(place.database + "-wal")
    assert start(place) == {"goal": "new"}
    other.close()


def test_a_document_that_is_no_json_is_shown_as_text(place: MemoryLocation, add: Callable[..., int]) -> None:
    add(1, type="progress", topic_key="progress/shop", content="cut off {")

    assert start(place) == "cut off {"


def test_reading_one_of_another_root_says_where_it_is_shown(place: MemoryLocation, tmp_path: Path) -> None:
    write(place, "{}")

    assert read(place)["bound_elsewhere"] is None
    answer = read(replace(place, root=str(tmp_path)))
    assert answer["bound_elsewhere"] == place.root
    assert progress_text(answer).endswith(
        f"bound to {place.root}: no session start shows it here until it is written here"
    )


def test_linked_worktrees_share_the_document_of_the_main_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, linked = tmp_path / "shop", tmp_path / "shop-feature"
    for command in (
        ["init", "-q", str(main)],
        [
            "-C",
            str(main),
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "x",
        ],
        ["-C", str(main), "worktree", "add", "-q", str(linked)],
    ):
        subprocess.run(["git", *command], check=True)
    monkeypatch.setenv("AGENT_PROGRESS_DB", str(tmp_path / "m.db"))

    here, there = memory_location(str(main)), memory_location(str(linked))
    write(there, {"goal": "from the worktree"})

    assert (here.root, here.name) == (there.root, there.name) == (str(main.resolve()), "shop")
    assert read(here)["content"] == {"goal": "from the worktree"}
    assert start(here, here.root) == {"goal": "from the worktree"}


def test_a_writer_between_the_two_looks_is_not_missed(place: MemoryLocation) -> None:
    write(place, {"goal": "old"})
    seen: list[str] = []

    def read_slowly(store: Store) -> str:
        [(text,)] = store.connection.execute(
            "SELECT content FROM observations WHERE deleted_at IS NULL"
        ).fetchall()
        if not seen:
            write(place, {"goal": "new"})
        seen.append(text)
        return str(text)

    assert glance(place.database, read_slowly) == '{"goal": "new"}'
    assert seen == ['{"goal": "old"}', '{"goal": "new"}']
