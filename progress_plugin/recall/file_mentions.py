"""Whether a text or a question names a file: by its path, by the end of it, or by its name alone."""

import re

from progress_plugin.text.patterns import LazyPattern

_STOPS = ".:…!?"
_PLACE = LazyPattern(r"(?<=.)(?:(?::\d[^:]*){1,2}|#L\d[-L\d]*)$", re.ASCII | re.IGNORECASE)
"""Line and column, or lines as a link names them."""
_BETWEEN = LazyPattern(r"[\s`'\"(),;|<>‹›]+")


def parts_of(path: str) -> tuple[str, ...]:
    """Return the folders and the name of a path in small letters, as they are compared."""
    plain = path.replace("\\", "/").casefold()
    return tuple(part for part in plain.split("/") if part not in {"", "."})


def names_file(text: str, asked: tuple[str, ...], *, whole: bool = False) -> bool:
    """Return whether a text names the file with these parts, or a file in the folder with them.

    One of two paths must be the end of the other: `db.ts` is `src/db.ts`, `lib/db.ts` is not. A mere word is
    no path: `gate` in a sentence is not `src/gate`. With `whole` the text must have all of what is asked.
    """
    low = text.casefold()
    if not asked or asked[-1] not in low:
        return False
    words = (word for word in _BETWEEN.split(low) if asked[-1] in word)
    named = (parts_of(without_place(word.rstrip(_STOPS))) for word in words)
    is_word = len(asked) > 1 and "." not in asked[-1]
    return any(
        (is_same(parts, asked, whole=whole) and not (is_word and len(parts) == 1)) or _is_in(parts, asked)
        for parts in named
    )


def _is_in(parts: tuple[str, ...], folder: tuple[str, ...]) -> bool:
    """Return whether a path leads through a folder."""
    length = len(folder)
    return any(parts[at : at + length] == folder for at in range(len(parts) - length))


def without_place(path: str) -> str:
    """Return a path without the place in the file that follows it: `:14`, `:14:3`, `#L14`."""
    return _PLACE.sub("", path)


def is_same(named: tuple[str, ...], asked: tuple[str, ...], *, whole: bool = False) -> bool:
    """Return whether the parts of one path are the end of the other's; of `whole`, all that is asked."""
    length = len(asked) if whole else min(len(named), len(asked))
    return length > 0 and named[-length:] == asked[-length:]


def is_path(question: str) -> bool:
    """Return whether a question is one path: a word with a folder or a file's ending in it."""
    if len(question.split()) != 1 or not ("/" in question or "." in question):
        return False
    from progress_plugin.text.paths_in_text import paths_in  # noqa: PLC0415 - few questions are a path

    return bool(paths_in(question))
