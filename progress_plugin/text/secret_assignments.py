"""Values next to the name of a secret: assigned to it, given by a sentence, or near it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_names import find_names
from progress_plugin.text.secret_values import (
    is_name,
    is_passphrase,
    is_reference,
    is_state,
    is_technical,
    looks_generated,
    looks_mixed,
)

Strength = Literal["password", "key", "weak"]

_MIN_SECRET = 3
_MIN_PLAIN = 4
_MIN_DIGITS = 6
_MIN_NEAR = 6
_MIN_WEAK = 8
_MIN_PHRASE_WORDS = 4
_MAX_LINE = 120
_MAX_OPTION = 40
_MAX_MEMBER = 4000
_NO_QUOTES = str.maketrans("\"'`", "___")
_AFTER, _BEFORE = 60, 40
"""Characters around the word password in which a sentence may state it."""

_SIGN = r"(?:\?\?|\|\||[:?+]|=)?=(?:>|=)?|->|→|<-|：|＝|:-|:|\.{2,40}\s?:?|\s[-–—](?=\s)"
_FOR = r"(?:\s(?:for|of|für|para|de|do|da|pour|от)(?:\s[^\s:=,;.!?\"]{1,40}){1,4}?)?"
_SEPARATOR = LazyPattern(
    r"(?P<closed>[\"'`*_~\])}]{0,4}+)(?:\s?#?\d{1,2})?(?:\s?[(\[][^()\[\]\n]{1,60}[)\]][*_`]{0,3})?"
    r"(?:</?[a-z]{1,8}>)?"
    r"(?:"
    rf"[ \t]{{0,40}}(?P<sign>(?::\s?[A-Za-z][\w.<>\[\]| ]{{0,40}}?|\sstring|\sstr)\s?:?=(?!=)|{_SIGN})"
    r"(?:</[a-z]{1,8}>)?[*_`]{0,3}\s{0,80}(?:[|>][+-]?\s{1,40})?"
    r"|(?P<value>,?\s{0,40}[\"']?(?:Parameter)?[Vv]alue[\"']?\s{0,3}[:=]\s{0,3})"
    r"|(?P<element>>)\s{0,80}(?:<!\[CDATA\[)?"
    r"|(?P<listed>,\s{0,40}(?:- )?(?=[\"']))"
    r"|(?P<called>\(\s{0,3}[NE]?(?=[\"']))"
    rf"|(?P<is>{_FOR}\s(?:is|was|ist|war|lautet|es|era|est|é|to|jest)(?: now| set to)?:?\s{{1,3}})"
    r"|(?P<cjk>[ ]?(?:是|为|為|は|이|은|는|这是)[ ]?)"
    r"|(?P<spaced>\s{1,3}(?:-\s(?=[\"']))?)"
    r")"
)
_REMARK = LazyPattern(
    r"(?:\s[(\[]|,?\s)[^\s:=(){}]{1,40}(?:\s[^\s:=(){}]{1,40}){0,7}[)\]]?\s?[:：=]\s{1,3}[\"'`*]{0,3}"
    r"(?P<word>[^\s\"'`]{6,100}?)(?=[\"'`}*.]{0,4}(?:\s|$))"
)
"""Words between a password's name and the sign: `password for root@localhost: k,7x;Jq2V`."""
_VALUE = LazyPattern(
    r"(?:!!\w{1,10}\s|&\w{1,20}\s|[@$bfrunNE]{1,2}(?=[\"'])|\$?\{\{?[\w. ]{1,60}:[-=]?(?=[^}\n]{1,200}\})"
    r"|[({\[<](?=\w{12,200}[)}\]>]))?[*_]{0,3}"
    r"(?:(?P<q>\"\"\"|'''|[\"'`])(?P<quoted>(?:(?!(?P=q))[^\n]){1,400})(?P=q)"
    r"|[\"'`「『“«]?(?P<bare>[^\s\"'`「」『』“”»。、，；]{1,400}))"
)
"""Behind what may be before it: a tag or anchor of YAML, a prefix of a string, the begin of a default."""
_KEY_OR_TOKEN = LazyPattern(r"(?i:key|token)s?$")
_OPTION = LazyPattern(r"(?:^|(?<=[\s\"'\[(]))--?[\w-]*$")
_BETWEEN = LazyPattern(r"[\s\"'`*]{1,3}")
_UNSPOKEN = LazyPattern(r".*[a-z][A-Z]\d")
_ENGLISH = LazyPattern("(?i:pass|pwd)")
_KEY_ID = LazyPattern(
    "[0-9a-f]{12,128}$|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
    "|(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]{32,}={0,2}$"
)
_COMMIT = LazyPattern("[0-9a-f]{40}$")
_KEBAB = LazyPattern(r"[A-Za-z]*\d{0,4}(?:[-.:][A-Za-z]*\d{0,4}){1,6}$")
_KEBAB_JOINT = LazyPattern(r"[-.:\d]+")
_SENTENCE = LazyPattern(r"[^\n.!?,;:()\"'`]{1,120}")
_END_OF_VALUE = LazyPattern(
    r"[\"'`*_.!?:]{0,3}(?:[ \t]*(?:$|\n|#|//|--|[,;)\]}|&(\u00a6]|</)|(?<=\S)[\"'`](?=[\s,;)\]}]))"
)
_NEAR_WORD = LazyPattern(r"[!#-&*+./0-9:?-\[\]^_a-z~-]{6,100}")
_TERM = LazyPattern(
    r"(?:[A-Z]?[a-z]+|[A-Z]+)\d?(?:[-/&+._](?:[A-Z]?[a-z]+|[A-Z]+)?\d{0,1})+$|.*[=:@/(\[]|[A-Z].*[A-Z]$|\d|.*\d%$"
)
"""A word of prose that has a digit or sign and is no password: `OAuth2`, `client/server2`."""
_WORD_AND_DIGIT = LazyPattern(r"[A-Za-z]+\d$")
_NUMBERED = LazyPattern(r"[A-Z][a-z]+\d!?$")
"""`Step2`; directly behind the name it is a password all the same: `password Welcome1`."""
_OPENS, _CLOSES = "([{<", ")]}>"
_NEXT = LazyPattern(r"[,;&|](?:[A-Za-z][\w.-]{2,40}[=:]|[&|;,]?(?:\s|$))|</|\]\]>")
_TAIL = LazyPattern(r"[)\]}>.,:;*_|\u00a6]*$")
WIDE = LazyPattern(r"[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]")


@dataclass
class _Value:
    """A value next to a name, and how the two are joined."""

    text: str
    start: int
    context: str
    joint: str
    """The group of the separator that matched: `sign`, `value`, `element`, `listed`, `called`, `is`, …"""
    sign: str
    strength: Strength
    is_quoted: bool
    is_option: bool
    """`--db-password`, whose value may be behind a blank."""
    is_variable: bool
    """A name in capitals, as of the environment."""
    is_english: bool
    is_name_quoted: bool
    is_on_next_line: bool

    @property
    def end(self) -> int:
        """Where the value ends in its context."""
        return self.start + len(self.text)

    def is_secret(self) -> bool:
        """Return whether the value is a secret."""
        if len(self.text) < _MIN_SECRET or is_reference(self.text) or not any(map(str.isalnum, self.text)):
            return False
        if looks_generated(self.text):
            return self.joint != "spaced" or self.is_option or self.is_quoted
        if self.joint in ("is", "cjk"):
            return self._is_stated()
        if self.joint == "remark":
            return looks_mixed(self.text) and not _TERM.match(self.text)
        if not self._is_joined():
            return False
        if self.strength == "weak":
            return self._looks_like_secret()
        return (self.strength == "password" and looks_mixed(self.text)) or self._is_plain_secret()

    def _is_joined(self) -> bool:
        """Return whether what is between the name and the value assigns it."""
        match self.joint:
            case "element":
                closing = self.context[self.end : self.end + _MAX_OPTION].lstrip()
                return not self.is_name_quoted and closing.startswith(("</", "]]></"))
            case "listed":
                return self.is_quoted and self.is_name_quoted and (self.is_variable or self.is_option)
            case "called":
                return self.is_variable or self.context[self.end + 1 : self.end + 2] == ")"
            case "spaced":
                return self.is_option or (self.is_quoted and self._ends())
        if self.sign in ("-", "–", "—"):
            return not (_TERM.match(self.text) or _WORD_AND_DIGIT.match(self.text))
        return True

    def _looks_like_secret(self) -> bool:
        digits = sum(map(str.isdigit, self.text))
        is_signed = self.text[-1] in "!#$%^&*"
        return (
            looks_mixed(self.text)
            and (is_signed or len(self.text) >= _MIN_WEAK)
            and digits > self.text[-1].isdigit()
        )

    def _is_plain_secret(self) -> bool:
        """Judge an ordinary word or number: its name says that it is a secret, unless it is code or prose."""
        text = self.text
        if text.isdigit():
            return len(text) >= _MIN_DIGITS
        if self.is_quoted and " " in text.strip():
            return is_passphrase(text)
        if is_state(text) or WIDE.search(text):
            return False
        if _KEBAB.match(text):
            is_phrase = "." not in text and not any(map(is_technical, _KEBAB_JOINT.split(text)))
            says_secret = self.strength == "password" or (self.is_variable and self.strength == "key")
            return says_secret and is_phrase and (self.is_quoted or self._ends() or "=" in self.sign)
        if is_name(text) and not _KEY_ID.match(text):
            return False
        if self.is_quoted or (self.is_variable and "=" in self.sign) or self._is_whole_phrase(self._line()):
            return True
        return (
            len(text) >= _MIN_PLAIN
            and not self.is_on_next_line
            and (self._ends() or self.is_option or self._is_glued())
        )

    def _is_stated(self) -> bool:
        """Judge what a sentence states: mixed, the word that ends the sentence, or a passphrase."""
        if self.strength != "password":
            return bool(_KEY_ID.match(self.text)) and not _COMMIT.match(self.text)
        if self.text.isdigit():
            return len(self.text) >= _MIN_DIGITS
        if looks_mixed(self.text):
            return self.is_quoted or not _TERM.match(self.text.rstrip(".:,;"))
        sentence = _SENTENCE.match(self.context, self.start)
        words = self.text if self.is_quoted else (sentence[0] if sentence else "").strip()
        if not self.is_english:
            return False
        if self._is_whole_phrase(words):
            return True
        is_last_word = words == self.text.rstrip(".!") and words.isalpha() and len(words) > _MIN_PLAIN
        return is_last_word and not is_state(words) and not is_name(words)

    def _is_whole_phrase(self, words: str) -> bool:
        """Return whether the words behind a name are a passphrase, and take them all for the value."""
        if len(words.split()) < _MIN_PHRASE_WORDS or not is_passphrase(words):
            return False
        self.text = words
        return True

    def _line(self) -> str:
        return self.context[self.start : self.start + _MAX_LINE].partition("\n")[0].rstrip(" .!")

    def _is_glued(self) -> bool:
        """Return whether no blank is between name and value, as in a command: `-F password=letmein`."""
        return (
            "=" in self.sign
            and self.context[self.start - 1] == "="
            and self.context[self.end : self.end + 1] in " \t\"'"
        )

    def _ends(self) -> bool:
        return _END_OF_VALUE.match(self.context, self.end + self.is_quoted) is not None


def find_named(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the value next to each name of a secret is."""
    done = 0
    for name in find_names(text):
        if name.start() < done:
            continue
        is_assigned = False
        for value in _values(text, name):
            is_secret = value.is_secret()
            if is_secret:
                yield value.start, value.end
            if is_secret or is_reference(value.text):
                done = value.end
                is_assigned = value.joint not in ("is", "remark")
                break
        if not is_assigned and not (name["key"] or _KEY_OR_TOKEN.search(name[0])):
            yield from _find_near(text, name)


def is_value_of(name: str, value: str) -> bool:
    """Return whether the value of a member with this name is a secret."""
    if "\n" in value or len(value) > _MAX_MEMBER:
        return False
    line = f'"{name[-_MAX_OPTION:]}": "{value.translate(_NO_QUOTES)}"'
    return any(end == len(line) - 1 for _, end in find_named(line))


def _values(text: str, name: re.Match[str]) -> Iterator[_Value]:
    """Yield what may be the value next to a name."""
    separator = _SEPARATOR.match(text, name.end())
    if separator and (found := _VALUE.match(text, separator.end())):
        is_quoted = found["quoted"] is not None
        yield _Value(
            text=found["quoted"] if is_quoted else found["bare"][: _reach(found["bare"])],
            start=found.start("quoted" if is_quoted else "bare"),
            context=text,
            joint=separator.lastgroup or "",
            sign=(separator["sign"] or "").strip(),
            strength="password" if name["password"] else "key" if name["key"] else "weak",
            is_quoted=is_quoted,
            is_option=_OPTION.search(text, max(0, name.start() - _MAX_OPTION), name.start()) is not None,
            is_variable=name[0].isascii() and name[0] == name[0].upper(),
            is_english=_ENGLISH.match(name[0]) is not None,
            is_name_quoted=bool(separator["closed"]),
            is_on_next_line="\n" in separator[0],
        )
    remark = _REMARK.match(text, name.end()) if name["password"] else None
    if remark:
        yield _Value(
            remark["word"],
            remark.start("word"),
            text,
            "remark",
            ":",
            "password",
            False,
            False,
            False,
            True,
            False,
            False,
        )


def _find_near(text: str, name: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the words near a name that have letters and digits: `the old password hunter2 works`."""
    line_end = text.find("\n", name.end())
    stop = min(name.end() + _AFTER, line_end if line_end >= 0 else len(text))
    begin = max(text.rfind("\n", 0, name.start()) + 1, name.start() - _BEFORE)
    for start, end in ((begin, name.start()), (name.end(), stop)):
        for found in _NEAR_WORD.finditer(text, start, end):
            word = found[0].strip("*_.:?-~[]")
            at = found.start() + found[0].find(word)
            is_part = text[at - 1 : at].isalnum() or text[at + len(word) : at + len(word) + 1].isalnum()
            if is_part or len(word) < _MIN_NEAR or not looks_mixed(word) or _TERM.match(word):
                continue
            if _NUMBERED.match(word) and not _BETWEEN.fullmatch(text, name.end(), at):
                continue
            is_behind = start == name.end() and word.isalnum() and word.islower() and word[-2:].isdigit()
            if name["password"] or looks_generated(word) or _UNSPOKEN.match(word) or is_behind:
                yield at, at + len(word)


def _reach(value: str) -> int:
    """Return how many characters of a value without quotes are its own: passwords have brackets, too."""
    wide = WIDE.search(value)
    if wide and wide.start():
        value = value[: wide.start()]
    opened = ""
    for at, sign in enumerate(value):
        if sign in _OPENS and not value.startswith("</", at):
            opened += _CLOSES[_OPENS.index(sign)]
        elif sign in _CLOSES:
            if opened.endswith(sign):
                opened = opened[:-1]
            elif _TAIL.match(value, at):
                return at
        if sign in ",;&|<]" and _NEXT.match(value, at):
            return at
    return len(value.rstrip(".,:;*_|\u00a6"))
