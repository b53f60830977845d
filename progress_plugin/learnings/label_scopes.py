"""Know for each block of a log which label governs it, and whether it states something there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from progress_plugin.text.labels import split_label, undecorated
from progress_plugin.text.markdown import ITEM, LABEL, TEXT, Block, MarkdownDocument, is_bare_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

_LONGEST_NAME = 40
_BOX = LazyPattern(r"\[[ xX]\]\s")
"""A check-box makes a task, wherever it is."""
_STATING = frozenset({ITEM, TEXT, LABEL})
_GOVERNING = frozenset({*TEACHING, SectionKind.NOTES})
_TOPICS = frozenset(
    {SectionKind.CHECKS, SectionKind.OTHER, SectionKind.WORK, SectionKind.TICKET, SectionKind.TASK}
)
_REPORT = LazyPattern(r"(?:findings|observations|discoveries|patterns?|warnings?)(?: \(.*\))?", re.IGNORECASE)
"""Names that announce learnings unless a text follows them, as in `Findings: 3 issues`."""


class Scopes:
    """Walks the blocks of one document in order.

    A label governs what is below it until another label, heading or rule ends it. A label of no known
    meaning passes on what it is in; one that is known for something else ends it.
    """

    def __init__(self, document: MarkdownDocument) -> None:
        self._blocks = document.blocks
        self._below: list[SectionKind | None] = []  # what governs the children of each block
        self._own: list[SectionKind | None] = []  # what the block itself announces
        self._texts: list[str] = []
        self._states: list[bool] = []
        self._flat: dict[int, SectionKind] = {}  # by parent: the sub-label its items are below, at one depth
        headings = [index for index, block in enumerate(document.blocks) if block.level]
        self._first_heading = headings[0] if headings else -1
        self._has_more_headings = len(headings) > 1

    def enter(self, index: int, block: Block) -> SectionKind | None:
        """Take the next block and return the section it is in, its own if it announces one."""
        above = self._below[block.parent] if block.parent >= 0 else None
        if self._flat and block.kind is ITEM:
            above = self._flat.get(block.parent, above)
        name, rest = self._split(index, block, above)
        section = self._announced(index, block, above, name, rest) if name else None
        if (section or self._flat) and block.kind is ITEM:
            self._follow(index, block, section, above)
        self._below.append(section or above)
        self._own.append(section)
        self._texts.append(rest)
        governs = section in _GOVERNING
        governed = governs or (section is None and above in _GOVERNING)
        self._states.append(governed and block.kind in _STATING and self._is_statement(index, block, governs))
        return section if governs else above

    def below(self, index: int) -> SectionKind | None:
        """Return what governs the children of a block; -1 stands for the top."""
        return self._below[index] if index >= 0 else None

    def skip(self, start: int, stop: int, below: Iterable[tuple[int, SectionKind | None]]) -> None:
        """Pass over blocks unless they were entered; `below` says what governs the children of some.

        These are counted from the first of the blocks.
        """
        more = stop - len(self._below)
        if more > 0:
            self._below += [None] * more
            self._own += [None] * more
            self._texts += [""] * more
            self._states += [False] * more
            for place, section in below:
                self._below[start + place] = section

    @property
    def title(self) -> int:
        """The first heading, which may be the title of the file; -1 where there is none."""
        return self._first_heading

    def _announced(
        self, index: int, block: Block, above: SectionKind | None, name: str, rest: str
    ) -> SectionKind | None:
        """Return what a name announces in its place."""
        section = section_of(name)
        if rest and section and not self._is_label(section, above, name):
            section = SectionKind.OTHER if _REPORT.fullmatch(name) and above is None else None
        if block.level == 1 and index == self._first_heading and self._has_more_headings:
            return None  # the title of the file: what it holds is said below
        if above in TEACHING and section and _is_topic(block, section, name):
            return None
        return section

    def _split(self, index: int, block: Block, above: SectionKind | None) -> tuple[str, str]:
        if block.level:
            return block.text, ""
        if block.kind not in _STATING:
            return "", ""
        name, rest = split_label(block.text)
        if not name and self._announces(index, block, above) and section_of(rest) in TEACHING:
            return rest, ""  # a sub-label without colon or bold: `- Patterns discovered`
        return name, rest

    @staticmethod
    def _is_label(section: SectionKind, above: SectionKind | None, name: str) -> bool:
        """Return whether a name with a text after it is a label, and no beginning of a sentence.

        Among learnings `Testing: use X` is a learning about testing: only names that teach are labels there.
        """
        if section in TEACHING and _REPORT.fullmatch(name):
            return False
        return above not in TEACHING or section in TEACHING

    def _is_statement(self, index: int, block: Block, governs: bool) -> bool:
        """Return whether a block that governs itself, or is below a name that does, says something."""
        if governs:
            return bool(self._texts[index])
        if _BOX.match(block.text) or (is_bare_label(block.text) and self._has_children(index)):
            return False
        if block.kind is not ITEM and block.text[-1:] in {":", "："}:
            return False  # it announces what follows, if anything does
        self._texts[index] = undecorated(block.text)
        return block.kind is ITEM or self._stands_alone(block)

    def _follow(
        self, index: int, block: Block, section: SectionKind | None, above: SectionKind | None
    ) -> None:
        """Remember a sub-label whose items were written at its own depth, until the next label there."""
        if is_bare_label(block.text):
            self._flat.pop(block.parent, None)
        elif section in TEACHING and above in TEACHING and self._is_flat(index, block):
            self._flat[block.parent] = section

    def _announces(self, index: int, block: Block, above: SectionKind | None) -> bool:
        """Return whether a name alone has something below it, or among learnings beside it."""
        if self._has_children(index):
            return True
        if above not in TEACHING or len(block.text) > _LONGEST_NAME or not block.text.isascii():
            return False  # a sentence may look alike
        return self._is_flat(index, block)

    def _is_flat(self, index: int, block: Block) -> bool:
        """Return whether the items of a sub-label were written at its own depth."""
        if block.kind is not ITEM or index + 1 >= len(self._blocks):
            return False
        after = self._blocks[index + 1]
        return after.kind is ITEM and after.parent == block.parent

    def _has_children(self, index: int) -> bool:
        return index + 1 < len(self._blocks) and self._blocks[index + 1].parent == index

    def _stands_alone(self, block: Block) -> bool:
        """Return whether a paragraph is a learning by itself, not the continuation of an item."""
        return block.parent < 0 or self._blocks[block.parent].kind is not ITEM

    def states(self, index: int) -> bool:
        """Return whether the block states something under a label that teaches."""
        return self._states[index]

    def text(self, index: int) -> str:
        """Return the text of the block without its label."""
        return self._texts[index]

    def teaches(self, index: int) -> bool:
        """Return whether the block names a section that teaches, or is in one."""
        parent = self._blocks[index].parent
        above = self._below[parent] if parent >= 0 else None
        return above in TEACHING or self._own[index] in TEACHING


def _is_topic(block: Block, section: SectionKind, name: str) -> bool:
    """Return whether a name below learnings only sorts them: a heading, or one word such as `Testing`."""
    if section is SectionKind.NOTES:
        return True
    if block.level:
        return section in _TOPICS or section is SectionKind.FILES
    return section in _TOPICS and " " not in name.strip()
