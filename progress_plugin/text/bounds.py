"""How much of what somebody else wrote is worked on (S16.2), how many are named, how numbers are said.

A line of a log has some hundred characters, a generated one a million. Patterns and rules are made for the
first; what they cost for the second must not be the square of it. Nothing is lost by this: the file keeps
all, and a summary shows some hundred characters of a statement. `core/files/safe_read.py`
says how large a file may be.
"""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 5
"""Items that a sentence names before it counts the rest."""
MAX_LINE = 4000
"""Characters of one line of Markdown, one id or one title. The longest line of 44,000 real ones has 2,000."""
MAX_STATEMENT = 8000
"""Characters of one statement: a paragraph, an item with its further lines, a field of a plan or entry."""


def some_of(names: Sequence[str], most: int = NAMED) -> str:
    """Return `a, b and 7 more`: the first `most` of them, and the number of the others."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 entry`, `2 entries`, `1,000 files`; `many` is for what ends neither in s nor in ies."""
    return f"{number:,} {one if number == 1 else many or _plural(one)}"


def _plural(one: str) -> str:
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else f"{one}s"
