"""The MCP server: JSON-RPC 2.0 over standard input and output, one message per line; five tools.

Specification: https://modelcontextprotocol.io/specification. We answer a client while our packages are still
being installed, and the client waits for the list of tools before it goes on. So this module imports few and
small modules; the others are imported at the first call.
"""

from __future__ import annotations

import os

from progress_plugin import VERSION
from progress_plugin.core import fast_json
from progress_plugin.core.errors import NoProject, ToolError
from progress_plugin.core.snapshot import load_start_cache, root_with_cache
from progress_plugin.usecases.served_project import served_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, BinaryIO

    Answer = tuple[dict[str, Any], str]  # structured content and text
    # Runs a tool: takes its name, the arguments and `_meta`. Raises ToolError.
    Call = Callable[[str, dict[str, Any], dict[str, Any]], Answer]

LISTING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
"""The entries of `tools/list`, made from `mcp.calls` by `python -m tests.documents.remake`."""
MAX_NAME_CHARS = 100
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_VERSION = "2026-07-28"
"""The version without a handshake: each request names it in its `_meta`."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
SERVER = {"name": "progress", "version": VERSION}
CAPABILITIES = {"tools": {"listChanged": False}}
NOT_CACHED = {"ttlMs": 0, "cacheScope": "private"}

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022


class RpcError(Exception):
    """A message that is answered with an error of JSON-RPC."""

    def __init__(self, code: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **more}


def main() -> int:
    return serve(instructions(project_name()), list_tools(), call)


def list_tools() -> list[dict[str, Any]]:
    """Return the entries of `tools/list`."""
    with open(LISTING, encoding="utf-8") as file:
        return list(fast_json.loads(file.read()))


def call(name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Answer:
    """Call a tool; return structured content and text."""
    from progress_plugin.mcp import calls  # noqa: PLC0415 - slow

    return calls.call(name, arguments, meta)


def instructions(name: str | None) -> str:
    """Return the instructions for the agent; `name` is that of the project, None if there is none."""
    first = f"This project's exact name: {name!r}." if name else "No project here: name one."
    return (
        f"{first} mem_progress holds your own work state; it is no session summary, task tracker or to-do "
        "list: read it at session start, write it after a significant step and before the end, as JSON "
        '{"goal":"","completed":[],"next_steps":[],"blockers":[]}. '
        "mem_compact takes two calls: identify, then, when you have reviewed the list, execute."
    )


def project_name() -> str | None:
    """Return the name of the served project; None if there is no project.

    It is the name in the last summary, or else the repository's. The memory knows a project by either, so
    neither plans nor logs are read to find the name.
    """
    try:
        directory = os.path.realpath(served_directory() or ".")
        root = root_with_cache(directory)
        cache = load_start_cache(root) if root else None
        if cache and cache.name:
            return cache.name
        from progress_plugin.core.project import find_project  # noqa: PLC0415 - few projects have no cache
        from progress_plugin.text.safe_output import one_line  # noqa: PLC0415 - the same

        return one_line(find_project(None, directory).repository_name(), MAX_NAME_CHARS)
    except (NoProject, OSError):  # OSError: the working directory was removed
        return None


def serve(instructions: str, tools: Sequence[dict[str, Any]] = (), call: Call | None = None) -> int:
    """Serve standard input and output until the client closes them; return the exit code.

    `tools` are the entries of `tools/list`. Without any, `instructions` say why.

    Meanwhile the rest of the program reads empty input, and its output goes to standard error.
    """
    requests = os.fdopen(os.dup(0), "rb")
    responses = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as empty:
        os.dup2(empty.fileno(), 0)
    os.dup2(2, 1)
    server = Server(responses, instructions, tools, call)
    try:
        for line in requests:
            if line.strip():
                server.answer(line)
    except KeyboardInterrupt:
        return 130  # the exit code of a program that Ctrl-C ended
    return 0


class Server:
    """Answers the messages of one client, in their order."""

    def __init__(
        self, responses: BinaryIO, instructions: str, tools: Sequence[dict[str, Any]], call: Call | None
    ) -> None:
        self._responses = responses
        self._introduction = {"capabilities": CAPABILITIES, "instructions": instructions}
        self._tools = {tool["name"]: tool for tool in tools}
        self._no_tool = f"there are {', '.join(self._tools)}" if tools else instructions
        self._call_tool = call

    def answer(self, line: bytes) -> None:
        """Answer one message; a message without an id expects no answer."""
        request_id = None
        outcome: dict[str, Any]
        try:
            message = parse(line)
            if "id" not in message:
                return
            request_id = message["id"] if type(message["id"]) in (int, str) else None
            outcome = {"result": self._result(*check_request(message))}
        except RpcError as error:
            outcome = {"error": error.error}
        except Exception as error:  # noqa: BLE001 - the one boundary: a bug must not end the server
            text = f"internal error, {type(error).__name__}: {error}"
            outcome = {"error": {"code": INTERNAL_ERROR, "message": text}}
        self._send({"id": request_id, **outcome})

    def _send(self, message: dict[str, Any]) -> None:
        text = fast_json.dumps({"jsonrpc": "2.0", **message})
        try:
            self._responses.write(text.encode("utf-8", "replace") + b"\n")
            self._responses.flush()
        except OSError:  # the client has gone, so the input ends too
            return

    def _result(self, method: str, params: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request, with the fields that the stateless version adds."""
        version = meta.get(VERSION_KEY)
        if version not in (None, STATELESS_VERSION):
            data = {"supported": [STATELESS_VERSION], "requested": str(version)}
            raise RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data=data)
        result = self._dispatch(method, params, meta)
        if version is None and method != "server/discover":
            return result
        caching = NOT_CACHED if method in ("server/discover", "tools/list") else {}
        return {**result, **caching, "resultType": "complete", "_meta": {SERVER_KEY: SERVER}}

    def _dispatch(self, method: str, params: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "initialize":
                wanted = params.get("protocolVersion")
                version = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
                return {"protocolVersion": version, "serverInfo": SERVER, **self._introduction}
            case "server/discover":
                return {"supportedVersions": [STATELESS_VERSION], **self._introduction}
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [*self._tools.values()]}
            case "tools/call":
                return self._call(params.get("name"), params.get("arguments") or {}, meta)
        raise RpcError(METHOD_NOT_FOUND, f"unknown method {method}")

    def _call(self, name: object, arguments: object, meta: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(name, str) or not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "a call needs the name of a tool, and its arguments as an object")
        if name not in self._tools or self._call_tool is None:
            return tool_result(f"there is no tool {name}; {self._no_tool}", isError=True)
        try:
            data, text = self._call_tool(name, arguments, meta)
        except ToolError as error:
            return tool_result(str(error), isError=True)
        return tool_result(text, structuredContent=data, isError=False)


def tool_result(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def parse(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises RpcError."""
    try:
        message = fast_json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, f"not valid JSON, nothing was done: {error}") from None
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "a message must be a JSON object")
    return message


def check_request(message: dict[str, Any]) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return method, params and `_meta` of a request. Raises RpcError."""
    method, params = message.get("method"), message.get("params") or {}
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "not a JSON-RPC 2.0 request")
    if type(message["id"]) not in (int, str):
        raise RpcError(INVALID_REQUEST, "the id of a request must be an integer or a string")
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object")
    meta = params.get("_meta")
    return method, params, meta if isinstance(meta, dict) else {}
