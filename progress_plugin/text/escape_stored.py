"""Text of our own log as other files of ours repeat it: harmless, and redacted when it was stored.

Looking for secrets again in every field of every entry would double the cost of an append. So this is for the
log's own package alone, for `progress.md` and for events; whatever is shown goes through `text.safe_output`
all the same, since an older version or another program may have stored it.
"""

from __future__ import annotations

from progress_plugin.text.escape import defused_item, defused_line
from progress_plugin.text.visible import flat, visible


def stored_line(text: str) -> str:
    """Return the text as one line that cannot act; it is never shortened, which could cut a secret in two."""
    return defused_line(_flat(text), None)


def stored_item(text: str) -> str:
    """Return the same as the text of a list item."""
    return defused_item(_flat(text), None)


def _flat(text: str) -> str:
    """Return the text as one line without what cannot be seen: nearly all texts are that already."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")
    return flat(visible(text))
