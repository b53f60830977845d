"""The requests of the user: which of them are shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SHORT_CHARS = 20  # of a request that may say nothing without the one before: `thanks`, `go on`
MAX_LATEST = 3
_ONLY_SHOWING = (
    "/compact", "/compress", "/clear", "/exit", "/quit", "/resume", "/model", "/help", "/login", "/config",
)  # fmt: skip


class Request(NamedTuple):
    """One request of the user."""

    text: str
    when: str = ""
    parent: str = ""

    @property
    def is_of_work(self) -> bool:
        """Whether it is no command to the client itself, and none of ours that only shows something."""
        return self.text.split(" ")[0] not in _ONLY_SHOWING and not self.text.startswith("/progress:")


def asked_for(requests: Iterable[Request]) -> list[str]:
    """Return the requests to the agent."""
    return [each.text for each in requests if each.is_of_work]


def latest(texts: list[str]) -> list[str]:
    """Return the last request, with those before it that it may need to be understood."""
    found: list[str] = []
    for text in reversed(texts[-MAX_LATEST:]):
        found.insert(0, text)
        if len(text) >= SHORT_CHARS:
            break
    return found
