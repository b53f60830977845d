"""What a traced context must keep: every line says where it comes from, and there it stands."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

_WORD = re.compile(r"[^\W_]{2,}")
_OF_OURS = re.compile(
    r"^Asked for: \d+ criteria in the plan|^Stories: .*(?=\d+/\d+ \w+ complete$)|(?<=^Started: \d{4})-.*|^(?:Branch|Started|Current|Next|Goal|Also|- Files): |\(attempt \d+\)|, not begun$|\(since [^)]*\)"
    r"|\d+ stories|and \d+ more|\(waits for [^)]*\)|^Another plan: |, \d+/\d+ complete$|^A progress document of .* is older than log and plan"
)
"""What we say around the words of others."""
_MADE = re.compile(
    r"agent-progress: |#+ |\||Last updated: |Stories: |Blocked:|[✓→○✗⊘–] |No reusable patterns|\d+ known, none|---|"
    r"\d[\d,]* (?:of|older) |Auto-generated|\[cut here|(?:Mismatch|Elsewhere|Not read): |(?:Completed|Next steps|Blockers):$|"
    r"Learnings:$|[^-].*:$|\d+ finished stor(?:y|ies) not listed"
)
"""Lines that nobody wrote: headings, labels, counts, receipts."""


def words_of(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def untrue(root: Path, lines: list[dict[str, Any]]) -> list[str]:
    """Return the told lines of `context --sources --json` that name no place, or one that does not hold them."""
    return [
        f"{line['text']} < {line['sources']}" for line in lines if line["text"] and not _is_true(root, line)
    ]


def said_in(root: Path, place: dict[str, Any]) -> str:
    """Return what stands at a place; escapes of JSON as what they stand for."""
    if place["line"] is None:
        return _row(place) if place["path"].endswith(".db") else str(place["path"])
    lines = (root / place["path"]).read_bytes().decode("utf-8", "replace")
    text = lines.replace("\r\n", "\n").replace("\r", "\n").split("\n")[place["line"] - 1]
    try:
        return json.dumps(json.loads(text.strip().removesuffix(",")), ensure_ascii=False).replace("\\n", " ")
    except ValueError:
        return text


def _is_true(root: Path, line: dict[str, Any]) -> bool:
    text, places = re.sub(r"^Focus: (.*) \([^()]+\)$", r"\1", line["text"]), line["sources"]
    if not places:
        return bool(_MADE.match(text)) and not re.match(r"### US-|\| US-", text)
    if not all(place["line"] or place["entry"] or text.startswith("Another plan") for place in places):
        return False
    held = {word for place in places for word in words_of(said_in(root, place))}
    told = words_of(_OF_OURS.sub(" ", text))
    return len(told & held) * 2 > len(told) or told <= held


def _row(place: dict[str, Any]) -> str:
    with closing(sqlite3.connect(place["path"])) as database:
        return str(database.execute("SELECT * FROM observations WHERE id = ?", (place["entry"],)).fetchone())
