"""A question that is one path: what names that very file comes before what has its words."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from progress_plugin.recall.file_mentions import is_same, names_file, parts_of

if TYPE_CHECKING:
    from progress_plugin.recall.search import Hit


def is_path(question: str) -> bool:
    """Return whether a question is one path: a word with a folder or a file's ending in it."""
    if len(question.split()) != 1 or not ("/" in question or "." in question):
        return False
    from progress_plugin.text.paths_in_text import paths_in  # noqa: PLC0415 - 30 KB of patterns; few questions are a path

    return bool(paths_in(question))


def naming(path: str, hits: Iterable["Hit"]) -> Iterator["Hit"]:
    """Yield those hits that name a path, or stand in the file itself; none for the root's empty path."""
    asked, whole = parts_of(path), os.path.isabs(path)
    if not asked:
        return
    for hit in hits:
        if names_file(hit.text, asked, whole=whole) or is_same(parts_of(hit.path), asked, whole=whole):
            yield hit
