"""The whole paths of what is opened, from audit events: files are opened part by part, each from its folder."""

from __future__ import annotations

import os

_FOLDER = getattr(os, "O_DIRECTORY", 0)


class Openings:
    """Follows the openings of one thread."""

    def __init__(self) -> None:
        self._at = ""

    def path(self, opened: object, flags: object) -> str | None:
        """Return the whole path of what an event says is opened; None for a handle and a folder on the way."""
        if not isinstance(opened, str):
            return None
        path = os.path.join(self._at, opened)
        if isinstance(flags, int) and flags & _FOLDER:
            self._at = path
            return None
        return path
