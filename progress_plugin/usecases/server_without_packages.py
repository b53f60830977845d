"""What the MCP server answers while the packages are missing: the tools are listed, a call says why.

No protocol beyond that: a call is answered by its one line, everything else by the error that fits.

The reason is told by `usecases.missing_packages` (`missing_packages_reason`).
"""

from __future__ import annotations

import json
import time
from typing import Any

from progress_plugin.core.fast import ready_answers as ready
from progress_plugin.core.fast.own_command import command
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.missing_packages import missing_packages_reason

_NO_JSON, _NO_REQUEST, _NO_METHOD, _FAILED = -32700, -32600, -32601, -32603
_ENVELOPE = "io.modelcontextprotocol/"
_NOBODY = {"name": "a client", "version": "0"}
_UNREAD = "this request cannot be read, nothing was done"
_LONGEST = 500
_WORKS = {"progress_log": "log", "mem_search": "recall"}
"""The commands that do what a tool does, or most of it, without the packages."""


def plainly(line: bytes) -> dict[str, Any] | None:
    """Return a message without what is not plain about it; None for what is no message."""
    request = _read(line)
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return None
    method, params, number = request["method"], request.get("params"), request.get("id")
    plain = {"method": method, "params": _plain(method, params if isinstance(params, dict) else {})}
    if "id" not in request or _is_notification(request):
        return plain
    return {**plain, "id": number} if _is_usable(number) else None


def _plain(method: str, params: dict[str, Any]) -> dict[str, Any]:
    about = params.get("_meta")
    if isinstance(about, dict) and f"{_ENVELOPE}protocolVersion" in about:
        plain = {"protocolVersion": ready.MODERN, "clientInfo": _NOBODY, "clientCapabilities": {}}
        return {"_meta": {_ENVELOPE + name: value for name, value in plain.items()}}
    if method == "initialize":
        version = params.get("protocolVersion")
        named = version if isinstance(version, str) else ready.LATEST
        return {"protocolVersion": named, "capabilities": {}, "clientInfo": _NOBODY}
    return {}


def answer(line: bytes, version: str, damage: str | None) -> bytes | None:
    """Return the answer to a line, None where none is expected; `damage` is what the packages suffer from."""
    request = _read(line)
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        code = _NO_JSON if request is None else _NO_REQUEST
        number = request.get("id") if isinstance(request, dict) else None
        return _answer(number, error={"code": code, "message": _UNREAD})
    if "id" not in request or _is_notification(request):
        return None
    if not _is_usable(request["id"]):
        return _answer(None, error={"code": _NO_REQUEST, "message": _UNREAD})
    if request["method"] != "tools/call":
        return _answer(request["id"], error={"code": _NO_METHOD, "message": "Method not found"})
    params = request.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    meanwhile = _WORKS.get(name, "") if isinstance(name, str) else ""
    instead = f"; meanwhile: {command()} {meanwhile}" if meanwhile else ""
    why = f"nothing was done: {damage or missing_packages_reason(time.time())}{instead}"
    why = one_line(why, _LONGEST)
    told = json.dumps(why, ensure_ascii=False)
    return _answer(request["id"], result=json.loads(ready.CALLED[version].replace(ready.TEXT, told)))


def given_up(number: int | str, damage: str) -> bytes:
    """Return the answer to a request that was being worked on when the SDK's server failed."""
    why = one_line(f"whether it was done is not known: {damage}", _LONGEST)
    return _answer(number, error={"code": _FAILED, "message": why})


def _answer(number: object, **outcome: object) -> bytes:
    told = number if _is_usable(number) else None
    return json.dumps({"jsonrpc": "2.0", "id": told, **outcome}, separators=(",", ":")).encode() + b"\n"


def _is_notification(request: dict[str, Any]) -> bool:
    """Return whether nobody waits for an answer, although a useless id came along."""
    return request["method"].startswith("notifications/") and not _is_usable(request.get("id"))


def _is_usable(number: object) -> bool:
    return type(number) in {int, str} and _encodes(number)


def _encodes(number: object) -> bool:
    try:
        str(number).encode()
    except ValueError:
        return False
    return True


def _read(line: bytes) -> Any:
    """Return a line as JSON, without what nests deeper than the parser goes; None where it is none."""
    text = line.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except RecursionError:
        from progress_plugin.text.json_objects import flat_members  # noqa: PLC0415 - hardly ever needed

        return flat_members(text)
    except ValueError:
        return None
