"""How long a text is for a client (S9.2)."""

from __future__ import annotations


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as the clients count it (S9.2)."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
