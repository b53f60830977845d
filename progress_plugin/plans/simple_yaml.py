"""Read the YAML that plans are written in: maps, lists, plain, quoted and block values, by indentation.

Anchors and flow maps are not read: their lines are left out or are plain text.
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
    value, _ = _read_block(lines, 0, MAX_DEPTH) if lines else ({}, 0)
    return value


def _without_comment(line: str) -> str:
    before, comment = _COMMENT.sub("", line), _COMMENT.search(line)
    is_quoted = any(before.count(quote) % 2 for quote in "\"'")
    return line if comment and is_quoted else before


def _read_block(lines: list[_Line], at: int, depth: int) -> tuple[Any, int]:
    """Read the block that begins at a line; return it and the position after it."""
    indent, content = lines[at]
    is_list = _is_item(content)
    items: list[Any] = []
    fields: dict[str, Any] = {}
    while at < len(lines) and lines[at][0] >= indent and _is_item(lines[at][1]) == is_list:
        here, content = lines[at]
        if here > indent:  # a line that is not understood
            at += 1
        elif is_list:
            lines[at] = (here + 2, content[1:].strip() or "-")
            value, at = _read_value(lines, at, depth) if content != "-" else (None, at + 1)
            items.append(value)
        elif found := _KEY.match(content):
            value, at = _read_field(lines, at, found["value"] or "", depth)
            fields[found["key"].strip("\"'")] = value
        else:
            at += 1
    return (items if is_list else fields), at


def _read_value(lines: list[_Line], at: int, depth: int) -> tuple[Any, int]:
    content = lines[at][1]
    if depth and (_KEY.match(content) or _is_item(content)):
        return _read_block(lines, at, depth - 1)
    return _scalar(content), at + 1


def _read_field(lines: list[_Line], at: int, value: str, depth: int) -> tuple[Any, int]:
    indent = lines[at][0]
    if value.strip() in BLOCK_MARKS:
        end = next((place for place in range(at + 1, len(lines)) if lines[place][0] <= indent), len(lines))
        return " ".join(content for _, content in lines[at + 1 : end]), end
    if value.strip():
        return _scalar(value.strip()), at + 1
    following = lines[at + 1] if at + 1 < len(lines) else (-1, "")
    is_inner = following[0] > indent or (following[0] == indent and _is_item(following[1]))
    return _read_block(lines, at + 1, depth - 1) if depth and is_inner else (None, at + 1)


def _is_item(content: str) -> bool:
    return content == "-" or content.startswith("- ")


def _scalar(text: str) -> Any:
    if text[:1] == "[" and text[-1:] == "]":
        return [_scalar(part.strip()) for part in text[1:-1].split(",") if part.strip()]
    if text in {"true", "false"}:
        return text == "true"
    return None if text in {"null", "~"} else text.strip("\"'")
