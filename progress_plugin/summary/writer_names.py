"""Which lines of a summary name the clone that they come from, since a reader would mistake it (S20.1).

In a project of one clone none does. Who finished or claims a story is told in `summary.next_work`, whose
blocker one is, in `summary.shown_blockers`.
"""

from __future__ import annotations

from progress_plugin.core.light_typing import TYPE_CHECKING
from progress_plugin.model.claim import THIS_CLONE
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from progress_plugin.model.event import Event

_LONGEST = 90


def name_of(event: Event | None, heading: str = "") -> str:
    """Return who said something, where that is another than its heading names; empty for the same one.

    `heading` is empty where that names nobody: then what was written here needs no name.
    """
    writer = event.writer if event is not None else None
    name = one_line(writer, _LONGEST) if writer else THIS_CLONE if heading else ""
    return "" if name == heading else name


def with_name(text: str, name: str) -> str:
    """Return `text (by host-b)`, or the text alone where nobody has to be named."""
    return f"{text} (by {name})" if name else text
