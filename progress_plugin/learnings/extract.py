"""Collect the learnings of one log, each where it is (S7.1).

Which lines teach is decided in `learnings.label_scopes`, `learnings.inline_warnings` and
`learnings.tables`, what is none all the same in `learnings.non_learnings`, the kind in
`learnings.learning_kind`; what says the same is united in `learnings.merge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from progress_plugin.core.caches.persistent_memo import Memo
from progress_plugin.learnings.advice import advises
from progress_plugin.learnings.inline_warnings import warning_in
from progress_plugin.learnings.label_scopes import Scopes
from progress_plugin.learnings.learning_kind import kind_of
from progress_plugin.learnings.non_learnings import is_decoy
from progress_plugin.learnings.tables import Tables
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.text.labels import single_spaced
from progress_plugin.text.markdown import HEADING, ROW, RULE, Block, MarkdownDocument
from progress_plugin.text.paths import paths_in
from progress_plugin.text.sections import SectionKind

Owner = Callable[[int], tuple[str | None, int]]
"""From a line to the id of its story and the position of its entry in the history; (None, 0) outside."""

_LABEL_KINDS = {
    SectionKind.PATTERN: LearningKind.PATTERN,
    SectionKind.GOTCHA: LearningKind.GOTCHA,
    SectionKind.DEPENDENCY: LearningKind.DEPENDENCY,
}
_SILENT = frozenset({HEADING, RULE})


def extract(
    document: MarkdownDocument, owner_of_line: Owner, source: str = "", memo: Memo | None = None
) -> list[Learning]:
    """Return every learning of a log in file order, duplicates too; lines are 1-based. Never raises."""
    found, memo = [], memo or Memo()
    judged = memo.of(_judged)
    for block, text, label in _statements(document, memo.of(is_decoy)):
        story, position = owner_of_line(block.line)
        kind, files = judged(text, label.value if label else "", story)
        found.append(
            Learning(
                kind=LearningKind(kind),
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
    return kind_of(text, LearningKind(label) if label else None, story).value, paths_in(text)


def _statements(
    document: MarkdownDocument, is_decoy: Callable[[str], bool]
) -> Iterator[tuple[Block, str, LearningKind | None]]:
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
            if not is_decoy(text) and (scope is not SectionKind.NOTES or advises(text)):
                yield block, text, label
        elif block.kind not in _SILENT and not scopes.teaches(index):
            found = warning_in(block.text)
            if found:
                yield block, *found
