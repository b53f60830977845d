"""What clients and our own hooks put into a request: it is neither the user's nor the agent's."""

import re
from bisect import bisect_left

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.text.bounds import head
from progress_plugin.text.patterns import LazyPattern

_MAX_CHARS = 1_000_000
_NAMES = (
    r"(hook_context|system-reminder|environment_context|user_instructions|session_context|current_datetime"
    r"|todo_status|untrusted_context|ide_opened_file|ide_selection|local-command-\w{1,40})"
)
_BEGIN = LazyPattern(rf"<{_NAMES}\b[^>]{{0,200}}>", re.IGNORECASE)
_END = LazyPattern(rf"</{_NAMES}>", re.IGNORECASE)
_OUR_BEGINNING = "agent-progress: "
_QUOTED = "> \t"


def without_injected(text: str) -> str:
    """Return a text without the blocks of clients, and without what is between our own marks."""
    text = head(text, _MAX_CHARS)
    text = _without_blocks(text) if "<" in text else text
    return _without_ours(text) if END_OF_CONTEXT in text else text


def _without_blocks(text: str) -> str:
    ends: dict[str, list[int]] = {}
    for end in _END.finditer(text):
        ends.setdefault(end[1].lower(), []).append(end.end())
    kept: list[str] = []
    done = 0
    for begin in _BEGIN.finditer(text) if ends else ():
        known = ends.get(begin[1].lower(), [])
        nearest = bisect_left(known, begin.end())
        if begin.start() >= done and nearest < len(known):
            kept.append(text[done : begin.start()])
            done = known[nearest]
    return "".join([*kept, text[done:]])


def _without_ours(text: str) -> str:
    kept: list[str] = []
    begin = -1  # the first line of a text of ours whose end has not come yet
    for line in text.split("\n"):
        plain = line.strip(_QUOTED + "\r")
        if plain == END_OF_CONTEXT and begin >= 0:
            del kept[begin:]
            begin = -1
            continue
        if begin < 0 and plain.startswith(_OUR_BEGINNING):
            begin = len(kept)
        kept.append(line)
    return "\n".join(kept)
