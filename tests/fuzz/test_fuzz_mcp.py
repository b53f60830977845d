"""The MCP server answers each of ten thousand damaged messages once, or not at all if the protocol says so."""

from __future__ import annotations

import json
from collections import Counter
from io import BytesIO
from random import Random

from progress_plugin.mcp import server

MESSAGES = 10_000
REQUESTS = (
    ("tools/call", {"name": "mem_search", "arguments": {"query": "warm"}}),
    ("tools/call", {"name": "mem_progress", "arguments": {"project": "shop", "content": {"goal": "sell"}}}),
    ("tools/list", {}),
    ("ping", {}),
    ("initialize", {}),
    ("server/discover", {"_meta": {server.VERSION_KEY: server.STATELESS_VERSION}}),
    ("notifications/x", {}),
)
SILENCE = object()


def mutated_request(chance: Random, number: int) -> str:
    """Return a request with the id `number` in which some characters are removed, doubled or replaced."""
    method, params = chance.choice(REQUESTS)
    text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        place, length = chance.randrange(len(text)), chance.choice((1, 1, 4, 20))
        piece = text[place : place + length]
        replacement = chance.choice(("", piece * 2, chance.choice('{}[]",:0e.-\\ntß\u2028\x00') * length))
        text = text[:place] + replacement + text[place + length :]
    return text.replace("\n", " ")


def expected_id(line: str) -> object:
    """Return the id of the answer to a line, or SILENCE."""
    try:
        message = json.loads(line)
    except ValueError:
        return None if line.strip() else SILENCE
    if not isinstance(message, dict):
        return None
    if "id" not in message:
        return SILENCE
    return message["id"] if type(message["id"]) in (int, str) else None


def test_each_damaged_message_is_answered_once_or_not_at_all() -> None:
    chance = Random(20_260_728)
    lines = [mutated_request(chance, number) for number in range(MESSAGES)]
    responses = BytesIO()
    answering = server.Server(responses, "", server.list_tools(), lambda *_: ({}, "called"))
    for line in filter(str.strip, lines):
        answering.answer(line.encode("utf-8", "surrogateescape"))
    received = Counter(json.loads(line)["id"] for line in responses.getvalue().splitlines())
    assert received == Counter(number for line in lines if (number := expected_id(line)) is not SILENCE)
