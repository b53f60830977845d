"""A number with its noun, in the one way that every output uses."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return `1 entry`, `2 entries`, `1,000 files`; `many` is for what ends neither in s nor in ies."""
    return f"{number:,} {one if number == 1 else many or _plural(one)}"


def _plural(one: str) -> str:
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else f"{one}s"
