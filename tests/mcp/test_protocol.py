"""The protocol: every version as the official client speaks it, and messages that no client should send."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections import Counter
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import mcp.client.session
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS

from progress_plugin.mcp import protocol
from progress_plugin.mcp.tools import list_tools
from tests.conftest import REPOSITORY
from tests.mcp.conftest import Connect, Start

CALLS = (
    ("mem_progress", {"project": "shop", "content": {"goal": "sell"}}, "Saved progress of shop: revision 1"),
    ("mem_progress", {"project": "shop"}, '{"goal": "sell"}'),
    ("mem_save", {"title": "Cache", "content": "Warm it", "type": "pattern"}, "Saved observation 2"),
    ("mem_search", {"query": "warm"}, "Warm it"),
    ("mem_compact", {"older_than_days": 30}, "Nothing to compact"),
    ("progress_log", {"type": "milestone_reached", "description": "Opened"}, "Logged milestone_reached"),
)
PING = '{"jsonrpc": "2.0", "id": 8, "method": "ping"}'
PONG = {"jsonrpc": "2.0", "id": 8, "result": {}}


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
def test_the_official_client_lists_and_calls_every_tool(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    is_old = version in HANDSHAKE_PROTOCOL_VERSIONS
    monkeypatch.setattr(mcp.client.session, "LATEST_HANDSHAKE_VERSION", version)

    async def scenario() -> None:
        async with connect("legacy" if is_old else "auto") as client:
            assert client.protocol_version == version
            assert "'shop'" in (client.instructions or "")
            listed = (await client.list_tools()).tools
            assert {tool.name: tool.input_schema for tool in listed} == {
                tool["name"]: tool["inputSchema"] for tool in list_tools()
            }
            assert [tool.name for tool in listed if tool.annotations and tool.annotations.read_only_hint] == [
                "mem_search"
            ]
            for name, arguments, text in CALLS:
                result = await client.call_tool(name, arguments)
                assert text in result.content[0].text  # type: ignore[union-attr]
                assert result.structured_content
                assert not result.is_error

    asyncio.run(scenario())


def test_the_versions_are_those_of_the_installed_sdk() -> None:
    assert (*protocol.HANDSHAKE_VERSIONS, protocol.STATELESS_VERSION) == tuple(KNOWN_PROTOCOL_VERSIONS)


def test_an_unknown_version_is_answered_with_one_that_the_server_speaks(start: Start) -> None:
    with start() as server:
        params: dict[str, Any] = {"protocolVersion": "2099-01-01", "capabilities": {}}
        server.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))
        assert server.receive()["result"]["protocolVersion"] == "2025-11-25"
        params = {"_meta": {protocol.VERSION_KEY: "2099-01-01"}}
        server.send(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "server/discover", "params": params}))
        error = server.receive()["error"]
        assert (error["code"], error["data"]["supported"]) == (-32022, ["2026-07-28"])


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("{", (None, -32700)),
        ("[" * 100_000, (None, -32700)),
        ("\udcff\udcfe", (None, -32700)),
        ("[]", (None, -32600)),
        ('{"jsonrpc": "2.0", "id": 7}', (7, -32600)),
        ('{"jsonrpc": "2.0", "id": 2.5, "method": "ping"}', (None, -32600)),
        ('{"jsonrpc": "2.0", "id": "a", "method": "resources/list"}', ("a", -32601)),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": "x"}', (7, -32602)),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"arguments": {}}}', (7, -32602)),
    ],
)
def test_a_message_that_is_not_a_known_request_is_answered_with_an_error(
    start: Start, line: str, answer: tuple[object, int]
) -> None:
    with start() as server:
        server.send(line)
        received = server.receive()
        assert (received["id"], received["error"]["code"]) == answer
        server.send(PING)
        assert server.receive() == PONG


@pytest.mark.parametrize(
    "line",
    ["", '{"jsonrpc": "2.0", "method": "notifications/initialized"}', '{"jsonrpc": "2.0", "method": "x"}'],
)
def test_what_expects_no_answer_gets_none(start: Start, line: str) -> None:
    with start() as server:
        server.send(line)
        server.send(PING)
        assert server.receive() == PONG


def mutated(chance: Random, number: int) -> str:
    """Return a request with the id `number` in which some characters are removed, doubled or replaced."""
    name, arguments, _ = chance.choice(CALLS)
    method, params = chance.choice(
        [("tools/call", {"name": name, "arguments": arguments}), ("tools/list", {}), ("ping", {}), ("initialize", {}),
         ("server/discover", {"_meta": {protocol.VERSION_KEY: protocol.STATELESS_VERSION}}), ("notifications/x", {})]
    )  # fmt: skip
    text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        place, length = chance.randrange(len(text)), chance.choice((1, 1, 4, 20))
        piece = text[place : place + length]
        replacement = chance.choice(("", piece * 2, chance.choice('{}[]",:0e.-\\ntß\u2028\x00') * length))
        text = text[:place] + replacement + text[place + length :]
    return text.replace("\n", " ")


def expected_id(line: str) -> object:
    """Return the id of the answer to a line, or `silence`."""
    try:
        message = json.loads(line)
    except ValueError:
        return None if line.strip() else "silence"
    if not isinstance(message, dict):
        return None
    if "id" not in message:
        return "silence"
    return message["id"] if type(message["id"]) in (int, str) else None


def test_ten_thousand_mutated_messages_are_answered_once_each_or_not_at_all() -> None:
    chance = Random(20_260_728)
    lines = [mutated(chance, number) for number in range(10_000)]
    responses = BytesIO()
    server = protocol.Server(responses, "", list_tools(), lambda *_: ({}, "called"))
    for line in filter(str.strip, lines):
        server.answer(line.encode("utf-8", "surrogateescape"))
    received = Counter(json.loads(line)["id"] for line in responses.getvalue().splitlines())
    assert received == Counter(number for line in lines if (number := expected_id(line)) != "silence")


def test_what_is_printed_by_accident_does_not_reach_the_client(start: Start) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n"
        "import os, subprocess\n"
        "from progress_plugin.mcp.protocol import serve\n"
        "def call(name, arguments, meta):\n"
        "    print('stray', flush=True); os.write(1, b'more'); subprocess.run(['cat'])\n"
        "    return {}, 'called'\n"
        "sys.exit(serve('', [{'name': 'loud'}], call))\n"
    )
    with start("-c", program) as server:
        server.send('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "loud"}}')
        assert server.receive()["result"]["content"] == [{"type": "text", "text": "called"}]
        assert server.end() == (0, b"stray\nmore")


def test_an_error_in_a_tool_is_answered_and_noted(start: Start, home: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n"
        "from progress_plugin.mcp import calls, protocol\n"
        "def run(caller, given): raise ZeroDivisionError('one line')\n"
        "calls.TOOLS['faulty'] = calls.Tool('faulty', '', calls.SearchArguments, run)\n"
        "sys.exit(protocol.serve('', [{'name': 'faulty'}], calls.call))\n"
    )
    with start("-c", program) as server:
        params = {"name": "faulty", "arguments": {"query": ""}}
        server.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
        assert server.receive()["error"] == {
            "code": -32603,
            "message": "internal error, ZeroDivisionError: one line",
        }
        server.send(PING)
        assert server.receive() == PONG
    assert "mcp faulty" in (home / ".cache/agent-progress/swallowed.log").read_text()


def test_one_interrupt_ends_the_server(start: Start) -> None:
    with start() as server:
        server.send(PING)
        assert server.receive() == PONG
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(60) == 130


def test_a_server_without_tools_says_why(start: Start) -> None:
    program = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); from progress_plugin.mcp import protocol; protocol.serve('no packages yet')"
    with start("-I", "-S", "-c", program) as server:
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "mem_save"}},
        ]
        answers = server.answers([json.dumps(message) for message in messages])
        assert answers[1]["result"]["instructions"] == "no packages yet"
        assert answers[2]["result"] == {"tools": []}
        assert answers[3]["result"]["content"][0]["text"] == "there is no tool mem_save; no packages yet"
        assert server.end() == (0, b"")


def test_without_a_usable_database_the_server_lists_the_log_alone_and_says_why(
    start: Start, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("no database, but long enough to be looked at", encoding="utf-8")
    with start(AGENT_PROGRESS_DB=str(broken)) as server:
        messages = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "mem_save"}},
        ]
        answers = server.answers([json.dumps(message) for message in messages])
        assert re.search("memory tools are missing.*broken.db", answers[1]["result"]["instructions"])
        assert [tool["name"] for tool in answers[2]["result"]["tools"]] == ["progress_log"]
        assert (
            "there is no tool mem_save; there are progress_log" in answers[3]["result"]["content"][0]["text"]
        )
