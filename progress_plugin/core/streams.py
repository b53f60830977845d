"""Standard streams as every command may use them, whatever whoever started it left of them (S13)."""

import os
import sys
from io import TextIOWrapper

from progress_plugin.core.door import fill_descriptors


def stand_in() -> None:
    """Have three streams: empty input for one that is closed, and output that says when it goes nowhere.

    A name that is no UTF-8 is printed with its bytes spelt out, as JSON spells them, and is no error.
    """
    fill_descriptors()
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it lasts as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def output_fault() -> str | None:
    """Return why what was printed cannot be written, None where it could."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return error.strerror or str(error)
    return None


def complain(message: str) -> None:
    """Say in one line what went wrong, where anybody can be told."""
    try:
        sys.stderr.write(f"agent-progress: {message}\n")
        sys.stderr.flush()
    except OSError:
        return


def is_lost() -> bool:
    """Tell whether the working directory is gone."""
    try:
        os.getcwd()
    except OSError:
        return True
    return False
