"""Whether a text names a file: by its path, by the end of it, or by its name alone (S18.7).

Which file a recorded path means when a tool opens one is decided in `core.fast.named_files`.
"""

import re

_STOPS = ".:…!?"
_NUMBERS = 2
"""Of line and column."""
_BETWEEN = re.compile(r"[\s`'\"(),;|<>‹›]+")


def parts_of(path: str) -> tuple[str, ...]:
    """Return the folders and the name of a path in small letters, as they are compared."""
    plain = path.replace("\\", "/").casefold()
    return tuple(part for part in plain.split("/") if part not in {"", "."})


def names_file(text: str, asked: tuple[str, ...]) -> bool:
    """Return whether a text names the file with these parts, or a file in the folder with them.

    One of two paths must be the end of the other: `db.ts` is `src/db.ts`, `lib/db.ts` is not. A mere word is
    no path: `gate` in a sentence is not `src/gate`.
    """
    low = text.casefold()
    if not asked or asked[-1] not in low:
        return False
    words = (word for word in _BETWEEN.split(low) if asked[-1] in word)
    named = (parts_of(_path_in(word)) for word in words)
    is_word = len(asked) > 1 and "." not in asked[-1]
    return any(
        (is_same(parts, asked) and not (is_word and len(parts) == 1)) or _is_in(parts, asked)
        for parts in named
    )


def _is_in(parts: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    """Return whether a path leads through a folder."""
    length = len(folder)
    return any(parts[at : at + length] == folder for at in range(len(parts) - length))


def _path_in(word: str) -> str:
    """Return a word without what follows a path in a sentence: the number of a line, a full stop."""
    path = word.rstrip(_STOPS)
    for _ in range(_NUMBERS):
        before, colon, number = path.rpartition(":")
        if colon and number[:1].isdigit():
            path = before
    return path


def is_same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether the parts of one path are the end of the other's."""
    length = min(len(one), len(other))
    return length > 0 and one[-length:] == other[-length:]
