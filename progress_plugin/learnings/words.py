"""The words of a learning that carry meaning, for comparing one with another (S7.2)."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[A-Za-z0-9_$@][\w$@./:-]*[\w$]|[\w$]|[^\W\d_]+")
_PARTS = re.compile(r"[./:\\-]+")
_STOP = frozenset(
    ["a", "about", "all", "also", "always", "an", "and", "any", "are", "as", "at", "be", "been", "being", "both", "but", "by", "can", "could", "do", "does", "each", "etc", "for", "from", "get", "had", "has", "have", "how", "if", "in", "into", "is", "it", "its", "just", "like", "make", "may", "might", "more", "most", "much", "need", "needs", "no", "not", "of", "on", "one", "only", "or", "other", "our", "out", "over", "same", "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "up", "use", "used", "uses", "using", "very", "via", "was", "we", "were", "what", "when", "where", "which", "while", "will", "with", "within", "would", "you", "your"]
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ENDINGS = ("ing", "ies", "ed", "es", "s")
_SHORTEST_STEM = 4


def words_of(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning; names of code whole, paths by their last part.

    Scripts without spaces give pairs of neighbouring characters.
    """
    found: set[str] = set()
    if not text.isascii():
        for run in _WIDE.findall(text):
            found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        text = _WIDE.sub(" ", text)
    for token in _TOKEN.findall(text):
        found.update(_stems(token))
    return frozenset(found)


def _stems(token: str) -> list[str]:
    last = _PARTS.split(token.rstrip("./:-"))
    if "/" in token or "." in token:  # a path or a dotted name: `src/db.ts`, `lib/db.ts` and `db.ts` are one
        last = last[-2:] if "." in token else last[-1:]
    return [stem for part in last if (word := part.lower()) and word not in _STOP and (stem := _stem(word))]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def names_in(text: str) -> tuple[str, ...]:
    """Return what a text has in code marks and its CamelCase or snake_case names, in order."""
    marked = re.findall(r"`([^`\s]{2,60})`", text)
    bare = re.findall(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z0-9]+(?:_[a-z0-9]+)+)\b", text)
    return tuple(dict.fromkeys((*marked, *bare)))
