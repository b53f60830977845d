"""What a request is: one for the client, one that only looks, thanks or urges on, or work (S19.1).

What of its text is the user's own is decided in `transcripts.injected_text`, how many are kept, in
`transcripts.record`.
"""

from collections.abc import Iterable

from progress_plugin.core.light_typing import NamedTuple
from progress_plugin.transcripts.acknowledgements import only_urges_on

_CLIENT_WORDS = (
    "/compact",
    "/compress",
    "/clear",
    "/exit",
    "/quit",
    "/resume",
    "/model",
    "/help",
    "/login",
    "/config",
)
"""Commands to the client itself: they are no work."""
_OWN_COMMANDS = "/progress:"
"""How the commands of this plugin begin: they only look."""


class Request(NamedTuple):
    """One request of the user's."""

    text: str
    when: str = ""
    key: str = ""
    parent: str = ""

    @property
    def is_to_client(self) -> bool:
        """Whether it is a command to the client itself."""
        return self.text.split(" ")[0] in _CLIENT_WORDS

    @property
    def is_of_work(self) -> bool:
        """Whether it says what is to be done, and does not only look, thank or urge on."""
        return not (self.is_to_client or self.text.startswith(_OWN_COMMANDS) or only_urges_on(self.text))


def asked_for(requests: Iterable[Request]) -> list[str]:
    """Return the requests that say what is to be done; where none does, those to the agent."""
    told = [each for each in requests if not each.is_to_client]
    return [each.text for each in told if each.is_of_work] or [each.text for each in told]
