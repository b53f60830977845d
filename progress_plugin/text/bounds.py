"""How much of a text somebody else wrote is worked on: the one place that says it (S16.2).

A line of a log has some hundred characters, a generated one a million. Patterns and rules are made for the
first; what they cost for the second must not be the square of it. Nothing is lost by this: the file keeps
all, and a summary shows some hundred characters of a statement.
"""

from __future__ import annotations

LINE = 4000
"""Characters of one line of Markdown, one id or one title. The longest line of 44,000 real ones has 2,000."""
STATEMENT = 8000
"""Characters of one statement: a paragraph, an item with its further lines, a field of a plan or entry."""
