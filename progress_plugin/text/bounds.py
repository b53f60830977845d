"""Cut text at a word, name and count items, and measure text as clients do, in UTF-16 units and in tokens.

The token weights were fitted to two public vocabularies on progress logs: a word costs about half a token and
a little for each letter, a punctuation mark nearly a whole token.
"""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 5  # items that a sentence names before it counts the rest

_MAX_BEGINNING = 8  # characters of a word that is cut: if it is a secret, so few are useless
_WORD_SIGNS = "".join(map(chr, range(33, 127)))
TOKENS_PER_WORD = 0.55
BYTES_AND_WEIGHTS = (
    (b"abcdefghijklmnopqrstuvwxyz", 0.10),
    (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.23),
    (b"0123456789", 0.39),
    (b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 0.80),
    (b"\n", 0.25),
    # The first byte of a character beyond ASCII in UTF-8.
    (bytes(range(0xC2, 0xCE)), 0.90),  # accented Latin
    (bytes(range(0xCE, 0xE0)), 0.36),  # Greek, Cyrillic, Hebrew, Arabic
    (bytes(range(0xE0, 0xE3)), 0.70),  # Indic, Thai, dashes, arrows
    (bytes(range(0xE3, 0xEE)), 0.89),  # kana, Chinese, Korean
    (b"\xee\xef", 1.40),  # full-width signs, the selector after an emoji
    (bytes(range(0xF0, 0xF5)), 2.60),  # emoji
)
CLASS_OF_BYTE = bytearray(256)
for _number, (_members, _) in enumerate(BYTES_AND_WEIGHTS, 1):
    for _byte in _members:
        CLASS_OF_BYTE[_byte] = _number


def some_of(names: Sequence[str], most: int = NAMED) -> str:
    """Return `a, b and 7 more`: the first `most` names, and the number of the others."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 entry`, `2 entries`, `1,000 files`; `many` is for irregular plurals."""
    plural = f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else f"{one}s"
    return f"{number:,} {one if number == 1 else many or plural}"


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def head(text: str, most: int) -> str:
    """Return the first `most` characters of a text, without an ASCII word that the bound would cut.

    Half a secret is not recognised as one, so such a word is dropped rather than cut.
    """
    if len(text) <= most:
        return text
    return text[:most].rstrip(_WORD_SIGNS) if text[most] in _WORD_SIGNS else text[:most]


def tail(text: str, most: int) -> str:
    """Return the last `most` characters of a text, without an ASCII word that the bound would cut."""
    if len(text) <= most:
        return text
    return text[-most:].lstrip(_WORD_SIGNS) if text[-most - 1] in _WORD_SIGNS else text[-most:]


def shortened(text: str, most: int, mark: str = "") -> str:
    """Return the first `most` characters of a text, then `mark` if there were more.

    As in `head`, but if that leaves nothing, up to 8 characters of the first word stay.
    """
    if len(text) <= most:
        return text
    return (head(text, most).rstrip() or text[: min(most, _MAX_BEGINNING)].rstrip()) + mark


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens; estimates of parts add up to about the estimate of the whole."""
    classes = text.encode("utf-8", "replace").translate(CLASS_OF_BYTE)
    signs = sum(weight * classes.count(number) for number, (_, weight) in enumerate(BYTES_AND_WEIGHTS, 1))
    return round(TOKENS_PER_WORD * len(text.split()) + signs) or bool(text)
