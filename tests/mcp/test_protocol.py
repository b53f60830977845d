"""The protocol: every version as the official client speaks it, and messages that a client should not send."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import mcp.client.session
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS

from progress_plugin.mcp.server import list_tools
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
PREAMBLE = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n"
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


@pytest.mark.parametrize(
    ("line", "request_id", "code"), json.loads(Path(__file__).with_name("bad_messages.json").read_text())
)
def test_a_message_that_is_not_a_known_request_is_answered_with_an_error(
    start: Start, line: str, request_id: object, code: int
) -> None:
    with start() as server:
        server.send(line)
        received = server.receive()
        assert (received["id"], received["error"]["code"]) == (request_id, code)
        server.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')  # is not answered
        server.send(PING)
        assert server.receive() == PONG


def test_stray_output_of_a_tool_does_not_reach_the_client(start: Start) -> None:
    program = (
        f"{PREAMBLE}"
        "import os, subprocess\n"
        "from progress_plugin.mcp.server import serve\n"
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
        f"{PREAMBLE}"
        "from progress_plugin.mcp import calls, server\n"
        "class Faulty(calls.Search):\n"
        "    def run(self, directory, session): raise ZeroDivisionError('one line')\n"
        "calls.TOOLS['faulty'] = Faulty\n"
        "sys.exit(server.serve('', [{'name': 'faulty'}], calls.call))\n"
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


LISTING = [
    '{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}',
    '{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}',
    '{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "mem_save"}}',
]


def test_a_server_without_tools_says_why(start: Start) -> None:
    program = f"{PREAMBLE}from progress_plugin.mcp import server; server.serve('no packages yet')"
    with start("-I", "-S", "-c", program) as server:
        answers = server.answers(LISTING)
        assert answers[1]["result"]["instructions"] == "no packages yet"
        assert answers[2]["result"] == {"tools": []}
        assert answers[3]["result"]["content"][0]["text"] == "there is no tool mem_save; no packages yet"
        assert server.end() == (0, b"")


def test_a_tool_without_a_usable_database_says_why(start: Start, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("no database, but long enough to be looked at", encoding="utf-8")
    call = {"name": "mem_search", "arguments": {"query": "warm"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    with start(AGENT_PROGRESS_DB=str(broken)) as server:
        result = server.answers([json.dumps(request)])[1]["result"]
        assert result["isError"]
        assert "broken.db" in result["content"][0]["text"]
