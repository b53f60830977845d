"""Our block in a Markdown file of the user: everything around it stays as it is."""

import re
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.text.patterns import LazyPattern

END = "<!-- /agent-progress -->"
_BEGIN = LazyPattern(r"^<!-- agent-progress: ([^\r\n>]*?) -->[ \t]*\r?$", re.MULTILINE)
_IMPORT = LazyPattern(r"\\.|(`+)(?!`).*?(?<!`)\1(?!`)|`+|(?<!\S)(?P<import>@)(?=\S)")
"""An escape, code, backticks without an end, or what a client would import."""
_END = LazyPattern(rf"^{re.escape(END)}[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


class ManagedBlock(NamedTuple):
    """The position of the block in a document, and the facts in its first line."""

    start: int
    end: int
    label: str


def find_block(document: str) -> ManagedBlock | None:
    """Return the block of a document, None if it has none.

    Raises BadInput if its marks are not one pair: then it is unknown what is ours.
    """
    begins, ends = list(_BEGIN.finditer(document)), list(_END.finditer(document))
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise BadInput(
            "the marks of the block are not one pair; remove what is left of it, with both comment lines"
        )
    return ManagedBlock(begins[0].start(), ends[0].end(), begins[0][1])


def with_block(document: str, label: str, lines: list[str]) -> str:
    """Return the document with these lines as its block: in its place, else at the end; none removes it.

    Line ends are those of most lines of the document. The lines must not hold comment marks (`escape.item`
    sees to that).
    """
    present = find_block(document)
    ending = "\r\n" if 2 * document.count("\r\n") > document.count("\n") else "\n"
    block = "".join(f"{line}{ending}" for line in _marked(label, lines)) if lines else ""
    if present is not None:
        before = document[: present.start]
        if not block and before.endswith(ending * 2):
            before = before[: -len(ending)]  # the empty line that came with it
        return before + block + document[present.end :]
    if not block or not document:
        return document + block
    return document + ("" if document.endswith("\n") else ending) + ending + block


def _marked(label: str, lines: list[str]) -> list[str]:
    return [f"<!-- agent-progress: {label} -->", *map(_without_imports, lines), END]


def _without_imports(line: str) -> str:
    """Return a line in which `@~/.ssh/id_rsa` is text: a client would import that file, but not in code."""
    return _IMPORT.sub(lambda found: r"\@" if found["import"] else found[0], line)
