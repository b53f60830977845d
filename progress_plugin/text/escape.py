"""Text made harmless: it may be read, but it cannot act.

What a log says reaches a model, a terminal and Markdown files. These are the raw pieces: they take text that
is visible and without secrets, and only `text.safe_output` may call them, which sees to both. All are
idempotent; a limit counts characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from progress_plugin.text.patterns import LazyPattern

# Families of names rather than a list: clients invent new tags with every release. But none is so wide that
# it takes in what people write for a value to fill in, such as <session-id> or <commit-message>.
_JOINT = "[-_\u02d7\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]" r"\s{0,4}"
"""What joins two words of a name, in every spelling of a hyphen that a model reads as one.

A line end after it is a space once the text is one line.
"""
_LESS, _GREATER = "[<\uff1c\ufe64]", "[>\uff1e\ufe65]"
"""The brackets of a tag, also as wide or small as those of Chinese: a model reads them as the same."""
_FAMILIES = (
    r"(?:invoke|parameter)\b|antml:|"
    r"[a-z][a-z0-9_.-]{0,20}:(?:think(?:ing)?\b|(?:tool|function)[_-]?(?:call|use|result|response))|"
    r"agent-progress|new-diagnostics|persisted-output|session-start|environment_|ide_|(?:start|end)_of|"
    f"(?:system|assistant|developer|human|local-command){_JOINT}[a-z]|command-(?:name|message|args|contents)|"
    f"(?:function|tool){_JOINT}(?:use|call|result|response|output|error)|bash-(?:input|stdout|stderr|output)|"
    f"user{_JOINT}(?:prompt|memory|query|info|input|message|rules)|(?:teammate|agent|channel|cross{_JOINT}session){_JOINT}message|"
    f"available{_JOINT}deferred|mcp{_JOINT}resource|fork{_JOINT}boilerplate|collaboration{_JOINT}mode|turn{_JOINT}aborted|"
    rf"permissions\s{{1,4}}instructions|budget:[a-z]|function(?={_GREATER}\s{{0,4}}\{{)|"
    rf"[a-z]+(?:{_JOINT}[a-z]+)*{_JOINT}"
    "(?:hook|reminder|instruction|notification|prompt|context|caveat|important|rules)"
)
_NAMES = (
    "system|user|assistant|human|developer|instructions|think(?:ing)?|channel|reminder|important|critical|"
    "rules|functions|observation"
)
_NAMES_IN_CAPITALS = _NAMES.upper()
"""Words that are tags only as a whole or with an attribute, in one case: `Vec<System>` stays as it is."""
_LESS_THAN = "<\uff1c\ufe64"
_SLASHES = r"(?:/\s{0,4}){0,3}"
_TAG = LazyPattern(
    # An end needs no bracket to be read as one.
    rf"{_LESS}((?:/{{1,3}}(?:{_NAMES}|context|{_NAMES_IN_CAPITALS}|CONTEXT)(?![\w-])"
    rf"|\s{{0,4}}{_SLASHES}(?i:{_FAMILIES})|/{{0,3}}(?:{_NAMES}|{_NAMES_IN_CAPITALS})"
    r"(?=[\s/>][^<>‹›]{0,200}>|[><‹\ufffd\uff1e\ufe65]|\s{1,4}[a-z]{1,20}=|\s{0,4}[a-z]{0,20}…|\s{0,4}$))"
    rf"[^<>\uff1c\uff1e\ufe64\ufe65]{{0,200}})({_GREATER}?)"
)
_CONTROL_WORD = (
    "[A-Za-z]{1,20}(?:_[A-Za-z0-9]{1,20}){1,4}|system|user|assistant|human|end|endoftext|message|channel|start|"
    "return"
)
_CONTROL_TOKEN = LazyPattern(
    rf"{_LESS}([|｜][^<>‹›\s]*[|｜]\s{{0,4}}"
    rf"|\s{{0,4}}[|｜]\s{{0,4}}/?(?:{_CONTROL_WORD})\s{{0,4}}[|｜]\s{{0,4}}"
    rf"|[|｜]/?[A-Za-z]\w{{1,30}}|/?[A-Za-z]\w{{1,30}}[|｜]|/{{0,3}}(?:s|bos|eos|[se]op|eod)){_GREATER}"
)
"""The bars on both sides, as most have them, or on one: ``<|turn>``, ``<turn|>``."""
_SYS = LazyPattern(r"<<(\s{0,4}/?\s{0,4}SYS\s{0,4})>>", re.IGNORECASE)
_COMMENT = LazyPattern("<!--")
_INST = LazyPattern(
    # In small letters the others are words that people write in brackets.
    r"\[(\s{0,4}/?\s{0,4}(?:(?i:INST)|AVAILABLE_TOOLS|SYSTEM_PROMPT|TOOL_(?:CALLS|CONTENT|RESULTS)|THINK|[gs]MASK)\s{0,4})\]"
)
_TURN = LazyPattern(r"[\[\]](?:~!?b|e~)[\[\]]")
"""What MiniMax' models read as the beginning of a text, of a turn and as its end."""
_DOUBLED = str.maketrans("[]", "⟦⟧")

_ADDRESS = r"(?:[:&\\]|//)"
"""What an address that leads elsewhere has, also where its signs are written as entities or escaped."""
_LOADING_TAG = (
    "(?:img|image|video|audio|source|track|iframe|frame|embed|object|input|link|script|base|use|feimage|meta|"
    r"applet|bgsound|portal)[\s/]|[a-z][a-z0-9-]{0,30}[\s/](?:[^<>]{0,200}?[\s/\"'])?"
    r"(?:background\s{0,4}=|style\s{0,4}=[^<>{]{0,200}?(?:url|image|[&\\]))"
)
_DEFINED = LazyPattern(rf"\]:[\s>]*<?[^\s<>]*?{_ADDRESS}")
_LOADING = LazyPattern(
    rf"(?P<image>!)(?=\[)|(?P<tag><)(?=(?i:{_LOADING_TAG}))|(?P<blank>\n[ \t>]*(?=\n))"
    rf"|(?P<link>\]\()(?=\s*(?:<[^<>]*?|[^\s()<>]*?){_ADDRESS})"
    rf"|(?P<value>=)(?=\s*(?:\\?\"[^\"]*?|'[^']*?|[^\s\"'>{{]*?){_ADDRESS})"
)
"""Beginnings of what is fetched by who renders a text, and what shows that it comes from elsewhere."""

_JSON_SPACE = LazyPattern(r"\\[nrtf]")

_PIPE = LazyPattern(r"(?<!\\)(\\*)\|")
_OPENER = (
    r"(?:#{1,6}(?:\s|$)|`{3}|~{3}|[-+*](?:\s|$)|>|\||<[A-Za-z/!?]|=+$|(?:-\s?){3,}$|(?:\*\s?){3,}$|(?:_\s?){3,}$"
    r"|\[[^\]]*\]:)"
)
_OPENS = LazyPattern(_OPENER)
_OPENS_ESCAPED = LazyPattern(rf"\\(?={_OPENER})")
_NUMBER = LazyPattern(r"(\d{1,9})([.)])(?=\s|$)")
_NUMBER_ESCAPED = LazyPattern(r"(\d{1,9})\\([.)])(?=\s|$)")

_HARMLESS = LazyPattern(r"[A-Za-z][!-;=-Z\\^-~]*(?: [!-;=-Z\\^-~]+)*")
"""Words of printable ASCII but ``<`` and brackets, one space apart, the first with a letter: most items."""

_SPAN = LazyPattern(r"(?<!`)(`++).+?(?<!`)\1(?!`)|\[[^\[\]]*\](?:\([^()\s]*\))?|\([^()]*\)")
_DANGLING = " ,;:-–—([{/"


def defused(text: str) -> str:
    """Return text of any number of lines without any tag of a client.

    The tags keep their words but lose their brackets (``‹system-reminder›``); HTML, JSX and generics stay.
    """
    return _defuse(text)


def defused_line(line: str, limit: int | None) -> str:
    """Return the line without tags; more than `limit` characters end in ``…`` within it."""
    return line if _is_harmless(line, limit) else _shorten(_defuse(line), limit)


def defused_cell(line: str, limit: int | None) -> str:
    """Return a line in which no ``|`` ends a table cell; `limit` counts without the escapes."""
    if "|" not in line and _is_harmless(line, limit):
        return line
    bars = _PIPE.sub(lambda match: "\\" * (len(match[1]) // 2 * 2) + "|", line)
    short = _shorten(_defuse(bars), limit)
    return _PIPE.sub(lambda match: match[0] if len(match[1]) % 2 else match[1] + "\\|", short)


def defused_item(line: str, limit: int | None) -> str:
    """Return a line that opens no block of Markdown as the text of a list item; `limit` as in a cell.

    Blocks are headings, fences, lists, quotes, tables, rules, link definitions and HTML.
    """
    if _is_harmless(line, limit):
        return line
    text = _defuse(line)
    text = text[1:] if _OPENS_ESCAPED.match(text) else text
    text = _NUMBER_ESCAPED.sub(r"\1\2", text, count=1) if _NUMBER_ESCAPED.match(text) else text
    short = _shorten(text, limit)
    if _OPENS.match(short):
        return "\\" + short
    return _NUMBER.sub(r"\1\\\2", short, count=1) if _NUMBER.match(short) else short


def defused_json(text: str) -> str:
    """Return a JSON text with JSON's own escape for what opens a tag: it means the same to who parses it."""
    # Of the same length, so that places agree: an escaped line end parts words as a space would.
    seen = _in_plain_letters(_JSON_SPACE.sub("  ", text) if "\\" in text else text)
    places: set[int] = set()
    if _has_less_than(text):
        places.update(match.start() + at for match in _SYS.finditer(seen) for at in (0, 1))
        places.update(
            match.start() for each in (_COMMENT, _TAG, _CONTROL_TOKEN) for match in each.finditer(seen)
        )
    if "[" in text or "]" in text:
        places.update(match.start() for each in (_INST, _TURN) for match in each.finditer(seen))
    places.update(_fetched(seen))
    return _exchanged(text, sorted(places), lambda sign: f"\\u{ord(sign):04x}")


def _is_harmless(text: str, limit: int | None) -> bool:
    """Recognise at the cost of one look what nearly all texts are: a line that needs no change."""
    return (limit is None or len(text) <= limit) and _HARMLESS.fullmatch(text) is not None


def _defuse(text: str) -> str:
    if _has_less_than(text):
        seen = _in_plain_letters(text)
        defused = _SYS.sub(r"‹‹\1››", seen.replace("<!--", "‹!--"))
        defused = _TAG.sub(lambda match: "‹" + match[1] + ("›" if match[2] else ""), defused)
        defused = _CONTROL_TOKEN.sub(r"‹\1›", defused)
        text = defused if seen is text else _with_signs_of(defused, seen, text)
    if "[" in text or "]" in text:
        text = _TURN.sub(lambda match: match[0].translate(_DOUBLED), _INST.sub(r"⟦\1⟧", text))
    return _exchanged(text, _fetched(text), lambda sign: "! " if sign == "!" else "‹")


def _has_less_than(text: str) -> bool:
    """Return whether a text has what every tag and token of a client begins with."""
    return any(sign in text for sign in _LESS_THAN)


def _in_plain_letters(text: str) -> str:
    """Return a text of the same length whose letters that look like those of ASCII are those.

    A model reads ``<ѕystem>`` with a Cyrillic letter, or in full width, as the tag.
    """
    if text.isascii() or not _has_less_than(text):
        return text
    from progress_plugin.text.plain_letters import in_plain_letters  # noqa: PLC0415 - rare

    return in_plain_letters(text)


def _with_signs_of(defused: str, seen: str, text: str) -> str:
    """Return a text with the brackets that `defused` has in the place of those that were seen."""
    places = (at for at, (new, old) in enumerate(zip(defused, seen, strict=True)) if new != old)
    signs = iter([new for new, old in zip(defused, seen, strict=True) if new != old])
    return _exchanged(text, places, lambda _: next(signs))


def _exchanged(text: str, places: Iterable[int], other: Callable[[str], str]) -> str:
    """Return the text with something else for the characters at these places, which rise."""
    kept: list[str] = []
    end = 0
    for place in places:
        kept += (text[end:place], other(text[place]))
        end = place + 1
    return "".join((*kept, text[end:])) if kept else text


def _fetched(text: str) -> list[int]:
    """Return where something begins that a client would fetch from elsewhere unasked: its address may leak.

    Where an image ends is not asked, since code spans and brackets in it deceive: any address behind it in
    its paragraph is taken for its own. So nothing may be done to it that would harm a piece of code.
    """
    if "![" not in text and "<" not in text:
        return []
    found: list[int] = []
    images: list[int] = []
    tags: list[int] = []
    is_defined = "![" in text and _DEFINED.search(text) is not None
    for match in _LOADING.finditer(text):
        kind = match.lastgroup
        if kind == "image":
            (found if is_defined else images).append(match.start())
        elif kind == "tag":
            tags.append(match.start())
        elif kind == "blank":
            images.clear()
        else:
            waiting = images if kind == "link" else tags
            found += waiting
            waiting.clear()
    return sorted(found)


def _shorten(text: str, limit: int | None) -> str:
    """Cut at the end of a word, never inside a code span, bracket or emoji unless it alone is too long."""
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
    """Return where the last word ends that leaves room for an ellipsis, or else the last character."""
    end = text.rfind(" ", limit // 2, limit)
    return end if end > 0 else _whole_character(text, max(limit - 1, 0))


def _whole_character(text: str, end: int) -> int:
    """Move `end` back to where no combining mark, emoji sequence or flag is torn apart."""
    while end > 0 and (_extends(text[end]) or text[end - 1] == "\u200d" or _splits_flag(text, end)):
        end -= 1
    return end


def _extends(character: str) -> bool:
    return (
        character == "\u200d"
        or unicodedata.category(character).startswith("M")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\u1161" <= character <= "\u11ff"
    )


def _splits_flag(text: str, end: int) -> bool:
    start = end
    while start > 0 and "\U0001f1e6" <= text[start - 1] <= "\U0001f1ff":
        start -= 1
    return "\U0001f1e6" <= text[end] <= "\U0001f1ff" and (end - start) % 2 == 1
