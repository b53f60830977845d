"""Collect the learnings of one log, each where it stands (S7.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from progress_plugin.learnings.advice import advises, is_directive, is_record
from progress_plugin.learnings.decoys import is_decoy, is_status
from progress_plugin.learnings.kinds import kind_of
from progress_plugin.model.learning import Kind, Learning
from progress_plugin.text.labels import plain, split_label, undecorated
from progress_plugin.text.markdown import Block, Document, cells, is_bare_label
from progress_plugin.text.markdown import Kind as Shape
from progress_plugin.text.paths import paths_in
from progress_plugin.text.sections import TEACHING, Section, section_of

Owner = Callable[[int], tuple[str | None, int]]
"""From a line to the id of its story and the position of its entry in the history; (None, 0) outside."""

_LABEL_KINDS = {
    Section.PATTERN: Kind.PATTERN,
    Section.GOTCHA: Kind.GOTCHA,
    Section.DEPENDENCY: Kind.DEPENDENCY,
}
_INLINE = re.compile(
    r"[^\w`\"'(\[]*(?:(?P<bold>\*\*|__)\s*)?[^\w`]*(?P<word>(?:key |important |critical )?(?:gotcha|warning|careful|caution|"
    r"note|nb|n\.b\.|caveat|pitfall|beware|watch out|heads[ -]up|important|critical|attention|learned|lesson learned|lesson|"
    r"learning|insight|takeaway|tip|pro tip|key insight|key learning|trap|注意|警告|陷阱|教训|经验|重要|ハマりどころ|教訓|"
    r"주의|교훈|внимание|важно|осторожно|nota|cuidado|aviso|importante|advertencia|achtung|hinweis|wichtig|vorsicht|warnung|"
    r"attention|remarque|leçon|piège))s?(?P<after>\s*\([^)]*\))?\s*(?P<inner>[:：])?\s*(?(bold)(?:\*\*|__))\s*(?(inner)|[:：])"
    r"\s*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_GOTCHA_WORDS = re.compile(
    r"gotcha|warning|careful|caution|caveat|pitfall|beware|watch|important|critical|trap|attention|注意|警告|陷阱|주의|"
    r"внимание|осторожно|cuidado|aviso|advertencia|achtung|vorsicht|warnung|piège",
    re.IGNORECASE,
)
_REPORT = re.compile(r"(?:findings|observations|discoveries|patterns?|warnings?)(?: \(.*\))?", re.IGNORECASE)
_LONGEST_WORD = 60
"""Characters within which the colon of an inline warning stands."""


def extract(document: Document, owner_of_line: Owner, source: str = "") -> list[Learning]:
    """Return every learning of a log in file order, duplicates too; lines are 1-based. Never raises."""
    found = []
    for block, text, label in _statements(document):
        story, position = owner_of_line(block.line)
        found.append(
            Learning(
                kind=kind_of(text, label, story),
                text=" ".join(text.split()),
                source=source,
                lines=(block.line,),
                story=story,
                files=paths_in(text),
                position=position,
            )
        )
    return found


def _statements(document: Document) -> Iterator[tuple[Block, str, Kind | None]]:
    """Yield block, text without label, and kind by label of every learning."""
    scopes = _Scopes(document)
    for index, block in enumerate(document.blocks):
        scope = scopes.enter(index, block)
        if block.kind in {Shape.HEADING, Shape.RULE}:
            continue
        if block.kind is Shape.ROW:
            text = scopes.row(index, block, scope)
            if text:
                yield block, text, _LABEL_KINDS.get(scope) if scope else None
        elif scopes.says(index):
            yield from _learning(block, scopes.rest(index), scope)
        elif not scopes.names(index):
            yield from _warning(block)


def _learning(block: Block, text: str, scope: Section | None) -> Iterator[tuple[Block, str, Kind | None]]:
    if is_decoy(text) or (scope is Section.NOTES and not advises(text)):
        return
    yield block, text, _LABEL_KINDS.get(scope) if scope else None


def _warning(block: Block) -> Iterator[tuple[Block, str, Kind | None]]:
    """Yield an inline warning: `Gotcha: text`, or a rule that is laid down in capitals."""
    lead = block.text[:_LONGEST_WORD]
    found = _INLINE.match(block.text) if ":" in lead or "：" in lead else None
    if found:
        rest = found["rest"].strip()
        if not is_decoy(rest) and (
            advises(rest) or not found["word"].casefold().startswith(("note", "nb", "nota"))
        ):
            yield block, rest, Kind.GOTCHA if _GOTCHA_WORDS.search(found["word"]) else None
    elif is_directive(block.text) and not is_status(plain(block.text)):
        yield block, undecorated(block.text), Kind.GOTCHA


class _Scopes:
    """Knows for each block which label governs it."""

    def __init__(self, document: Document) -> None:
        self._blocks = document.blocks
        self._scope: list[Section | None] = []  # what governs the children of each block
        self._rest: list[str] = []
        self._name: list[Section | None] = []
        self._says: list[bool] = []
        self._table: tuple[int, list[str]] = (-2, [])

    def enter(self, index: int, block: Block) -> Section | None:
        """Take the next block and return the section it stands in."""
        above = self._scope[block.parent] if block.parent >= 0 else None
        if block.kind is Shape.HEADING:
            name, rest = block.text, ""
        elif block.kind in {Shape.ROW, Shape.RULE}:
            name, rest = "", ""
        else:
            name, rest = split_label(block.text)
            if not name and self._has_children(index) and section_of(rest) in TEACHING:
                name, rest = rest, ""  # a sub-label without colon or bold
        section = section_of(name) if name and (not rest or self._is_label(block, name)) else None
        if rest and section in TEACHING and _REPORT.fullmatch(name):
            section = Section.OTHER  # "Findings: 3 issues" reports, "Findings" alone announces
        if section is Section.NOTES and above in TEACHING:
            section = None
        self._scope.append(section or above)
        self._name.append(section)
        self._rest.append(rest)
        self._says.append(self._states(index, block, above, section))
        return section if section in TEACHING or section is Section.NOTES else above

    def _is_label(self, block: Block, name: str) -> bool:
        """Tell whether a name with text behind it is a label and no beginning of a sentence.

        Under a learnings label `- Testing: use X` is a learning about testing, so only names that teach
        count there.
        """
        above = self._scope[block.parent] if block.parent >= 0 else None
        return above not in TEACHING or section_of(name) in TEACHING

    def _states(self, index: int, block: Block, above: Section | None, section: Section | None) -> bool:
        """Tell whether a block is a statement of its own in a section that teaches."""
        if block.kind not in {Shape.ITEM, Shape.TEXT, Shape.LABEL}:
            return False
        if section in TEACHING or section is Section.NOTES:
            return bool(self._rest[index])
        if section is not None or (above not in TEACHING and above is not Section.NOTES):
            return False
        if is_bare_label(block.text) and self._has_children(index):
            self._rest[index] = ""
            return False
        self._rest[index] = undecorated(block.text)
        return block.kind is Shape.ITEM or self._stands_alone(block)

    def _has_children(self, index: int) -> bool:
        return index + 1 < len(self._blocks) and self._blocks[index + 1].parent == index

    def _stands_alone(self, block: Block) -> bool:
        """Tell whether a paragraph is a learning by itself, not the continuation of an item."""
        return block.parent < 0 or self._blocks[block.parent].kind is not Shape.ITEM

    def says(self, index: int) -> bool:
        """Tell whether the block states something under a label that teaches."""
        return self._says[index]

    def names(self, index: int) -> bool:
        """Tell whether the block is the name of a section, or stands in one that teaches."""
        parent = self._blocks[index].parent
        above = self._scope[parent] if parent >= 0 else None
        return above in TEACHING or self._name[index] in TEACHING

    def rest(self, index: int) -> str:
        """Return the text of the block without its label."""
        return self._rest[index]

    def row(self, index: int, block: Block, scope: Section | None) -> str:
        """Return the learning of a table row: any row in a section that teaches, advice in a table of errors."""
        columns = cells(block.text)
        last, header = self._table
        if last != index - 1:
            self._table = (index, [column.casefold() for column in columns])
            return ""
        self._table = (index, header)
        if scope in TEACHING:
            text = " — ".join(column for column in columns if column)
            return "" if is_decoy(text) else text
        return _advice_of_row(header, columns)


def _advice_of_row(header: list[str], columns: list[str]) -> str:
    """Return error and resolution of a row whose resolution tells the reader what to do."""
    error = next(
        (at for at, name in enumerate(header) if re.search(r"error|issue|problem|错误|fehler|erro", name)), -1
    )
    cure = next(
        (
            at
            for at, name in enumerate(header)
            if re.search(r"resol|solution|fix|workaround|解决|lösung|soluci", name)
        ),
        -1,
    )
    if (
        error < 0
        or cure < 0
        or max(error, cure) >= len(columns)
        or not is_directive(columns[cure], anywhere=False)
    ):
        return ""
    return f"{columns[error]} — {columns[cure]}"
