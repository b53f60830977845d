"""Regular expressions that are compiled at their first use.

A process uses only a few of the patterns that it imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any


class LazyPattern:
    """A regular expression with the methods of `re.Pattern`; the first use of a method compiles it.

    An invalid expression raises re.error only then.
    """

    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    findall: Callable[..., list[Any]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    split: Callable[..., list[Any]]
    sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self.flags)
        for method in type(self).__annotations__:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def one_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Compile a pattern that matches any of these texts; grouping them by first letter makes it fast."""
    by_letter: dict[str, list[str]] = {}
    for text in sorted(set(texts), reverse=True):  # `tokens` before `token`
        by_letter.setdefault(text[0], []).append(re.escape(text[1:]))
    return re.compile(
        "|".join(f"{re.escape(letter)}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())
    )
