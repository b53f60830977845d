"""What clients may say to a server, as it comes to mind, and both servers to say it to: the door's and the SDK's."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import anyio
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from progress_plugin.core.fast.mcp_handshake import Conversation, Handed, Lines, Wire
from progress_plugin.core.fast.server_introduction import Introduction, introduction
from progress_plugin.mcp_server import serve

Burst = list[bytes]
"""Lines that are sent at once."""
PREFIX = "io.modelcontextprotocol/"
TOLD = Introduction(introduction('a "harbour" \\ ß'), has_memory=True)
END = {"jsonrpc": "2.0", "id": "the end", "method": "the/end"}
_VERSIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS, "2020-01-01", "", "latest")


class Pipes(Wire):
    """A client's end made of pipes, for a server in this process."""

    def __init__(self) -> None:
        read, self._say = os.pipe()
        self._hear, self._out = os.pipe()
        self._read = open(read, "rb")  # noqa: SIM115
        self.lines = Lines(self._read)
        self._heard = open(self._hear, "rb")  # noqa: SIM115

    def say(self, data: bytes) -> None:
        os.write(self._say, data)

    def hear(self) -> bytes:
        return self._heard.readline()

    def hang_up(self) -> None:
        os.close(self._say)

    def rest(self) -> list[bytes]:
        """Return what was said after the client had gone; the server has ended."""
        os.close(self._out)
        with self._heard, self._read:
            return self._heard.readlines()


class Successor:
    """The SDK's server behind the door, in this process."""

    taken_over = False

    def told(self) -> Introduction:
        return TOLD

    def get_ready(self) -> None:
        return

    def is_there(self) -> bool:
        return True

    def take_over(self, handed: Handed) -> None:
        self.taken_over = True
        handed.told = handed.told or TOLD
        anyio.run(serve, handed)


def by_the_door(pipes: Pipes) -> bool:
    """Serve as the door does; tell whether it handed over."""
    behind = Successor()
    handed = Conversation(pipes, behind).go_on()  # type: ignore[arg-type]
    if handed is not None:
        behind.take_over(handed)
    return behind.taken_over


def by_the_sdk(pipes: Pipes) -> bool:
    """Serve by the SDK alone."""
    anyio.run(serve, Handed(pipes, TOLD))
    return True


def answers(conversation: list[Burst], server: Callable[[Pipes], bool]) -> tuple[list[bytes], bool]:
    """Return what a server answers in a conversation, sorted, and whether the SDK had a part in it."""
    pipes, took_part = Pipes(), []
    thread = threading.Thread(target=lambda: took_part.append(server(pipes)))
    thread.start()
    heard: list[bytes] = []
    for burst in conversation:
        pieces = b"".join(burst)
        pipes.say(pieces[: len(pieces) // 2])
        pipes.say(pieces[len(pieces) // 2 :])
        for number in filter(None, map(awaited, burst)):
            while not any(_is_answer(line, number) for line in heard):
                heard.append(pipes.hear())
    pipes.hang_up()
    thread.join()
    return sorted(heard + pipes.rest()), took_part == [True]


def _is_answer(line: bytes, number: bytes) -> bool:
    return line.startswith(b'{"jsonrpc":"2.0","id":' + number + b",") or not line


def awaited(line: bytes) -> bytes | None:
    """Return the id that the answer to a line has for certain, as it is spelt."""
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return None
    number = request.get("id")
    if type(number) not in {int, str} or "\\ud800" in json.dumps(number):
        return None
    return json.dumps(number, ensure_ascii=False).encode()


def conversation(seed: int) -> list[Burst]:
    """Return one conversation; its ids are all different, so that each answer is known by its own."""
    chance = Random(seed)
    numbers = _numbers(chance)
    modern = chance.random() < 0.4
    opening = [] if chance.random() < 0.06 else _opening(chance, numbers, modern=modern)
    lines = opening + [_line(chance, numbers, modern=modern) for _ in range(chance.randrange(6))]
    if chance.random() < 0.08:
        chance.shuffle(lines)
    bursts: list[Burst] = []
    for line in lines:
        if bursts and chance.random() < 0.4:
            bursts[-1].append(line)
        else:
            bursts.append([line])
    bursts.append([_spelt(chance, END)])
    if chance.random() < 0.1:
        bursts.append([b'{"half": '])
    return bursts


def _numbers(chance: Random) -> Iterator[Any]:
    count = chance.choice((0, 1, 10**12))
    while True:
        count += 1
        yield chance.choice(
            (count, count, count, f"probe-{count}", f"ß{count}", -count, 10**20 + count, f'"{count}')
        )


def _opening(chance: Random, numbers: Iterator[Any], *, modern: bool) -> list[bytes]:
    if modern:
        return [_spelt(chance, _request(chance, numbers, "server/discover", modern=True))]
    hello = _request(chance, numbers, "initialize", modern=False)
    hello["params"] = _hello(chance)
    said = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    if chance.random() < 0.2:
        said["params"] = chance.choice(({}, {"_meta": {}}, {"x": 1}, [], None))
    return [_spelt(chance, hello), *([_spelt(chance, said)] if chance.random() < 0.9 else [])]


def _hello(chance: Random) -> Any:
    params = {
        "protocolVersion": chance.choice(_VERSIONS),
        "capabilities": _capabilities(chance),
        "clientInfo": _client(chance),
    }
    return _bent(chance, params)


def _capabilities(chance: Random) -> Any:
    plain = (
        {}, {"roots": {}}, {"roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}}, {"sampling": {}},
        {"experimental": {"codex/auth-change": {}}, "elicitation": {}}, {"tasks": {"requests": {}}}, {"unknown": {"a": {}}},
        {"extensions": {"a/b": {}}}, {"roots": {"listChanged": False, "more": {}}}, {"sampling": {"tools": {}, "context": {}}},
    )  # fmt: skip
    odd = (
        {"roots": 1}, {"roots": {"listChanged": "x"}}, {"roots": {"listChanged": {}}}, {"experimental": {"listChanged": True}},
        {"sampling": []}, {"elicitation": None}, {"experimental": {"a": 1}}, [], None, "x", {"tasks": {"requests": 5}},
        {"extensions": {"a": None}}, {"roots": {"listChanged": None}}, {"listChanged": {}}, {"roots": {"listChanged": 1}},
    )  # fmt: skip
    return chance.choice(plain if chance.random() < 0.92 else odd)


def _client(chance: Random) -> Any:
    plain = (
        {"name": "c", "version": "1"}, {"name": "ß", "version": "", "title": "A client’s title"},
        {"name": "c", "version": "1", "description": "d", "websiteUrl": "https://example.org/c"},
        {"name": "c", "version": "1", "websiteUrl": "no address"},
    )  # fmt: skip
    odd = (
        {"name": "c"}, {"name": "c", "version": 1}, {"name": None, "version": "1"}, {}, None, "c", [],
        {"name": "c", "version": "1", "icons": []}, {"name": "c", "version": "1", "icons": "x"}, {"name": "c", "version": "1", "more": 1},
        {"name": "c", "version": "1", "title": 5}, {"name": "a\\b\n", "version": "1"},
    )  # fmt: skip
    return chance.choice(plain if chance.random() < 0.95 else odd)


def _bent(chance: Random, params: dict[str, Any]) -> Any:
    """Return parameters as they are, mostly."""
    if chance.random() < 0.95:
        return params
    bent = dict(params)
    match chance.randrange(4):
        case 0:
            bent.pop(chance.choice(list(bent)))
        case 1:
            bent["more"] = chance.choice((1, None, {}))
        case 2:
            bent[chance.choice(list(bent))] = chance.choice((5, None, [], "x", {}, True, 1.5))
        case _:
            return chance.choice((None, [], "x", {}))
    return bent


def _envelope(chance: Random) -> dict[str, Any]:
    version = "2026-07-28" if chance.random() < 0.96 else chance.choice(_VERSIONS)
    about: dict[str, Any] = {
        f"{PREFIX}protocolVersion": version,
        f"{PREFIX}clientInfo": _client(chance),
        f"{PREFIX}clientCapabilities": _capabilities(chance),
    }
    if chance.random() < 0.3:
        about["progressToken"] = chance.choice((0, 1, 2, "t", "u", True, {}))
    return {"_meta": _bent(chance, about)}


def _request(chance: Random, numbers: Iterator[Any], method: str, *, modern: bool) -> dict[str, Any]:
    request: dict[str, Any] = {"jsonrpc": "2.0", "id": next(numbers), "method": method}
    if modern:
        request["params"] = _envelope(chance)
    elif chance.random() < 0.4:
        odd = (
            {}, {}, {}, {"_meta": {}}, {"_meta": {"progressToken": 0}}, {"_meta": {"progressToken": 1}}, {"_meta": {"progressToken": None}}, {"cursor": "x"}, {"cursor": 5},
            {"_meta": 5}, None, [], "x", {"more": 1}, {"_meta": {"progressToken": "t", "more": {}}}, {"_meta": {"progressToken": True}},
        )  # fmt: skip
        request["params"] = chance.choice(odd)
    return request


def _line(chance: Random, numbers: Iterator[Any], *, modern: bool) -> bytes:
    if chance.random() < 0.15:
        return chance.choice(_ODD)(chance, numbers)
    if chance.random() < 0.05:
        modern = not modern
    methods = (
        *("tools/list",) * 12, *("ping",) * 6, "initialize", "server/discover", "resources/list", "prompts/list", "completion/complete",
        "logging/setLevel", "unknown", "", "notifications/initialized", "resources/templates/list",
    )  # fmt: skip
    method = chance.choice(methods) if chance.random() < 0.85 else "tools/call"
    request = _request(chance, numbers, method, modern=modern)
    if method == "tools/call":
        params = request.get("params")
        request["params"] = {**(params if isinstance(params, dict) else {}), "name": "none", "arguments": {}}
    if method == "initialize" and not modern:
        request["params"] = _hello(chance)
    return _spelt(chance, request)


def _spelt(chance: Random, message: dict[str, Any]) -> bytes:
    """Return a message as a line, in one of the ways to write it."""
    members = list(message.items())
    if chance.random() < 0.3:
        chance.shuffle(members)
    text = json.dumps(
        dict(members),
        ensure_ascii=chance.random() < 0.2,
        separators=chance.choice(((",", ":"), (", ", ": "), (" ,\t", " :  "))),
    )
    return text.encode() + chance.choice((b"\n", b"\n", b"\n", b"\r\n", b" \n"))


def _odd_number(chance: Random, numbers: Iterator[Any]) -> bytes:
    number = chance.choice(
        (b"null", b"1.0", b"true", b"[]", b"-0", b"1e3", b"{}", b'"\\ud800"', b"9" * 30, b"01")
    )
    return b'{"jsonrpc": "2.0", "id": ' + number + b', "method": "ping"}\n'


def _twice(chance: Random, numbers: Iterator[Any]) -> bytes:
    number = json.dumps(next(numbers)).encode()
    return b'{"jsonrpc":"2.0","id":null,"id":' + number + b',"method":"none","method":"ping"}\n'


def _fixed(*lines: bytes) -> Callable[[Random, Iterator[Any]], bytes]:
    return lambda chance, _: chance.choice(lines) + b"\n"


_ODD = (
    _odd_number,
    _twice,
    _fixed(b"", b"  ", b"\t\r", b"\xc2\xa0", b"\x0b", b"\xef\xbb\xbf{}"),
    _fixed(b"{", b"}", b"nonsense", b"[]", b"{}", b"null", b'"x"', b"1", b"[" * 5000, b"{" * 300, b'{"a":' * 300, b"\xff\xfe", b"NaN"),
    _fixed(b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]'),
    _fixed(b'{"jsonrpc":"2.0","id":77,"result":{}}', b'{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"x"}}'),
    _fixed(b'{"jsonrpc":"1.0","id":"v1","method":"ping"}', b'{"id":"v0","method":"ping"}', b'{"jsonrpc":2.0,"id":"v2","method":"ping"}'),
    _fixed(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":424242}}'),
    _fixed(b'{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}', b'{"jsonrpc":"2.0","method":"ping"}'),
    _fixed(b'{"jsonrpc":"2.0","id":"more","method":"ping","more":1}', b'{"jsonrpc":"2.0","id":"p","method":"p\\u0069ng"}'),
    _fixed(b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":NaN}}'),
    _fixed(b'{"jsonrpc":"2.0","id":"bad\xff","method":"ping"}', b'{"jsonrpc":"2.0","id":"tab\t","method":"ping"}'),
)  # fmt: skip
