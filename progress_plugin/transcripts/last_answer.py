"""Which answer of a session counts as its last words: not one that only answers thanks."""

from progress_plugin.transcripts.kept_text import last_words

_BRIEF = 160
"""Characters of an answer that may be mere courtesy."""


class ClosingWords:
    """The agent's last answer that says something, made safe where it is asked for."""

    __slots__ = ("_is_idle", "_last", "_said")

    def __init__(self, said: str = "") -> None:
        self._said = said
        self._last = ""
        self._is_idle = False
        """Whether nothing was asked, and nothing done, since the answer that counts."""

    @property
    def text(self) -> str:
        """The end of it, safe to show."""
        return last_words(self._said)

    def asked(self, *, of_work: bool) -> None:
        """Note a request."""
        self._is_idle = not of_work

    def worked(self) -> None:
        """Note that the agent did something: what it says then is no mere courtesy."""
        self._is_idle = False

    def says(self, answer: str) -> None:
        """Note an answer; a brief one to a mere courtesy leaves the one before it."""
        self._last = answer
        if not (self._is_idle and self._said and len(answer) < _BRIEF):
            self._said = answer
