"""The legend of words that a plan brings along, which wins over our own table.

That table is `model.status`.
"""

from itertools import pairwise
from typing import NamedTuple

from progress_plugin.model.status import Status, parse_status, parse_status_phrase
from progress_plugin.plans.json_fields import JsonRecord
from progress_plugin.text.patterns import LazyPattern

_NAMES = ("status_legend", "statusLegend", "legend", "status_definitions", "statuses")
_CLAUSE_END = LazyPattern(r"[.,;:(。，；：（]|\s[-–—]\s")
_WORD = LazyPattern(r"[^\W_]+")
_NEGATIONS = frozenset({"not", "never", "no", "nicht", "noch"})


class Legend(NamedTuple):
    """Meaning of the status words of one plan, keyed by the word as `_key` folds it."""

    meanings: dict[str, Status]

    def status(self, word: str) -> Status | None:
        """Return what ``word`` means in this plan, or None where neither it nor we know."""
        return self.meanings.get(_key(word)) or parse_status(word) or parse_status_phrase(word)


def legend_of(document: JsonRecord) -> Legend:
    """Return the legend in a document or its rules: ``{word: explanation}`` or ``{status: [words]}``."""
    rules = document.get("rules")
    holders = [document, rules] if isinstance(rules, dict) else [document]
    tables = [holder[name] for holder in holders for name in _NAMES if isinstance(holder.get(name), dict)]
    meanings: dict[str, Status] = {}
    for word, explanation in ((w, e) for table in tables for w, e in table.items()):
        if isinstance(explanation, str) and (status := _meaning(word, explanation)):
            meanings[_key(word)] = status
        elif isinstance(explanation, list) and (status := parse_status(word)):
            meanings |= {_key(alias): status for alias in explanation if isinstance(alias, str)}
    return Legend(meanings)


def _meaning(word: str, explanation: str) -> Status | None:
    """Return the status an explanation gives ``word``.

    Its first clause decides where it is a status word itself ("Done, waiting for the release"). Otherwise our
    own table knows better than prose does, and only an unknown word takes the first status word of the prose.
    """
    clause = _CLAUSE_END.split(explanation, maxsplit=1)[0]
    return parse_status(clause) or parse_status(word) or _first_status(explanation)


def _first_status(explanation: str) -> Status | None:
    words = _WORD.findall(explanation)
    negated = False
    for word, following in pairwise([*words, ""]):
        # Two words before one: "in progress", and "not started" before its negation is looked at.
        status = parse_status(word + following) or (None if negated else parse_status(word))
        if status:
            return status
        negated = word.casefold() in _NEGATIONS
    return None


def _key(word: str) -> str:
    return "".join(_WORD.findall(word)).casefold() or word.strip()
