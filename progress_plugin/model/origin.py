"""Where a text that is shown was found, carried by the text itself.

From which line of which file a shown text comes is looked up in `usecases.tracing.origin_lookup`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Self


class Origin(NamedTuple):
    """A place that says something, as far as its reader knew it; the rest is looked up when asked for."""

    source: str = ""
    """Path of the file, relative to the project root; empty for our own log and its archive."""
    line: int = 0
    """1-based; 0 where only the entry, the story or the file is known."""
    last: int = 0
    """Last line of the statement; 0 where `line` is merely where its entry or story begins."""
    position: int = 0
    """Place in true order of the entry it is in, as in `Event`; 0 for what is outside of entries."""
    entry: str | None = None
    """Id of an entry of ours."""
    story: str | None = None
    """Id of a story of a plan."""


DOCUMENT = Origin("the progress document")
"""The one source that is no file of the project: a row of the memory database."""
HEAD = Origin("HEAD")
"""What git has checked out."""


class Cited(str):
    """A text that says where it comes from.

    Whatever is made of it is plain text again, so what is shown is cited last, where its origin is known.
    """

    __slots__ = ("origins",)
    origins: tuple[Origin, ...]

    def __new__(cls, text: str, *origins: Origin) -> Self:
        """Return the text with its origins, the one that says it best first."""
        cited = super().__new__(cls, text)
        cited.origins = origins
        return cited


def origins_of(text: str | None) -> tuple[Origin, ...]:
    """Return where a text says that it comes from; nothing for plain text."""
    return text.origins if isinstance(text, Cited) else ()
