"""On which line of a JSON file an entry or a story says something (S18.7).

JSON is read as a whole and knows no lines. So the lines are looked at again: an object begins about where its
id is and reaches to the next id, and a statement is where its first words are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from progress_plugin.text.labels import single_spaced

OF_ENTRIES = re.compile(rb'"id"\s*:\s*(?:"([^"\\]{1,200})")')
"""The id of an entry of our log."""
OF_STORIES = re.compile(rb'"(?:id|key|story_?id)"\s*:\s*(?:"([^"\\]{1,200})"|\d{1,20})', re.IGNORECASE)
"""The id of a story in a plan."""
_BLANKS = re.compile(r"\\[nrt]")
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

    def of(self, name: str, text: str) -> int:
        """Return the line on which the object with this id says a text, 1-based; 0 where that is not known.

        What is nowhere as it is told, such as a status in words, is where the object's id is.
        """
        spans = self._spans.get(name, [])
        if len(spans) == 1 and spans[0][1] == spans[0][0] + 1:
            return spans[0][0]
        begun = text[:_BEGINNING]
        written = (json.dumps(begun, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False))
        needles = set(written)
        for first, stop in spans:
            for line in range(first, stop):
                if any(needle in _as_told(self._lines[line - 1]) for needle in needles):
                    return line
        # Parts of stories may have the same ids; the entry that others add to comes first.
        return spans[0][0] if spans and (len(spans) == 1 or self._is_log) else 0

    def _found(self, ids: re.Pattern[bytes]) -> Iterator[tuple[str, int]]:
        for number, line in enumerate(self._lines, 1):
            for found in ids.finditer(line):
                name = found[1] or found[0].rpartition(b":")[2].strip()
                yield name.decode("utf-8", "replace"), number


def _as_told(line: bytes) -> str:
    """Return a line of JSON with its white space as statements have it."""
    return single_spaced(_BLANKS.sub(" ", line.decode("utf-8", "replace")))
