"""Text from logs made harmless: it may be read, but it cannot act (S16.3).

What a log says reaches a model, a terminal and Markdown files. `clean` is for text of several lines,
`one_line` for one, `cell` for a table cell and `item` for a list item. All four are idempotent; a limit
counts characters.
"""

from __future__ import annotations

import re
import unicodedata

_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)"  # titles, links
    r"|\x1b[ -/]*[0-~]"
)
_ASCII_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_EMOJI = "\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_JOINING = "\u0600-\u0dff\u1000-\u109f\u1780-\u17ff\u1820-\u18aa"
"""Arabic to Sinhala, Myanmar, Khmer, Mongolian: scripts that are spelt with joiners and non-joiners."""
_NEVER_SEEN = (
    r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# One class first, the conditions behind it: the search skips to candidates, where alternatives would crawl.
_UNSEEN = re.compile(
    rf"[{_NEVER_SEEN}\u200c\u200d\ufe0e\ufe0f](?:(?<=[{_NEVER_SEEN}])"
    rf"|(?<=\u200c)(?:(?<![{_JOINING}]\u200c)|(?![{_JOINING}]))"
    rf"|(?<=\u200d)(?<![{_JOINING}]\u200d)"
    rf"(?:(?<![{_EMOJI}]\u200d)(?<![0-9#*{_EMOJI}]\ufe0f\u200d)|(?![{_EMOJI}]))"
    rf"|(?<=[\ufe0e\ufe0f])(?<![0-9#*{_EMOJI}].))"
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")

# Families of names rather than a list: clients invent new tags with every release. But none is so wide that
# it takes in what people write for a value to fill in, such as <session-id> or <commit-message>.
_FAMILIES = (
    "antml:|agent-progress|new-diagnostics|persisted-output|session-start|environment_|ide_|(?:start|end)_of|"
    "(?:system|assistant|developer|human|local-command)[-_][a-z]|command-(?:name|message|args|contents)|"
    "(?:function|tool)[-_](?:use|call|result|response|output|error)|bash-(?:input|stdout|stderr|output)|"
    "user[-_](?:prompt|memory|query|info|input|message|rules)|(?:teammate|agent|channel)[-_]message|"
    "[a-z]+(?:[-_][a-z]+)*[-_](?:hook|reminder|instruction|notification|prompt|context|caveat)"
)
_NAMES = "system|user|assistant|human|developer|instructions|invoke|parameter|thinking|channel"
"""Words that are tags only as a whole or with an attribute, in one case: `Vec<System>` stays as it is."""
_TAG = re.compile(
    rf"<((?:\s{{0,4}}/?\s{{0,4}}(?i:{_FAMILIES})|/?(?:{_NAMES}|{_NAMES.upper()})"
    r"(?=[\s/>][^<>‹›]{0,200}>|[><‹\ufffd]|\s{1,4}[a-z]{1,20}=|\s{0,4}[a-z]{0,20}…|\s{0,4}$))"
    r"[^<>]{0,200})(>?)"
)
_CONTROL_TOKEN = re.compile(r"<(?=[|｜])([^<>‹›\s]*[|｜])>")
_SYS = re.compile(r"<<(/?SYS)>>")
_INST = re.compile(r"\[(\s{0,4}/?\s{0,4}INST\s{0,4})\]", re.IGNORECASE)

_PIPE = re.compile(r"(\\*)\|")
_OPENER = (
    r"(?:#{1,6}(?:\s|$)|`{3}|~{3}|[-+*](?:\s|$)|>|\||<[A-Za-z/!?]|=+$|(?:-\s?){3,}$|(?:\*\s?){3,}$|(?:_\s?){3,}$"
    r"|\[[^\]]*\]:)"
)
_OPENS = re.compile(_OPENER)
_OPENS_ESCAPED = re.compile(rf"\\(?={_OPENER})")
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_NUMBER_ESCAPED = re.compile(r"(\d{1,9})\\([.)])(?=\s|$)")

_HARMLESS = re.compile(r"[A-Za-z][!-;=-Z\\-~]*(?: [!-;=-Z\\-~]+)*")
"""Words of printable ASCII but ``<`` and ``[``, one space apart, the first with a letter: most items."""

_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\[[^\[\]]*\](?:\([^()\s]*\))?|\([^()]*\)")
_DANGLING = " ,;:-–—([{/"


def clean(text: str) -> str:
    """Return text of any number of lines that cannot act on an agent or a terminal (S16.3).

    Line ends become line feeds. Control, ANSI, bidirectional and invisible characters go; client tags keep
    their words but lose their brackets (``‹system-reminder›``); HTML, JSX and generics stay as they are.
    """
    return _defuse(_visible(text))


def one_line(text: str, limit: int | None = None) -> str:
    """Return clean text with white space collapsed; more than `limit` characters end in ``…`` within it."""
    if _is_harmless(text, limit):
        return text
    return _shorten(_defuse(_flat(text)), limit)


def cell(text: str, limit: int | None = None) -> str:
    """Return one line in which no ``|`` ends a table cell; `limit` counts without the escapes."""
    if "|" not in text and _is_harmless(text, limit):
        return text
    bare = _PIPE.sub(lambda match: "\\" * (len(match[1]) // 2 * 2) + "|", _flat(text))
    line = _shorten(_defuse(bare), limit)
    return _PIPE.sub(lambda match: match[0] if len(match[1]) % 2 else match[1] + "\\|", line)


def item(text: str, limit: int | None = None) -> str:
    """Return one line that opens no block of Markdown as the text of a list item; `limit` as in `cell`.

    Blocks are headings, fences, lists, quotes, tables, rules, link definitions and HTML.
    """
    if _is_harmless(text, limit):
        return text
    flat = _defuse(_flat(text))
    bare = flat[1:] if _OPENS_ESCAPED.match(flat) else flat
    bare = _NUMBER_ESCAPED.sub(r"\1\2", bare, count=1) if _NUMBER_ESCAPED.match(bare) else bare
    line = _shorten(bare, limit)
    if _OPENS.match(line):
        return "\\" + line
    return _NUMBER.sub(r"\1\\\2", line, count=1) if _NUMBER.match(line) else line


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, as the clients count it (S9.2)."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_harmless(text: str, limit: int | None) -> bool:
    """Tell at the cost of one look what nearly all texts are: a line that needs no change."""
    return (limit is None or len(text) <= limit) and _HARMLESS.fullmatch(text) is not None


def _visible(text: str) -> str:
    if text.isascii() and not _ASCII_UNSEEN.search(text):
        return text
    text = _UNSEEN.sub("", _ANSI.sub("", text))
    return _SURROGATES.sub("\ufffd", _LINE_ENDS.sub("\n", text))


def _flat(text: str) -> str:
    return " ".join(_visible(text).split())


def _defuse(text: str) -> str:
    if "<" in text:
        text = _SYS.sub(r"‹‹\1››", text.replace("<!--", "‹!--"))
        text = _TAG.sub(lambda match: "‹" + match[1] + ("›" if match[2] else ""), text)
        text = _CONTROL_TOKEN.sub(r"‹\1›", text)
    return _INST.sub(r"⟦\1⟧", text) if "[" in text else text


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
