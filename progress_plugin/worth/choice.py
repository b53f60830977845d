"""Choose what is shown: the most worth for the room there is, nothing twice.

Budgeted coverage by a greedy rule (Lin and Bilmes 2010, 2011): what adds most for its price comes next, and
what is added counts less the more of its words are said already. Gains only fall, so the next best is found
without asking all again.

How much more counts what speaks of the next story is decided here (`_CONCERN`), which words speak of it, in
`summary.next_work` (`concern`).
"""

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from progress_plugin.text.bounds import utf16_length
from progress_plugin.worth.said_already import Coverage, shared

_PRICE = 0.5
"""How much a price counts: 1 takes most worth per token and so the shortest, 0 asks for none."""
_NEW = 0.8
"""How much of a gain depends on words not said yet."""
_CONCERN = 0.3
"""How much more counts what speaks of the story that comes next."""
CONSIDERED = 200
"""Candidates looked at: the best for their price; a summary holds about eighty."""
_BYTES = 4
"""Of a text in UTF-8 for each of its tokens, about."""
_BESIDE = 4
"""Tokens of bullet and line end, and for short words."""


def promising(worths: Sequence[float], texts: Sequence[str]) -> list[int]:
    """Return the numbers of the texts in the order in which a choice would look at them.

    The last need not be made ready. Prices are guessed from bytes, so a few more than `CONSIDERED` must be.
    """
    rough = [
        worth / math.pow(_BESIDE + _bytes(text) / _BYTES, _PRICE)
        for worth, text in zip(worths, texts, strict=True)
    ]
    return sorted(range(len(rough)), key=rough.__getitem__, reverse=True)


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


class Candidate(NamedTuple):
    """A statement that may be shown."""

    text: str
    """As it would be printed, without bullet."""
    worth: float
    section: str
    """Where it would go: the caller's word, for minimum shares."""


class Room(NamedTuple):
    """What is left of a budget."""

    tokens: int
    units: int
    """UTF-16 code units."""


def choose(  # noqa: PLR0913 - what limits a choice, each by name
    candidates: Sequence[Candidate],
    room: Room,
    price: Callable[[str], int],
    *,
    told: Coverage | None = None,
    concern: Iterable[str] = (),
    least: Mapping[str, float] | None = None,
    said: list[int] | None = None,
) -> list[int]:
    """Return the numbers of the statements to show, in the order in which they were chosen.

    `price` gives the tokens of a statement as it would be printed, its bullet and line end included.
    `told` holds what is there anyway, and is added to; `concern` the words of the current and next
    story; `least` the share of the room that a section gets first, as far as it has something to say. `said`
    gets the numbers of the statements that are not shown since others say the same.
    The same arguments give the same answer.
    """
    told = told or Coverage()
    prepared = Prepared(candidates, price, told, concern, least or ())
    return choose_of(prepared, room, told, least=least, said=said)


def choose_of(
    prepared: "Prepared",
    room: Room,
    told: Coverage,
    *,
    least: Mapping[str, float] | None = None,
    said: list[int] | None = None,
) -> list[int]:
    """Choose as `choose` does, of what was made ready before: for who has more than one room to try."""
    choosing = _Choosing(prepared, room, told)
    for section, share in sorted((least or {}).items()):
        choosing.fill(section, int(share * room.tokens))
    choosing.fill(None, room.tokens)
    if said is not None:
        said += choosing.said
    return choosing.chosen


class Prepared:
    """What of the candidates does not depend on the room, nor on what is told already."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        price: Callable[[str], int],
        told: Coverage,
        concern: Iterable[str] = (),
        least: Container[str] = (),
    ) -> None:
        """Take what `choose` takes; of `told` only how it parts texts into words.

        What is of a section in `least` is looked at however many others are worth more.
        """
        wanted = frozenset(concern)
        self.candidates = candidates
        self.prices = [price(candidate.text) for candidate in candidates]
        rough = [c.worth / math.pow(p, _PRICE) for c, p in zip(candidates, self.prices, strict=True)]
        best = sorted(range(len(candidates)), key=lambda at: (-rough[at], at))[:CONSIDERED]
        seen = set(best)
        best += [at for at, c in enumerate(candidates) if c.section in least and at not in seen]
        self.words = {at: told.words_of(candidates[at].text) for at in best}
        self.units = {at: _units(candidates[at].text) for at in best}
        self.rough = {at: rough[at] * (1 + _CONCERN * shared(self.words[at], wanted)) for at in best}


class _Choosing:
    """The state of one choice."""

    def __init__(self, prepared: Prepared, room: Room, told: Coverage) -> None:
        self.chosen: list[int] = []
        self.said: list[int] = []
        self._candidates, self._prices = prepared.candidates, prepared.prices
        self._words, self._sizes = prepared.words, prepared.units
        self._rough = dict(prepared.rough)
        self._tokens, self._units = room
        self._told = told

    def fill(self, section: str | None, tokens: int) -> None:
        """Choose what adds most for its price, of one section or of all, until `tokens` are spent."""
        open_ = [at for at in self._rough if section is None or self._candidates[at].section == section]
        heap = [(-self._gain(at), at) for at in open_]
        heapify(heap)
        while heap:
            _, at = heappop(heap)
            if self._prices[at] > min(tokens, self._tokens) or self._sizes[at] > self._units:
                continue
            gain = self._gain(at)
            if heap and gain < -heap[0][0]:
                heappush(heap, (-gain, at))
            elif self._told.says(self._words[at]):
                self.said.append(at)
                del self._rough[at]
            elif self._told.has_examples_of(self._words[at]):
                del self._rough[at]
            else:
                tokens -= self._prices[at]
                self._take(at)

    def _gain(self, at: int) -> float:
        return self._rough[at] * (1 - _NEW + _NEW * self._told.share_new(self._words[at]))

    def _take(self, at: int) -> None:
        self.chosen.append(at)
        self._tokens -= self._prices[at]
        self._units -= self._sizes[at]
        self._told.add(self._words[at])
        del self._rough[at]


def _units(text: str) -> int:
    """Return the UTF-16 code units of a statement as one bullet."""
    return utf16_length(text) + 3
