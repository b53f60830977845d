"""What stands before a statement that is told outside of its section: `Next: `, `Blocker: `."""

import re

from progress_plugin.passages.passage import Form, Passage
from progress_plugin.text.blocker_words import names_concerns
from progress_plugin.text.labels import split_label
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind, puts_off, section_of

_BLOCKER, _CONCERN = "Blocker: ", "Concern: "
"""The latter in a section that is not of blockers alone: whatever blocks work now is told as that."""
_NEXT, _OPEN, _PUT_OFF = _OF_STEPS = ("Next: ", "Open: ", "Deferred: ")
_IS_OPEN = LazyPattern(r"\b(?:open|questions?|unresolved|undecided|unclear)\b", re.IGNORECASE)
"""In the name of what somebody has to decide or find out, and not to do."""


def marked(passage: Passage) -> str:
    """Return a statement as it is shown: what is to be done, or was in the way, is said to be so."""
    mark = _mark_of(passage)
    if not mark or passage.lead or passage.form in (Form.OPEN, Form.DONE):
        return passage.shown
    if section_of(split_label(passage.text)[0]) is passage.section:
        return passage.shown
    return mark + passage.shown


def without_mark(text: str) -> str:
    """Return a step as it is shown below a heading that says what it is."""
    for mark in _OF_STEPS:
        text = text.removeprefix(mark)
    return text


def _mark_of(passage: Passage) -> str:
    if passage.section is SectionKind.BLOCKED:
        return _CONCERN if names_concerns(passage.label) else _BLOCKER
    if passage.section is not SectionKind.NEXT:
        return ""
    if puts_off(passage.label):
        return _PUT_OFF
    return _OPEN if _IS_OPEN.search(passage.label) else _NEXT
