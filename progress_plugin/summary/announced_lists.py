"""The list that a statement announces: what is told of it must not pass for the whole."""

from collections.abc import Collection, Sequence

from progress_plugin.passages.passage import Passage

_IN_PART = "…"
"""What ends a statement in place of its colon that announces more than is told; it takes no more tokens."""
_ANNOUNCES = (":", "：")


def items_of(passages: Sequence[Passage], at: int) -> tuple[int, ...]:
    """Return the places of the items that the passage at this place announces, those in items left out."""
    above = passages[at]
    if not above.text.endswith(_ANNOUNCES):
        return ()
    found = []
    for place in range(at + 1, len(passages)):
        passage = passages[place]
        if (passage.source, passage.entry) != (above.source, above.entry) or passage.depth <= above.depth:
            break
        if passage.depth == above.depth + 1:
            found.append(place)
    return tuple(found)


def with_sign(text: str, items: Sequence[int], told: Collection[int]) -> str:
    """Return a statement with the sign that not all of its list is told, where that is so."""
    is_whole = all(item in told for item in items)
    return text if is_whole or not text.endswith(_ANNOUNCES) else f"{text[:-1]}{_IN_PART}"
