"""Choose the statements that are worth their tokens.

Budgeted coverage by a greedy rule (Lin and Bilmes 2010): the statement that adds most for its length comes
next. It adds less if more of its words are shown already.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from progress_plugin.model.work import Statement
from progress_plugin.selection.merge import find_overtaken
from progress_plugin.selection.moment import drop_past_moments
from progress_plugin.selection.score import score_statements
from progress_plugin.selection.similarity import LineIndex, find_words
from progress_plugin.selection.wording import reword
from progress_plugin.text.bounds import estimate_tokens
from progress_plugin.text.safe_output import without_marks

PRICE_EXPONENT = 0.55  # a score is divided by length ** this: 1 favours short texts, 0 ignores length
NEW_SHARE = 0.7  # share of the gain that depends on words that are not shown yet
LESS_SHARE = 0.35  # share of its score that a less important statement keeps
FLOOR = 0.003  # a statement with a smaller gain is not worth its tokens


def prepare(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements that still hold, shortened, each with the topic that it needs in front."""
    statements = drop_past_moments(statements)
    overtaken = find_overtaken(statements)
    return reword([statement for place, statement in enumerate(statements) if place not in overtaken])


class Choice:
    """A greedy choice among prepared statements, in several steps; a place is the index of a statement."""

    def __init__(
        self,
        statements: Sequence[Statement],
        room: int,
        shown: Iterable[str] = (),
        weights: Mapping[str, float] | None = None,
        less_important: Container[int] = (),
    ) -> None:
        """Begin a choice for `room` tokens; `shown` are the lines that are shown anyway.

        Statements at the places in `less_important` count only a share of their score.
        """
        self.scores = score_statements(statements, weights)
        self._statements = statements
        self._chosen: set[int] = set()
        self._left = room
        self._words = [find_words(statement.text) for statement in statements]
        self._shown = LineIndex(shown)
        self._tokens = [estimate_tokens(f"- {without_marks(statement.text)}\n") for statement in statements]
        self._rate: list[float] = [
            score * (LESS_SHARE if at in less_important else 1) / (len(statement.text) + 3) ** PRICE_EXPONENT
            for at, (score, statement) in enumerate(zip(self.scores, statements, strict=True))
        ]

    def chosen(self) -> list[Statement]:
        return [self._statements[place] for place in sorted(self._chosen)]

    def fill(self, places: Iterable[int], limit: int | None = None, *, floor: float = FLOOR) -> None:
        """Take the statements with the largest gains, none below `floor`, that fit into `limit` tokens."""
        tokens = self._left if limit is None else limit
        heap = [(-self._gain(place), place) for place in places if place not in self._chosen]
        heapify(heap)
        while heap:
            _, place = heappop(heap)
            gain = self._gain(place)
            if heap and gain < -heap[0][0]:  # gains only fall: each gain in the heap is an upper bound
                heappush(heap, (-gain, place))
            elif gain < floor:
                return
            elif self._tokens[place] <= min(tokens, self._left) and not self._shown.has(self._words[place]):
                tokens -= self._tokens[place]
                self._take(place)

    def _gain(self, place: int) -> float:
        return self._rate[place] * (1 - NEW_SHARE + NEW_SHARE * self._shown.share_new(self._words[place]))

    def _take(self, place: int) -> None:
        self._chosen.add(place)
        self._left -= self._tokens[place]
        self._shown.add(self._words[place])
