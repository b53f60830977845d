"""Regular expressions that are compiled at their first use: a process needs few of those it imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any


class LazyPattern:
    """A regular expression with the methods of `re.Pattern`; the first call of one compiles it.

    Raises re.error then, not when it is made.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression as `re` compiles it."""
        return re.compile(self.pattern, self.flags)

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """The method of `re.Pattern`."""
        return self.compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        """The method of `re.Pattern`."""
        return self.compiled.fullmatch

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """The method of `re.Pattern`."""
        return self.compiled.search

    @cached_property
    def findall(self) -> Callable[..., list[Any]]:
        """The method of `re.Pattern`."""
        return self.compiled.findall

    @cached_property
    def finditer(self) -> Callable[..., Iterator[re.Match[str]]]:
        """The method of `re.Pattern`."""
        return self.compiled.finditer

    @cached_property
    def split(self) -> Callable[..., list[Any]]:
        """The method of `re.Pattern`."""
        return self.compiled.split

    @cached_property
    def sub(self) -> Callable[..., str]:
        """The method of `re.Pattern`."""
        return self.compiled.sub

    @cached_property
    def subn(self) -> Callable[..., tuple[str, int]]:
        """The method of `re.Pattern`."""
        return self.compiled.subn


def one_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Compile the pattern of any of these texts, grouped by their first letters, which is fast."""
    by_letter: dict[str, list[str]] = {}
    for text in sorted(set(texts), reverse=True):  # the longer of two with one beginning first
        by_letter.setdefault(text[0], []).append(re.escape(text[1:]))
    return re.compile(
        "|".join(f"{re.escape(letter)}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())
    )
