"""Remove or escape the invisible characters of a text.

Control characters and ANSI codes change a terminal, bidirectional characters reverse a line, and zero-width
characters hide inside a word.
"""

from __future__ import annotations

import re

from progress_plugin.text.patterns import LazyPattern

_ANSI = LazyPattern(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]{0,4096}"  # titles, links
    r"(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
_EMOJI = "\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_JOINING = "\u0600-\u0dff\u1000-\u109f\u1780-\u17ff\u1820-\u18aa"
"""Arabic to Sinhala, Myanmar, Khmer, Mongolian: scripts that are spelt with joiners and non-joiners."""
_NEVER_SEEN = (
    r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# The class comes before its conditions, so that the search skips to candidates; alternatives are slow.
_UNSEEN = LazyPattern(
    rf"[{_NEVER_SEEN}\u200c\u200d\ufe0e\ufe0f](?:(?<=[{_NEVER_SEEN}])"
    rf"|(?<=\u200c)(?:(?<![{_JOINING}]\u200c)|(?![{_JOINING}]))"
    rf"|(?<=\u200d)(?<![{_JOINING}]\u200d)"
    rf"(?:(?<![{_EMOJI}]\u200d)(?<![0-9#*{_EMOJI}]\ufe0f\u200d)|(?![{_EMOJI}]))"
    rf"|(?<=[\ufe0e\ufe0f])(?<![0-9#*{_EMOJI}].))"
)
_UNSEEN_ANYWHERE = LazyPattern(
    rf"[{_NEVER_SEEN}\u0600-\u0605\u06dd\u070f\u08e2\u200c\u200d\ufe0e\ufe0f"
    r"\U000110bd\U000110cd\U00013430-\U0001343f]+"
)
"""The same characters in any context: a joiner is part of an emoji, but inside a token it hides the token."""
_NO_WORDS = dict.fromkeys([0x2800, 0x1D159, *map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~–—…·•")])
"""Characters that are not words: punctuation, and blank symbols such as Braille without a dot."""
_LINE_ENDS = LazyPattern("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SURROGATES = LazyPattern("[\ud800-\udfff]")
_ACTING = LazyPattern(rf"[{_NEVER_SEEN}\x0b\x0c\r\x85\u2028\u2029\ud800-\udfff]")


def strip_invisible(text: str) -> str:
    """Remove invisible characters and ANSI codes; line ends become line feeds.

    Joiners and variation selectors stay if a script or an emoji needs them. Lone surrogates become U+FFFD.
    """
    if _is_plain(text):
        return text
    text = _UNSEEN.sub("", _ANSI.sub("", text))
    return _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def strip_all_invisible(text: str) -> str:
    """Remove all invisible characters, even those inside an emoji, for the search for secrets.

    Line ends and lone surrogates stay.
    """
    return text if _is_plain(text) else _UNSEEN_ANYWHERE.sub("", _ANSI.sub("", text))


def has_words(text: str) -> bool:
    """Return whether a text contains more than punctuation, white space and invisible characters."""
    return bool(strip_all_invisible(text).translate(_NO_WORDS).strip())


def collapse_whitespace(text: str) -> str:
    return " ".join(text.split())


def escape_invisible(text: str) -> str:
    """Escape the characters that `strip_invisible` removes or replaces, as in JSON; nothing is lost."""
    return text if _is_plain(text) else _ACTING.sub(_as_escape, _UNSEEN.sub(_as_escape, text))


def _as_escape(match: re.Match[str]) -> str:
    digits = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{digits[at : at + 4]}" for at in range(0, len(digits), 4))


def _is_plain(text: str) -> bool:
    """Return whether a text is printable ASCII in one or more lines, as most texts are."""
    return text.isascii() and text.replace("\n", "").isprintable()
