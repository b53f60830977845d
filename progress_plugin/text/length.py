"""How long a text is for a client (S9.2)."""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as the clients count it (S9.2)."""
    if text.isascii():
        return len(text)
    return len(text) + sum(map("\uffff".__lt__, text))  # those take two units each; no codec is loaded for it
