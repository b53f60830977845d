"""The last answer of a session that says something: a brief one to a mere acknowledgement does not."""

from progress_plugin.transcripts.kept_text import last_words

_MAX_BRIEF = 160  # characters of an answer that may be mere courtesy


class ClosingWords:
    """The agent's last answer that says something."""

    def __init__(self, answer: str = "") -> None:
        self._answer = answer
        self._is_idle = False  # nothing was asked or done since that answer

    @property
    def text(self) -> str:
        """The end of it, safe to show."""
        return last_words(self._answer)

    def asked(self, *, of_work: bool) -> None:
        """Note a request."""
        self._is_idle = not of_work

    def worked(self) -> None:
        """Note that the agent did something, so its next answer is no mere courtesy."""
        self._is_idle = False

    def says(self, answer: str) -> None:
        """Note an answer."""
        if not (self._is_idle and self._answer and len(answer) < _MAX_BRIEF):
            self._answer = answer
