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
_BLOCKS = (
    "hook_context", "system-reminder", "environment_context", "user_instructions", "session_context",
    "current_datetime", "todo_status", "untrusted_context", "ide_opened_file", "ide_selection",
    "local-command-caveat", "local-command-stdout", "local-command-stderr",
)  # fmt: skip
_OURS = (r"^[> \t]*agent-progress: ", rf"^[> \t]*{re.escape(END_OF_CONTEXT)}[> \t\r]*$\n?")
_INJECTED = [
    (LazyPattern(begin, re.MULTILINE | re.IGNORECASE), LazyPattern(end, re.MULTILINE | re.IGNORECASE))
    for begin, end in [*((rf"<{name}\b[^>]{{0,200}}>", f"</{name}>") for name in _BLOCKS), _OURS]
]
"""The beginning and the end of what a client or we put in front of a request."""


def without_injected(text: str) -> str:
    """Return a text without the blocks of clients, and without what is between our own marks."""
    text = head(text, _MAX_CHARS)
    for begins, ends in _INJECTED:
        kept: list[str] = []
        done = 0
        for end in ends.finditer(text):
            begin = begins.search(text, done, end.start())  # without one the end stays
            kept.append(text[done : begin.start() if begin else end.end()])
            done = end.end()
        text = "".join([*kept, text[done:]])
    return text


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
