"""Text of plans and logs as it may be shown to an agent: secrets taken out, then made harmless (S16.3).

Secrets go first, while the text is whole: a shortened one would no longer be known by its shape.
"""

from __future__ import annotations

from progress_plugin.text import escape
from progress_plugin.text.redact import redact


def one_line(text: str, limit: int | None = None) -> str:
    """Return `escape.one_line` of a text without its secrets."""
    return escape.one_line(redact(text)[0], limit)


def cell(text: str, limit: int | None = None) -> str:
    """Return `escape.cell` of a text without its secrets."""
    return escape.cell(redact(text)[0], limit)


def item(text: str, limit: int | None = None) -> str:
    """Return `escape.item` of a text without its secrets."""
    return escape.item(redact(text)[0], limit)


def page(text: str) -> str:
    """Return `escape.clean` of a whole text without its secrets, line ends and Markdown kept.

    It is cleaned first, too: a secret with a character in it that nobody sees would not be known for one, and
    whole again once that character is gone.
    """
    return escape.clean(redact(escape.clean(text))[0])
