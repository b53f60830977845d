"""Collect the learnings of one log, each where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.advice import advises
from progress_plugin.learnings.inline_warnings import warning_in
from progress_plugin.learnings.label_scopes import Scopes
from progress_plugin.learnings.learning_kind import kind_of
from progress_plugin.learnings.non_learnings import is_decoy
from progress_plugin.learnings.table_learnings import Tables
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.text.labels import single_spaced
from progress_plugin.text.markdown import HEADING, ROW, RULE, Block, MarkdownDocument
from progress_plugin.text.paths_in_text import paths_in
from progress_plugin.text.section_names import SectionKind

Owner = Callable[[int], tuple[str | None, int]]
"""From a line to the id of its story and the position of its entry in the history; (None, 0) outside."""

_LABEL_KINDS = {
    SectionKind.PATTERN: LearningKind.PATTERN,
    SectionKind.GOTCHA: LearningKind.GOTCHA,
    SectionKind.DEPENDENCY: LearningKind.DEPENDENCY,
}
_SILENT = frozenset({HEADING, RULE})
_BY_VALUE: dict[str, SectionKind | None] = {"": None, **{section.value: section for section in SectionKind}}


class Entry(Protocol):
    """The blocks of an entry that stands for itself, as `authored.entry_cache` finds them."""

    @property
    def start(self) -> int:
        """Index of its first block."""

    @property
    def stop(self) -> int:
        """Index after its last block."""

    @property
    def line(self) -> int:
        """That it begins on."""

    @property
    def digest(self) -> str:
        """Of all that its blocks are."""

    @property
    def says(self) -> str:
        """All its text."""


def extract(
    document: MarkdownDocument,
    owner_of_line: Owner,
    source: str = "",
    memo: Memo | None = None,
    apart: Iterable[Entry] = (),
) -> list[Learning]:
    """Return every learning of a log in file order, duplicates too; lines are 1-based. Never raises.

    `memo` remembers from one process to the next what lines teach, and what all those of an entry do that is
    `apart` from what is around it.
    """
    walk = _Walk(document, owner_of_line, source, memo or Memo())
    at = 0
    for entry in apart:
        if entry.start > walk.scopes.title >= 0:
            walk.take(at, entry.start)
            walk.take_entry(entry)
            at = entry.stop
    walk.take(at, len(document.blocks))
    return walk.found


class _Walk:
    """Goes through the blocks of a log in order, and knows of each which label governs it."""

    def __init__(self, document: MarkdownDocument, owner_of_line: Owner, source: str, memo: Memo) -> None:
        self.found: list[Learning] = []
        self.scopes = Scopes(document)
        self._blocks = document.blocks
        self._owner_of_line = owner_of_line
        self._source = source
        self._judged = memo.of(_judged)
        self._is_decoy = memo.of(is_decoy)
        self._of_entry = memo.of_key(f"{__name__}.entry", worth=10)

    def take(self, start: int, stop: int) -> None:
        """Read some blocks."""
        self.found += self._read(start, stop)

    def take_entry(self, entry: Entry) -> None:
        """Read the blocks of an entry that stands for itself, as it was read before if it was."""
        above = self.scopes.below(self._blocks[entry.start].parent)
        story, position = self._owner_of_line(entry.line)
        key = (entry.digest, above.value if above else "", story)
        rows, headings = self._of_entry(key, entry.says, lambda: self._plain(entry))
        self.scopes.skip(entry.start, entry.stop, [(at, _BY_VALUE[below]) for at, below in headings])
        self.found += [
            Learning(
                kind=LearningKind(kind), text=text, source=self._source, lines=(line + entry.line,),
                story=story, files=files, position=position,
            )
            for kind, text, line, files in rows
        ]  # fmt: skip

    def _plain(self, entry: Entry) -> tuple[Any, ...]:
        """Return what an entry teaches in plain values, lines and blocks counted from its beginning."""
        rows = tuple(
            (each.kind.value, each.text, each.lines[0] - entry.line, each.files)
            for each in self._read(entry.start, entry.stop)
        )
        headings = tuple(
            (at - entry.start, below.value if (below := self.scopes.below(at)) else "")
            for at in range(entry.start, entry.stop)
            if self._blocks[at].level
        )
        return rows, headings

    def _read(self, start: int, stop: int) -> Iterator[Learning]:
        for block, text, label in self._statements(start, stop):
            story, position = self._owner_of_line(block.line)
            kind, files = self._judged(text, label.value if label else "", story)
            yield Learning(
                kind=LearningKind(kind),
                text=single_spaced(text),
                source=self._source,
                lines=(block.line,),
                story=story,
                files=files,
                position=position,
            )

    def _statements(self, start: int, stop: int) -> Iterator[tuple[Block, str, LearningKind | None]]:
        """Yield block, text without label, and kind by label of every learning."""
        scopes, tables = self.scopes, Tables()
        for index in range(start, stop):
            block = self._blocks[index]
            scope = scopes.enter(index, block)
            label = _LABEL_KINDS.get(scope) if scope else None
            if block.kind is ROW:
                text = tables.learning_of(index, block.text, scope)
                if text:
                    yield block, text, label
            elif scopes.states(index):
                text = scopes.text(index)
                if not self._is_decoy(text) and (scope is not SectionKind.NOTES or advises(text)):
                    yield block, text, label
            elif block.kind not in _SILENT and not scopes.teaches(index):
                found = warning_in(block.text)
                if found:
                    yield block, *found


def _judged(text: str, label: str, story: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a learning and the files it names, as plain values."""
    return kind_of(text, LearningKind(label) if label else None, story).value, paths_in(text)
