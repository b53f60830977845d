"""What happened while reading was switched off: it stays unread when it is switched on again.

A file in the user's state directory holds `off` from the first sight of the switch, and afterwards the moment
at which it was first seen on again. A project has one, and a switch in the user's own configuration another.
"""

import os
from datetime import UTC, datetime
from typing import Any

from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import make_private, state_directory, user_state
from progress_plugin.log.timestamp import moment
from progress_plugin.transcripts.clients.json_members import at, items, text
from progress_plugin.transcripts.events import Happening

FILE = "switched_off"
_OFF = b"off"


class Pause:
    """Tells which lines of a transcript are from before the end of the last pause."""

    def __init__(self, end: datetime | None) -> None:
        self._end = end
        self._inside = False
        self.has_hidden = False
        """Whether any line was."""

    def covers(self, line: dict[str, Any]) -> bool:
        """Return whether a line may not be read; one without a time belongs to the one before."""
        if self._end is None:
            return False
        when = moment(text(line, "timestamp")) or moment(
            at(next(iter(items(line, "parts")), None), "created")
        )
        self._inside = when <= self._end if when is not None else self._inside
        self.has_hidden = self.has_hidden or self._inside
        return self._inside

    def hides(self, event: Happening) -> bool:
        """Return whether an event is older than the line that tells it, and may not be known."""
        when = moment(event.when) if self._end is not None else None
        return when is not None and self._end is not None and when <= self._end


def begin_pause(root: str, *, for_user: bool = False) -> None:
    """Note that nothing may be read from now on. Raises AgentProgressError where that cannot be written."""
    folder = _folder(root, for_user=for_user)
    if folder is not None and read_inside(None, os.path.join(folder, FILE)) != _OFF:
        _note(folder, _OFF)


def end_pause(root: str) -> datetime | None:
    """Return up to when nothing may be read, None where that was never switched off.

    The first one to ask after a pause ends it. Raises AgentProgressError where that cannot be written.
    """
    ends = [_end(folder) for of_user in (False, True) if (folder := _folder(root, for_user=of_user))]
    return max((end for end in ends if end is not None), default=None)


def _end(folder: str) -> datetime | None:
    data = read_inside(None, os.path.join(folder, FILE))
    if data is None:
        return None
    end = moment(data.decode("utf-8", "replace").strip())
    if end is None:  # off, or nothing that is understood: then nothing before now is read
        end = datetime.now(UTC)
        _note(folder, end.isoformat().replace("+00:00", "Z").encode())
    return end


def _folder(root: str, *, for_user: bool) -> str | None:
    return user_state() if for_user else state_directory(root)


def _note(folder: str, data: bytes) -> None:
    make_private(folder)
    write_atomic(os.path.join(folder, FILE), data, durable=False, private=True)
