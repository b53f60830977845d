"""Choose the statements that are worth their tokens.

Budgeted coverage by a greedy rule (Lin and Bilmes 2010): the statement that adds most for its length comes
next, and what it adds counts less the more of its words are shown already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from progress_plugin.model.work import Statement
from progress_plugin.selection.merge import find_overtaken
from progress_plugin.selection.model import score_statements
from progress_plugin.selection.moment import drop_past_moments
from progress_plugin.selection.similarity import ShownText, find_words
from progress_plugin.selection.tokens import estimate_tokens
from progress_plugin.selection.wording import reword

PRICE_EXPONENT = 0.6  # 1 takes the most score per character and so the shortest, 0 ignores the length
NEW_SHARE = 0.8  # how much of the gain depends on words that are not shown yet
FLOOR = 0.003  # a statement with a smaller gain is not worth its tokens
RECENT_ENTRIES = 2
HEADLINES = 4  # the first statements of an entry, one of which says what was done
RECENT_LEAST = 0.08  # share of the room that each recent entry gets first
RECENT_MOST = 0.7  # share of the room that the recent entries get at most


def choose(
    statements: Sequence[Statement],
    room: int,
    shown: Iterable[str] = (),
    weights: Mapping[str, float] | None = None,
) -> list[Statement]:
    """Return the statements to show in `room` tokens, in the order given.

    `shown` are the lines that are shown anyway. `weights` replace those of the model.
    """
    return choose_prepared(prepare(statements), room, shown, weights)


def prepare(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements that still hold, each with its subject."""
    statements = drop_past_moments(statements)
    overtaken = find_overtaken(statements)
    return reword([statement for place, statement in enumerate(statements) if place not in overtaken])


def choose_prepared(
    candidates: Sequence[Statement],
    room: int,
    shown: Iterable[str] = (),
    weights: Mapping[str, float] | None = None,
) -> list[Statement]:
    """Choose as `choose` does, among prepared statements."""
    choice = _Choice(candidates, score_statements(candidates, weights), room, shown)
    for newest, places in enumerate(choice.recent_entries()):
        if not newest:
            choice.take_headline(places)
        choice.fill(places, int(room * RECENT_LEAST))
    choice.fill(range(len(candidates)), room)
    return [candidates[place] for place in sorted(choice.chosen)]


class _Choice:
    """The state of one greedy choice."""

    def __init__(
        self, statements: Sequence[Statement], scores: Sequence[float], room: int, shown: Iterable[str]
    ) -> None:
        self.chosen: list[int] = []
        self._statements = statements
        self._scores = scores
        self._room = room
        self._recent_room = int(room * RECENT_MOST)
        self._words = [find_words(statement.text) for statement in statements]
        self._shown = ShownText(shown)
        self._tokens = [estimate_tokens(f"- {statement.text}\n") for statement in statements]
        self._rate: list[float] = [
            score / (len(statement.text) + 3) ** PRICE_EXPONENT
            for score, statement in zip(scores, statements, strict=True)
        ]
        self._recent = frozenset[int]()

    def recent_entries(self) -> list[list[int]]:
        """Return the places of the statements of each recent entry of the first log, the newest first."""
        path = next((statement.source.path for statement in self._statements if statement.entry), "")
        entries = defaultdict(list)
        for place, statement in enumerate(self._statements):
            if statement.entry and statement.source.path == path:
                entries[statement.entry].append(place)
        recent = [entries[number] for number in sorted(entries, reverse=True)[:RECENT_ENTRIES]]
        self._recent = frozenset(place for places in recent for place in places)
        return recent

    def take_headline(self, places: Sequence[int]) -> None:
        """Take the best of the first statements of an entry, whatever it is worth, unless it is shown."""
        best = max(places[:HEADLINES], key=self._scores.__getitem__)
        if not self._shown.has(self._words[best]):
            self._take(best)

    def fill(self, places: Iterable[int], tokens: int) -> None:
        """Take what adds most for its length until `tokens` are spent or nothing is worth its tokens."""
        heap = [(-self._gain(place), place) for place in places if place not in self.chosen]
        heapify(heap)
        while heap:
            _, place = heappop(heap)
            gain = self._gain(place)
            if heap and gain < -heap[0][0]:  # gains only fall, so the order is found without asking all again
                heappush(heap, (-gain, place))
            elif gain < FLOOR:
                return
            elif self._fits(place, tokens) and not self._shown.has(self._words[place]):
                tokens -= self._tokens[place]
                self._take(place)

    def _fits(self, place: int, tokens: int) -> bool:
        if place in self._recent and self._tokens[place] > self._recent_room:
            return False
        return self._tokens[place] <= min(tokens, self._room)

    def _gain(self, place: int) -> float:
        return self._rate[place] * (1 - NEW_SHARE + NEW_SHARE * self._shown.share_new(self._words[place]))

    def _take(self, place: int) -> None:
        self.chosen.append(place)
        self._room -= self._tokens[place]
        if place in self._recent:
            self._recent_room -= self._tokens[place]
        self._shown.add(self._words[place])
