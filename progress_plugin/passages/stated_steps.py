"""Which steps a log calls next: where they are listed, which of them have names, how many are told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from progress_plugin.model.status import Status, parse_mark
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.passages.stated_focus import key_of, without_label
from progress_plugin.text.blocker_words import OVER
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, section_of

_BEGINS_WITH_NEXT = LazyPattern(
    r"(?:\d+[.)] )?(?:what(?:'?s| is) |immediate |suggested |recommended |planned |"
    r"(?:plan|steps|work) for (?:the )?)?next\b|"
    r"[^\x00-\x7f]"
)
_IDEAS = LazyPattern(
    r"\b(?:possib(?:le|ly|ilities)|optional(?:ly)?|ideas?|nice[- ]to[- ]haves?|some ?day|"
    r"if (?:needed|wanted|desired|(?:the )?(?:user|owner)s? (?:wants?|asks?|wish\w*|requests?)))\b|"
    r"可能性|必要に応じ|指示があれば|可选|如有需要",
    re.IGNORECASE,
)
"""What a list of steps is led by that nobody has asked for yet."""
_DONE = LazyPattern(r"\(\W{0,3}(?:done|completed?|finished|shipped)\b[^()]{0,40}\)\W*$", re.IGNORECASE)
"""The remark behind a step that was taken."""
_NO_STEP = frozenset({"plan", "plans"})
_SHOWN = 6
"""Next steps that are shown, as far as they are told whole."""
_LONGEST_LINE = 300
"""Characters of the next steps that are shown in one line."""


def next_steps(said: Sequence[Passage]) -> list[Passage]:
    """Return what is called next among statements of the present, as far as it is told in one line."""
    steps = [each for each in said if _announced(each) is SectionKind.NEXT and not _is_count(each)]
    steps = _named_steps(steps) or _of_last_section(_preferred(steps))
    return _in_one_line(_without_ideas([each for each in steps if not _is_done(each)]))


def is_step(passage: Passage) -> bool:
    """Return whether a heading or label below `Next steps` names one of them: what is below it says how.

    Such headings are numbered (`Priority 1: …`, `W4c — …`); others say when: `Short term`.
    """
    if passage.section is not SectionKind.NEXT:
        return False
    if passage.form is Form.HEADING:
        return any(map(str.isdigit, "".join(passage.text.split(maxsplit=2)[:2])))
    return passage.text == passage.label


def _is_count(passage: Passage) -> bool:
    """Return whether a statement says how much is left, and not what: `Pending: 0`."""
    return without_label(passage).strip(" .").isdecimal()


def _without_ideas(steps: Sequence[Passage]) -> Sequence[Passage]:
    """Return the steps without those in a list of what might come one day, where there are others."""
    kept: list[Passage] = []
    above: int | None = None
    """How deep the item is nested that such a list is below."""
    for at, step in enumerate(steps):
        if above is not None and step.depth <= above:
            above = None
        leads = step.text == step.label or (at + 1 < len(steps) and steps[at + 1].depth > step.depth)
        others, _, last = step.text.rpartition("; ")
        if above is None and leads and _IDEAS.search(last):
            above = step.depth
            kept += [step] if others else []  # short items that are told as one
        if above is None and not (step.lead and _IDEAS.search(step.lead)):
            kept.append(step)
    return kept or steps


def _is_done(step: Passage) -> bool:
    return parse_mark(step.text) is Status.DONE or bool(OVER.match(step.text) or _DONE.search(step.text))


def _in_one_line(steps: Sequence[Passage]) -> list[Passage]:
    """Return the first steps, as many as are told whole in one line; the others are told by worth."""
    shown: list[Passage] = []
    room = _LONGEST_LINE
    for step in steps[:_SHOWN]:
        room -= len(without_label(step)) + len("; ")
        if shown and room < 0:
            break
        shown.append(step)
    return shown


def _named_steps(steps: Sequence[Passage]) -> list[Passage]:
    """Return the steps of the newest entry, or section, that has names for them."""
    named = [each for each in steps if is_step(each)]
    headings = _preferred([each for each in named if each.form is Form.HEADING])
    if headings:
        last = max(reversed(headings), key=lambda each: each.entry).label
        return [each for each in headings if each.label == last]
    newest = max((each.entry for each in named), default=0)
    names = {each.label for each in named}
    return [
        each
        for each in steps
        if each.entry == newest
        and (is_step(each) or (named and each.label not in names and _is_beside(each, named[-1])))
    ]


def _is_beside(step: Passage, other: Passage) -> bool:
    """Return whether a step is an item of the list that another is in."""
    return step.form in {Form.ITEM, Form.OPEN} and step.form is other.form and step.depth == other.depth


def _announced(passage: Passage) -> SectionKind | None:
    """Return what the label of a statement announces, its own before the one it is under."""
    name, rest = split_label(passage.text)
    if name and rest:
        # `Plan: 2 of 3` says which plan is at work.
        return (section_of(name) if key_of(name) not in _NO_STEP else None) or passage.section
    return passage.section


def _preferred(steps: Sequence[Passage]) -> Sequence[Passage]:
    """Return what is under `next`, where anything does: what is left or planned comes later."""
    named = (
        each for each in steps if _BEGINS_WITH_NEXT.match(key_of(split_label(each.text)[0] or each.label))
    )
    return list(named) or steps


def _of_last_section(passages: Sequence[Passage]) -> list[Passage]:
    """Return the statements of the newest entry's section, else of the last section outside of entries."""
    sections = [list(group) for _, group in groupby(passages, key=lambda each: (each.entry, each.label))]
    return max(reversed(sections), key=lambda section: section[0].entry, default=[])
