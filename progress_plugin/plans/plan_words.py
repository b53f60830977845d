"""Words of plans in many languages (`plan_words.json`), and labels of items: `Task 3:`, `US-007`, `1.2`."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from progress_plugin.core.tables import read_json_table
from progress_plugin.text.labels import plain, split_label
from progress_plugin.text.patterns import LazyPattern

MAX_ROLE_WORDS = 4
_NUMBER = r"\d{1,5}(?:\.\d{1,4}){0,4}[a-z]?"
_CODE = r"[A-Z][A-Za-z]{0,9}(?:[-_]?[A-Z]{1,8})?[-_#]?\d{1,6}(?:[-.]\d{1,5}){0,4}(?:\.\.\d{1,6})?[a-z]?"
_ISSUE = r"#\d{1,6}"
_LEADING = LazyPattern(r"^(?:[^\w#]|#(?!\d))+")
_NOT_CODES = LazyPattern(
    r"(?:utf|sha|iso|rfc|es|http|gpt|arm|x|v|python|node|windows|mp|h|ipv)[-_]?\d", re.IGNORECASE
)


@cache
def plan_words() -> dict[str, frozenset[str]]:
    """Load the table of words. Every key is a role; the words are lower case."""
    return {role: frozenset(words) for role, words in read_json_table(__file__, "plan_words.json").items()}


class Label(NamedTuple):
    """A label. `kind`: "item" for `Task 3`, "group" for `Phase 1`, "code" for `US-7`, "number"."""

    id: str
    title: str
    kind: str

    @property
    def names_item(self) -> bool:
        return self.kind != "number"


@cache
def _label_pattern() -> re.Pattern[str]:
    words = sorted(plan_words()["unit_items"] | plan_words()["unit_groups"], key=len, reverse=True)
    word = rf"(?P<word>{'|'.join(map(re.escape, words))})s?"
    named = rf"{word}(?:\s{{1,2}}#?|#?(?=\d))(?P<of_word>{_NUMBER}|(?-i:{_CODE}|[A-Z]))(?![\w.]\w)"
    ending = r"(?:[\])】`*]|\s(?=[\])】`*]))*(?:\s*[:：.)、|]+\s*|\s+[-–—·]+\s+|\s+|$)(?:[-–—·]\s+)?"
    counted = r"第\s?(?P<counted>\d{1,4})\s?(?P<counter>[^\W\d]{2})"
    code = rf"(?P<code>{_CODE}|{_ISSUE}|\d{{1,3}}-\d{{1,3}}(?!-?\d))"
    return re.compile(rf"(?:{named}|{counted}|{code}|(?P<number>{_NUMBER}))(?P<end>{ending})", re.IGNORECASE)


def read_label(text: str) -> Label | None:
    """Split a label from its title: `Task 3: Sail` is `Task 3` and `Sail`. None if the text has no label."""
    clean = _LEADING.sub("", plain(text))
    found = _label_pattern().match(clean)
    if found is None:
        return None
    title = clean[found.end() :].strip(" *`")
    if found["word"]:
        kind = "item" if found["word"].casefold() in plan_words()["unit_items"] else "group"
        return Label(f"{found['word']} {found['of_word']}", title, kind)
    if found["counted"]:
        return Label(f"{found['counter']} {found['counted']}", title, "group")
    if found["code"]:
        return Label(found["code"], title, "code") if _is_code(found["code"], found["end"]) else None
    is_prose = found["end"].isspace() and "." not in found["number"] and not found["number"].startswith("0")
    return None if is_prose or not title else Label(found["number"], title, "number")  # "3 boats" is prose


def _is_code(code: str, end: str) -> bool:
    """Return whether letters and digits are an id; before a space only with two digits or more, one last."""
    if code.startswith("#"):
        return True
    if _NOT_CODES.match(code) or not (code[0].isdigit() or re.fullmatch(_CODE, code)):
        return False
    return not end.isspace() or (code[-1].isdigit() and sum(character.isdigit() for character in code) > 1)


def read_field(line: str, role: str) -> str | None:
    """Return the value of a line `Name: value` or `**Name:** value` if the name has the role."""
    name, value = split_label(plain(line))
    return value or None if name.casefold() in plan_words()[role] else None


def has_role(title: str, role: str) -> bool:
    """Return whether a heading is one of the words of a role or begins with one: `Next steps for Ann`."""
    words = re.sub(r"[^\w\s'/]+", " ", title).casefold().split()[:MAX_ROLE_WORDS]
    return any(" ".join(words[:length]) in plan_words()[role] for length in range(1, len(words) + 1))
