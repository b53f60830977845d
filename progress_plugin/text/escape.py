"""Escape text for a model, a terminal and Markdown: tags, control tokens and images lose their effect.

`text.safe_output` calls these functions after it has stripped invisible characters and redacted secrets. All
but `escape_json` are idempotent. A limit counts characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from progress_plugin.core.tables import read_rows
from progress_plugin.text.patterns import LazyPattern

_JOINT = "[-_\u02d7\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]" r"\s{0,4}"
_LESS_SIGNS, _GREATER_SIGNS = "<\uff1c\ufe64", ">\uff1e\ufe65"
"""Brackets of a tag, including the full-width and small forms, which a model reads as the same."""
_BRACKETS = f"[]{_LESS_SIGNS}{_GREATER_SIGNS}"
_LESS, _GREATER = f"[{_LESS_SIGNS}]", f"[{_GREATER_SIGNS}]"
_CONTROL_WORD = (
    "[A-Za-z]{1,20}(?:_[A-Za-z0-9]{1,20}){1,4}|system|user|assistant|human|end|endoftext|message|channel|start|"
    "return"
)
_CONTROL_TOKEN = LazyPattern(
    rf"{_LESS}([|｜][^<>‹›\s]*[|｜]\s{{0,4}}"
    rf"|\s{{0,4}}[|｜]\s{{0,4}}/?(?:{_CONTROL_WORD})\s{{0,4}}[|｜]\s{{0,4}}"
    rf"|[|｜]/?[A-Za-z]\w{{1,30}}|/?[A-Za-z]\w{{1,30}}[|｜]|/{{0,3}}(?:s|bos|eos|[se]op|eod)){_GREATER}"
)
"""Most tokens have bars on both sides, some on one: ``<|turn>``, ``<turn|>``."""
_COMMENT = LazyPattern("<!--")
_SYS = LazyPattern(r"<<(?:\s{0,4}/?\s{0,4}SYS\s{0,4})>>", re.IGNORECASE)
_INST = LazyPattern(
    # In lower case the other names are words that people write in brackets.
    r"\[\s{0,4}/?\s{0,4}(?:(?i:INST)|AVAILABLE_TOOLS|SYSTEM_PROMPT|TOOL_(?:CALLS|CONTENT|RESULTS)|THINK|[gs]MASK)"
    r"\s{0,4}\]|[\[\]](?:~!?b|e~)[\[\]]"
)
"""Includes the tokens of MiniMax' models for the start of a text and the start and end of a turn."""
_LOADING_TAG = LazyPattern(
    "<(?=(?:img|image|video|audio|source|track|i?frame|embed|object|input|link|script|base|use|feimage|meta"
    r"|applet|bgsound|portal)[\s/]|[a-z][a-z0-9-]{0,30}[\s/](?:[^<>]{0,200}?[\s/\"'])?"
    r"(?:background\s{0,4}=|style\s{0,4}=[^<>{]{0,200}?(?:url|image|[&\\])))",
    re.IGNORECASE,
)
"""A renderer would load the addresses in these tags, and an address can carry data away."""
_REPLACEMENTS = {
    "<": "‹",
    "\uff1c": "‹",
    "\ufe64": "‹",
    ">": "›",
    "\uff1e": "›",
    "\ufe65": "›",
    "[": "⟦",
    "]": "⟧",
    "!": "! ",
}
_IMAGE, _ADDRESS_BEGINS = LazyPattern(r"!(?=\[)"), LazyPattern(r"\][(\[:]")
_JSON_SPACE = LazyPattern(r"\\[nrtf]")
_ALIKE = str.maketrans(
    # Cyrillic, Greek, Latin and Armenian letters that look like those of ASCII
    "аеорсухіјѕԁһӏԛԝѵмткАВЕКМНОРСТХІЈЅУαενικορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑɡıոսօ",
    "aeopcyxijsdhlqwvmtkABEKMHOPCTXIJSYaevikoptuxABEZHIKMNOPTYXaginuo",
)
_PIPE = LazyPattern(r"(?<!\\)(\\*)\|")
_OPENER = (
    r"(?:#{1,6}(?:\s|$)|`{3}|~{3}|[-+*](?:\s|$)|>|\||<[A-Za-z/!?]|=+$|(?:-\s?){3,}$|(?:\*\s?){3,}$|(?:_\s?){3,}$"
    r"|\[[^\]]*\]:)"
)
_OPENS = LazyPattern(_OPENER)
_OPENS_ESCAPED = LazyPattern(rf"\\(?={_OPENER})")
_NUMBER = LazyPattern(r"(\d{1,9})([.)])(?=\s|$)")
_NUMBER_ESCAPED = LazyPattern(r"(\d{1,9})\\([.)])(?=\s|$)")

_SPAN = LazyPattern(r"(?<!`)(`++).+?(?<!`)\1(?!`)|\[[^\[\]]*\](?:\([^()\s]*\))?|\([^()]*\)")
_DANGLING = " ,;:-–—([{/"


def escape_text(text: str) -> str:
    """Replace the brackets of tags, control tokens and images in text of any number of lines.

    The words stay (`‹system-reminder›`); other HTML, JSX and generics stay.
    """
    return _replace_acting(text, text, lambda sign: _REPLACEMENTS[sign])


def escape_line(line: str, limit: int | None) -> str:
    """Escape a line, shortened to `limit` characters including the `…`."""
    return _shorten(escape_text(line), limit)


def escape_cell(line: str, limit: int | None) -> str:
    """Escape a line for a table cell, so that no `|` ends the cell; `limit` excludes the escapes."""
    bars = _PIPE.sub(lambda match: "\\" * (len(match[1]) // 2 * 2) + "|", line)
    short = _shorten(escape_text(bars), limit)
    return _PIPE.sub(lambda match: match[0] if len(match[1]) % 2 else match[1] + "\\|", short)


def escape_item(line: str, limit: int | None) -> str:
    """Escape a line for a list item, so that it opens no Markdown block; `limit` excludes the escapes.

    Blocks are headings, fences, lists, quotes, tables, rules, link definitions and HTML.
    """
    text = escape_text(line)
    text = text[1:] if _OPENS_ESCAPED.match(text) else text
    text = _NUMBER_ESCAPED.sub(r"\1\2", text, count=1) if _NUMBER_ESCAPED.match(text) else text
    short = _shorten(text, limit)
    if _OPENS.match(short):
        return "\\" + short
    return _NUMBER.sub(r"\1\\\2", short, count=1) if _NUMBER.match(short) else short


def escape_json(text: str) -> str:
    """Write the brackets and signs that `escape_text` replaces as JSON escapes: the value stays the same."""
    # An escaped line end separates words. Two blanks in its place leave all positions as they are.
    searched = _JSON_SPACE.sub("  ", text) if "\\" in text else text
    return _replace_acting(text, searched, lambda sign: f"\\u{ord(sign):04x}")


@cache
def _tag() -> re.Pattern[str]:
    """Return the pattern of the tags in `tags.tsv`; the closing bracket may be missing."""
    rows = [*read_rows(__file__, "tags.tsv")]
    forms = ("|".join(row[1] for row in rows if row[0] == form) for form in ("family", "name"))
    families, names = (form.replace("~", _JOINT) for form in forms)
    names = f"{names}|{names.upper()}"
    return re.compile(
        rf"{_LESS}((?:/{{1,3}}(?:{names}|context|CONTEXT)(?![\w-])"
        rf"|\s{{0,4}}(?:/\s{{0,4}}){{0,3}}(?i:{families})|/{{0,3}}(?:{names})"
        r"(?=[\s/>][^<>‹›]{0,200}>|[><‹\ufffd\uff1e\ufe65]|\s{1,4}[a-z]{1,20}=|\s{0,4}[a-z]{0,20}…|\s{0,4}$))"
        rf"[^<>\uff1c\uff1e\ufe64\ufe65]{{0,200}})({_GREATER}?)"
    )


def _replace_acting(text: str, searched: str, change: Callable[[str], str]) -> str:
    """Replace the signs of `text` that delimit tags, tokens and images in `searched`, which is as long."""
    places = set(_find_acting_positions(searched))
    return "".join(change(sign) if at in places else sign for at, sign in enumerate(text)) if places else text


def _find_acting_positions(text: str) -> Iterator[int]:
    """Yield the positions of the signs that delimit tags, control tokens, comments and images."""
    if any(map(text.__contains__, _LESS_SIGNS)):
        plain = text if text.isascii() else _in_plain_letters(text)
        for pattern in (_SYS, _tag(), _CONTROL_TOKEN, _COMMENT, _LOADING_TAG):
            yield from _find_brackets(pattern, plain)
    if "[" in text or "]" in text:
        yield from _find_brackets(_INST, text)
    if "![" in text and _ADDRESS_BEGINS.search(text):
        yield from (found.start() for found in _IMAGE.finditer(text))


def _find_brackets(pattern: LazyPattern | re.Pattern[str], text: str) -> Iterator[int]:
    for found in pattern.finditer(text):
        yield from (found.start() + at for at, sign in enumerate(found[0]) if sign in _BRACKETS)


def _in_plain_letters(text: str) -> str:
    """Replace letters that look like ASCII letters with the ASCII letters; the length stays.

    A model reads `<ѕystem>` with a Cyrillic letter, or in full width, as the tag.
    """
    return "".join(map(_plain_letter, text.translate(_ALIKE)))


def _plain_letter(letter: str) -> str:
    plain = letter if letter.isascii() else unicodedata.normalize("NFKC", letter)
    return plain if len(plain) == 1 and plain.isascii() and (plain.isalnum() or plain == "_") else letter


def _shorten(text: str, limit: int | None) -> str:
    """Cut at the end of a word, before a code span or bracket unless it begins in the first fifth."""
    if limit is None or len(text) <= limit:
        return text
    end = _last_end(text, limit)
    closing = ""
    for span in _SPAN.finditer(text, 0, 2 * limit + 200):
        if span.start() < end < span.end():
            if span.start() >= limit // 5:
                end = span.start()
            else:
                closing = span[1] or ""
                end = max(_last_end(text, limit - len(closing)), span.start())
            break
    return text[:end].rstrip(_DANGLING) + "…" + closing


def _last_end(text: str, limit: int) -> int:
    """Return where to cut for an ellipsis at `limit`: after a word in the second half, else anywhere."""
    end = text.rfind(" ", limit // 2, limit)
    if end > 0:
        return end
    end = max(limit - 1, 0)
    while end > 0 and (unicodedata.category(text[end])[0] == "M" or "\u200d" in text[end - 1 : end + 1]):
        end -= 1
    return end
