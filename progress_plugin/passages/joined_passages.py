"""Statements that are told as one: the small items of a list, and what went wrong with its cure."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from progress_plugin.learnings.learning_kind import kind_of
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.status import parse_mark
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.passages.sentences import columns
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, section_of

_CROSSED_OUT = "~~"
_SMALL = 70
"""Columns of an item that may be one of a list in one line."""
_IN_LISTS = frozenset({Form.ITEM, Form.ROW})
_LIST = 300
"""Columns such a list may have."""
_TROUBLE = LazyPattern(
    r"\W{0,4}(?:bug|problem|issue|symptom|error|root cause|cause|reason)\b[\w ]{0,20}+\W{0,3}:",
    re.IGNORECASE,
)
_CURE = LazyPattern(
    r"\W{0,4}(?:root cause|cause|reason|fix(?:ed)?|solution|resolution|resolved|workaround)\b"
    r"[\w ]{0,20}+\W{0,3}:",
    re.IGNORECASE,
)
_LABEL = 40
"""Characters within which a label ends."""
_NEAR = 2
"""Lines between what went wrong and what cured it."""
_LONGEST_PAIR = 400
"""Columns that the two may have together."""


def told_as_one(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the passages in their order, those as one that are understood together alone."""
    return _in_lists(_with_cures(passages))


def _with_cures(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the passages, what went wrong and the cause or cure right after it as one."""
    last: Passage | None = None
    for passage in passages:
        cure = _cure(passage, last) if last else ""
        if last and cure:
            last = last._replace(text=f"{last.text.rstrip(' .;')}; {cure}", last=passage.last)
            continue
        if last:
            yield last
        last = passage
    if last:
        yield last


def _cure(passage: Passage, trouble: Passage) -> str:
    """Return the cause or cure of a trouble with its label; empty for what is none, or too much beside it."""
    if passage.entry != trouble.entry or not 0 < passage.line - trouble.last <= _NEAR:
        return ""
    text = passage.text
    if ":" not in text[:_LABEL] or not _CURE.match(text):
        text = f"{passage.label}: {text}"
        if passage.label == trouble.label or not _CURE.match(text):
            return ""
    fits = columns(trouble.text) + columns(text) <= _LONGEST_PAIR
    return text if fits and _TROUBLE.match(trouble.text) else ""


def _in_lists(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the passages, the small items of one list as one."""
    run: list[Passage] = []
    size = 0
    for passage in passages:
        width = columns(passage.text) if passage.form in _IN_LISTS else _SMALL + 1
        small = width <= _SMALL and not _is_step(passage.text)
        if run and not (small and size + width <= _LIST and _are_siblings(run[-1], passage)):
            yield _as_one(run)
            run, size = [], 0
        if small:
            run.append(passage)
            size += width + 2
        else:
            yield passage
    if run:
        yield _as_one(run)


def _are_siblings(one: Passage, other: Passage) -> bool:
    """Return whether two items may be told as one: of one list, one state and one kind of learning."""
    return (
        one.section is other.section
        and one.form is other.form
        and one.section is not SectionKind.BLOCKED  # each is counted
        and one.label == other.label
        and one.lead == other.lead
        and one.depth == other.depth
        and one.entry == other.entry
        and parse_mark(one.text) is parse_mark(other.text)
        and one.text.startswith(_CROSSED_OUT) is other.text.startswith(_CROSSED_OUT)
        and (one.section is not SectionKind.LEARNED or _kind(one.text) is _kind(other.text))
    )


@lru_cache(maxsize=4096)
def _is_step(text: str) -> bool:
    """Return whether an item says by its own label what comes next or is in the way."""
    if ":" not in text[:_LABEL]:
        return False
    name, rest = split_label(text)
    return bool(name and rest) and section_of(name) in {SectionKind.NEXT, SectionKind.BLOCKED}


@lru_cache(maxsize=4096)
def _kind(text: str) -> LearningKind:
    return kind_of(text, None)


def _as_one(run: list[Passage]) -> Passage:
    if len(run) == 1:
        return run[0]
    return run[0]._replace(text="; ".join(p.text.rstrip(" .;") for p in run), last=run[-1].last)
