"""An event of the history: one entry of a log, ours or an agent's own (S5.5)."""

from __future__ import annotations

from typing import NamedTuple

from progress_plugin.model.status import Status


class Event(NamedTuple):
    """Something that happened, as one entry of one log tells it."""

    stories: tuple[str, ...]
    """Ids of the stories it is about, in the order of its heading; empty where none is named."""
    title: str | None
    status: Status
    type: str
    """A type of S1.2 for our entries, `authored` for an entry of an agent's own log."""
    source: str
    """Path of the log, relative to the project root."""
    position: int
    """True order within the source, 1 = oldest; ids and file order need not agree with it."""
    when: str | None = None
    """ISO 8601 in UTC, or a bare `YYYY-MM-DD`, or None where the log gives no usable date."""
    line: int | None = None
    """Line of its heading, 1-based; None for our own log."""
    spec: str | None = None
    details: tuple[str, ...] = ()
    """What was done, one item each, unshortened."""
    files: tuple[str, ...] = ()
    label: str = ""
    """What to call an entry without id and title: the line it begins with."""
