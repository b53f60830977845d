"""Merge learnings that say the same, word by word.

Agents repeat themselves: the head section copies entries, entries copy each other, a later one corrects an
earlier one. Each learning is compared only with those that share one of its rarer words, so the cost grows
with the log and not with its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from math import ceil

from progress_plugin.core.memo import Memo
from progress_plugin.learnings.merge_cache import MergeSteps
from progress_plugin.learnings.words import names_among, names_in, words_of
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.text.patterns import LazyPattern

_SAME = 0.6
"""Share of common words (of all words of both) from which two texts say the same."""
_SAME_NAMES = 0.5
"""The same, where neither names something that the other does not."""
_CONTAINED = 0.85
"""Share of the shorter text's words found in the longer one from which it adds nothing."""
_FEWEST = 4
"""A text of fewer words is the same only if all of them are."""
_COMMON = 40
"""A word that more learnings use is no reason to compare two: this keeps the cost near linear."""
_MORE_SPECIFIC = 1.5
_OUTRIGHT = (
    r"correction|corrected|no longer|not anymore|(?:was|were) (?:wrong|incorrect|mistaken)|"
    # German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian
    r"nicht mehr|korrektur|war falsch|rectification|n'est plus|ya no|corrección|não é mais|correção|"
    r"non è più|correzione|niet meer|correctie|już nie|korekta|больше не|исправление"
)
_OUTRIGHT_UNSPACED = r"不再|更正|訂正|정정"
_SAYS_WRONG = LazyPattern(rf"\b(?:{_OUTRIGHT})\b|{_OUTRIGHT_UNSPACED}")
"""In small letters: what says outright that something does not hold, be it without a name."""
_CORRECTS = LazyPattern(
    rf"\b(?:{_OUTRIGHT}|now|any ?more|previously|used to|was (?:always|previously)|were (?:always|"
    r"previously)|"
    r"actually|instead|changed to|replaced (?:by|with)|renamed|supersedes|obsolete|outdated|"
    r"contrary to|turns out|since then|"
    r"jetzt|stattdessen|désormais|maintenant|au lieu de|ahora|en vez de|agora|em vez de|adesso|nu|teraz|"
    r"теперь)\b|"
    rf"{_OUTRIGHT_UNSPACED}|现在|已改为|改为|現在は|ではなく|に変更|이제|더 이상"
)
"""In small letters: a pattern that need not care for case is three times as fast."""
_FEWEST_OF_WRONG = 3
"""Words that such a statement shares with what it takes back."""
_SUBJECT = 0.4
"""Share of common words from which a correction is about the same subject, given a name both use."""
_NUMBERS = LazyPattern(r"(?<![\w.])\d+(?:\.\d+)*(?![\w.])")


class _Group:
    """Learnings found to say the same; the survivor's words stand for all."""

    __slots__ = ("members", "replaced", "survivor", "words")

    def __init__(self, first: Learning, words: frozenset[str]) -> None:
        self.survivor = first
        self.words = words
        self.members = [first]
        self.replaced: list[Learning] = []
        """Members that a later one corrects."""


def merge(
    learnings: Iterable[Learning], memo: Memo | None = None, settled: Sequence[Learning] = ()
) -> list[Learning]:
    """Return each statement once, in order of first mention.

    The newest wording survives, unless an older one says the same and more. A correction replaces what it
    corrects. Files and mentions add up, the position is that of the newest mention. `settled` are older than
    all others and were merged before: they are not compared with each other.
    """
    ordered = [*settled, *sorted(learnings, key=lambda learning: learning.position)]
    memo = memo or Memo()
    find_words = memo.of(words_of)
    words = [find_words(learning.text) for learning in ordered]
    groups: list[_Group] = []
    index = _Index(Counter(chain.from_iterable(words)))
    steps = MergeSteps(ordered, index.common, len(settled), memo)
    index.serve(words[len(steps.known) :])
    places = []
    for number, (learning, own) in enumerate(zip(ordered, words, strict=True)):
        if number < len(steps.known):
            at = steps.known[number]
        else:
            found = _find(learning, own, groups, index) if number >= len(settled) else None
            at = len(groups) if found is None else found
        if at == len(groups):
            groups.append(_Group(learning, own))
        else:
            _join(groups[at], learning, own)
        index.post(own, at)
        places.append(at)
    steps.keep(places)
    return [_merged(group) for group in groups]


def without(learnings: Iterable[Learning], muted: Iterable[str]) -> list[Learning]:
    """Return the learnings, in their order, that say nothing of what these texts say.

    The measure is that of `merge`: a later rewording stays muted, another figure is another statement.
    """
    hidden = Muted(muted)
    return [learning for learning in learnings if not hidden.hides(learning)]


class Muted:
    """Knows which learnings say what some texts say; each is compared with few of them, as in `merge`."""

    def __init__(self, texts: Iterable[str]) -> None:
        bare = dict.fromkeys(map(_unlabelled, texts))
        self._texts = [(text, own) for text in bare if (own := words_of(text))]
        self._whole: dict[frozenset[str], int] = {own: at for at, (_, own) in enumerate(self._texts)}
        using: defaultdict[str, list[int]] = defaultdict(list)
        for at, (_, own) in enumerate(self._texts):
            for word in own:
                using[word].append(at)
        self._using = {word: places for word, places in using.items() if len(places) <= _COMMON}

    def hides(self, learning: Learning) -> bool:
        """Return whether one of the texts says what the learning says."""
        if not self._texts:
            return False
        learning = learning._replace(text=_unlabelled(learning.text))
        own = words_of(learning.text)
        near = set(chain.from_iterable(filter(None, map(self._using.get, own))))
        if own in self._whole:
            near.add(self._whole[own])
        return any(_says(learning, *self._texts[at]) for at in near)


def _unlabelled(text: str) -> str:
    from progress_plugin.learnings.inline_warnings import unlabelled  # noqa: PLC0415 - hardly anybody mutes anything

    return unlabelled(text)


def _says(learning: Learning, text: str, own: frozenset[str]) -> bool:
    muted = Learning(kind=learning.kind, text=text, source="", position=learning.position)
    return _likeness(learning, words_of(learning.text), _Group(muted, own)) > 0


class _Index:
    """Knows which groups use a word; words that many use are left out, they distinguish nothing."""

    def __init__(self, frequency: Counter[str]) -> None:
        self.common = {word for word, count in frequency.items() if count > _COMMON}
        self._shared = {word for word, count in frequency.items() if 1 < count <= _COMMON}
        self._groups: defaultdict[str, list[int]] = defaultdict(list)
        self._whole: dict[frozenset[str], int] = {}

    def serve(self, asked: Iterable[frozenset[str]]) -> None:
        """Have it know only what those ask that will be looked for."""
        self._shared &= set(chain.from_iterable(asked))

    def post(self, own: frozenset[str], at: int) -> None:
        """Note that a group uses these words."""
        self._whole[own] = at
        for word in own & self._shared:
            posted = self._groups[word]
            if not posted or posted[-1] != at:
                posted.append(at)

    def near(self, own: frozenset[str]) -> list[int]:
        """Return the groups that share enough rare words with a text to be compared with it, by age."""
        rare = own - self.common
        shared = Counter(chain.from_iterable(filter(None, map(self._groups.get, rare))))
        enough = max(1, ceil(len(rare) * _SUBJECT / 2))
        found = [at for at, count in shared.items() if count >= enough]
        if own in self._whole:
            found.append(self._whole[own])
        return sorted(found)  # words are found in an order of chance


def _find(learning: Learning, own: frozenset[str], groups: list[_Group], index: _Index) -> int | None:
    """Return the group that says the same, of several the most similar, of equal ones the first."""
    best, score = None, 0.0
    for at in index.near(own):
        likeness = _likeness(learning, own, groups[at])
        if likeness > score:
            best, score = at, likeness
    return best


def _likeness(learning: Learning, own: frozenset[str], group: _Group) -> float:
    """Return 0 for different statements, else how alike they are."""
    words, older = group.words, group.survivor
    shared = len(own & words)
    if not shared:
        return 0.0
    together = shared / (len(own) + len(words) - shared)
    smaller = min(len(own), len(words))
    if smaller < _FEWEST:
        return together if together == 1 and _same_sort(learning, older) else 0.0
    contained = shared / smaller >= _CONTAINED
    if together < _SUBJECT / 2 and not contained:
        return 0.0  # nearly all end here
    alike = contained or together >= _least(learning.text, older.text, together)
    if _is_later_word(learning, older) and (
        alike or _is_on_subject(learning, older, together) or _takes_back(learning, own, words)
    ):
        return together  # a correction may be of another kind, and have other figures: these it corrects
    same = alike and _same_numbers(learning.text, older.text) and not _told_apart(learning, own, older, words)
    return together if same and _same_sort(learning, older) else 0.0


def _same_sort(one: Learning, other: Learning) -> bool:
    """Return whether both say how stories hang together, or neither."""
    return (one.kind is LearningKind.DEPENDENCY) == (other.kind is LearningKind.DEPENDENCY)


def _least(one: str, other: str, together: float) -> float:
    """Return the share of common words that is enough: less where neither text names something of its own.

    `methods` and `errors` are two folders.
    """
    if not _SAME_NAMES <= together < _SAME:
        return _SAME  # it makes no difference
    first, second = _names(one), _names(other)
    return _SAME if first - second and second - first else _SAME_NAMES


def _same_numbers(one: str, other: str) -> bool:
    """Return whether two texts agree in their figures: port 3000 and port 4000 are two facts."""
    first, second = set(_NUMBERS.findall(one)), set(_NUMBERS.findall(other))
    return first <= second or second <= first


def _told_apart(one: Learning, own: frozenset[str], other: Learning, words: frozenset[str]) -> bool:
    """Return whether each of two texts names what the other does not: two files are two facts.

    A word that is a name by its capital alone may as well be a noun: it counts where nothing else differs.
    """
    first, second = names_among(one.text), names_among(other.text)
    if first.certain - words and second.certain - own:
        return True
    left, right = own - words, words - own
    return bool(left and right) and left <= first.all_of_them and right <= second.all_of_them


def _is_later_word(newer: Learning, older: Learning) -> bool:
    """Return whether a statement is newer than another, and says that things have changed."""
    return newer.position > older.position and corrects(newer.text)


def _takes_back(newer: Learning, own: frozenset[str], words: frozenset[str]) -> bool:
    """Return whether a statement says that something is wrong, with the words that say what."""
    shared = len(own & words)
    enough = shared >= _FEWEST_OF_WRONG and shared >= _SUBJECT * min(len(own), len(words))
    return enough and bool(_SAYS_WRONG.search(newer.text.lower()))


def _is_on_subject(newer: Learning, older: Learning, together: float) -> bool:
    """Return whether two statements are about the same by the names in them."""
    subjects = _names(newer.text) & _names(older.text)
    return bool(subjects) and (together >= _SUBJECT or _leads_with(newer.text, older.text, subjects))


# A text is compared with many others in a row, and those with many texts.
@lru_cache(maxsize=16)
def corrects(text: str) -> bool:
    """Return whether a statement says that something has changed: what it replaces is not to be shown."""
    return bool(_CORRECTS.search(text.lower()))


@lru_cache(maxsize=2048)
def _names(text: str) -> frozenset[str]:
    return frozenset(names_in(text))


def _leads_with(newer: str, older: str, subjects: frozenset[str]) -> bool:
    """Return whether both texts begin with the same name."""
    return any(
        newer.lstrip("`* ").startswith(name) and older.lstrip("`* ").startswith(name) for name in subjects
    )


def _join(group: _Group, learning: Learning, own: frozenset[str]) -> None:
    if corrects(learning.text):
        group.replaced = list(group.members)
    group.members.append(learning)
    keeps_more = group.words > own and len(group.words) >= _MORE_SPECIFIC * len(own)
    if not keeps_more or corrects(learning.text):
        group.survivor, group.words = learning, own


def _merged(group: _Group) -> Learning:
    survivor, members = group.survivor, group.members
    if len(members) == 1:
        return survivor
    same_source = [
        member for member in members if member.source == survivor.source and member is not survivor
    ]
    lines = (*survivor.lines, *(line for member in same_source for line in member.lines))
    files = (*survivor.files, *(path for member in members for path in member.files))
    return survivor._replace(
        lines=tuple(dict.fromkeys(lines)),
        files=_distinct(files),
        mentions=sum(member.mentions for member in members),
        position=max(member.position for member in members),
        replaced=tuple(dict.fromkeys(old for member in group.replaced for old in _statements(member))),
    )


def _statements(member: Learning) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    return ((member.text, member.source, member.lines), *member.replaced)


def _distinct(files: Iterable[str]) -> tuple[str, ...]:
    """Return the paths without those that are only the end of a longer one."""
    unique = list(dict.fromkeys(files))
    ends = {path[at:] for path in unique for at in range(1, len(path)) if path[at - 1] == "/"}
    return tuple(path for path in unique if path not in ends)
