"""Group chosen statements under the names of the project that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from progress_plugin.selection.merge import T
from progress_plugin.selection.similarity import NAME

MIN_STATEMENTS = 2
MAX_SHARE = 0.6  # a name that more of the statements have divides nothing
MAX_NAME_CHARS = 40


def group_by_topic(statements: Sequence[T]) -> list[tuple[str, list[T]]]:
    """Return (name, statements) pairs: first those without a shared name, under "", then the largest topics.

    A topic is a file or a name of code that two or more statements have.
    """
    names = [{found[0] for found in NAME.finditer(statement.text)} for statement in statements]
    shares = Counter(name for of_one in names for name in of_one)
    topic_names = {
        name
        for name, share in shares.items()
        if share <= MAX_SHARE * len(statements) and len(name) <= MAX_NAME_CHARS
    }
    left = set(range(len(statements)))
    topics: list[tuple[str, list[T]]] = []
    while left:
        counts = Counter(name for place in left for name in names[place] & topic_names)
        name, count = max(counts.items(), key=lambda pair: (pair[1], len(pair[0]), pair[0]), default=("", 0))
        if count < MIN_STATEMENTS:
            break
        places = sorted(place for place in left if name in names[place])
        topics.append((name, [statements[place] for place in places]))
        left.difference_update(places)
    rest = [statements[place] for place in sorted(left)]
    return ([("", rest)] if rest else []) + topics
