"""A learning: what a repository taught the agents that worked in it."""

from enum import StrEnum
from typing import NamedTuple


class LearningKind(StrEnum):
    """What a learning is good for."""

    PATTERN = "pattern"
    GOTCHA = "gotcha"
    DEPENDENCY = "dependency"


class Learning(NamedTuple):
    """One statement worth remembering, with where it was found."""

    kind: LearningKind
    text: str
    """Without list marker and label; inline Markdown is kept; one line."""
    source: str
    """Path of the log, relative to the project root; empty for our own log."""
    lines: tuple[int, ...] = ()
    """1-based line of each place that says it, the one whose wording survives first."""
    story: str | None = None
    """Id of the story whose entry says it."""
    plan: str | None = None
    """Which other plan than the leading one that story is of: its ids may be the same."""
    files: tuple[str, ...] = ()
    """Paths the text names."""
    mentions: int = 1
    position: int = 0
    """Order of its newest mention in the history, higher = newer; 0 for a head section."""
    replaced: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    """Text, source and lines of the older statements that it, or one that says the same, has corrected."""
