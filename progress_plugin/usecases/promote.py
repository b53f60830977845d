"""Write learnings that were recorded several times into AGENTS.md, which many agents read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from progress_plugin.config.settings import MIN_MENTIONS
from progress_plugin.core.errors import BadInput, Busy
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import Stamp, stamp_of
from progress_plugin.model.work import LEARNING_GROUPS, Learning, LearningKind
from progress_plugin.selection.merge import Merged
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import item

FILE = "AGENTS.md"
_LABELS = {
    False: "patterns, made by `agent-progress promote`; edits inside are lost",
    True: "all learnings, made by `agent-progress promote --all`; edits inside are lost",
}
END = "<!-- /agent-progress -->"
_MARK = r"<!-- agent-progress: [^\r\n>]*? -->"
_MARKS = LazyPattern(rf"^(?:{_MARK}|{re.escape(END)})[ \t]*\r?$", re.MULTILINE)
_BLOCK = LazyPattern(rf"^{_MARK}[ \t]*\r?$.*?^{re.escape(END)}[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL)
_IMPORT = LazyPattern(r"\\.|(`+)(?!`).*?(?<!`)\1(?!`)|`+|(?<!\S)(?P<import>@)(?=\S)")
"""An escape, code, unclosed backticks, or an import of a client such as `@path`."""


def promote(
    project: Project, learnings: Iterable[Merged[Learning]], *, every: bool | None = None, apply: bool
) -> dict[str, Any]:
    """Make our block in `AGENTS.md`: the patterns, with `every` all learnings, recorded 3 times or more.

    If there are none, the block is removed. If `every` is None, the block keeps its present kind. The
    file is written only with `apply`. Return its `path`, whether the block `changes`, whether that is
    `applied`, and the `learnings` in it. Raises Refused for a link that leads out of the project, BadInput
    for a file or block that cannot be read, Busy if another program changes the file meanwhile.
    """
    path = project.path(FILE)
    before = stamp_of(path)
    try:
        text = (read_inside(project.root, path) or b"").decode("utf-8")
        if every is None:
            every = f"<!-- agent-progress: {_LABELS[True]} -->" in text
        kinds = [*LearningKind] if every else [LearningKind.PATTERN]
        often = (each for each in learnings if each.mentions >= MIN_MENTIONS and each.statement.kind in kinds)
        # not by mentions: their number changes often, and git tracks the file
        chosen = sorted(
            often, key=lambda each: (kinds.index(each.statement.kind), each.statement.text.casefold())
        )
        after = with_block(text, _LABELS[every], _lines(chosen))
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not valid UTF-8; save the file as UTF-8") from None
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    if apply and after != text:
        _write(project, path, after, before)
    return {
        "path": path,
        "changes": after != text,
        "applied": apply and after != text,
        "learnings": [
            {"kind": each.statement.kind, "text": each.statement.text, "mentions": each.mentions}
            for each in chosen
        ],
    }


def _write(project: Project, path: str, text: str, before: Stamp) -> None:
    if stamp_of(path) != before:
        raise Busy(f"{path} was changed meanwhile; nothing was written, try again")
    if text or os.path.islink(path):
        write_atomic(path, text.encode(), root=project.root)
    else:
        os.unlink(path)  # there was nothing in it but our block


def _lines(learnings: Iterable[Merged[Learning]]) -> list[str]:
    lines = []
    for kind, group in groupby(learnings, lambda each: each.statement.kind):
        lines += ["", f"### {LEARNING_GROUPS[kind].heading}", ""]
        lines += [f"- {item(each.statement.text)}" for each in group]
    return ["## Learnt in this repository", *lines] if lines else []


def with_block(document: str, label: str, lines: list[str]) -> str:
    """Return the document with these lines as our block, where it is now or at the end.

    Without lines the block is removed. The text around it stays. Line ends are those of most lines. The lines
    must not contain our comment lines (`safe_output.item` sees to that). Raises BadInput if the document has
    comment lines of ours that are not exactly one pair.
    """
    found = _BLOCK.search(document)
    if len(_MARKS.findall(document)) != (2 if found else 0):
        raise BadInput(
            "our block does not have one comment line at each end; remove the rest of it, then try again"
        )
    ending = "\r\n" if 2 * document.count("\r\n") > document.count("\n") else "\n"
    marked = [f"<!-- agent-progress: {label} -->", *map(_without_imports, lines), END] if lines else []
    block = "".join(f"{line}{ending}" for line in marked)
    if found is not None:
        before = document[: found.start()]
        if not block and before.endswith(ending * 2):
            before = before[: -len(ending)]  # the empty line that came with it
        return before + block + document[found.end() :]
    if not block or not document:
        return document + block
    return document + ("" if document.endswith("\n") else ending) + ending + block


def _without_imports(line: str) -> str:
    """Escape an `@` as in `@~/.ssh/id_rsa`, by which a client would import that file; not in code spans."""
    return _IMPORT.sub(lambda found: r"\@" if found["import"] else found[0], line)
