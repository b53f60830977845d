"""A question in plain words, as terms to look for and what kind of answer is meant.

Whatever is in it is text: no character of it is an operator.
"""

from functools import cache
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.recall.terms import spellings, terms_of
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import typed

MAX_CHARACTERS = 2000
_MOST_TERMS = 40
_ASKING = (
    "i me my mine am doing who whom whose why must may can should shall does did done happen happens "
    "happened way kind sort many often long please tell know there here already yet still was wie "
    "warum wieso welche welcher welches wann wo wer ist sind ich der die das den dem und ein eine que "
    "se el la quel quelle quels quelles comment pourquoi quand est sont les des une como porque cual "
    "cuales donde cuando qué cómo los las una per come perché quale"
)
"""Words that ask, in the languages agents are asked in; beside other words nothing is looked for by them."""
_ASKING_WIDE = LazyPattern(
    "什么|为什么|怎么|如何|哪些|哪个|哪里|多少|何时|吗|どの|なに|なぜ|どう|どこ|いつ|何が|何を|무엇|어떻게|언제|어디"
)
_ID = LazyPattern(r"[^\W\d_]+-\d+(?:[.-]\d+)*")
"""The id of a story or a ticket: `US-012`, `HARB-7`."""
_ROUND = "?!,.:;()[]\"'`"
_GENERAL = "project work task tasks story stories session sessions thing things plan phase feature log part"
"""Words that say little in a log of work: they count like those of `_MEANINGS`."""
_MEANINGS = {
    "blocker": "block blocks blocked blocker blockers blocking stuck",
    "next": "next open left remaining remains remain pending unfinished todo todos deferred unresolved "
    "outstanding missing incomplete planned comes follow-up",
    "status": "status state far progress stand stands finished complete completed ready done current "
    "currently present now",
    "newest": "last latest newest recent recently before previous end today final",
    "checks": "check checks checked test tests tested gate gates verify verified verification command "
    "commands quality typecheck lint pass run runs",
    "gotcha": "trap traps pitfall pitfalls gotcha gotchas wrong careful beware",
    "pattern": "convention conventions pattern patterns rule rules",
    "work": "add adds added change changes changed make made fix fixed build built land landed implement "
    "implemented create created set wire produce introduce do did",
    "command": "command commands run runs build built check checks checked gate gates start install test "
    "tests tested",
}
_ALSO = {
    "did": "work", "far": "status", "must": "rule", "should": "rule", "why": "rule", "may": "rule",
    "how": "rule", "never": "rule", "always": "rule", "when": "rule",
}  # fmt: skip
"""What words mean that are not looked for."""


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
