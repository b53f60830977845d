"""How much of what somebody else wrote is worked on, how many are named, how long a text is.

A line of a log has some hundred characters, a generated one a million. Patterns and rules are made for the
first; what they cost for the second must not be the square of it. Nothing is lost by this: the file keeps
all, and a summary shows some hundred characters of a statement. `core/files.py`
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

_FOUR_BYTES = bytes(range(0xF0, 0xF5))
"""What begins a character of four bytes in UTF-8: those take two units in UTF-16."""
_LONGEST_SECRET = 2000
"""Characters behind a bound in which a secret ends that began before it."""
_OF_WORDS = "".join(map(chr, range(33, 127)))


def some_of(names: Sequence[str], most: int = NAMED) -> str:
    """Return `a, b and 7 more`: the first `most` of them, and the number of the others."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 entry`, `2 entries`, `1,000 files`; `many` is for what ends neither in s nor in ies."""
    return f"{number:,} {one if number == 1 else many or _plural(one)}"


def _plural(one: str) -> str:
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else f"{one}s"


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as the clients count it."""
    if text.isascii():
        return len(text)
    data = text.encode("utf-8", "surrogatepass")  # no codec need be loaded for this one
    return len(text) + len(data) - len(data.translate(None, _FOUR_BYTES))


def head(text: str, most: int) -> str:
    """Return at most so many characters of a text, without the word that the bound would cut.

    Half a secret is known by no shape, so nothing is cut before it was looked for. A word is what a secret
    can be made of: a language without blanks loses nothing.
    """
    if len(text) <= most:
        return text
    return text[:most].rstrip(_OF_WORDS) if text[most] in _OF_WORDS else text[:most]


def shortened(text: str, most: int, mark: str = "") -> str:
    """Return at most so many characters of a text, then `mark` if there were more, and no part of a secret.

    The word that the bound would cut is left out. Where nothing but that word is there, all up to the bound
    is told, unless the word holds a secret: then it ends where the first one is.
    """
    if len(text) <= most:
        return text
    return (head(text, most).rstrip() or _of_one_word(text, most)) + mark


def _of_one_word(text: str, most: int) -> str:
    from progress_plugin.text.redact import redact  # noqa: PLC0415 - it is built upon this module; rare

    redacted, count = redact(text[: most + _LONGEST_SECRET])
    if not count:
        return redacted[:most].strip()
    before, mark, behind = redacted.partition("[REDACTED:")
    if not mark:
        return ""
    # Behind what went nothing is at its place: a part of another may have moved before the bound.
    return before[:most].strip() + (f"{mark}{behind.partition(']')[0]}]" if len(before) < most else "")


def tail(text: str, most: int) -> str:
    """Return the end of a text, as `head` does its beginning."""
    if len(text) <= most:
        return text
    return text[-most:].lstrip(_OF_WORDS) if text[-most - 1] in _OF_WORDS else text[-most:]
