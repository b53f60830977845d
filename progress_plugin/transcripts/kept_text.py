"""Texts as a record may keep them: nothing injected by a client or by us, safe to show, of bounded length."""

import re

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redacted_end
from progress_plugin.text.safe_output import one_line

_MAX_CHARS = 1_000_000
_RAW = 8000  # characters of a text that are looked at before it is made safe and shortened
_CLOSING = 600
_KEY = LazyPattern(r"[\w-]{1,80}")
_TAG = LazyPattern(
    r"<(/?)(hook_context|system-reminder|environment_context|user_instructions|session_context|current_datetime"
    r"|todo_status|untrusted_context|ide_opened_file|ide_selection|local-command-\w{1,40})\b[^>]{0,200}>",
    re.IGNORECASE,
)
_OUR_BEGINNING = "agent-progress: "
_QUOTED = "> \t\r"


def without_injected(text: str) -> str:
    """Return a text without the blocks of clients, and without what is between our own marks."""
    text = head(text, _MAX_CHARS)
    text = _without_blocks(text) if "<" in text else text
    return _without_ours(text) if END_OF_CONTEXT in text else text


def kept_id(word: str) -> str:
    """Return an id or status word of the client's; nothing of what cannot be one."""
    return word if _KEY.fullmatch(word) else ""


def safe(text: str, limit: int) -> str:
    """Return text as it may be kept and shown: redacted while it is whole, then harmless, then shortened."""
    return one_line(head(text, _RAW), limit)


def last_words(text: str) -> str:
    """Return the end of an answer, made safe like everything before it is shortened."""
    whole = one_line(redacted_end(without_injected(text), _RAW))
    kept = tail(whole, _CLOSING)
    return kept if len(kept) == len(whole) else f"…{kept}"


def _without_blocks(text: str) -> str:
    """Cut out what is between a tag of a client and the next end of the same tag; a tag without end stays."""
    tags = [(bool(tag[1]), tag[2].lower(), tag) for tag in _TAG.finditer(text)]
    last_ends = {name: tag.start() for is_end, name, tag in tags if is_end}
    kept: list[str] = []
    done, open_name = 0, ""
    for is_end, name, tag in tags:
        if not open_name and not is_end and tag.start() < last_ends.get(name, 0):
            kept.append(text[done : tag.start()])
            open_name = name
        elif is_end and name == open_name:
            done, open_name = tag.end(), ""
    return "".join([*kept, text[done:]])


def _without_ours(text: str) -> str:
    kept: list[str] = []
    begin = -1  # the first line of a text of ours whose end has not come yet
    for line in text.split("\n"):
        plain = line.strip(_QUOTED)
        if plain == END_OF_CONTEXT and begin >= 0:
            del kept[begin:]
            begin = -1
            continue
        if begin < 0 and plain.startswith(_OUR_BEGINNING):
            begin = len(kept)
        kept.append(line)
    return "\n".join(kept)
