"""Check that each line of `context --sources --json` names a place that holds its words."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

LINES_OF_ITEM = 3  # an item of a JSON plan is named by its first line
_WORD = re.compile(r"[^\W_]{2,}")


def find_untraced_lines(root: Path, lines: list[dict[str, Any]]) -> list[str]:
    """Return the lines with sources of which fewer than a third of the words are in these sources.

    A topic in front may be from a line above.
    """
    untraced = []
    for line in lines:
        cited = " ".join(cited_text(root, source) for source in line["sources"]).casefold()
        parts = (line["text"], line["text"].partition(": ")[2])
        if line["sources"] and not any(_is_in(part.casefold(), cited) for part in parts):
            untraced.append(f"{line['text']} < {line['sources']}")
    return untraced


def _is_in(text: str, cited: str) -> bool:
    words = set(_WORD.findall(text))
    return bool(words) and len(words & set(_WORD.findall(cited))) * 3 >= len(words)


def cited_text(root: Path, source: dict[str, Any]) -> str:
    """Return the text at a source, with the escapes of JSON resolved."""
    if source["line"] is None and source["path"].endswith(".db"):
        with closing(sqlite3.connect(source["path"])) as database:
            return str(
                database.execute("SELECT * FROM observations WHERE id = ?", (source["entry"],)).fetchone()
            )
    if source["line"] is None:
        return str(source["path"])
    lines = (root / source["path"]).read_bytes().decode("utf-8", "replace")
    split = lines.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    end = source["line"] + (LINES_OF_ITEM if source["path"].endswith(".json") else 0)
    text = "\n".join(split[source["line"] - 1 : end])
    return text.replace("\\n", " ").replace('\\"', '"')
