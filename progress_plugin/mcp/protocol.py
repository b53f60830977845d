"""An MCP server over standard input and output: JSON-RPC 2.0, one message per line.

Specification: https://modelcontextprotocol.io/specification. This module needs the standard library alone,
because a client is answered while our packages are still being installed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any, BinaryIO

from progress_plugin.core.version import VERSION

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_VERSION = "2026-07-28"
"""The version without a handshake: each request names it in its `_meta`."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
SERVER = {"name": "progress", "version": VERSION}
CAPABILITIES = {"tools": {"listChanged": False}}
NOT_CACHED = {"ttlMs": 0, "cacheScope": "private"}

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
UNSUPPORTED_VERSION = -32022
MAX_MESSAGE_BYTES = 64 * 1024 * 1024
MAX_PARALLEL_CALLS = 4
INTERRUPTED_EXIT_CODE = 130


class ToolError(Exception):
    """A tool call that failed; the client shows the message to the agent."""


class RpcError(Exception):
    """A message that cannot be answered with a result."""

    def __init__(
        self, code: int, message: str, *, request_id: int | str | None = None, data: Any = None
    ) -> None:
        super().__init__(message)
        self.request_id = request_id
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


Answer = tuple[dict[str, Any], str]
"""Structured content and text."""
Call = Callable[[str, dict[str, Any], dict[str, Any]], Answer]
"""Runs a tool: takes its name, the arguments and `_meta`. Raises ToolError."""


def refuse(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Answer:
    """Refuse every call, for a server without tools."""
    del arguments, meta
    raise ToolError(f"there is no tool {name}")


@dataclass(frozen=True, slots=True)
class Request:
    """A message that expects a response."""

    id: int | str
    method: str
    params: dict[str, Any]
    meta: dict[str, Any]


def serve(instructions: str, tools: Sequence[dict[str, Any]] = (), call: Call = refuse) -> int:
    """Serve standard input and output until the client closes them; return the exit code.

    `tools` are the entries of `tools/list`. Without any, `instructions` say why.

    Meanwhile everybody else reads empty input, and what is printed by accident goes to standard error.
    """
    requests = os.fdopen(os.dup(0), "rb")
    responses = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as empty:
        os.dup2(empty.fileno(), 0)
    os.dup2(2, 1)
    try:
        Server(responses, instructions, tools, call).run(requests)
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT_CODE
    return 0


class Server:
    """Answers one client; tool calls run side by side in a few threads."""

    def __init__(
        self,
        responses: BinaryIO,
        instructions: str,
        tools: Sequence[dict[str, Any]] = (),
        call: Call = refuse,
    ) -> None:
        self._responses = responses
        self._instructions = instructions
        self._tools = {tool["name"]: tool for tool in tools}
        self._call_tool = call
        self._write_lock = Lock()

    def run(self, requests: BinaryIO) -> None:
        """Answer each message; return when the input has ended and the last call is answered."""
        with ThreadPoolExecutor(MAX_PARALLEL_CALLS) as workers:
            for line in read_lines(requests):
                try:
                    request = parse(line)
                except RpcError as error:
                    self._send(error.request_id, error=error.error)
                    continue
                if request is None:
                    continue
                if request.method == "tools/call":
                    workers.submit(self._answer, request)
                else:
                    self._answer(request)

    def _answer(self, request: Request) -> None:
        try:
            self._send(request.id, result=self._result(request))
        except RpcError as error:
            self._send(request.id, error=error.error)
        except Exception as error:  # noqa: BLE001 - the one boundary: a bug must not end the server
            message = f"internal error, {type(error).__name__}: {error}"
            self._send(request.id, error={"code": INTERNAL_ERROR, "message": message})

    def _send(self, request_id: int | str | None, **outcome: Any) -> None:
        message = {"jsonrpc": "2.0", "id": request_id, **outcome}
        data = (
            json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        )
        with self._write_lock:
            try:
                self._responses.write(data)
                self._responses.flush()
            except OSError:
                return  # the client has gone, and the input ends too

    def _result(self, request: Request) -> dict[str, Any]:
        """Return the result of a request, with the fields that the stateless version adds."""
        version = request.meta.get(VERSION_KEY)
        if version not in (None, STATELESS_VERSION):
            data = {"supported": [STATELESS_VERSION], "requested": str(version)}
            raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data=data)
        result = self._dispatch(request)
        if version is None and request.method != "server/discover":
            return result
        caching = NOT_CACHED if request.method in ("server/discover", "tools/list") else {}
        return {**result, **caching, "resultType": "complete", "_meta": {SERVER_KEY: SERVER}}

    def _dispatch(self, request: Request) -> dict[str, Any]:
        match request.method:
            case "initialize":
                wanted = request.params.get("protocolVersion")
                version = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
                return {"protocolVersion": version, "serverInfo": SERVER, **self._introduction()}
            case "server/discover":
                return {"supportedVersions": [STATELESS_VERSION], **self._introduction()}
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [*self._tools.values()]}
            case "tools/call":
                return self._call(request)
        raise RpcError(METHOD_NOT_FOUND, f"unknown method {request.method}")

    def _introduction(self) -> dict[str, Any]:
        return {"capabilities": CAPABILITIES, "instructions": self._instructions}

    def _call(self, request: Request) -> dict[str, Any]:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict | None):
            raise RpcError(INVALID_PARAMS, "a call needs the name of a tool, and its arguments as an object")
        try:
            data, text = self._run_tool(name, arguments or {}, request.meta)
        except ToolError as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        return {"content": [{"type": "text", "text": text}], "structuredContent": data, "isError": False}

    def _run_tool(self, name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Answer:
        if name in self._tools:
            return self._call_tool(name, arguments, meta)
        known = f"there are {', '.join(self._tools)}" if self._tools else self._instructions
        raise ToolError(f"there is no tool {name}; {known}")


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield each line; one over MAX_MESSAGE_BYTES is cut there, so it cannot be parsed."""
    while line := file.readline(MAX_MESSAGE_BYTES + 1):
        rest = line
        while not rest.endswith(b"\n") and len(rest) > MAX_MESSAGE_BYTES:
            rest = file.readline(MAX_MESSAGE_BYTES + 1)
        yield line


def parse(line: bytes) -> Request | None:
    """Return the request in a line, or None if it expects no response.

    Raises RpcError if the line is not JSON or not a JSON-RPC message.
    """
    if not line.strip():
        return None
    if len(line) > MAX_MESSAGE_BYTES:
        raise RpcError(
            INVALID_REQUEST, f"more than {MAX_MESSAGE_BYTES} bytes in one message; nothing was done"
        )
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, f"not valid JSON, nothing was done: {error}") from None
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "a message must be a JSON object")
    return _request(message)


def _request(message: dict[str, Any]) -> Request | None:
    request_id, method, params = message.get("id"), message.get("method"), message.get("params")
    if type(request_id) not in (int, str):
        request_id = None
    if method is None and ("result" in message or "error" in message):
        return None  # a response, although we never ask
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "not a JSON-RPC 2.0 request", request_id=request_id)
    if "id" not in message or (request_id is None and method.startswith("notifications/")):
        return None
    if request_id is None:
        raise RpcError(INVALID_REQUEST, "the id of a request must be an integer or a string")
    if not isinstance(params, dict | None):
        raise RpcError(INVALID_PARAMS, "params must be an object", request_id=request_id)
    meta = (params or {}).get("_meta")
    return Request(request_id, method, params or {}, meta if isinstance(meta, dict) else {})
