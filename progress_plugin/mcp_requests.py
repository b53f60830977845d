"""Requests as they come in: what the SDK cannot read is answered here, since a client waits for it (S14).

The SDK drops a line that it cannot parse (half a surrogate pair, 200 levels of nesting, a number of 5,000
digits) without a word, and a client that sent it waits for ever.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from typing import Any, BinaryIO, cast

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

_LONGEST_REASON = 200


class Requests:
    """The lines of standard input that are requests, for the SDK's transport."""

    def __init__(self) -> None:
        self._lines = _taken_over()
        self._outgoing: Any = None
        self._is_ready = anyio.Event()

    def as_file(self) -> anyio.AsyncFile[str]:
        """Return it as what the transport takes; it asks for nothing but one line after the other."""
        return cast("anyio.AsyncFile[str]", self)

    def answered_by(self, outgoing: Any) -> None:
        """Send answers on this stream from now on."""
        self._outgoing = outgoing
        self._is_ready.set()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines that can be read, until the client has gone."""
        await self._is_ready.wait()
        while data := await anyio.to_thread.run_sync(self._lines.readline):
            line = data.decode("utf-8", "replace")
            fault = _fault(line)
            if fault is None:
                yield line
            elif (unread := _refusal(line, fault)) is not None:
                await self._outgoing.send(SessionMessage(unread))


def _taken_over() -> BinaryIO:
    """Return standard input, and leave nothing behind it: what we start must not eat requests."""
    own = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(own, "rb")


def _fault(line: str) -> str | None:
    """Return why the SDK would not read a line, None where it would."""
    if not line.strip():
        return None
    try:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError as error:
        return str(error)
    return None


def _refusal(line: str, fault: str) -> types.JSONRPCError | None:
    """Return the answer to a line that cannot be read; None for what expects none."""
    try:
        request = json.loads(line, parse_int=_kept)
    except (ValueError, RecursionError):
        request, code = {}, types.PARSE_ERROR
    else:
        code = types.INVALID_REQUEST
        if not isinstance(request, dict):
            request = {}
        elif "id" not in request and isinstance(request.get("method"), str):
            return None
    number = request.get("id")
    told = (
        number
        if isinstance(number, str | int) and not isinstance(number, bool) and _encodes(number)
        else None
    )
    reason = " ".join(fault.split())[:_LONGEST_REASON]
    message = f"this request cannot be read, nothing was done: {reason}"
    return types.JSONRPCError(jsonrpc="2.0", id=told, error=types.ErrorData(code=code, message=message))


def _kept(digits: str) -> int | str:
    """Return a number, or its digits where Python refuses so many of them."""
    try:
        return int(digits)
    except ValueError:
        return digits


def _encodes(number: str | int) -> bool:
    try:
        str(number).encode()
    except ValueError:
        return False
    return True
