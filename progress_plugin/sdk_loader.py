"""What follows the MCP handshake: the SDK's server, or an answer while its packages are missing.

Why packages are missing, and until when, is told by `usecases.missing_packages`.

Everything is imported when it is needed: the handshake is answered by then.
"""

import gc
import time

from progress_plugin.core.fast.server_introduction import Introduction, quick_introduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from progress_plugin.core.fast.mcp_handshake import Handed

_A_WHILE = 1.0
"""Seconds from the tools' listing to work that nobody waits for: the client's first request goes first."""


class Packages:
    """The SDK and what it needs: there, missing, or found damaged."""

    def __init__(self) -> None:
        self._damage: str | None = None

    def told(self) -> Introduction:
        """Return what to tell the client."""
        found = quick_introduction()
        if found is None:
            from progress_plugin.core.caches import module_cache  # noqa: PLC0415 - what follows is most of 60 ms

            module_cache.recall("server")
            from progress_plugin.usecases.server_instructions import told  # noqa: PLC0415

            found = told()
            module_cache.keep()
        return found

    def get_ready(self) -> None:
        """Import what a call needs, or have it installed; runs in a thread of its own."""
        time.sleep(_A_WHILE)
        if not self.is_there() and self._damage is None:
            from progress_plugin.usecases.setup import start_in_background  # noqa: PLC0415

            start_in_background(time.time())

    def is_there(self) -> bool:
        """Return whether the SDK's server can take over; it is imported then."""
        from progress_plugin.core.packages import environment  # noqa: PLC0415

        try:
            if self._damage or not environment.enter_whole():
                return False
            gc.disable()  # an import makes hardly a cycle, and looking for them takes a twelfth of this one
            from progress_plugin import mcp_server  # noqa: F401, PLC0415 - the SDK takes most of a second
        except ImportError as error:
            self._damage = environment.given_up(error)
            if self._damage is None:
                raise
            return False
        finally:
            gc.enable()
        return True

    def take_over(self, handed: "Handed") -> None:
        """Serve until the client has gone."""
        from progress_plugin.mcp_server import main  # noqa: PLC0415

        handed.told = handed.told or self.told()
        main(handed)

    def plainly(self, line: bytes) -> "dict[str, Any] | None":
        """Return a message without what is not plain about it; None for what is no message."""
        from progress_plugin.usecases.server_without_packages import plainly  # noqa: PLC0415

        return plainly(line)

    def instead(self, line: bytes, version: str) -> bytes | None:
        """Return the answer to a line that there is nobody to hand to."""
        from progress_plugin.usecases.server_without_packages import answer  # noqa: PLC0415

        return answer(line, version, self._damage)
