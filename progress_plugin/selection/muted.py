"""Texts that the user does not want to see."""

from __future__ import annotations

from collections.abc import Iterable

from progress_plugin.selection.similarity import find_words, says


class Muted:
    """Muted texts; each hides what says the same in more or fewer words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._muted = [find_words(text) for text in texts]

    def hides(self, text: str) -> bool:
        """Return whether a text is muted."""
        if not self._muted:
            return False
        words = find_words(text)
        return any(says(words, muted) or says(muted, words) for muted in self._muted)
