"""The texts of a record as they may be kept: safe to show, and of bounded length."""

from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redacted_end
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.cleaning import without_injected

_RAW = 8000
"""Characters of a text that are looked at before it is made safe and shortened."""
_CLOSING = 600
_KEY = LazyPattern(r"[\w-]{1,80}")


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
