"""Choose the learnings among the statements of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable

from progress_plugin.agent_logs.noise import is_report
from progress_plugin.agent_logs.sections import TEACHING, word_list
from progress_plugin.model.work import Learning, LearningKind, Statement
from progress_plugin.text.patterns import LazyPattern

_CODE = re.compile(r"`[^`]*`")
_WORD = re.compile(r"[\w'’]+")
_STORY = LazyPattern(r"\b(?:US|FR|PROJ|TASK|STORY|[A-Z]{2,5})-\d{1,4}\b(?<!UTF-8)")
_STATING = frozenset({"item", "paragraph", "row"})


def find_learnings(statements: Iterable[Statement]) -> list[Learning]:
    return [
        Learning(each.text, kind_of(each), each.source, each.entry, each.story)
        for each in statements
        if each.form in _STATING and _teaches(each) and not is_report(each.text)
    ]


def _teaches(statement: Statement) -> bool:
    """Return whether a statement is in a section of learnings, or is a rule (`it MUST be last`) or advice."""
    text, section = statement.text, statement.section
    has_rule_words = any(map(text.__contains__, word_list("rule_words")))
    is_rule = has_rule_words and not word_list("rule_words").isdisjoint(_WORD.findall(_CODE.sub(" ", text)))
    is_advice = section == "notes" and not word_list("advice").isdisjoint(_words(text))
    return section in TEACHING or is_rule or is_advice


def kind_of(statement: Statement) -> LearningKind:
    """Return the kind of a learning by its section and words: a dependency, else a gotcha, else a pattern."""
    text = statement.text
    if statement.section == "dependency" or any(map(text.casefold().__contains__, word_list("relying"))):
        return LearningKind.DEPENDENCY
    if any(found != statement.story for found in _STORY.findall(text)):
        return LearningKind.DEPENDENCY
    words = _words(_CODE.sub(" ", text))
    if statement.section == "gotcha" or not word_list("harm").isdisjoint(words):
        return LearningKind.GOTCHA
    if statement.section != "pattern" and not word_list("duty").isdisjoint(words):
        return LearningKind.GOTCHA
    return LearningKind.PATTERN


def _words(text: str) -> set[str]:
    return {word.replace("’", "'") for word in _WORD.findall(text.casefold())}
