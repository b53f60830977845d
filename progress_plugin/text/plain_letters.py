"""Letters that look like those of ASCII, as those: full width, mathematical, Cyrillic, Greek.

Only to look for something: a text in another script is none any more once its letters are exchanged.
"""

from __future__ import annotations

import unicodedata

_ALIKE = (
    ("аеорсухіјѕԁһӏԛԝѵмтк", "aeopcyxijsdhlqwvmtk"),  # Cyrillic
    ("АВЕКМНОРСТХІЈЅУ", "ABEKMHOPCTXIJSY"),
    ("αενικορτυχ", "aevikoptux"),  # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("ɑɡıոսօ", "aginuo"),  # Latin and Armenian
)


class _Plain(dict[int, int]):
    """What each character is read as, filled as they are met."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKC", chr(code))
        # A bracket or bar of another width is one already to who looks for it.
        self[code] = (
            ord(plain) if plain.isascii() and (plain.isalnum() or plain == "_") and len(plain) == 1 else code
        )
        return self[code]


_PLAIN = _Plain(
    {ord(char): ord(plain) for chars, plains in _ALIKE for char, plain in zip(chars, plains, strict=True)}
)


def in_plain_letters(text: str) -> str:
    """Return a text of the same length with letters of ASCII for those that look like them."""
    return text.translate(_PLAIN)
