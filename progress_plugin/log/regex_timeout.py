"""How long the search for somebody's regular expression may take.

An expression such as `(a+)+$` takes years on some thirty letters, and only the engine
itself could end. It listens to signals, so a timer of the processor time that we use ends it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from progress_plugin.core.errors import BadInput


class TooLong(BadInput):
    """The time is over."""

    def __init__(self) -> None:
        super().__init__(
            "nothing was erased: the search for this expression takes too long; repeat nothing inside a "
            "repeated group, or name the text itself without --regex"
        )


class SearchTimeout:
    """Seconds of processor time that are left for a search; None is without bound."""

    def __init__(self, seconds: float | None = None) -> None:
        self.left = seconds

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what is done inside, which must only search: it can be ended anywhere. Raises TooLong.

        Where no such timer is (on Windows, outside the main thread), nothing is counted.
        """
        if (
            self.left is None
            or not hasattr(signal, "setitimer")
            or threading.current_thread() is not threading.main_thread()
        ):
            yield
            return
        before = signal.signal(signal.SIGVTALRM, _end)
        signal.setitimer(signal.ITIMER_VIRTUAL, max(self.left, 0.001))
        try:
            yield
        finally:
            self.left = signal.setitimer(signal.ITIMER_VIRTUAL, 0)[0]
            signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    raise TooLong
