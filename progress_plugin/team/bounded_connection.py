"""A connection that ends itself where the server takes too long, or sends too much.

The limits that the server is told bind a server that works; one that is frozen, behind a line that has fallen
silent, or no server of ours keeps none, and the system's own keep a connection to this very machine for ever.
"""

import sys
import time
from collections.abc import Generator
from typing import Any

import psycopg

from progress_plugin.team.answers import OddAnswer

ANSWER_SECONDS = 40
"""For one exchange, from the question to the whole answer; more than the server may take for a statement."""
MOST_MEMORY = 256 * 1024 * 1024
"""Bytes by which one answer may let this process grow; the largest of a server of ours takes half of it."""
_LOOK_SECONDS = 0.02


class BoundedConnection(psycopg.Connection[tuple[Any, ...]]):
    """One whose exchanges end with an OperationalError or OddAnswer, and the connection with them."""

    works_for: float | None = None
    """Seconds that a single statement may take where they are more than usual, as a change of tables does."""

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **options: Any) -> Any:
        """Carry out one exchange with the server.

        Raises psycopg.OperationalError where it takes too long, OddAnswer where it sends too much.
        """
        return super().wait(self._bounded(gen), *args, **options)

    def _bounded(self, exchange: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass on what an exchange waits for: what a server says meanwhile makes its time no longer."""
        began = looked = time.monotonic()
        before = resident()
        try:
            wanted = next(exchange)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if now - began > (limit := self.works_for or ANSWER_SECONDS):
                    self.pgconn.finish()  # or its end would ask the server once more
                    raise psycopg.OperationalError(f"no answer for {limit} seconds")
                if now - looked > _LOOK_SECONDS:
                    looked = now
                    if resident() - before > MOST_MEMORY:
                        self.pgconn.finish()
                        raise OddAnswer("more than any answer has")
                wanted = exchange.send(ready)
        except StopIteration as done:
            return done.value


if sys.platform == "linux":
    import resource

    _PAGE = resource.getpagesize()

    def resident() -> int:
        """Return the bytes of memory that this process has."""
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
elif sys.platform == "win32":

    def resident() -> int:
        """Return nothing: the standard library cannot tell there."""
        return 0
else:
    import resource

    def resident() -> int:
        """Return the most bytes of memory that this process has had."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
