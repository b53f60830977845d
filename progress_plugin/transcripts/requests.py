"""What a request is: a command to the client, an acknowledgement, or work.

An acknowledgement has few words, each of which thanks, agrees, greets or urges on (`acknowledgements.json`).
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern

_MAX_WORDS, _MAX_CHARS = 7, 80
_WORD = LazyPattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_BETWEEN_WORDS = LazyPattern(r"[\s.,;:!?…'’\"“”„«»()\-–—。、！？，~*]*")  # no signs of paths or code
_SMILES = LazyPattern(r"(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]|[:;]-?[)D(])+")
_CLIENT_COMMANDS = (
    "/compact", "/compress", "/clear", "/exit", "/quit", "/resume", "/model", "/help", "/login", "/config",
)  # fmt: skip
_OUR_COMMANDS = "/progress:"  # these only show something


class Request(NamedTuple):
    """One request of the user."""

    text: str
    when: str = ""
    key: str = ""
    parent: str = ""

    @property
    def is_to_client(self) -> bool:
        """Whether it is a command to the client itself."""
        return self.text.split(" ")[0] in _CLIENT_COMMANDS

    @property
    def is_of_work(self) -> bool:
        """Whether it asks for work."""
        return not (self.is_to_client or self.text.startswith(_OUR_COMMANDS) or only_urges_on(self.text))


def asked_for(requests: Iterable[Request]) -> list[str]:
    """Return the requests that ask for work; if none does, those to the agent."""
    found = [each for each in requests if not each.is_to_client]
    return [each.text for each in found if each.is_of_work] or [each.text for each in found]


def only_urges_on(text: str) -> bool:
    """Return whether a request only acknowledges, or has the agent go on with its work."""
    if len(text) > _MAX_CHARS:
        return False
    plain = _SMILES.sub(" ", text)
    words = _WORD.findall(plain)
    if not words or len(words) > _MAX_WORDS or not _BETWEEN_WORDS.fullmatch(_WORD.sub(" ", plain)):
        return False
    known, without_blanks = _acknowledgements()
    return all(word.casefold().replace("’", "'") in known or without_blanks.fullmatch(word) for word in words)


@cache
def _acknowledgements() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the words, and the pattern of those in scripts without blanks between words."""
    data = json.loads(Path(__file__).with_name("acknowledgements.json").read_text("utf-8"))
    return frozenset(" ".join(data["words"]).split()), re.compile(f"(?:{'|'.join(data['without_blanks'])})+")
