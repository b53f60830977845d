"""What follows the MCP handshake: the SDK's server, or an answer while its packages are missing.

Why packages are missing, and until when, is told by `usecases.missing_packages`.

Everything is imported when it is needed: the handshake is answered by then.
"""

import gc
import time
from _thread import allocate_lock

from progress_plugin.core.fast.server_introduction import Introduction, quick_introduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from progress_plugin.core.fast.mcp_handshake import Handed

_A_WHILE = 1.0
"""Seconds from the tools' listing to work that nobody waits for: the client's first request goes first."""
_AT_MOST = 10.0
"""Seconds more that this work waits for a client that is busy starting (OpenCode: two to four)."""


class Packages:
    """The SDK and what it needs: there, missing, or found damaged."""

    def __init__(self) -> None:
        self._damage: str | None = None
        """What is wrong with them: what was imported halfway stays so for this process."""
        self._serve: Callable[[Handed], None] | None = None
        self._import = allocate_lock()

    def told(self) -> Introduction:
        """Return what to tell the client."""
        found = quick_introduction()
        if found is None:
            from progress_plugin.usecases.server_instructions import told  # noqa: PLC0415

            found = told()
        return found

    def get_ready(self) -> None:
        """Import what a call needs, or have it installed; runs in a thread of its own."""
        time.sleep(_A_WHILE)
        import os  # noqa: PLC0415 - the handshake does without: a millisecond

        from progress_plugin.core.client_activity import wait_until_idle  # noqa: PLC0415

        wait_until_idle(os.getppid(), _AT_MOST)
        if not self.is_there() and self._damage is None:
            from progress_plugin.usecases.setup import start_in_background  # noqa: PLC0415

            start_in_background(time.time())

    def is_there(self) -> bool:
        """Return whether the SDK's server can take over; it is imported then.

        By one thread alone: of two that import the same, the other one's error names neither file nor cause.
        """
        with self._import:
            if self._serve is None and self._damage is None:
                self._serve = self._imported()
            return self._damage is None and self._serve is not None

    def _imported(self) -> "Callable[[Handed], None] | None":
        """Return what serves; None where packages are missing, or damaged, which is noted."""
        from progress_plugin.core.packages import environment  # noqa: PLC0415

        try:
            if not environment.enter_whole():
                return None
            gc.disable()  # an import makes hardly a cycle, and looking for them takes a twelfth of this one
            from progress_plugin.mcp_server import main  # noqa: PLC0415 - the SDK takes most of a second
        except Exception as error:  # noqa: BLE001 - the one boundary: a damaged package raises anything
            self._damage = _explained(error)
            return None
        finally:
            gc.enable()
        return main

    def take_over(self, handed: "Handed") -> bool:
        """Serve until the client has gone; return False where the server failed before that."""
        assert self._serve is not None  # noqa: S101 - `is_there` said so
        try:
            handed.told = handed.told or self.told()
            self._serve(handed)
        except Exception as failure:  # noqa: BLE001 - the one boundary: packages load parts when they run
            error = _first(failure)
            if isinstance(error, BrokenPipeError):
                raise error from None  # the client has gone
            self._damage = _explained(error)
            self._give_up(handed)
            return False
        return True

    def _give_up(self, handed: "Handed") -> None:
        """Answer what the SDK's server has read and answers no more."""
        from progress_plugin.core.standard_streams import complain  # noqa: PLC0415 - after a failure
        from progress_plugin.usecases.server_without_packages import given_up  # noqa: PLC0415

        if handed.open:
            complain(self._damage or "")
        while handed.open:
            handed.wire.send(given_up(handed.open.pop(0), self._damage or ""))

    def plainly(self, line: bytes) -> "dict[str, Any] | None":
        """Return a message without what is not plain about it; None for what is no message."""
        from progress_plugin.usecases.server_without_packages import plainly  # noqa: PLC0415

        return plainly(line)

    def instead(self, line: bytes, version: str) -> bytes | None:
        """Return the answer to a line that there is nobody to hand to."""
        from progress_plugin.usecases.server_without_packages import answer  # noqa: PLC0415

        return answer(line, version, self._damage)


def _first(failure: Exception) -> Exception:
    """Return what went wrong first: what runs side by side fails as a group."""
    while isinstance(failure, ExceptionGroup):
        failure = failure.exceptions[0]
    return failure


def _explained(error: Exception) -> str:
    """Return what to say of a failure to import or to begin; damaged packages are given up."""
    from progress_plugin.core import error_log  # noqa: PLC0415 - after a failure
    from progress_plugin.core.fast.own_command import command  # noqa: PLC0415
    from progress_plugin.core.packages.damaged_packages import given_up  # noqa: PLC0415

    if (damage := given_up(error)) is not None:
        return damage
    error_log.note("mcp", error)
    return (
        f"the server of the tools failed, {type(error).__name__}: {error}; "
        f"{error_log.place()} says where; run: {command()} doctor"
    )
