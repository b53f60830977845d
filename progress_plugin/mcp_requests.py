"""Requests as they come in: what the SDK cannot read is answered here, since a client waits for it.

The SDK drops a line that it cannot parse (half a surrogate pair, 200 levels of nesting, a number of 5,000
digits) without a word, and a client that sent it waits for ever.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from progress_plugin.core.fast.mcp_handshake import Handed, Lines
from progress_plugin.text.json_objects import flat_members

NOTIFICATIONS = "notifications/"
"""How the names of those methods begin that nobody waits for, whatever id some clients give them."""
_NO_ID = "its id is neither a whole number nor a text"
_LONGEST_REASON = 200


class Requests:
    """The lines of standard input that are requests, for the SDK's transport.

    What the handshake has answered comes first. What follows waits until all of that has been answered anew:
    the server is then in the state it would have been in.
    """

    def __init__(self, handed: Handed, answers: Answers) -> None:
        self._handed = handed
        self._answers = answers
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
        for known in self._handed.before:
            yield known.decode("utf-8", "replace")
        await self._answers.known_ones()
        while data := self._handed.line or await _taken(self._handed.wire.lines):
            line, self._handed.line = data.decode("utf-8", "replace"), b""
            message, fault = _read(line)
            if fault is None:
                self._answers.expect(message)
                yield line
            elif (unread := _refusal(line, fault)) is not None:
                await self._outgoing.send(SessionMessage(unread))


async def _taken(lines: Lines) -> bytes:
    """Return the next line; where the server fails meanwhile, nobody waits for the client to say one."""
    await anyio.to_thread.run_sync(lines.wait, abandon_on_cancel=True)
    return lines.take()


class Answers:
    """The lines that the SDK's transport writes; the client has the first ones from the handshake."""

    def __init__(self, handed: Handed) -> None:
        self._handed = handed
        self._known = handed.answered
        self._are_said = anyio.Event()
        if not self._known:
            self._are_said.set()

    def as_file(self) -> anyio.AsyncFile[str]:
        """Return it as what the transport takes; it writes whole lines and flushes them."""
        return cast("anyio.AsyncFile[str]", self)

    async def known_ones(self) -> None:
        """Wait for the answers that the client has already."""
        await self._are_said.wait()

    def expect(self, message: types.JSONRPCMessage | None) -> None:
        """Note which request a message makes, or takes back."""
        match message:
            case types.JSONRPCRequest(id=number):
                self._handed.open.append(number)
            case types.JSONRPCNotification(method="notifications/cancelled", params=dict(params)):
                self._close(params.get("requestId"))

    def _close(self, number: object) -> None:
        if number in self._handed.open:
            self._handed.open.remove(number)

    async def write(self, line: str) -> None:
        """Send a line, unless the client has it."""
        if not self._known:
            await anyio.to_thread.run_sync(self._handed.wire.send, line.encode())
            self._close(json.loads(line).get("id"))
            return
        self._known -= 1
        if not self._known:
            self._are_said.set()

    async def flush(self) -> None:
        """Do nothing: a line is sent at once."""


def _read(line: str) -> tuple[types.JSONRPCMessage | None, str | None]:
    """Return the message of a line that has one, and why the SDK would not read it, None where it would."""
    if not line.strip():
        return None, None
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError as error:
        return None, str(error)
    if isinstance(message, types.JSONRPCNotification) and not message.method.startswith(NOTIFICATIONS):
        # The SDK passes over an id that it cannot use, and takes the rest for a notification.
        return message, _NO_ID if "id" in json.loads(line) else None
    return message, None


def _refusal(line: str, fault: str) -> types.JSONRPCError | None:
    """Return the answer to a line that cannot be read; None for what expects none."""
    try:
        request = json.loads(line, parse_int=_kept)
    except RecursionError:
        request, code = flat_members(line), types.PARSE_ERROR
    except ValueError:
        request, code = {}, types.PARSE_ERROR
    else:
        code = types.INVALID_REQUEST
        if not isinstance(request, dict):
            request = {}
    if "id" not in request and isinstance(request.get("method"), str):
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
