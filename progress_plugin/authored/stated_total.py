"""Read how many stories of how many are done by a log's own count.

Without a plan nobody else knows the whole: the entries name the stories that somebody wrote about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from progress_plugin.authored.reader import AuthoredLog
from progress_plugin.model.origin import Origin
from progress_plugin.text.labels import plain, split_label
from progress_plugin.text.markdown import ROW, Block, cells
from progress_plugin.text.patterns import LazyPattern

_UNITS = r"(?P<unit>features?|(?:user )?stor(?:y|ies)|tasks?|tickets?|issues?)"
_DONE = r"(?:pass(?:ing|ed)|completed?|done|finished|implemented)"
_SHARE = LazyPattern(
    rf"(?<![\w./-])(?P<done>\d{{1,5}}) ?(?:/|of|out of) ?(?P<total>\d{{1,5}})(?![\w./%-]) {_UNITS}"
    rf"(?: (?:are|is|now))*+ {_DONE}\b",
    re.IGNORECASE,
)
"""`123/125 features passing`."""
_MAY_SHARE = LazyPattern(r"\d ?(?:/|of|out of) ?\d")
_TOTAL = LazyPattern(
    rf"total(?: number of)? {_UNITS}|{_UNITS.replace('unit', 'other')} (?:in )?total", re.IGNORECASE
)
_FINISHED = LazyPattern(rf"(?:{_UNITS} )?{_DONE}|{_DONE} {_UNITS.replace('unit', 'other')}", re.IGNORECASE)
_SHARE_LABEL = LazyPattern(
    rf"(?:total )?(?P<unit>(?!(?:test|check|assertion|suite|file|line|session|iteration)s )[a-z]+s) {_DONE}",
    re.IGNORECASE,
)
"""`Patterns completed` above a count: whatever the work is counted in, but what is not the work."""
_SHARE_VALUE = LazyPattern(
    r"\D{0,3}(?P<done>\d{1,5}) ?(?:/|of|out of) ?(?P<total>\d{1,5})(?![\w./%-])", re.IGNORECASE
)
_NUMBER = LazyPattern(r"\D{0,3}(\d{1,5})(?![\w./%-])")
_NEAR = 6
"""Lines between the total and what of it is done."""
_FEWEST = 2
_LONGEST = 300


class StatedTotal(NamedTuple):
    """What a log counts."""

    done: int
    total: int
    unit: str
    origins: tuple[Origin, ...]

    @property
    def share(self) -> str:
        """`123/125 features`."""
        return f"{self.done}/{self.total} {self.unit}"


def stated_total(logs: Iterable[AuthoredLog]) -> StatedTotal | None:
    """Return the newest count of a log, of several logs the one of the most stories."""
    return max(filter(None, map(_newest, logs)), key=lambda each: each.total, default=None)


def _newest(log: AuthoredLog) -> StatedTotal | None:
    """Return what the newest entry counts that does, or what stands outside of entries and is further on."""
    inside: tuple[int, StatedTotal] | None = None
    outside: StatedTotal | None = None
    for found in (*_shares(log), *_fields(log)):
        place = log.owner_of_line(found.origins[0].line)[1]
        if place and (inside is None or place >= inside[0]):
            inside = place, found
        elif not place and (outside is None or found.done >= outside.done):
            outside = found
    if inside is None or outside is None:
        return inside[1] if inside else outside
    is_further = outside.total == inside[1].total and outside.done > inside[1].done
    return outside if is_further else inside[1]


def _shares(log: AuthoredLog) -> Iterator[StatedTotal]:
    for block in log.document.blocks:
        if _MAY_SHARE.search(block.text):
            for found in _SHARE.finditer(plain(block.text)):
                yield from _sound(log, [block], int(found["done"]), int(found["total"]), found["unit"])
            yield from _labelled_share(log, block)


def _labelled_share(log: AuthoredLog, block: Block) -> Iterator[StatedTotal]:
    """Yield what `Patterns completed: 13/924` counts."""
    name, value = split_label(block.text)
    label, found = _SHARE_LABEL.fullmatch(plain(name)), _SHARE_VALUE.match(plain(value))
    if label and found:
        yield from _sound(log, [block], int(found["done"]), int(found["total"]), label["unit"])


def _fields(log: AuthoredLog) -> Iterator[StatedTotal]:
    """Yield the counts of lists and tables: `Total features: 4` with `Completed: 4` above or below."""
    # Most blocks are far from every total, and what they count counts with none.
    blocks = log.document.blocks
    totals = [at for at, block in enumerate(blocks) if "total" in block.text.casefold()]
    near = {at for total in totals for at in range(total - _NEAR, total + _NEAR + 1)}
    done: tuple[int, Block, int] | None = None
    total: tuple[int, Block, int, str] | None = None
    for at in sorted(near & set(range(len(blocks)))):
        block = blocks[at]
        name, number = _field(block)
        if number is None:
            continue
        if unit := _TOTAL.fullmatch(name):
            total = at, block, number, unit["unit"] or unit["other"]
        elif _FINISHED.fullmatch(name):
            done = at, block, number
        else:
            continue
        if done and total and abs(done[0] - total[0]) <= _NEAR and done[1].parent == total[1].parent:
            yield from _sound(log, [total[1], done[1]], done[2], total[2], total[3])
            done = total = None


def _field(block: Block) -> tuple[str, int | None]:
    """Return name and number of a line that is nothing else."""
    if len(block.text) > _LONGEST:
        return "", None
    name, value = (*cells(block.text), "", "")[:2] if block.kind is ROW else split_label(block.text)
    found = _NUMBER.match(plain(value)) if name else None
    return plain(name).strip(), int(found[1]) if found else None


def _sound(
    log: AuthoredLog, blocks: Iterable[Block], done: int, total: int, unit: str
) -> Iterator[StatedTotal]:
    if done <= total >= _FEWEST:
        said_at = tuple(Origin(log.source, block.line, block.line) for block in blocks)
        yield StatedTotal(done, total, unit.casefold(), said_at)
