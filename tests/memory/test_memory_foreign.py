"""Databases that Hoofy or engram made: read, written, compacted, and still theirs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.progress_document import current
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.mem_progress import list_revisions, mem_progress
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search
from progress_plugin.usecases.memory.restore_compaction import restore_compaction

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
Add = Callable[..., int]
Rows = Callable[..., list[tuple[Any, ...]]]


def layout(rows: Rows) -> list[tuple[Any, ...]]:
    return rows("SELECT type, name, sql FROM sqlite_master ORDER BY name")


def as_hoofy_upserts(foreign: MemoryLocation, project: str, content: str) -> None:
    """Write a progress document in the way of Hoofy: in place, with a lower-case key and its own hash."""
    key = "-".join(f"progress/{project}".lower().split())
    with sqlite3.connect(foreign.database) as connection:
        changed = connection.execute(
            "UPDATE observations SET content = ?, tool_name = NULL, revision_count = revision_count + 1, "
            "updated_at = '2026-05-02 00:00:00' WHERE topic_key = ? AND project = ? AND deleted_at IS NULL",
            (content, key, project),
        ).rowcount
        if not changed:
            connection.execute(
                "INSERT INTO observations (session_id, type, title, content, project, topic_key) "
                "VALUES ('s1', 'progress', ?, ?, ?, ?)",
                (f"Progress: {project}", content, project, key),
            )
    connection.close()


def found_by_them(rows: Rows, word: str) -> list[tuple[Any, ...]]:
    return rows(
        "SELECT o.id FROM observations_fts f JOIN observations o ON o.id = f.rowid "
        "WHERE observations_fts MATCH ? AND o.deleted_at IS NULL",
        word,
    )


def test_every_journey_leaves_the_layout_as_it_was(foreign: MemoryLocation, add: Add, rows: Rows) -> None:
    before = layout(rows)
    old = add(100)

    mem_progress(foreign, "shop", '{"goal": "g"}', now=NOW)
    mem_progress(foreign, "shop", None, now=NOW)
    mem_save(foreign, "t", "a finding", "decision", topic_key="k", now=NOW)
    mem_search(foreign, "finding")
    mem_compact(foreign, 30, now=NOW)
    mem_compact(foreign, 30, compact_ids=[old], summary_title="t", now=NOW)
    restore_compaction(foreign, now=NOW)

    assert layout(rows) == before
    assert rows("PRAGMA application_id") == [(0,)]
    assert rows("PRAGMA integrity_check") == [("ok",)]
    assert rows("PRAGMA foreign_key_check") == []


def test_their_search_finds_what_we_wrote_and_not_what_we_retired(
    foreign: MemoryLocation, rows: Rows
) -> None:
    mem_progress(foreign, "shop", '{"goal": "umbrellas"}', now=NOW)
    second = mem_progress(foreign, "shop", '{"goal": "parasols"}', now=NOW)["id"]

    assert found_by_them(rows, "umbrellas") == []
    assert found_by_them(rows, "parasols") == [(second,)]


def test_a_compaction_and_its_undoing_keep_their_index_right(
    foreign: MemoryLocation, add: Add, rows: Rows
) -> None:
    number = add(100, content="umbrellas")

    mem_compact(foreign, 30, compact_ids=[number], now=NOW)
    assert found_by_them(rows, "umbrellas") == []
    restore_compaction(foreign, now=NOW)

    assert found_by_them(rows, "umbrellas") == [(number,)]
    with sqlite3.connect(foreign.database) as connection:
        connection.execute("INSERT INTO observations_fts(observations_fts) VALUES ('integrity-check')")
    connection.close()


def test_a_document_that_hoofy_wrote_is_read_and_continued_under_its_key(
    foreign: MemoryLocation, rows: Rows
) -> None:
    as_hoofy_upserts(foreign, "My Shop", '{"goal": "theirs"}')
    assert mem_progress(foreign, "My Shop", None, now=NOW)["content"] == {"goal": "theirs"}

    mem_progress(foreign, "My Shop", '{"goal": "ours"}', base_revision=1, now=NOW)
    as_hoofy_upserts(foreign, "My Shop", '{"goal": "theirs again"}')

    assert rows("SELECT DISTINCT topic_key FROM observations") == [("progress/my-shop",)]
    assert mem_progress(foreign, "My Shop", None, now=NOW)["content"] == {"goal": "theirs again"}
    assert [one["revision"] for one in list_revisions(foreign, "My Shop", None)] == [3, 1]


def test_a_foreign_write_is_what_the_next_start_shows(foreign: MemoryLocation) -> None:
    mem_progress(foreign, "shop", '{"goal": "ours"}', now=NOW)
    as_hoofy_upserts(foreign, "shop", '{"goal": "theirs"}')

    found = current(foreign.database, ["shop"], foreign.root or "")

    assert found is not None
    assert (found.content, found.revision, found.updated_at) == ({"goal": "theirs"}, 2, "2026-05-02 00:00:00")


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S+00:00"])
def test_stamps_in_any_form_are_understood(foreign: MemoryLocation, add: Add, form: str) -> None:
    old, young = ((NOW - timedelta(days=days)).strftime(form) for days in (31, 29))
    number = add(created_at=old, updated_at=old)
    add(created_at=old, updated_at=young)

    assert [row["id"] for row in mem_compact(foreign, 30, now=NOW)["observations"]] == [number]


def test_a_row_without_any_readable_stamp_is_not_offered(foreign: MemoryLocation, add: Add) -> None:
    add(created_at="long ago", updated_at="")

    assert mem_compact(foreign, 30, now=NOW)["count"] == 0


def test_a_namespace_is_refused_where_the_table_has_none(
    foreign: MemoryLocation, add: Add, rows: Rows
) -> None:
    add()
    known = any(row[1] == "namespace" for row in rows("PRAGMA table_info(observations)"))
    calls: list[Callable[[], Any]] = [
        lambda: mem_compact(foreign, 30, namespace="n", now=NOW),
        lambda: mem_save(foreign, "t", "c", "decision", namespace="n", now=NOW),
    ]
    for call in calls:
        if known:
            call()
        else:
            with pytest.raises(BadInput, match="no namespaces"):
                call()
    mem_progress(foreign, "shop", "{}", namespace="n", now=NOW)
    assert mem_progress(foreign, "shop", None, namespace="n", now=NOW)["found"]


def test_engram_gets_the_identity_it_gives_its_own_rows(foreign: MemoryLocation, rows: Rows) -> None:
    if not any(row[1] == "sync_id" for row in rows("PRAGMA table_info(observations)")):
        return
    mem_save(foreign, "t", "c", "decision", now=NOW)

    [(identity,)] = rows("SELECT sync_id FROM observations")
    assert identity.startswith("obs-")
    assert len(identity) == 36
