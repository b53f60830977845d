"""The entries of a log whose reading depends on nothing around them, known again by what they say.

A log grows at one end and is edited at the other, so what was read of an entry is remembered by its blocks
and not by its place: by readers of bodies (`authored.reader`), passages (`passages.reader`) and learnings
(`learnings.extract`), each beside what else it looks at.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from progress_plugin.authored.entry import AuthoredEntry
from progress_plugin.core.files import content_digest
from progress_plugin.text.markdown import HEADING, RULE, MarkdownDocument

_WITHOUT_REFERENCES = 2
"""The format of `marshal` in which equal values are written alike."""


class EntryBlocks(NamedTuple):
    """The blocks of one entry that stands for itself."""

    start: int
    stop: int
    line: int
    """That it begins on."""
    digest: str
    """Of all that its blocks are, lines and parents counted from its beginning."""
    says: str
    """All its text."""


def self_contained(document: MarkdownDocument, entries: Iterable[AuthoredEntry]) -> Iterator[EntryBlocks]:
    """Yield the entries from one heading to another in which nothing hangs on what is before them.

    A heading ends every list, label, paragraph and table, and what is below it knows of the outside what the
    heading itself is below.
    """
    blocks = document.blocks
    for entry in entries:
        start, stop = entry.start, entry.stop
        if not start or entry.first != start + 1 or blocks[start].kind is not HEADING:
            continue
        after = blocks[stop] if stop < len(blocks) else None
        if after is not None and after.kind is not HEADING:
            continue
        kinds, lines, indents, levels, texts, parents = zip(*blocks[start:stop], strict=True)
        inner = [parent - start for parent in parents[1:]]
        if (
            inner
            and min(inner) < 0
            and not all(parent >= 0 or kind is RULE for parent, kind in zip(inner, kinds[1:], strict=True))
        ):
            continue
        line = lines[0]
        told = (
            bytes(kinds), [each - line for each in lines], indents, levels, texts,
            [max(parent, -1) for parent in inner],
            after is not None and after.parent == stop - 1,
        )  # fmt: skip
        digest = content_digest(marshal.dumps(told, _WITHOUT_REFERENCES)).decode()
        yield EntryBlocks(start, stop, line, digest, "\n".join(texts))
