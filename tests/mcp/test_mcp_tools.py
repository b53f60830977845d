"""Every sentence of the contract about the tools, through the official client over real stdio."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client

from progress_plugin.mcp.tools import list_tools
from progress_plugin.usecases.server_instructions import instructions
from tests.mcp.conftest import Connect

Journey = Callable[[Client], Coroutine[Any, Any, None]]
OLD = "2020-01-01 00:00:00"


@pytest.fixture
def run(connect: Connect) -> Callable[..., None]:
    """Return a function that makes one journey through a fresh server."""

    def go(journey: Journey, **environment: str) -> None:
        async def connected() -> None:
            async with connect(**environment) as client:
                await journey(client)

        asyncio.run(connected())

    return go


async def call(client: Client, name: str, /, **arguments: Any) -> tuple[dict[str, Any], str]:
    """Return structured content and text of a call that must succeed."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return result.structured_content, result.content[0].text  # type: ignore[union-attr,return-value]


async def refused(client: Client, name: str, /, **arguments: Any) -> str:
    """Return the message of a call that must be refused as a tool error."""
    result = await client.call_tool(name, arguments)
    assert result.is_error
    assert result.structured_content is None
    return str(result.content[0].text)  # type: ignore[union-attr]


def age(database: Path, *ids: int) -> None:
    with sqlite3.connect(database) as connection:
        for number in ids:
            connection.execute(
                "UPDATE observations SET created_at = ?, updated_at = ?, last_seen_at = NULL WHERE id = ?",
                (OLD, OLD, number),
            )
    connection.close()


def logical_dump(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


Run = Callable[..., None]


def test_a_document_is_read_as_text_and_as_data(run: Run) -> None:
    async def journey(client: Client) -> None:
        await call(client, "mem_progress", project="shop", content='{"goal": "sell"}')
        data, text = await call(client, "mem_progress", project="shop")

        assert text.startswith('# Progress: shop\n\n{"goal": "sell"}\n')
        assert (data["content"], data["id"], data["revision"]) == ({"goal": "sell"}, 1, 1)

    run(journey)


@pytest.mark.parametrize("nothing", [{}, {"content": None}, {"content": ""}, {"content": "  "}])
def test_content_omitted_null_or_blank_is_a_read(run: Run, database: Path, nothing: dict[str, Any]) -> None:
    async def journey(client: Client) -> None:
        _, text = await call(client, "mem_progress", project="shop", **nothing)
        assert text == "No progress document found for project shop"

    run(journey)
    assert not database.exists()


def test_near_matches_of_the_name_are_listed(run: Run) -> None:
    async def journey(client: Client) -> None:
        await call(client, "mem_progress", project="shop", content="{}")
        _, text = await call(client, "mem_progress", project="Shop")
        assert text == "No progress document found for project Shop. Similar: shop"

    run(journey)


def test_content_may_be_a_string_or_an_object(run: Run) -> None:
    async def journey(client: Client) -> None:
        for content in ('{"a": [1, 2.5, "é"]}', {"a": [1, 2.5, "é"]}):
            await call(client, "mem_progress", project="shop", content=content)
            data, _ = await call(client, "mem_progress", project="shop")
            assert data["content"] == {"a": [1, 2.5, "é"]}

    run(journey)


def test_a_document_of_a_mebibyte_comes_back_byte_for_byte(run: Run) -> None:
    document = '{ "goal" : "' + "ß" * 400_000 + '",\n "completed":[] }'
    document += " " * (1024 * 1024 - len(document.encode()))

    async def journey(client: Client) -> None:
        await call(client, "mem_progress", project="shop", content=document)
        data, text = await call(client, "mem_progress", project="shop")
        assert text.removeprefix("# Progress: shop\n\n")[: len(document)] == document
        assert data["content"] == json.loads(document)
        assert "at most 1048576" in await refused(
            client, "mem_progress", project="shop", content=document + " "
        )
        assert (await call(client, "mem_progress", project="shop"))[0]["revision"] == 1

    run(journey)


def test_the_answer_of_a_write_has_id_and_revision_and_counts_what_was_left_out(run: Run) -> None:
    async def journey(client: Client) -> None:
        data, text = await call(
            client, "mem_progress", project="shop", content={"goal": "a <private>b</private>"}
        )
        assert (data["id"], data["revision"], data["removed_parts"]) == (1, 1, 1)
        assert text == "Saved progress of shop: revision 1, id 1. 1 private or secret part left out."

    run(journey)


def test_a_missing_project_and_invalid_json_are_errors_that_change_nothing(run: Run, database: Path) -> None:
    async def journey(client: Client) -> None:
        await call(client, "mem_progress", project="shop", content="{}")
        before = logical_dump(database)
        assert (
            await refused(client, "mem_progress", content="{}")
            == "mem_progress needs project; nothing was changed"
        )
        assert "project is required" in await refused(client, "mem_progress", project=" ", content="{}")
        assert "no valid JSON" in await refused(client, "mem_progress", project="shop", content="{bad")
        assert "NaN" in await refused(client, "mem_progress", project="shop", content='{"a": NaN}')
        assert logical_dump(database) == before

    run(journey)


def test_a_write_under_another_name_says_which_one_a_start_reads(run: Run) -> None:
    async def journey(client: Client) -> None:
        _, text = await call(client, "mem_progress", project="web", content="{}")
        assert text.endswith("Session start does not show it: it reads project 'shop' without a namespace.")

    run(journey)


def test_an_outdated_base_revision_merges_or_is_refused_with_both_versions(run: Run) -> None:
    async def journey(client: Client) -> None:
        async def write(base: int | None, **document: Any) -> None:
            await call(client, "mem_progress", project="shop", content=document, base_revision=base)

        await write(None, goal="g", completed=["a"], next_steps=["b", "c"])
        await write(1, goal="g", completed=["a", "b"], next_steps=["c"])
        await write(1, goal="g", completed=["a", "c"], next_steps=["b"])
        data, _ = await call(client, "mem_progress", project="shop")
        assert data["content"] == {"goal": "g", "completed": ["a", "b", "c"], "next_steps": []}
        message = await refused(
            client, "mem_progress", project="shop", content={"goal": "h"}, base_revision=1
        )
        assert '"goal": "g"' in message
        assert '{"goal": "h"}' in message

    run(journey)


def test_a_document_can_be_written_for_another_root(
    run: Run, project: Path, database: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()

    async def journey(client: Client) -> None:
        data, _ = await call(client, "mem_progress", project="other", content="{}", project_dir=str(other))
        assert data["shown_at_start"]
        assert "no such directory" in await refused(
            client, "mem_progress", project="o", content="{}", project_dir=str(project / "none")
        )

    run(journey)
    assert f"mem_progress {other}" in "\n".join(logical_dump(database))


def test_compacting_goes_in_two_phases(run: Run, database: Path) -> None:
    async def journey(client: Client) -> None:
        for number in range(3):
            await call(client, "mem_save", title=f"t{number}", content=f"finding {number}", type="decision")
        age(database, 1, 2)
        data, text = await call(client, "mem_compact", older_than_days=30)
        assert [one["id"] for one in data["observations"]] == [1, 2]
        assert data["observations"][0]["snippet"] == "finding 0"
        assert "2 of 2 observations not touched for 30 days (2 over a year)" in text
        done, _ = await call(
            client,
            "mem_compact",
            older_than_days=30,
            compact_ids="[1, 2]",
            summary_title="Old",
            summary_content="All",
        )
        assert (done["deleted"], done["before"], done["after"]) == (2, 3, 2)
        found, _ = await call(client, "mem_search", query="All", type="compaction_summary")
        assert [one["id"] for one in found["observations"]] == [done["summary_id"]]

    run(journey)


def test_ids_may_be_a_list_and_a_refusal_changes_nothing(run: Run, database: Path) -> None:
    async def journey(client: Client) -> None:
        await call(client, "mem_save", title="t", content="c", type="decision")
        before = logical_dump(database)
        for arguments in (
            {"older_than_days": 0},
            {"older_than_days": "30"},
            {"older_than_days": 30, "compact_ids": [1]},
            {"older_than_days": 30, "compact_ids": [7]},
            {"older_than_days": 30, "compact_ids": []},
            {"older_than_days": 30, "compact_ids": "nonsense"},
            {"older_than_days": 30, "compact_ids": list(range(1, 202))},
            {"older_than_days": 30, "summary_title": "t"},
            {"older_than_days": 30, "compact_ids": [1], "summary_content": "c"},
        ):
            await refused(client, "mem_compact", **arguments)
        assert logical_dump(database) == before
        age(database, 1)
        assert (await call(client, "mem_compact", older_than_days=30, compact_ids=[1, 1]))[0]["deleted"] == 1

    run(journey)


def test_saving_and_searching(run: Run) -> None:
    async def journey(client: Client) -> None:
        saved, text = await call(client, "mem_save", title="Cache", content="Warm the cache", type="pattern")
        assert text == "Saved observation 1, revision 1."
        data, text = await call(client, "mem_search", query='cache AND "')
        assert data["count"] == 0
        data, text = await call(client, "mem_search", query="cache", project="*", limit=5)
        assert [one["id"] for one in data["observations"]] == [saved["id"]]
        assert text.endswith("\nWarm the cache")

    run(journey)


def test_an_unknown_tool_or_argument_is_named(run: Run) -> None:
    async def journey(client: Client) -> None:
        assert "no tool nonsense" in await refused(client, "nonsense")
        assert "no argument day" in await refused(client, "mem_compact", older_than_days=3, day=1)
        assert "must be a text" in await refused(client, "mem_progress", project="shop", project_dir=1)

    run(journey)


def test_the_instructions_name_the_project_exactly(run: Run) -> None:
    async def journey(client: Client) -> None:
        assert client.instructions == instructions("shop", None)
        assert "'shop'" in client.instructions
        for word in (
            "session start",
            "significant step",
            "before the end",
            '"next_steps"',
            "identify",
            "review",
        ):
            assert word in client.instructions

    run(journey)


def test_without_a_usable_database_the_server_runs_and_says_why(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("no database, but long enough to be looked at", encoding="utf-8")

    async def journey(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert not [name for name in names if name.startswith("mem_")]
        assert client.instructions is not None
        assert "memory tools are missing" in client.instructions
        assert "broken.db" in client.instructions
        assert "no tool mem_progress" in await refused(client, "mem_progress", project="shop")

    run(journey, AGENT_PROGRESS_DB=str(broken))


def test_what_the_tools_add_to_a_first_request_stays_small() -> None:
    prefix = "mcp__plugin_progress_progress__"
    listed = [
        json.dumps([prefix + tool["name"], tool["description"], tool["inputSchema"]], separators=(",", ":"))
        for tool in list_tools()
    ]
    # Two public tokenizers count 600 and 620 tokens for 2,700 characters of this text.
    assert len("".join(listed)) + len(instructions("a-project-name", None)) <= 2700


def test_progress_log_appends_what_the_command_line_would(run: Run, project: Path) -> None:
    async def journey(client: Client) -> None:
        data, text = await call(
            client, "progress_log", type="task_completed", description="Add a basket", task_id="US-001", spec="cart",
            learnings=["Baskets live in src/cart.py"], data={"duration_minutes": 0},
        )  # fmt: skip
        [entry] = data["entries"]
        assert text.splitlines()[0] == f"Logged task_completed: {entry['id']}"
        assert (entry["type"], entry["task_id"], entry["spec"]) == ("task_completed", "US-001", "cart")
        assert entry.keys() == {"id", "timestamp", "type", "task_id", "spec"}
        await call(
            client,
            "progress_log",
            type="milestone_reached",
            description="d",
            learnings='["One", "Two"]',
            data='{"notes": "n"}',
        )
        blocked, _ = await call(
            client, "progress_log", type="task_blocked", description="No key", task_id="US-002"
        )
        await call(
            client,
            "progress_log",
            type="debug_resolved",
            description="Found",
            resolves=blocked["entries"][0]["id"],
        )
        assert "type" in await refused(client, "progress_log", type="nonsense", description="d")
        assert "needs description" in await refused(client, "progress_log", type="task_completed")

    run(journey)
    log = json.loads((project / ".agent-os" / "progress" / "progress.json").read_text(encoding="utf-8"))
    assert [entry["type"] for entry in log["entries"]] == [
        "task_completed", "milestone_reached", "task_blocked", "debug_resolved",
    ]  # fmt: skip
    said = [entry["data"] for entry in log["entries"]]
    assert said[0]["learnings"] == ["Baskets live in src/cart.py"]
    assert (said[1]["learnings"], said[1]["notes"]) == (["One", "Two"], "n")


def test_progress_log_repeats_neither_what_it_was_told_nor_what_only_our_readers_need(
    run: Run, project: Path
) -> None:
    stories = [
        {"id": f"US-00{number}", "title": f"Story {number}", "passes": False} for number in range(1, 4)
    ]
    (project / "prd.json").write_text(json.dumps({"project": "Shop", "userStories": stories}), "utf-8")

    async def journey(client: Client) -> None:
        first, _ = await call(
            client, "progress_log", type="task_completed", description="Add a basket", task_id="US-001"
        )
        again, text = await call(
            client, "progress_log", type="task_completed", description="It rolls", task_id="US-001"
        )
        [entry] = again["entries"]
        assert entry["supplements"] == first["entries"][0]["id"]
        assert not {"near", "plan_id", "key", "It rolls"} & set(
            re.findall(r"[\w ]+", json.dumps(again) + text)
        )

    run(journey)


def test_learnings_that_are_no_list_are_refused_in_words(run: Run) -> None:
    async def journey(client: Client) -> None:
        for wrong in (5, {"text": "One"}, True):
            said = await refused(
                client, "progress_log", type="task_completed", description="x", learnings=wrong
            )
            assert said == "learnings must be a list of texts; nothing was changed"

    run(journey)


def test_progress_log_can_be_told_another_project(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()

    async def journey(client: Client) -> None:
        await call(
            client, "progress_log", type="milestone_reached", description="Shipped", project_dir=str(other)
        )

    run(journey)
    assert (other / ".agent-os" / "progress" / "progress.json").is_file()
