"""What a hit must be besides an answer: about a story or a file, of some kinds, new enough."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from progress_plugin.recall.file_mentions import is_same, names_file, parts_of
from progress_plugin.recall.index import Index, Passage


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that all must hold; an empty one does not restrict."""

    file: str = ""  # the passage names it, or its entry lists it, or it is in it; absolute if outside
    story: str = ""
    kinds: frozenset[str] = frozenset()
    since: str = ""  # ISO 8601 in UTC

    def passing(self, index: Index, paths: Mapping[int, str]) -> list[int] | None:
        """Return the ids of the passages that pass, None if all do; `paths` are those of the sources."""
        if self == Filters():
            return None
        passages = index.select("")
        if self.file:
            passages = _about_file(passages, self.file, paths)
        return [each.id for each in passages if self._fits(each)]

    def _fits(self, passage: Passage) -> bool:
        if self.kinds and passage.kind not in self.kinds:
            return False
        if self.since and not (passage.at and passage.at >= self.since[: len(passage.at)]):
            return False
        if not self.story:
            return True
        stories, story = passage.stories.casefold(), self.story.casefold()
        return f"\n{story}\n" in stories or f"\n{story}." in stories  # `2` has `2.1`


def _about_file(passages: list[Passage], file: str, paths: Mapping[int, str]) -> list[Passage]:
    asked, whole = parts_of(file), os.path.isabs(file)
    sources = {number for number, path in paths.items() if is_same(parts_of(path), asked, whole=whole)}
    naming = {each.id: each for each in passages if names_file(each.text, asked, whole=whole)}
    entries = {(each.source, each.entry) for each in naming.values() if each.kind == "files" and each.entry}
    return [
        each
        for each in passages
        if each.id in naming or each.source in sources or (each.source, each.entry) in entries
    ]
