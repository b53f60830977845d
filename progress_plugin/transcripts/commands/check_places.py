"""Where a check is run by its own words: a folder that an option names, or the files it is given."""

import posixpath
from collections.abc import Sequence

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.commands.shell_line import joined

_PLACING = (
    "-C", "-p", "--directory", "--project", "--package", "--prefix", "--cwd", "--dir", "--chdir",
    "--rootdir", "--root", "--manifest-path", "--project-directory", "--working-directory", "--project-dir",
)  # fmt: skip
"""Options whose value says where something is run, or of what."""
_FILES = ("--manifest-path",)
"""Those of them that name a file there."""
_FLAGS = LazyPattern(
    r"-[qvxslr]+|--no-[\w-]+|--?(?:verbose|quiet|exitfirst|fail-fast|failfast|bail|strict|all)"
)
"""Options that no value follows."""


def place_of(folder: str, words: Sequence[str]) -> str:
    """Return the folder that a check's options name, from where its line began; empty where none does."""
    place = ""
    own = words[: words.index("--")] if "--" in words else words
    for at, word in enumerate(own):
        option, equals, value = word.partition("=")
        if option not in _PLACING or not (equals or at + 1 < len(own)):
            continue
        value = value if equals else own[at + 1]
        value = posixpath.dirname(value) if option in _FILES else value
        place = joined(place or folder, value) or "."
    return place


def files_of(folder: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the paths that a check is given to look at, from where its line began."""
    paths = [
        word
        for before, word in zip(("", *words), words, strict=False)
        if "/" in word or word.startswith("..")
        if not word.startswith("-")
        and (not before.startswith("-") or "=" in before or _FLAGS.fullmatch(before))
    ]
    return tuple(joined(folder, path) or "." for path in paths)


def is_known(place: str) -> bool:
    """Return whether a place is named as it is: neither a variable nor a command's output."""
    return "$" not in place and "`" not in place
