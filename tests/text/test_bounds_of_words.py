"""A text that is too long loses a whole word at its bound, for half a secret is known by no shape."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import progress_plugin
from progress_plugin.text.bounds import head, shortened, tail


@pytest.mark.parametrize(
    ("text", "most", "first", "last"),
    [
        ("one two three", 13, "one two three", "one two three"),
        ("one two three", 10, "one two ", " two three"),
        ("one two three", 7, "one two", " three"),
        ("one two three", 4, "one ", ""),
        ("onetwothree", 5, "", ""),
        ("      ", 3, "   ", "   "),
        ("潮汐表里有一个错误", 4, "潮汐表里", "一个错误"),
        ("", 0, "", ""),
    ],
)
def test_the_word_at_the_bound_is_left_out(text: str, most: int, first: str, last: str) -> None:
    assert (head(text, most), tail(text, most)) == (first, last)


_TOKEN = "ghp_" + "aB3dE6gH9jK2" * 3


@pytest.mark.parametrize(
    ("text", "most", "told"),
    [
        ("one two", 7, "one two"),
        ("one two three", 9, "one two…"),
        ("x" * 70, 60, "x" * 60 + "…"),
        ("", 0, ""),
        (_TOKEN, 20, "[REDACTED:GITHUB_TOKEN]…"),
        (f"a:{_TOKEN}", 20, "a:[REDACTED:GITHUB_TOKEN]…"),
        (f"status {_TOKEN}", 20, "status…"),
        (" " * 20 + _TOKEN, 30, "[REDACTED:GITHUB_TOKEN]…"),
        (" " * 30 + _TOKEN, 20, "…"),
        ("x" * 30 + f":{_TOKEN}", 20, "x" * 20 + "…"),
        (f"{_TOKEN}:" * 3 + "x" * 40, 100, "[REDACTED:GITHUB_TOKEN]…"),
        ("<private>" + "x" * 40, 20, "…"),
    ],
)
def test_a_word_alone_that_is_too_long_loses_its_secrets_before_it_is_cut(
    text: str, most: int, told: str
) -> None:
    assert shortened(text, most, "…") == told


_SHORTEST = 40
"""Characters from which a part of a token is worth something; smaller bounds are of lists, days and digests."""
_MAY_CUT = re.compile(r"\[\s*:[^\]\n]{0,60}(?:[A-Z]{3}|\d\d)")
_PACKAGE = Path(progress_plugin.__file__).parent
_OF_THE_PROGRAM = ("core", "config", "model")
"""Rooms in which no text of somebody else is told."""
OF_LISTS = (
    "cli/erase: lines[:_NAMED]",
    "log/claims: items[:_MOST]",
    "log/outside_copies: [*sorted(noted), *sorted(others - noted)][:_MOST_ERASED]",
    "log/shared_state: records(directory)[:_MOST_LOOKED_AT]",
    "log/team_double_ids: (before + new)[:_MOST]",
    "plans/json_fields: value[:MAX_STATEMENT]",
    "recall/question: tuple((found or asked).values())[:_MOST_TERMS]",
    "text/markdown: parts[:MAX_STATEMENT]",
    "transcripts/clients/opencode_rows: list(found.items())[:_SUBAGENTS + 1]",
    "transcripts/transcript_files: [os.path.join(folder, name) for name in names if name.endswith(_ENDING)][:_SUBAGENTS]",
    "usecases/report: _details(event, facts)[:_DETAILS]",
    "usecases/report: known[:_GROUPED]",
    "usecases/summarizing/file_notes: notes[:_MOST]",
    "usecases/summarizing/shown_counts: sorted(counts.starts | counts.files, key=lambda name: (-counts.of(name), name))[:_MOST]",
    "usecases/summarizing/summary_files: paths[:max(len(paths) - SESSIONS_KEPT, 0)]",
    "worth/choice: sorted(range(len(candidates)), key=lambda at: (-rough[at], at))[:CONSIDERED]",
)
ONLY_LOOKED_AT = (
    "learnings/inline_warnings: text[:_NEAR]",
    "passages/joined_passages: text[:_LABEL]",
    "passages/reader: text[:60]",
    "recall/terms: token[:_LONGEST]",
    "recall/terms: word[:_LONGEST]",
    "summary/budget: offer.text[:_LONGEST]",
    "summary/unfinished_ends: text[:_LONGEST_LABEL]",
    "text/bounds: text[:most + _LONGEST_SECRET]",
    "text/decode: data[:min(_PROBE, len(data) // 2 * 2)]",
    "text/secret_values: value.rstrip('.:!?')[:_LONGEST]",
    "text/secret_values: value.rstrip('.:!?*_')[:_LONGEST]",
    "text/secret_values: value[:_LONGEST]",
    "transcripts/clients/codex: output[:200]",
    "transcripts/clients/codex: output[:_LONGEST]",
    "transcripts/commands/check_results: row[:_LONGEST_OUTPUT_LINE]",
    "transcripts/commands/shell_line: line[:MAX_LINE + len(_CUT)]",
    "usecases/correcting/mute: named[:MAX_CHARACTERS]",
    "usecases/extract: data[:_PROBE]",
    "usecases/recalling/history_passages: text[:_LABEL]",
)
WITHOUT_SECRETS = (
    "cli/doctor_text: text[:WIDTH - 1]",
    "transcripts/commands/check_names: name[:_LONGEST]",
    "usecases/summarizing/file_notes: self._in_summary(said.id, _LONGEST)[:_BEGINNING]",
    "usecases/summarizing/file_notes: summary_item(text, _LONGEST)[:_BEGINNING]",
)
"""These have lost them before."""
OF_NAMES = (
    "memory/progress_document: '-'.join(key.lower().split()).encode()[:120]",
    "usecases/summarizing/summary_per_plan: ''.join((char if char.isalnum() else '-' for char in named))[:_LONGEST_NAME]",
)
"""What a file or a row is called, what the sender of a request is told of it."""


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _numbers(path: Path) -> dict[str, int]:
    """Return the numbers that a module has names for, its own and those it imports from the package."""
    found = {}
    for node in _tree(path).body:
        if isinstance(node, ast.Assign):
            pairs = zip(node.targets, [node.value], strict=False)
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(node.targets[0].elts, node.value.elts, strict=True)
            for name, value in pairs:
                if (
                    isinstance(name, ast.Name)
                    and isinstance(value, ast.Constant)
                    and type(value.value) is int
                ):
                    found[name.id] = value.value
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("progress_plugin."):
            imported = _PACKAGE.parent / f"{(node.module or '').replace('.', '/')}.py"
            names = [each.name for each in node.names if each.name.isupper()]
            if names and imported.exists():
                others = _numbers(imported)
                found |= {name: others[name] for name in names if name in others}
    return found


def _cuts() -> Iterator[str]:
    """Yield where a beginning of so many characters is taken that half a token would fit in."""
    for path in sorted(_PACKAGE.rglob("*.py")):
        module = path.relative_to(_PACKAGE).with_suffix("").as_posix()
        if module.partition("/")[0] in _OF_THE_PROGRAM:
            continue
        if not _MAY_CUT.search(path.read_text(encoding="utf-8")):
            continue
        numbers = _numbers(path)
        for node in ast.walk(_tree(path)):
            if not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)):
                continue
            bound = node.slice.upper
            if bound is None or node.slice.lower is not None:
                continue
            named = [numbers.get(each.id, 0) for each in ast.walk(bound) if isinstance(each, ast.Name)]
            written = [each.value for each in ast.walk(bound) if isinstance(each, ast.Constant)]
            if (
                max((*named, *(number for number in written if isinstance(number, int))), default=0)
                >= _SHORTEST
            ):
                yield f"{module}: {ast.unparse(node)}"


def test_what_others_wrote_is_cut_in_one_place() -> None:
    known = {*OF_LISTS, *ONLY_LOOKED_AT, *WITHOUT_SECRETS, *OF_NAMES}
    assert sorted(set(_cuts()) ^ known) == [], (
        "cut with `text.bounds.shortened`, or say here why it may be torn"
    )
