"""Collect the learnings of one log, each where it stands (S7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.advice import advises
from progress_plugin.learnings.decoys import is_decoy
from progress_plugin.learnings.inline import warning_in
from progress_plugin.learnings.kinds import kind_of
from progress_plugin.learnings.scopes import Scopes
from progress_plugin.learnings.tables import Tables
from progress_plugin.model.learning import Kind, Learning
from progress_plugin.text.labels import single_spaced
from progress_plugin.text.markdown import HEADING, ROW, RULE, Block, Document
from progress_plugin.text.paths import paths_in
from progress_plugin.text.sections import Section

Owner = Callable[[int], tuple[str | None, int]]
"""From a line to the id of its story and the position of its entry in the history; (None, 0) outside."""

_LABEL_KINDS = {
    Section.PATTERN: Kind.PATTERN,
    Section.GOTCHA: Kind.GOTCHA,
    Section.DEPENDENCY: Kind.DEPENDENCY,
}
_SILENT = frozenset({HEADING, RULE})


def extract(
    document: Document, owner_of_line: Owner, source: str = "", memo: Memo | None = None
) -> list[Learning]:
    """Return every learning of a log in file order, duplicates too; lines are 1-based. Never raises."""
    found, memo = [], memo or Memo()
    judged = memo.of(_judged)
    for block, text, label in _statements(document, memo.of(is_decoy)):
        story, position = owner_of_line(block.line)
        kind, files = judged(text, label.value if label else "", story)
        found.append(
            Learning(
                kind=Kind(kind),
                text=single_spaced(text),
                source=source,
                lines=(block.line,),
                story=story,
                files=files,
                position=position,
            )
        )
    return found


def _judged(text: str, label: str, story: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a learning and the files it names, as plain values."""
    return kind_of(text, Kind(label) if label else None, story).value, paths_in(text)


def _statements(
    document: Document, is_decoy: Callable[[str], bool]
) -> Iterator[tuple[Block, str, Kind | None]]:
    """Yield block, text without label, and kind by label of every learning."""
    scopes, tables = Scopes(document), Tables()
    for index, block in enumerate(document.blocks):
        scope = scopes.enter(index, block)
        label = _LABEL_KINDS.get(scope) if scope else None
        if block.kind is ROW:
            text = tables.learning_of(index, block.text, scope)
            if text:
                yield block, text, label
        elif scopes.states(index):
            text = scopes.text(index)
            if not is_decoy(text) and (scope is not Section.NOTES or advises(text)):
                yield block, text, label
        elif block.kind not in _SILENT and not scopes.teaches(index):
            found = warning_in(block.text)
            if found:
                yield block, *found
