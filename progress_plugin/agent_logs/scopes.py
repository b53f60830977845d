"""Find the heading, label or list item that a block is below, and which section it announces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from progress_plugin.agent_logs.sections import TEACHING, section_of
from progress_plugin.text.labels import is_bare_label, plain, undecorated
from progress_plugin.text.markdown import Block

SIBLING_OFFSET = 0.5  # taken off the depth of a label whose list items are not indented below it
TOPICS = frozenset({"checks", "decision", "other", "work", "ticket", "task"})
SORTED_BY_TOPIC = TEACHING | {"blocked", "next"}  # in these sections a label of TOPICS begins no section


class Scope(NamedTuple):
    """A heading, label or list item, and the section of the blocks below it."""

    depth: float
    section: str | None
    label: str


NO_SCOPE = Scope(0, None, "")


@dataclass(slots=True)
class Scopes:
    """The scopes around the current block, while the blocks are entered in order.

    A label holds at most until the next label, heading or rule. A heading or label whose name is not in the
    tables begins no section: the section that it is in goes on.
    """

    header: str = ""  # of the last table
    _headings: list[Scope] = field(default_factory=list)
    _label: Scope | None = None  # the last paragraph that only names the blocks below it
    _is_bold: bool = False  # whether `_label` is bold, so used as a heading
    _items: list[Scope] = field(default_factory=list)
    _previous: Block | None = None

    def above(self) -> Scope:
        """Return the scope of the current block."""
        if self._items:
            return self._items[-1]
        return self._label or (self._headings[-1] if self._headings else NO_SCOPE)

    def enter_heading(self, block: Block, *, names_section: bool) -> None:
        """Take a heading; `names_section` is false for the heading of an entry or of the file."""
        while self._headings and self._headings[-1].depth >= block.depth:
            self._headings.pop()
        name = plain(block.text)
        section, label = (self._section_below_heading(name), name) if names_section else (None, "")
        self._headings.append(Scope(block.depth, section, label))
        self.enter_rule()

    def enter_rule(self) -> None:
        """Take a rule, which ends every label and list."""
        self._label, self._items, self._previous = None, [], None

    def enter_text(self, block: Block) -> None:
        """Take a paragraph or list item, and end the lists and labels that it is not below."""
        is_item = block.kind == "item"
        while self._items and self._items[-1].depth >= (block.depth if is_item else block.depth + 1):
            self._items.pop()
        if not is_item and block.depth == 0:
            self._items = []
            self._end_label(block)
        self._previous = block

    def _end_label(self, block: Block) -> None:
        """End a plain label before the paragraph behind its list, and a bold label before a bold field."""
        is_behind_list = self._previous is not None and self._previous.kind == "item"
        is_field = block.text.startswith("**") and ":" in block.text[: block.text.find("**", 2) + 3]
        if (is_behind_list and not self._is_bold) or (is_field and self._is_bold):
            self._label = None

    def enter_label(self, block: Block, *, has_sibling: bool) -> None:
        """Take a label: a paragraph or list item that only names the blocks below it."""
        name = undecorated(plain(block.text)).rstrip(" :：")
        if block.kind == "item" or block.depth:
            depth = block.depth - SIBLING_OFFSET if has_sibling else block.depth
            while self._items and self._items[-1].depth >= depth:
                self._items.pop()
            self._items.append(Scope(depth, _section_below(name, self.above().section), name))
            return
        self._label = Scope(0, self._section_below_heading(name), name)
        self._is_bold = is_bare_label(block.text) and block.text.startswith("**")

    def _section_below_heading(self, name: str) -> str | None:
        return _section_below(name, self._headings[-1].section if self._headings else None)

    def enter_parent(self, block: Block, section: str | None, label: str) -> None:
        """Take a list item that has other items below it, and is a statement itself."""
        self._items.append(Scope(block.depth, section, label))


def _section_below(name: str, outer: str | None) -> str | None:
    """Return the section that a heading or label announces, else `outer`, the section that it is in."""
    own = section_of(name, exactly=outer is not None)
    if own is None or (outer in SORTED_BY_TOPIC and own in TOPICS):
        return outer
    return own
