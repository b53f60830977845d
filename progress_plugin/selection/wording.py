"""Make each statement understandable on its own, or drop it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from progress_plugin.agent_logs.sections import section_of
from progress_plugin.model.work import Statement
from progress_plugin.selection.words import word_list

MAX_SHORT_CHARS = 70  # a shorter statement is shown with the label that gives it its meaning
MAX_LABEL_CHARS = 60
MIN_LETTERS = 4
FIRST_WORD = re.compile(r"\W*([^\W_]+)")
LABEL = re.compile(r"\W{0,3}([^\W_]+)\W{0,3}[:：]")
LETTER = re.compile(r"[^\W_]")


def reword(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements that can be shown, with their subject; halves of a pair become one statement."""
    shown = (_with_subject(statement) for statement in _join_pairs(statements))
    return [statement for statement in shown if statement]


def _join_pairs(statements: Iterable[Statement]) -> list[Statement]:
    """Join `Problem: ...` and the `Fix: ...` right after it: one of them alone misleads."""
    joined: list[Statement] = []
    for statement in statements:
        before = joined[-1] if joined else None
        is_answer = _label_of(statement.text) in word_list("answers")
        if before and is_answer and _is_neighbour(before, statement) and _is_question(before):
            source = replace(before.source, last=statement.source.last or statement.source.line)
            joined[-1] = replace(before, text=f"{before.text.rstrip(' .')}. {statement.text}", source=source)
        else:
            joined.append(statement)
    return joined


def _is_question(statement: Statement) -> bool:
    return _label_of(statement.text) in word_list("questions")


def _label_of(text: str) -> str:
    found = LABEL.match(text)
    return found[1].casefold() if found else ""


def _is_neighbour(before: Statement, statement: Statement) -> bool:
    return (
        before.source.path == statement.source.path
        and before.entry == statement.entry
        and before.nth + 1 == statement.nth
    )


def _with_subject(statement: Statement) -> Statement | None:
    """Return a statement with its topic in front if it needs one; None if it says nothing without it."""
    text = statement.text.strip()
    if text.endswith((":", "：")) or len(LETTER.findall(text)) < MIN_LETTERS:
        return None
    topic = _topic_of(statement)
    if _begins_with_pronoun(text):
        topic = topic or statement.story or ""
        if not topic:
            return None
    elif len(text) > MAX_SHORT_CHARS:
        topic = ""
    return replace(statement, text=f"{topic}: {text}" if topic else text)


def _topic_of(statement: Statement) -> str:
    """Return the label of a statement if it names a topic and not a kind of section."""
    label = statement.label.strip(" :：*`#")
    is_topic = len(label) <= MAX_LABEL_CHARS and not section_of(label)
    return label if is_topic and label.casefold() not in statement.text.casefold() else ""


def _begins_with_pronoun(text: str) -> bool:
    first = FIRST_WORD.match(text)
    return first is not None and first[1].casefold() in word_list("pronouns")
