"""The text of a document that another program or person wrote, ready to be read line by line.

Decoded, without the marks of git conflicts, private parts and secrets. Every line keeps its number.
"""

from __future__ import annotations

from collections.abc import Callable

from progress_plugin.text.decode import decode_lenient
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact_document, redact_lines

_FENCE = LazyPattern(r"[ \t>]*+(?:`{3}|~{3})")
_OURS, _BASE, _THEIRS, _END = "<" * 7, "|" * 7, "=" * 7, ">" * 7
"""Git's marks around the sides of a conflict and their common base."""


def document_text(
    data: bytes, path: str, redact_section: Callable[[str], str] = redact_lines
) -> tuple[str, str | None]:
    """Return the text of a file, and what was wrong with it; `redact_section` as in `redact_document`."""
    text, fault = decode_lenient(data, path)
    text, has_conflict = without_conflict_markers(text)
    faults = [fault] if fault else []
    if has_conflict:
        faults.append(
            f"{path}: holds git conflict markers; until they are removed both sides are read: keep of them "
            "what holds"
        )
    return redact_document(text.replace("\r\n", "\n"), redact_section), "; ".join(faults) or None


def without_conflict_markers(text: str) -> tuple[str, bool]:
    """Return a text with both sides of its conflicts but not their common base, and whether it has any.

    `=======` elsewhere underlines a heading, and a conflict that begins in a block of code is an example.
    """
    if _OURS not in text and _END not in text:
        return text, False
    lines, side, in_code, has_conflict = text.split("\n"), "", False, False
    for at, line in enumerate(lines):
        mark = _conflict_marker(line)
        if mark and (side or (mark in (_OURS, _END) and not in_code)):
            side, has_conflict = "" if mark == _END else mark, True
            lines[at] = ""
        elif side == _BASE:
            lines[at] = ""
        elif _FENCE.match(line):
            in_code = not in_code
    return ("\n".join(lines), True) if has_conflict else (text, False)


def _conflict_marker(line: str) -> str:
    mark, _, label = line.rstrip("\r").partition(" ")
    return mark if mark in (_OURS, _BASE, _END) or (mark == _THEIRS and not label) else ""
