"""A question in plain words, as terms to look for and what kind of answer is meant.

Whatever is in it is text: no character of it is an operator. `words.json` has the words that mean something.
"""

from functools import cache
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.recall.terms import WORDS, spellings, terms_of
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import typed

MAX_CHARACTERS = 2000
_MOST_TERMS = 40
_ASKING: str = WORDS["asking"]
"""Words that ask, in the languages agents are asked in; beside other words nothing is looked for by them."""
_ASKING_WIDE = LazyPattern(WORDS["asking in wide scripts"])
_GENERAL: str = WORDS["general"]
"""Words that say little in a log of work: they count like those of `_MEANINGS`."""
_MEANINGS: dict[str, str] = WORDS["meanings"]  # words by the kind of answer that they ask for
_ALSO: dict[str, str] = WORDS["also"]  # what words mean that are not looked for
_ID = LazyPattern(r"[^\W\d_]+-\d+(?:[.-]\d+)*")
"""The id of a story or a ticket: `US-012`, `HARB-7`."""
_ROUND = "?!,.:;()[]\"'`"


@cache
def _stems(words: str) -> frozenset[str]:
    return frozenset(terms_of(words))


def _meanings_of(stem: str) -> set[str]:
    return {meaning for meaning, words in _MEANINGS.items() if stem in _stems(words)}


class Term(NamedTuple):
    """One thing to look for: stems that follow each other."""

    text: str  # stems parted by blanks, without any character that SQLite takes for an operator
    is_name: bool  # a name of code, a path or a number, which is not used for something else
    is_part: bool = False  # only a part of a name that is looked for, too
    is_weak: bool = False  # says more of the kind of answer than of what it is about
    id: str = ""  # as it was asked for, if it is an id: neither a part of it nor a longer one is meant


class Question(NamedTuple):
    """What is looked for, and what the answer should be like."""

    terms: tuple[Term, ...]
    meant: frozenset[str]  # kinds of answers: keys of `_MEANINGS` and values of `_ALSO`

    @property
    def topic(self) -> str:
        """What of the state is asked for, if nothing else is: `blocker`, `next`, `command`, or empty."""
        if not self.terms or not all(term.is_weak for term in self.terms):
            return ""
        if "blocker" in self.meant:
            return "blocker"
        if "next" in self.meant and "checks" not in self.meant:
            return "next"
        return "" if _stems("run command").isdisjoint(term.text for term in self.terms) else "command"


def question_of(words: str) -> Question:
    """Return what is asked for. Raises BadInput for a text that is too long."""
    if len(words) > MAX_CHARACTERS:
        raise BadInput(
            f"the question has {len(words)} characters, at most {MAX_CHARACTERS} are looked for; shorten it"
        )
    plain = _ASKING_WIDE.sub(" ", typed(words))
    found: dict[str, Term] = {}
    asked: dict[str, Term] = {}
    meant: set[str] = set()
    for word in plain.split():
        stems = terms_of(word)
        phrase = " ".join(stems)
        spelt_otherwise = spellings(word)
        is_name = len(stems) > 1 or any(map(str.isdigit, word)) or not (word.islower() or word.istitle())
        meant.add(_ALSO.get(word.strip("?!,.:;").lower(), ""))
        named = id_.group() if len(stems) > 1 and (id_ := _ID.fullmatch(word.strip(_ROUND))) else ""
        parts = () if named else stems
        for stem in dict.fromkeys((phrase, *spelt_otherwise, *parts) if stems else ()):
            is_part = stem != phrase
            is_weak = not is_name and (stem in _stems(_GENERAL) or bool(_meanings_of(stem)))
            if not is_part:
                meant |= _meanings_of(stem)
            term = Term(stem, is_name, is_part, is_weak, "" if is_part else named)
            (asked if stem in _stems(_ASKING) else found).setdefault(stem, term)
    terms = tuple((found or asked).values())[:_MOST_TERMS]
    return Question(terms, frozenset(meant - {""}))
