"""A word for people who wait: said when something takes longer than a second, and wiped off afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO


@contextmanager
def progress_note(doing: str, *, after: float = 1.0, stream: TextIO | None = None) -> Iterator[None]:
    """Say what is being done, such as "reading the archive", once `after` seconds have passed.

    Only on a terminal: what is piped, and programs that read standard error, get nothing.
    """
    output = sys.stderr if stream is None else stream
    if not output.isatty():
        yield
        return
    import threading  # noqa: PLC0415 - of no use to a program that reads the answer

    line = f"agent-progress: {doing} …"
    said = threading.Event()

    def say() -> None:
        output.write(line)
        output.flush()
        said.set()

    timer = threading.Timer(after, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if said.is_set():
            output.write(f"\r{' ' * len(line)}\r")
            output.flush()
