"""On which line of a JSON file an entry or a story says something.

JSON is read as a whole and knows no lines. So the lines are looked at again: an object begins about where its
id is and reaches to the next id, and a statement is where its first words are. All statements of a file are
looked for together, since an entry can have as many lines and statements as its log has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from progress_plugin.text.labels import single_spaced
from progress_plugin.text.patterns import LazyPattern

OF_ENTRIES = re.compile(rb'"id"\s*:\s*(?:"([^"\\]{1,200})")')
"""The id of an entry of our log."""
OF_STORIES = re.compile(rb'"(?:id|key|story_?id)"\s*:\s*(?:"([^"\\]{1,200})"|\d{1,20})', re.IGNORECASE)
"""The id of a story in a plan."""
_BLANKS = LazyPattern(r"\\[nrt]")
_STARTS = LazyPattern(r"(?<![A-Za-z0-9])\S|[^\x00-\x7f]|(?<=\\u[0-9A-Fa-f]{4})\S|(?<=\\[bf])\S")
"""Where a statement can begin in a line: nowhere within a word that is written in ASCII."""
_BEGINNING = 24
"""Characters by which a statement is found: what follows may be cut, or on another line."""


class StatementLines:
    """Knows the lines of one file."""

    def __init__(
        self, raw: bytes, ids: re.Pattern[bytes], supplemented: Mapping[str, str] | None = None
    ) -> None:
        """Read the ids in a file; `supplemented` names for the id of a supplement the entry it adds to."""
        self._lines = raw.split(b"\n")
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._is_log = supplemented is not None
        found = list(self._found(ids))
        ends = [*(line for _, line in found[1:]), len(self._lines) + 1]
        for (name, line), end in zip(found, ends, strict=False):
            owner = (supplemented or {}).get(name, name)
            self._spans.setdefault(owner, []).append((line, max(line + 1, end)))

    def of(self, statements: Iterable[tuple[str, str]]) -> list[int]:
        """Return for each id and text the line on which that object says it, 1-based; 0 where not known.

        What is nowhere as it is told, such as a status in words, is where the object's id is.
        """
        asked = [(name, text[:_BEGINNING]) for name, text in statements]
        found = self._said_on(dict.fromkeys(ask for ask in asked if not self._is_on_one_line(ask[0])))
        return [found.get((name, begun)) or self._line_of_id(name) for name, begun in asked]

    def _is_on_one_line(self, name: str) -> bool:
        spans = self._spans.get(name, [])
        return len(spans) == 1 and spans[0][1] == spans[0][0] + 1

    def _line_of_id(self, name: str) -> int:
        # Parts of stories may have the same ids; the entry that others add to comes first.
        spans = self._spans.get(name, [])
        return spans[0][0] if spans and (len(spans) == 1 or self._is_log) else 0

    def _said_on(self, asked: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the first line on which each object says a beginning, of those that say it."""
        sought = _Beginnings(asked)
        owners: dict[int, set[str]] = {}
        for name in sought.names:
            for first, stop in self._spans.get(name, []):
                for line in range(first, stop):
                    owners.setdefault(line, set()).add(name)
        found: dict[tuple[str, str], int] = {}
        for line in sorted(owners):
            for begun, names in sought.within(_as_told(self._lines[line - 1])):
                for name in names & owners[line]:
                    found.setdefault((name, begun), line)
        return found

    def _found(self, ids: re.Pattern[bytes]) -> Iterator[tuple[str, int]]:
        for number, line in enumerate(self._lines, 1):
            for found in ids.finditer(line):
                name = found[1] or found[0].rpartition(b":")[2].strip()
                yield name.decode("utf-8", "replace"), number


class _Beginnings:
    """The beginnings of statements that are looked for in a file, in each way in which JSON writes them."""

    def __init__(self, asked: Iterable[tuple[str, str]]) -> None:
        self.names: dict[str, None] = {}
        self._told_of: dict[str, set[str]] = {}
        """The ids of the objects that a beginning is looked for in."""
        self._written: dict[str, str] = {}
        lengths: dict[str, set[int]] = {}
        for name, begun in asked:
            self.names[name] = None
            self._told_of.setdefault(begun, set()).add(name)
            for is_ascii in (True, False) if begun else ():
                written = json.dumps(begun, ensure_ascii=is_ascii)[1:-1]
                self._written[written] = begun
                lengths.setdefault(written[0], set()).add(len(written))
        self._lengths = {first: tuple(each) for first, each in lengths.items()}

    def within(self, line: str) -> Iterator[tuple[str, set[str]]]:
        """Yield each beginning that is in a line, once, with the ids it is looked for in."""
        told = set()
        for start in _STARTS.finditer(line):
            at = start.start()
            for length in self._lengths.get(line[at], ()):
                begun = self._written.get(line[at : at + length])
                if begun is not None and begun not in told:
                    told.add(begun)
                    yield begun, self._told_of[begun]


def _as_told(line: bytes) -> str:
    """Return a line of JSON with its white space as statements have it."""
    return single_spaced(_BLANKS.sub(" ", line.decode("utf-8", "replace")))
