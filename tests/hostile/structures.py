"""Structures that a hostile file can repeat without limit, each as a function of their number."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Made = Callable[[int], str]


def _lines(*lines: str, head: str = "") -> Made:
    """Return a maker of these lines over and over; `{i}` in them is the number of the round."""
    unit = "".join(f"{line}\n" for line in lines)
    return lambda number: head + "".join(unit.replace("{i}", str(at)) for at in range(number))


MARKDOWN: dict[str, Made] = {
    "headings": _lines("# a{i}"),
    "headings of the second level": _lines("## a{i}"),
    "headings below one that is an entry": _lines(
        "### 2026-03-01 - y{i}", head="## 2026-03-01 10:00 - US-001: x\n"
    ),
    "headings of every level": lambda number: "".join(
        f"{'#' * (1 + at % 6)} a{at}\n" for at in range(number)
    ),
    "headings with one id": _lines("## y{i} (N5)"),
    "entries": _lines("## 2026-03-01 10:00 - US-{i}: x", "- did {i}", "**Learnings:**", "- Use b{i} when c"),
    "entries of one story": _lines("## 2026-03-01 10:00 - US-001: x", "- did {i}"),
    "days with entries": _lines("## 2026-03-01", "### 10:00 - y{i}"),
    "sessions": _lines("## Session {i}", "### Session {i} features"),
    "phases": _lines("## Phase {i}: a", "**Status:** complete"),
    "summaries": _lines("## Summary"),
    "sections that teach": _lines("## Learnings", "- Always use `f{i}.py` since x_{i} fails"),
    "learnings": _lines("- Always use `f{i}.py` since x_{i} fails in src/a.py", head="## Learnings\n"),
    "learnings that are one": _lines("- Always use the same flag since it fails", head="## Learnings\n"),
    "learnings alike": _lines(
        "- Always call foo{i} before bar when the tide gate shuts", head="## Learnings\n"
    ),
    "list items": _lines("- item {i}"),
    "words of commands": _lines("- -a{i}", "- b"),
    "items with ids": _lines("- US-{i}: done x", "  - sub"),
    "items with ids outside of headings": _lines("- [x] US-{i}: y", head="## 2026-03-01 - log\n# x\n"),
    "boxes": _lines("- [x] {i}. a"),
    "boxes in boxes": lambda number: "".join(f"{'  ' * (at % 40)}- [ ] a{at}\n" for at in range(number)),
    "quotes": _lines("> q {i}"),
    "quotes in quotes": lambda number: "".join(f"{'>' * (at % 60 + 1)} q\n" for at in range(number)),
    "rows": _lines("| a{i} | b |"),
    "tables": _lines("| Error | Fix |", "|---|---|", "| a{i} | Use b |", ""),
    "fences": _lines("```"),
    "fences never closed": _lines("```py", "x{i}"),
    "fences of two kinds": _lines("```py", "~~~js"),
    "comments never closed": _lines("<!-- x"),
    "ends of comments": _lines("a -->"),
    "comments in one paragraph": _lines("a <!-- x"),
    "comments in a quote": _lines("> <!-- x"),
    "comments in items": _lines("- <!-- x", "  - <!-- y", "    z"),
    "comments over two lines": _lines("- a <!-- x", "  y --> z"),
    "labels": _lines("**Label {i}:** x"),
    "labels alone": _lines("**Label {i}:**"),
    "sub-labels": _lines("- **Learnings:**", "- a{i}", "- **Gotchas:**", "- b{i}"),
    "files": _lines("- src/a{i}.py", head="## US-1\n**Files:**\n"),
    "rules": _lines("---"),
    "boxed titles": _lines("=====", "a{i}", "====="),
    "underlined titles": _lines("a{i}", "----"),
    "one paragraph": _lines("some words {i} here"),
    "one narrow paragraph whose lines begin like labels": _lines(
        "note: aaaaaaaa bbbbbbbb cccccccc dddddddd eee",
        head="words aaa aaaaaaaa bbbbbbbb cccccccc dddddddd ee\n" * 2,
    ),
    "one narrow paragraph whose lines begin like items": _lines(
        "+ aaa aaaaaaaa bbbbbbbb cccccccc dddddddd eee",
        head="words aaa aaaaaaaa bbbbbbbb cccccccc dddddddd ee\n" * 2,
    ),
    "paragraphs": _lines("some words {i}", ""),
    "stamped lines": _lines("[2026-03-01 10:00] did x{i}", ""),
    "dated items": _lines("- 2026-03-01 10:00 did x{i}"),
    "warnings": _lines("⚠️ Gotcha: never shut gate {i} since it fails", ""),
    "conflict markers": _lines("<<<<<<< a", "=======", ">>>>>>> b"),
    "blank lines": _lines(""),
}
_UNITS = (
    "+", "-", "*", "_", "`", "~", "#", "=", ">", "|", "(", "[", "<", '"', ".", "/", ":", "a", "A", "1", " ", "\t", "\r",
    "a/", "a.", "a-", "a_", "a ", "(a/", "A-1 ", "US-1 ", "a/b.py ", "`a` ", "**a** ", "2026-03-01 ", "[x] ", "is ",
    "tests ", "中", "✅", "İ", "\u200b", "\x1b[", "\x1b]", "\x9d", "<private>", "<!-- ", "--a-", "sk-", "eyJ", "curl ",
    "://", "a:b@", "-----BEGIN PRIVATE KEY-----", "password=", "Authorization: ", "LS0tLS1CRUdJTi", "# ",
    "![", "![a](b ", "![a](http://b) ", "](", "](<", "]:", '"-a", ', "<img ", "<img a=", '="', "[/INST", "<< ",
)  # fmt: skip
_BEGINNINGS = ("", "## 2026-03-01 10:00 - US-001: ", "## US-1\n**Learnings:**\n- ", "**Status:** ")


def _long_lines(unit: str) -> Made:
    """Return a maker of one long line of a unit behind each of some beginnings."""
    return lambda number: "".join(f"{beginning}{unit * number}\n" for beginning in _BEGINNINGS)


LONG_LINES: dict[str, Made] = {repr(unit): _long_lines(unit) for unit in _UNITS}


def _story(**fields: Any) -> Callable[[int], dict[str, Any]]:
    """Return a maker of stories; `{i}` in a text is its number."""
    text = json.dumps({"passes": False, **fields})
    return lambda at: json.loads(text.replace("{i}", str(at)).replace("{j}", str(at + 1)))


def _plan(make: Callable[[int], Any]) -> Made:
    return lambda number: json.dumps({"project": "p", "userStories": [make(at) for at in range(number)]})


PLANS: dict[str, Made] = {
    "stories": _plan(_story(id="US-{i}", title="Story {i}")),
    "stories of one id": _plan(_story(id="US-1", title="same")),
    "stories without id": _plan(_story(title="T {i}", passes=True)),
    "a chain of dependencies": _plan(_story(id="US-{i}", title="d", dependsOn=["US-{j}"])),
    "all wait for two": _plan(_story(id="US-{i}", title="d", dependsOn=["US-1", "US-2"], status="blocked")),
    "words nobody knows": _plan(_story(id="US-{i}", title="d", status="word{i}")),
    "parts": lambda number: json.dumps(
        {"userStories": [{"id": "1", "title": "x", "subtasks": [{"title": f"a{at}", "passes": True} for at in range(number)]}]}
    ),
    "groups": lambda number: json.dumps(
        {"phases": [{"tasks": [{"id": f"{at}", "title": "x", "passes": True}]} for at in range(number)]}
    ),
    "keys": lambda number: json.dumps({"userStories": [{"id": "1", "title": "x", "passes": True}]} | {f"k{at}": 1 for at in range(number)}),
    "one long title": lambda number: json.dumps({"userStories": [{"id": "1", "title": "a b" * number * 20, "passes": True}]}),
    "dependencies of one story": lambda number: json.dumps(
        {"userStories": [{"id": "1", "title": "x", "passes": False, "dependsOn": [f"US-{at}" for at in range(number)]}]}
    ),
}  # fmt: skip


def _log(*entries: dict[str, Any]) -> Made:
    texts = [json.dumps(entry) for entry in entries]

    def made(number: int) -> str:
        items = []
        for at in range(number):
            item = json.loads(texts[at % len(texts)].replace("{i}", str(at)))
            items.append(
                {"id": f"entry-{at}", "timestamp": f"2026-03-{1 + at % 28:02}T10:{at % 60:02}:00Z", **item}
            )
        return json.dumps({"version": "1.0", "entries": items})

    return made


_DONE: dict[str, Any] = {"type": "task_completed", "task_id": "US-{i}", "data": {"description": "did {i}"}}
_BLOCKED: dict[str, Any] = {"type": "task_blocked", "task_id": "US-{i}", "data": {"issue": "x {i}"}}
_whole = _log(_DONE)
LOGS: dict[str, Made] = {
    "completions": _whole,
    "blockers": _log(_BLOCKED),
    "blockers and completions of others": _log(_BLOCKED, _DONE),
    "learnings": _log({"type": "task_completed", "data": {"learnings": ["Use `f{i}.py` since x{i} fails"]}}),
    "supplements of one entry": _log({"type": "task_completed", "data": {"supplements": "entry-0", "files_modified": ["a{i}.py"]}}),
    "retractions": _log(_DONE, {"type": "debug_resolved", "data": {"retracts": "entry-{i}"}}),
    "mutes": _log({"type": "debug_resolved", "data": {"mutes": ["text {i}"]}}),
    "entries of one id": _log(_DONE | {"id": "entry-0"}),
    "cut off": lambda number: _whole(number)[:-5],
    "every entry damaged": lambda number: _whole(number).replace('"type":', '"type",'),
    "every entry open": lambda number: _whole(number).replace("}}", "}"),
    "every text open": lambda number: _whole(number).replace("did ", 'did "'),
    "conflict markers": lambda number: f"<<<<<<< a\n{_whole(number)}\n=======\n{_whole(number // 2)}\n>>>>>>> b\n",
    "keys": lambda number: json.dumps({"version": "1.0", "entries": []} | {f"k{at}": at for at in range(number)}),
    "keys of one entry": lambda number: json.dumps(
        {"entries": [{"id": "a", "timestamp": "2026-03-01T10:00:00Z", "type": "x", "data": {f"k{at}": at for at in range(number)}}]}
    ),
    "nothing but beginnings": lambda number: '{"id":' * number,
    "nothing but brackets": lambda number: '{"entries": [' + "[" * number,
}  # fmt: skip
