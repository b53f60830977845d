"""How long a text is for a client (S9.2).

How long a start's output may be is decided in `summary.start_context` (`CAP`).
"""

from __future__ import annotations

_FOUR_BYTES = bytes(range(0xF0, 0xF5))
"""What begins a character of four bytes in UTF-8: those take two units in UTF-16."""


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as the clients count it (S9.2)."""
    if text.isascii():
        return len(text)
    data = text.encode("utf-8", "surrogatepass")  # no codec need be loaded for this one
    return len(text) + len(data) - len(data.translate(None, _FOUR_BYTES))
