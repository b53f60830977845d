"""Read the YAML that plans are written in: maps, lists, plain, quoted and block values, by indentation.

Anchors and flow maps are not understood: their lines are skipped or read as plain text.
"""

from __future__ import annotations

from typing import Any

from progress_plugin.text.patterns import LazyPattern

MAX_DEPTH = 20
MAX_LINE_CHARS = 2_000
BLOCK_MARKS = frozenset({"|", "|-", "|+", ">", ">-", ">+"})
_KEY = LazyPattern(
    r"(?P<key>[^\s:#'\"\[{&*!|>-][^:#]*?|\"[^\"]+\"|'[^']+'|[^\s:#'\"]+):(?:\s+(?P<value>.*))?$"
)
_COMMENT = LazyPattern(r"(?:^|\s)#.*$")

_Line = tuple[int, str]  # indentation and content


def read_simple_yaml(text: str) -> Any:
    """Return the maps and lists of a document; an empty map if there are none."""
    lines: list[_Line] = []
    for line in text.split("\n"):
        content = _without_comment(line[:MAX_LINE_CHARS]).rstrip()
        if content.strip() and content.strip() not in {"---", "..."}:
            lines.append((len(content) - len(content.lstrip()), content.strip()))
    return _read_block(lines[::-1], MAX_DEPTH) if lines else {}


def _without_comment(line: str) -> str:
    before, comment = _COMMENT.sub("", line), _COMMENT.search(line)
    is_quoted = any(before.count(quote) % 2 for quote in "\"'")
    return line if comment and is_quoted else before


def _read_block(lines: list[_Line], depth: int) -> Any:
    """Take a block off `lines`, which are in reverse order, and return its value."""
    indent, is_list = lines[-1][0], _is_item(lines[-1][1])
    items: list[Any] = []
    fields: dict[str, Any] = {}
    while lines and lines[-1][0] >= indent and _is_item(lines[-1][1]) == is_list:
        line_indent, content = lines.pop()
        if line_indent > indent:
            continue  # a line that is not understood
        if is_list:
            content = content[1:].strip()
            if depth and (_KEY.match(content) or _is_item(content)):
                lines.append((line_indent + 2, content))
                items.append(_read_block(lines, depth - 1))
            else:
                items.append(_scalar(content) if content else None)
        elif found := _KEY.match(content):
            value = (found["value"] or "").strip()
            fields[found["key"].strip("\"'")] = _read_value(lines, line_indent, value, depth)
    return items if is_list else fields


def _read_value(lines: list[_Line], indent: int, value: str, depth: int) -> Any:
    """Return the value of a key: the text behind it, else the block below it."""
    if value in BLOCK_MARKS:
        words = []
        while lines and lines[-1][0] > indent:
            words.append(lines.pop()[1])
        return " ".join(words)
    if value:
        return _scalar(value)
    following, content = lines[-1] if lines else (-1, "")
    is_inner = following > indent or (following == indent and _is_item(content))
    return _read_block(lines, depth - 1) if depth and is_inner else None


def _is_item(content: str) -> bool:
    return content == "-" or content.startswith("- ")


def _scalar(text: str) -> Any:
    if text[:1] == "[" and text[-1:] == "]":
        return [_scalar(part.strip()) for part in text[1:-1].split(",") if part.strip()]
    if text in {"true", "false"}:
        return text == "true"
    return None if text in {"null", "~"} else text.strip("\"'")
