"""The SDK's server fails while it serves: whoever waits for an answer gets one, and what comes next is heard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.documents.ready_answers import request
from tests.mcp.doors import MODERN, OLDER, Door, opened, own_environment

WRITES = "json = session_message.message.model_dump_json("
READS = "session_message = SessionMessage(message)"
BROKEN = 13
FAULT = "raise RuntimeError('the pump is broken')"
BREAKS = {
    "while it writes an answer": (WRITES, f"if session_message.message.id == {BROKEN}: {FAULT}"),
    "while it reads on": (READS, f"if '\"id\": {BROKEN}' in line: {FAULT}"),
}


def _call(number: int, version: str) -> str:
    arguments = {"project": "shop"}
    return request(number, "tools/call", version, name="mem_progress", arguments=arguments)


def _broken(home: Path, *, place: str, fault: str) -> str:
    """Return packages whose transport fails at one request: `fault` stands in front of `place`."""
    site = own_environment(home, "mcp")
    transport = site / "mcp/server/stdio.py"
    assert transport.read_text().count(place) == 1
    transport.write_text(transport.read_text().replace(place, f"{fault}\n{_indent(transport, place)}{place}"))
    return str(site)


def _indent(file: Path, place: str) -> str:
    [line] = [line for line in file.read_text().splitlines() if place in line]
    return line.partition(place)[0]


def _error(answer: Any, number: int) -> str:
    assert (answer["id"], answer["error"]["code"]) == (number, -32603)
    assert "\n" not in answer["error"]["message"]
    return str(answer["error"]["message"])


def _goes_on(door: Door, version: str) -> None:
    assert not door.ask(request(21, "tools/list", version)).get("error")
    told = door.ask(_call(22, version))["result"]
    assert told["isError"]
    assert told["content"][0]["text"].startswith("nothing was done: ")
    assert "the pump is broken" in told["content"][0]["text"]


@pytest.mark.parametrize("version", [OLDER, MODERN])
@pytest.mark.parametrize("when", BREAKS)
def test_a_request_that_is_open_when_the_server_fails_is_answered_by_an_error_and_the_next_is_heard(
    project: Path, home: Path, when: str, version: str
) -> None:
    place, fault = BREAKS[when]
    with opened(project, home, site=_broken(home, place=place, fault=fault)) as door:
        door.begin(version)
        called = door.call(version, project="shop")["result"]
        assert not called["isError"], called["content"]
        told = _error(door.ask(_call(BROKEN, version)), BROKEN)
        assert "the pump is broken" in told
        assert "whether it was done is not known" in told
        _goes_on(door, version)
        code, beside = door.end()
    assert (code, beside.count(b"\n")) == (0, 1)


def test_each_of_several_open_requests_is_answered_once(project: Path, home: Path) -> None:
    place, fault = WRITES, f"{FAULT}"
    numbers = [BROKEN, 14, "fifteen"]
    with opened(project, home, site=_broken(home, place=place, fault=fault)) as door:
        door.begin(OLDER)
        for number in numbers:
            door.send(_call(number, OLDER))  # type: ignore[arg-type]
        heard = [json.loads(door.hear()) for _ in numbers]
        assert sorted((each["id"] for each in heard), key=str) == numbers
        _goes_on(door, OLDER)
