"""Leave out statements that were true only when they were written: next steps, check results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from progress_plugin.model.work import Statement
from progress_plugin.selection.score import WORD
from progress_plugin.selection.words import group_of_word, phrase_list

PRESENT = frozenset({"next", "blocked", "focus", "status"})  # sections that hold only in the newest entry
MAX_RESULT_CHARS = 120
TICK = re.compile(r"^\[[xX]\]|[✓✔✅☑]\s*(?:\([^)]*\))?$")
RESULT = re.compile(r"\b\d[\d,]*(?:\s?/\s?\d+)?\s")
CLAUSE_END = re.compile(r"(?<=[;；])\s+|(?<=\.)\s+(?=[A-Z`])")


def drop_past_moments(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements without those that were true only at a moment that has passed."""
    newest = Counter[str]()
    for statement in statements:
        path = statement.source.path
        newest[path] = max(newest[path], statement.entry)
    kept = []
    for statement in statements:
        is_newest = 0 < statement.entry == newest[statement.source.path]
        if statement.section in PRESENT and not is_newest:
            continue
        text = statement.text if is_newest else _without_results(statement.text)
        if not is_newest and _tells_past_need(text):
            continue
        if statement.entry and TICK.search(text):  # it only says that something was done
            continue
        if text:
            kept.append(statement._replace(text=text))
    return kept


def _without_results(text: str) -> str:
    """Return a text without the clauses that only say how many checks passed."""
    clauses = CLAUSE_END.split(text)
    kept = [clause for clause in clauses if not _is_result(clause)]
    return text if len(kept) == len(clauses) else " ".join(kept).rstrip(" ;；")


def _is_result(clause: str) -> bool:
    if len(clause) > MAX_RESULT_CHARS or not RESULT.search(clause):
        return False
    groups = group_of_word()
    return {"tests", "passing"} <= {groups.get(word) for word in WORD.findall(clause.lower())}


def _tells_past_need(text: str) -> bool:
    """Return whether a text tells how finished work went: `the tests had to be adapted`."""
    return any(map(text.lower().__contains__, phrase_list("past_needs")))
