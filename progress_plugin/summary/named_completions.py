"""Whether later work says in ordinary words that what an older statement left open is done.

`Write the CLI` is, once somebody finished `CLI written, with --json`.
"""

import re

from progress_plugin.text.patterns import LazyPattern

_WORD = LazyPattern(r"\w+(?:['’]\w+)*")
_LABEL = LazyPattern(
    r"(?:\[.\]\s*+)?\b(?:to-?do|fixme|next(?: (?:steps?|tasks?|up))?|still open|open|missing|left to do|"
    r"follow-?up)\s*+[:：]",
    re.IGNORECASE,
)
_CLAUSE = LazyPattern(r"[,;:.…(](?:\s|$)|\s[-–—]+\s|\s\(")
"""Where the first clause of a statement ends."""
_QUALIFIES = LazyPattern(
    r"\b(?:for|of|in|inside|into|on|onto|with|without|within|to|from|by|at|before|after|as|so|that|which|where|when|while|until|and)\b",
    re.IGNORECASE,
)
"""Behind which a step says more closely what it is about, or what else it is."""
_EMPTY = frozenset({
    "a", "an", "the", "this", "that", "is", "are", "was", "were", "be", "been", "being", "has", "have",
    "had", "now", "all", "it", "its", "our", "we", "i", "for", "of", "in", "inside", "into", "on",
    "onto", "with", "within", "to", "from", "by", "at",
})  # fmt: skip
"""What says nothing by itself."""
_MAKES = frozenset({
    "do", "does", "did", "done", "finish", "finished", "complete", "completed", "write", "writes",
    "wrote", "written", "build", "builds", "built", "make", "makes", "made", "add", "adds", "added",
    "create", "creates", "created", "implement", "implements", "implemented", "ready", "work", "works",
    "working", "developed", "shipped", "landed", "fixed", "resolved",
})  # fmt: skip
"""What is said of any work: that it is to be done, or is."""
_ENDINGS = LazyPattern(r"(?<=\w{3})(?:ied|ies|ing|ed|es|s|y|e)$")
_DONE = LazyPattern(
    r"\b(?:done|finished|completed?|written|built|added|created|implemented|fixed|resolved|works)\b",
    re.IGNORECASE,
)


class NamedStep:
    """What a statement leaves open, by the words that say what it is about."""

    def __init__(self, text: str) -> None:
        said = _first_clause(_LABEL.sub("", text, count=1))
        first = _WORD.search(said)
        self._verb = _ENDINGS.sub("", first[0].casefold()) if first else ""
        self._about = _telling(_QUALIFIES.split(said, maxsplit=1)[0])
        self._words = _telling(text)

    def may_be_in(self, folded: str) -> bool:
        """Return whether a text in small letters has such words at all: asked first."""
        return bool(self._about) and all(word in folded for word in self._about)

    def is_done_by(self, text: str) -> bool:
        """Return whether finished work is about all that the step is about, and about nothing else."""
        work = _telling(_first_clause(text))
        return bool(self._about) and self._about <= work <= self._words

    def is_told_done(self, text: str) -> bool:
        """Return whether the first clause of a statement says done, or has the step's verb in the past."""
        first = _WORD.search(text)
        said = first[0].casefold() if first else ""
        return says_done(text) or (said.endswith("ed") and _ENDINGS.sub("", said) == self._verb)


def says_done(text: str) -> bool:
    """Return whether the first clause of a statement says that something is done."""
    return _DONE.search(_first_clause(text)) is not None


def _first_clause(text: str) -> str:
    return str(_CLAUSE.split(text.strip(), maxsplit=1)[0])


def _telling(text: str) -> frozenset[str]:
    """Return the words, without their endings, that are not said of any work."""
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(_ENDINGS.sub("", word) for word in words if word not in _EMPTY and word not in _MAKES)
