"""A passage: one statement of a log, a plan or an entry, and where it is."""

from enum import IntEnum
from typing import NamedTuple

from progress_plugin.text.labels import unemphasised
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import SectionKind


class Form(IntEnum):
    """How a passage is written."""

    ITEM = 1
    TEXT = 2
    ROW = 3
    HEADING = 4
    LABEL = 5
    """A label with its text: `**Status:** done`, `Branch: main`."""
    OPEN = 6
    """A box that is not checked."""
    DONE = 7
    """A box that is checked."""
    QUOTE = 8
    CODE = 9
    """A line of fenced code."""


_NUMBER = LazyPattern(r"\A\W{0,3}\d{1,3}(?:\.\d{1,3}){0,3}\s?(?:[.):]|[–—-](?=\s))")
"""That of a section: `7 — Tides`, `3. Quay`."""
_REMARK = LazyPattern(r"(?<!\s)\s*\([^()]*\)\s*$")
"""What a heading ends with: how many follow, or when it was."""
_COMPLETE = 70
"""Characters from which a statement is understood without what is above it."""


class Passage(NamedTuple):
    """One statement, as its author wrote it, without the marker before it."""

    text: str
    """On one line; what was cut off is whole sentences, never a part of a code span or word."""
    line: int
    """First line, 1-based; 0 where the source has none."""
    last: int
    source: str
    """Path of the file, relative to the project root."""
    form: Form
    section: SectionKind | None
    """What the nearest heading or label of known meaning announces."""
    label: str
    """The nearest heading or label itself, plain."""
    lead: str
    """The item or label of unknown meaning that the statement completes: `C emitter` above `names params`."""
    entry: int
    """Place in true order of the entry it is in, 1 = oldest; 0 for what is outside of entries."""
    story: str | None
    when: str | None
    nth: int
    """Place within its entry, 0 = first."""
    depth: int
    """Items it is nested in."""

    @property
    def shown(self) -> str:
        """Return the statement as a reader needs it: with what it completes, without marks of emphasis."""
        text = unemphasised(self.text)
        return f"{self.lead}: {text}" if self.lead and len(text) < _COMPLETE else text

    @property
    def only_announces(self) -> bool:
        """Whether it is a heading that says nothing itself: no figure, name of code, or finding."""
        said = set(_REMARK.sub("", _NUMBER.sub("", self.text))) if self.form is Form.HEADING else {":"}
        return not {"`", ":"} & said and not any(map(str.isdigit, said))


class Reading(NamedTuple):
    """The passages of one source, and how many entries they are in."""

    passages: tuple[Passage, ...]
    """In the order of the file."""
    entries: int
    """The newest entry has this place in true order."""
    unblocked: frozenset[int] = frozenset()
    """Entries, 0 for what stands outside of them, that say that nothing is in the way."""
