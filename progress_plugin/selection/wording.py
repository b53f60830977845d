"""Make each statement short and understandable on its own, or drop it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.agent_logs.sections import section_of
from progress_plugin.model.work import Statement
from progress_plugin.selection.score import WORD
from progress_plugin.selection.similarity import NAME
from progress_plugin.selection.words import group_of_word, word_list

MAX_SHORT_CHARS = 70  # a shorter statement is shown with the label that gives it its meaning
MAX_LABEL_CHARS = 60
MAX_QUALIFIER_CHARS = 90  # of a label that changes the meaning of a text, e.g. `Removed`
MAX_LONG_CHARS = (
    160  # a statement that is clearly longer is cut after a clause, if the next does not restrict it
)
MIN_CLAUSE_CHARS = 60
MAX_SECTION_WORDS = 3  # of a statement that only names a section, e.g. `Files changed`
FIRST_WORDS = re.compile(r"[^\w`]*([^\W_]+)(?:[^\S\n]+([^\W_]+))?")
CLAUSE_END = re.compile(r"; |(?<=[a-z\d`)]{2})\. (?=[A-Z`])| [—–-] | \((?=[^)]{12})|[；。]")
NUMBERING = re.compile(r"^\d+(?:\.\d+)*[.)]\s+")  # of a heading
EXAMPLE = re.compile(r" \((?:e\.g\.|such as|for example)[^()]*\)")
RESTRICTING = frozenset({"contrast", "condition", "cause", "denial", "never", "remedy"})  # groups of words
QUALIFYING = frozenset({"condition", "denial", "never"})  # words of these groups in a label change its text


def reword(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements that say something by themselves, shortened, with their topic if they need it."""
    shown = (_with_subject(statement) for statement in _without_later_parts(statements))
    return [statement._replace(text=shorten(statement.text)) for statement in shown if statement]


def _without_later_parts(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Leave out later parts of a split statement that name no code or file, or that begin with `(`."""
    before: Statement | None = None
    for statement in statements:
        is_later = before is not None and (before.source, before.nth) == (statement.source, statement.nth)
        before = statement
        if not is_later or (NAME.search(statement.text) and not statement.text.startswith("(")):
            yield statement


def shorten(text: str) -> str:
    """Return a text without its examples; a long one is cut after a clause, if that keeps its meaning."""
    text = EXAMPLE.sub("", text)
    if len(text) <= MAX_LONG_CHARS + MIN_CLAUSE_CHARS // 3:
        return text
    for end in reversed(list(CLAUSE_END.finditer(text, MIN_CLAUSE_CHARS, MAX_LONG_CHARS))):
        kept, next_word = text[: end.start()], WORD.search(text.lower(), end.end())
        is_restricted = next_word is not None and group_of_word().get(next_word[0]) in RESTRICTING
        is_whole = not (kept.count("`") % 2 or kept.count('"') % 2) and kept.count("(") == kept.count(")")
        if is_whole and not is_restricted:
            return kept.rstrip(" ,;:.-—") + "…"
    return text


def _with_subject(statement: Statement) -> Statement | None:
    """Return a statement, with its topic in front if it needs one; None if it says nothing by itself."""
    text = statement.text.strip()
    if text.endswith((":", "：")) or _is_section_name(text):
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


def _is_section_name(text: str) -> bool:
    is_short = len(text.split()) <= MAX_SECTION_WORDS and ":" not in text
    return is_short and section_of(text, exactly=True) is not None


def _topic_of(statement: Statement) -> str:
    """Return the label of a statement if it names a topic, and not only a section such as `Notes`."""
    label = NUMBERING.sub("", statement.label).strip(" :：*`#✅✓✔☑")
    is_qualifier = _qualifies(label)
    is_topic = is_qualifier or NAME.search(label) is not None or not section_of(label)
    is_topic = is_topic and len(label) <= (MAX_QUALIFIER_CHARS if is_qualifier else MAX_LABEL_CHARS)
    return label if is_topic and label.casefold() not in statement.text.casefold() else ""


def _is_list(statement: Statement) -> bool:
    """Return whether a statement is several items of one list, which mean little without their topic."""
    return statement.form == "item" and statement.source.last > statement.source.line


def _qualifies(topic: str, text: str = "") -> bool:
    """Return whether a topic changes the meaning of its text: `Removed: x`, `Do not add: y`.

    It changes nothing if the first word of the text itself is such a condition, denial or prohibition.
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
