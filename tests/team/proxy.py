"""A line between a machine and the team's server that can be cut, slowed down, or left without an answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
_PIECE = 4096
_PAUSE = 0.02
OPEN, CUT, SILENT, SLOW = "open", "cut", "silent", "slow"


class Line:
    """One machine's way to the server: a socket in a directory of its own."""

    def __init__(self, place: Path, server: Path) -> None:
        self.place = place
        self.state = OPEN
        self.cuts_after: int | None = None
        """Bytes towards the server after which the line is cut; None for never."""
        self._server = server
        self._open: set[asyncio.StreamWriter] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection as long as the line holds."""
        if self.state == CUT:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_unix_connection(str(self._server))
        except OSError:  # the server is away
            writer.transport.abort()
            return
        self._open |= {writer, back}
        try:
            await asyncio.gather(self._carry(reader, back, counts=True), self._carry(there, writer))
        finally:
            for end in (writer, back):
                self._open.discard(end)
                end.transport.abort()

    def cut(self) -> None:
        """End every connection at once, in the middle of whatever it carries."""
        for end in list(self._open):
            end.transport.abort()

    async def _carry(
        self, source: asyncio.StreamReader, to: asyncio.StreamWriter, *, counts: bool = False
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(_PIECE):
                while self.state == SILENT:  # noqa: ASYNC110 - looked at now and then
                    await asyncio.sleep(_PAUSE)
                if self.state == SLOW:
                    await asyncio.sleep(_PAUSE)
                if counts and self.cuts_after is not None:
                    self.cuts_after -= len(data)
                    if self.cuts_after < 0:
                        self.cuts_after = None
                        self.cut()
                        return
                to.write(data)
                await to.drain()
            to.transport.abort()


class Network:
    """The lines of all machines, carried by a thread."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._loop = asyncio.new_event_loop()
        self._servers: list[asyncio.AbstractServer] = []
        self._lines: list[Line] = []

    def line(self, place: Path) -> Line:
        """Return a new line whose socket is in this directory, as libpq looks for it."""
        place.mkdir(parents=True)
        made = Line(place, self._server)
        self._lines.append(made)
        path = str(place / self._server.name)
        self._servers.append(self._do(asyncio.start_unix_server(made.accept, path)))
        return made

    def set(self, line: Line, state: str, cuts_after: int | None = None) -> None:
        """Change what a line does; one that is cut loses its connections."""

        async def change() -> None:
            line.state, line.cuts_after = state, cuts_after
            if state == CUT:
                line.cut()

        self._do(change())

    def _do(self, what: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result()

    def run(self) -> None:
        """Carry until `stop`."""
        self._loop.run_forever()
        self._loop.run_until_complete(self._close())
        self._loop.close()

    def stop(self) -> None:
        """Close all lines."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _close(self) -> None:
        for each in self._servers:
            each.close()
        for line in self._lines:
            line.state = OPEN
            line.cut()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}), return_exceptions=True)


@contextmanager
def network(server: Path) -> Iterator[Network]:
    """Carry lines to the socket of a server for the length of a `with` block."""
    made = Network(server)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.stop()
        thread.join(10)
