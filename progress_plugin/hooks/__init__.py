"""The process of a hook that a coding agent calls: it reads its input, prints one answer, and ends in time.

Imports take most of a hook's time. So the modules that every hook imports are few and small, and none of
them imports `__future__`, `typing`, `json` or `re`.
"""

import os
import sys
import time
from _thread import allocate_lock, start_new_thread

from progress_plugin.core.fast_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BACKGROUND_SECONDS = 300.0
HAND_OVER_SECONDS = 0.8  # for the work at the deadline: printing, noting the error, starting a process
MAX_INPUT_BYTES = 64 << 20
PIECE_BYTES = 1 << 20


class HookRun:
    """The output of one hook process, and the seconds after which it has to end.

    Only the first answer is printed: that of the handler, or the fallback. The watchdog thread may cut the
    work off anywhere at the deadline, as if the process were killed.
    """

    __slots__ = ("_answered", "directory", "fallback", "name", "seconds")

    def __init__(self, name: str, seconds: float) -> None:
        self.name = name
        self.seconds = seconds
        self.fallback = b""  # printed if the handler fails or does not finish in time
        self.directory = ""  # if set: at the deadline a background process goes on, for the project there
        self._answered = allocate_lock()

    def answer(self, data: bytes) -> None:
        """Print the answer of the hook, unless it has one; an empty one counts. Raises OSError."""
        if self._answered.acquire(blocking=False) and data and sys.stdout is not None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def watch(self) -> None:
        """At the deadline print the fallback if there is no answer, start a background process, and exit."""
        time.sleep(self.seconds)
        start_new_thread(_exit_after, (HAND_OVER_SECONDS,))  # exits even if the disk hangs below
        try:
            self.answer(self.fallback)
        finally:
            try:
                self._hand_over()
            finally:
                os._exit(0)

    def _hand_over(self) -> None:
        from progress_plugin.core.error_log import note

        note(self.name, TimeoutError(f"not finished after {self.seconds:g} s"))
        if self.directory:
            from progress_plugin.core.processes import start_detached

            start_detached("background", "record", self.directory)


def _exit_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


def run_guarded(name: str, seconds: float, work: "Callable[[HookRun], None]") -> None:
    """Do the work of a process that must end in time and with exit code 0; does not return.

    An error of any kind is noted, and the fallback is printed if there is no answer.
    """
    run = HookRun(name, seconds)
    try:
        start_new_thread(run.watch, ())
        try:
            work(run)
        except BaseException as error:
            from progress_plugin.core.error_log import note

            note(name, error)
        run.answer(run.fallback)
    finally:
        os._exit(0)


def read_input() -> "dict[str, Any]":
    """Return the JSON object on standard input; an empty one for anything else, and on a terminal.

    It is read up to the end of the object, because some clients never close the pipe.
    """
    data, piece = bytearray(), b"{"
    try:
        while piece and len(data) < MAX_INPUT_BYTES and not os.isatty(0):
            piece = os.read(0, PIECE_BYTES)
            data += piece
            if not piece or piece[-9:].rstrip().endswith(b"}"):
                try:
                    fields = loads(data.decode("utf-8", "surrogateescape"))
                except ValueError:  # the rest of the object has not arrived yet
                    continue
                return fields if isinstance(fields, dict) else {}
    except (OSError, RecursionError):
        return {}
    return {}
