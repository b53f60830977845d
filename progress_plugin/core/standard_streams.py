"""Standard streams as every command may use them, whatever state the caller left them in."""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def open_descriptors() -> None:
    """Open those of the three standard descriptors that are closed: the next file would get their number."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)


def stand_in() -> None:
    """Have three streams: empty input for one that is closed, and output that says when it goes nowhere.

    A name that is no UTF-8 is printed with its bytes spelt out, as JSON spells them, and is no error.
    """
    open_descriptors()
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it lasts as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper) and type(getattr(sys.stdout.buffer, "raw", None)) is FileIO:
        output = BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False))
        tty = sys.stdout.isatty()
        sys.stdout = TextIOWrapper(output, "utf-8", "backslashreplace", line_buffering=tty)
    if isinstance(sys.stderr, TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")


class _Output(FileIO):
    """Standard output that remembers why it failed: the error itself does not say whose it was."""

    fault: str | None = None

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self.fault = error.strerror or str(error)
            raise


def output_fault() -> str | None:
    """Return why what was printed could not be written, None where it could."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.fault if isinstance(raw, _Output) else None


def complain(message: str) -> None:
    """Say in one line what went wrong, where anybody can read it."""
    try:
        sys.stderr.write(f"agent-progress: {message}\n")
        sys.stderr.flush()
    except OSError:
        return


def is_lost() -> bool:
    """Return whether the working directory is gone."""
    try:
        os.getcwd()
    except OSError:
        return True
    return False
