"""Split a labelled line: `**Status**: done` is `Status` and `done`. Compare titles by their words."""

from __future__ import annotations

from functools import lru_cache

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.visible import collapse_whitespace

MAX_LABEL_CHARS = 90
_MAX_BOLD_CHARS = 400  # of a bold name
# The quantifiers are possessive, so that a line without a colon, as most are, fails without backtracking.
_NAME = LazyPattern(r"([^\W\d_][^:：.`|]{0,48}+)\s*+(?:[:：](?:\s+|$)|(?<=[^\x00-\x7f])：)")
_REMARK = LazyPattern(r"([(（][^()（）]{1,80}[)）])\s?[:：]\s*")
_DECORATION = LazyPattern(r"^[^\w(\[`*/\"'<~@$.{-]+")
_BOLD = LazyPattern(r"\*\*(?!/\*|(?<=/\*\*)/)")  # not the stars of a path: `src/**/*.ts`
_EMPHASIS = LazyPattern(
    r"\*\*|__(?![a-z\d_]+__)(\S.*?)__|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])"
    r"|(?<!\w)_(?=[^\W_])([^_]*)(?<=\S)_(?!\w)"
)  # `__init__` is a name
_WORD = LazyPattern(r"[^\W_]+")
_TITLE_WORD = LazyPattern(r"[^\W_]{2,}|\d+")
_UNSPACED = LazyPattern(r"[぀-ヿ㐀-鿿가-힯]{2,}")
_ENGLISH = "the an of to in on is are for and or with that this it as by be at from all into"
_SMALL_WORDS = frozenset(_ENGLISH.split())
BOX = LazyPattern(r"\[(.?)\]\s+")


@lru_cache(maxsize=8192)  # the readers of stories and of learnings split the same lines
def split_label(text: str) -> tuple[str, str]:
    """Return name and rest of a labelled text; the name is empty if there is no label.

    A name is bold, in `【】`, or a few words before a colon. A check-box and signs before it are left out.
    """
    if text[:1] == "【" and "】" in text:
        name, _, rest = text[1:].partition("】")
        return name.strip(), rest.lstrip(" :：")
    text = undecorated(text)
    mark = text[:2]
    end = text.find(mark, 2, _MAX_BOLD_CHARS) if mark in {"**", "__"} else -1
    if end > 0:
        name, rest = text[2:end].strip(), text[end + 2 :].lstrip()
        if name[-1:] in {":", "："}:
            return name[:-1].strip(), rest
        if rest[:1] in {":", "："}:
            return name, rest[1:].lstrip()
        return _bold_with_remark(name, rest) if rest else (name, "")
    found = _NAME.match(text)
    return (found[1].rstrip(), text[found.end() :]) if found else ("", text)


def _bold_with_remark(name: str, rest: str) -> tuple[str, str]:
    """Read `**Name** (remark)` and `**Name** (remark): rest` as labels, but not `**Some words** go on`."""
    if rest[0] in "(（" and rest[-1] in ":：)）":
        return f"{name} {rest.rstrip(':： ')}", ""
    if rest[0] in "(（" and (remark := _REMARK.match(rest)):
        return f"{name} {remark[1]}", rest[remark.end() :]
    return "", f"**{name}** {rest}"


def is_bare_label(text: str) -> bool:
    """Return whether a short text only names what follows: it ends with a colon, or is bold or in `【】`."""
    text = text.strip()
    if not text or len(text) > MAX_LABEL_CHARS:
        return False
    if text.endswith((":", "：", ":**", "：**", ":__")):
        return ". " not in text
    if text[0] == "【" and text[-1] == "】":
        return True
    return text[:2] == "**" == text[-2:] and text.count("**") == 2  # noqa: PLR2004 - one pair of marks


def has_box(text: str) -> bool:
    return text[:1] == "[" and text[2:3] == "]"


def undecorated(text: str) -> str:
    """Return a text without a check-box at its beginning, and then without emoji, arrows and other signs."""
    box = BOX.match(text) if text[:1] == "[" else None
    if box:
        text = text[box.end() :]
    return _DECORATION.sub("", text)


def plain(text: str) -> str:
    """Return a text without marks of emphasis and code, its spaces single."""
    return collapse_whitespace(_outside_code(text, _EMPHASIS, r"\1\2").replace("`", ""))


def unemphasised(text: str) -> str:
    """Return a text without the marks `**`, which stay in code and paths."""
    return _outside_code(text, _BOLD)


def _outside_code(text: str, marks: LazyPattern, kept: str = "") -> str:
    if "*" not in text and "_" not in text:
        return text
    parts = text.split("`")
    code = range(1, len(parts) - 1, 2)  # a backtick that nothing closes begins no code
    return "`".join(part if at in code else marks.sub(kept, part) for at, part in enumerate(parts))


@lru_cache(maxsize=4096)  # several modules compare the same titles
def normalised(text: str) -> str:
    """Return the words of a title in lower case with single spaces between them, to compare titles."""
    return " ".join(_WORD.findall(text)).casefold()


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the words that carry meaning; for Chinese, Japanese and Korean, pairs of adjacent characters."""
    folded = text.casefold()
    words = set(_TITLE_WORD.findall(folded)) - _SMALL_WORDS
    for run in () if folded.isascii() else _UNSPACED.findall(folded):
        words.discard(run)
        words.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(words)


def share_word(one: str, other: str) -> bool:
    """Return whether two titles may name the same item: they share a word, or one of them has no words."""
    words, others = words_of(one), words_of(other)
    return bool(words & others) or not (words and others)
