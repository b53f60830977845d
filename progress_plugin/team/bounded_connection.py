"""A connection that ends itself where the server says nothing for too long (S20.8).

The limits that the server is told bind a server that works; one that is frozen, or behind a line that has
fallen silent, keeps none, and the system's own keep a connection to this very machine for ever.
"""

import time
from collections.abc import Generator
from typing import Any

import psycopg

ANSWER_SECONDS = 40
"""Without a byte in either direction; more than the server may take for one statement."""


class BoundedConnection(psycopg.Connection[tuple[Any, ...]]):
    """One whose exchanges end with an OperationalError, and the connection with them."""

    works_for: float | None = None
    """Seconds that a single statement may take where they are more than usual, as a change of tables does."""

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **options: Any) -> Any:
        """Carry out one exchange with the server. Raises psycopg.OperationalError where it falls silent."""
        return super().wait(self._heard(gen), *args, **options)

    def _heard(self, exchange: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Pass on what an exchange waits for, as long as the socket becomes ready now and then."""
        heard = time.monotonic()
        try:
            wanted = next(exchange)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    heard = now
                elif now - heard > (limit := self.works_for or ANSWER_SECONDS):
                    self.pgconn.finish()  # or its end would ask the server once more
                    raise psycopg.OperationalError(f"no answer for {limit} seconds")
                wanted = exchange.send(ready)
        except StopIteration as done:
            return done.value
