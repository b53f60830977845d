"""Lengths and counts of text: cut at a word, named and counted items, the length a client counts."""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 5
"""Items that a sentence names before it counts the rest."""
MAX_LINE = 4000
"""Characters of one line of Markdown, one id or one title. The longest line of 44,000 real ones has 2,000."""

_FOUR_BYTES = bytes(range(0xF0, 0xF5))
"""First bytes of the characters that take four in UTF-8, and two units in UTF-16."""
_MAX_SECRET = 2000
_WORD_SIGNS = "".join(map(chr, range(33, 127)))


def some_of(names: Sequence[str], most: int = NAMED) -> str:
    """Return `a, b and 7 more`: the first `most` of them, and the number of the others."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 entry`, `2 entries`, `1,000 files`; `many` is for irregular plurals."""
    plural = f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else f"{one}s"
    return f"{number:,} {one if number == 1 else many or plural}"


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as the clients count it."""
    if text.isascii():
        return len(text)
    data = text.encode("utf-8", "surrogatepass")
    return len(text) + len(data) - len(data.translate(None, _FOUR_BYTES))


def head(text: str, most: int) -> str:
    """Return at most so many characters of a text, without a word that the bound would cut.

    Half a secret is not recognised, so a word is never cut before it was redacted.
    """
    if len(text) <= most:
        return text
    return text[:most].rstrip(_WORD_SIGNS) if text[most] in _WORD_SIGNS else text[:most]


def tail(text: str, most: int) -> str:
    """Return at most so many characters of the end of a text, as `head` does of its beginning."""
    if len(text) <= most:
        return text
    return text[-most:].lstrip(_WORD_SIGNS) if text[-most - 1] in _WORD_SIGNS else text[-most:]


def shortened(text: str, most: int, mark: str = "") -> str:
    """Return at most so many characters of a text, then `mark` if there were more, and no part of a secret.

    A word that the bound would cut is left out. If it is the only one, it is redacted and cut.
    """
    if len(text) <= most:
        return text
    return (head(text, most).rstrip() or _cut_word(text, most)) + mark


def _cut_word(text: str, most: int) -> str:
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - it is built upon this module; rare

    redacted, count = redact(text[: most + _MAX_SECRET])
    if not count:
        return redacted[:most].strip()
    # Behind the first mark nothing is at its place: a part of another secret may have moved before the bound.
    before, mark, behind = redacted.partition("[REDACTED:")
    if not mark:
        return ""
    return before[:most].strip() + (f"{mark}{behind.partition(']')[0]}]" if len(before) < most else "")
