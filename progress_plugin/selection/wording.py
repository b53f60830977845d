"""Make each statement short and understandable on its own, or drop it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.agent_logs.sections import section_of
from progress_plugin.model.work import Statement
from progress_plugin.selection.similarity import NAME
from progress_plugin.selection.words import group_of_word, phrase_list, word_list

MAX_SHORT_CHARS = 70  # a shorter statement is shown with the label that gives it its meaning
MAX_LABEL_CHARS = 60
MAX_QUALIFIER_CHARS = 90  # of a label without which a text means something else
MAX_LONG_CHARS = 160  # a longer statement ends after a clause, if what follows does not restrict it
MIN_CLAUSE_CHARS = 60
MIN_LETTERS = 4
MAX_SECTION_WORDS = 3  # of a statement that only names a section, e.g. `Files changed`
FIRST_WORDS = re.compile(r"[^\w`]*([^\W_]+)(?:[^\S\n]+([^\W_]+))?")
LABEL = re.compile(r"\W{0,3}([^\W_]+)\W{0,3}[:：]")
LETTER = re.compile(r"[^\W_]")
CLAUSE_END = re.compile(r"; |(?<=[a-z\d`)]{2})\. (?=[A-Z`])| [—–-] | \((?=[^)]{12})|[；。]")
EXAMPLE = re.compile(r" \((?:e\.g\.|such as|for example)[^()]*\)")
WORD = re.compile(r"[\w'-]+")
RESTRICTING = frozenset({"contrast", "condition", "cause", "denial", "never", "remedy"})  # groups of words
QUALIFYING = frozenset({"condition", "denial", "never"})  # groups of words


def reword(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements that can be shown, with their subject; halves of a pair become one statement."""
    shown = (_with_subject(statement) for statement in _without_rests(_join_pairs(statements)))
    return [statement._replace(text=shorten(statement.text)) for statement in shown if statement]


def _without_rests(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Leave out later sentences of a long statement that name nothing or continue a parenthesis."""
    before: Statement | None = None
    for statement in statements:
        is_rest = before is not None and (before.source, before.nth) == (statement.source, statement.nth)
        before = statement
        if not is_rest or (NAME.search(statement.text) and not statement.text.startswith("(")):
            yield statement


def shorten(text: str) -> str:
    """Return a text without its examples, and of a long one the first clauses if they keep their meaning."""
    text = EXAMPLE.sub("", text)
    if len(text) <= MAX_LONG_CHARS + MIN_CLAUSE_CHARS // 3:
        return text
    for end in reversed(list(CLAUSE_END.finditer(text, MIN_CLAUSE_CHARS, MAX_LONG_CHARS))):
        kept, next_word = text[: end.start()], WORD.search(text.lower(), end.end())
        is_restricted = next_word is not None and group_of_word().get(next_word[0]) in RESTRICTING
        is_whole = not (kept.count("`") % 2 or kept.count('"') % 2) and kept.count("(") == kept.count(")")
        if is_whole and not is_restricted and not _is_mere_condition(kept):
            return kept.rstrip(" ,;:.-—") + "…"
    return text


def _is_mere_condition(text: str) -> bool:
    """Return whether a text only says when something holds: `When two flags meet`."""
    first = WORD.search(text.lower())
    return first is not None and group_of_word().get(first[0]) == "condition" and "," not in text


def _join_pairs(statements: Iterable[Statement]) -> list[Statement]:
    """Join `Problem: ...` and the `Fix: ...` right after it: one of them alone misleads."""
    joined: list[Statement] = []
    for statement in statements:
        before = joined[-1] if joined else None
        is_answer = _label_of(statement.text) in word_list("answers")
        if before and is_answer and _is_neighbour(before, statement) and is_question(before.text):
            source = before.source._replace(last=statement.source.last or statement.source.line)
            joined[-1] = before._replace(text=f"{before.text.rstrip(' .')}. {statement.text}", source=source)
        else:
            joined.append(statement)
    return joined


def is_question(text: str) -> bool:
    """Return whether a text names a problem, e.g. `Bug: the gate sticks`."""
    return _label_of(text) in word_list("questions")


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
    if _announces(text) or len(LETTER.findall(text)) < MIN_LETTERS or _is_section_name(text):
        return None
    topic = _topic_of(statement)
    if _begins_with_pronoun(text):
        story = statement.story or ""
        topic = topic or ("" if story.isdigit() else story)  # a bare number names nothing
        if not topic:
            return None
    elif len(text) > MAX_SHORT_CHARS and not _is_list(statement) and not _qualifies(topic, text):
        topic = ""
    return statement._replace(text=f"{topic}: {text}" if topic else text)


def _announces(text: str) -> bool:
    """Return whether a text only says that something follows."""
    is_open = text.lower().startswith(phrase_list("announcements")) and ":" not in text
    return is_open or text.endswith((":", "："))


def _is_section_name(text: str) -> bool:
    is_short = len(text.split()) <= MAX_SECTION_WORDS and ":" not in text
    return is_short and section_of(text, exactly=True) is not None


def _topic_of(statement: Statement) -> str:
    """Return the label of a statement if it names a topic, and not only a kind of section."""
    label, is_qualifier = statement.label.strip(" :：*`#"), _qualifies(statement.label)
    is_topic = is_qualifier or NAME.search(label) is not None or not section_of(label)
    is_topic = is_topic and len(label) <= (MAX_QUALIFIER_CHARS if is_qualifier else MAX_LABEL_CHARS)
    return label if is_topic and label.casefold() not in statement.text.casefold() else ""


def _is_list(statement: Statement) -> bool:
    """Return whether a statement is several items of one list, which mean little without their topic."""
    return statement.form == "item" and statement.source.last > statement.source.line


def _qualifies(topic: str, text: str = "") -> bool:
    """Return whether a topic changes the meaning of its text: `Removed: x`, `Do not add: y`.

    A text that begins with a prohibition itself does not need another.
    """
    words = WORD.findall(topic.lower())
    if QUALIFYING.isdisjoint(map(group_of_word().get, words)) and word_list("reversing").isdisjoint(words):
        return False
    return QUALIFYING.isdisjoint(map(group_of_word().get, WORD.findall(text.lower())[:1]))


def _begins_with_pronoun(text: str) -> bool:
    first = FIRST_WORDS.match(text)
    if first is None or first[1].casefold() not in word_list("pronouns"):
        return False
    return (first[2] or "").casefold() not in word_list("whole")  # `this project` needs no subject
