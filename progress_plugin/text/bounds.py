"""How much of a line or statement that somebody else wrote is worked on (S16.2), and how many are named.

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
