"""Find the entries of a log that is written version by version: `## v0.6.8 - title`, `## Completed 0.6`."""

from __future__ import annotations

import re

from progress_plugin.authored.entry import EntryCandidate
from progress_plugin.authored.heading import read_heading
from progress_plugin.text.labels import plain, undecorated
from progress_plugin.text.markdown import Block
from progress_plugin.text.patterns import LazyPattern

_VERSION = LazyPattern(
    r"(?:[^\W\d]{3,}\s+){0,2}[\[(]?(?P<sure>v)?(?P<number>\d{1,4}(?:\.\d{1,4}){1,3})\b", re.IGNORECASE
)
_SURE_DOTS = 2
"""Of a number that is a version whatever stands beside it: `0.6` may be the number of a section, too."""
_PLACES = 4


def by_version(blocks: tuple[Block, ...]) -> list[EntryCandidate]:
    """Return the headings of one level that begin with versions, if there are several, each once.

    The number of each orders them: changes are mostly listed newest first.
    """
    found: list[tuple[EntryCandidate, tuple[int, ...]]] = []
    sure = False
    for index, block in enumerate(blocks):
        named = _VERSION.match(undecorated(plain(block.text))) if block.level > 1 else None
        if named and (not found or block.level == found[0][0].level):
            version = tuple(int(part) for part in named["number"].split("."))
            sure = sure or bool(named["sure"]) or len(version) > _SURE_DOTS
            heading = read_heading(block.text, {})._replace(ids=(), number=_ordinal(version))
            found.append((EntryCandidate(index, block.level, heading), version))
    several = sure and len(found) > 1 and len({version for _, version in found}) == len(found)
    return [candidate for candidate, _ in found] if several else []


def _ordinal(version: tuple[int, ...]) -> int:
    """Return a number that is greater for a later version."""
    filled = (*version, *[0] * (_PLACES - len(version)))
    return sum(part * 10_000**place for place, part in enumerate(reversed(filled)))
