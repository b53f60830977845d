"""One statement that a summary may show: what it says, what it is worth, and where it would stand."""

from typing import NamedTuple

from progress_plugin.model.learning import Learning
from progress_plugin.model.origin import Origin
from progress_plugin.passages.passage import Passage

RECENT, EARLIER, ENDS = "recent", "earlier", "ends"
"""Sections of candidates besides the kinds of learnings."""


class SummaryCandidate(NamedTuple):
    """One statement that may be shown."""

    text: str
    """As its author wrote it; what is shown goes through `text.safe_output` first."""
    worth: float
    section: str
    """`recent`, `earlier`, a kind of learnings in `Content`, or `ends`: an unfinished end or nothing."""
    order: int
    """Place among the others of its section."""
    item: int = 0
    """Which of the recent items it belongs to."""
    learning: Learning | None = None
    """What it teaches, or would if it were asked: none for what is below a recent item."""
    ranks: tuple[int, ...] = ()
    """Places of the learnings it states among those that may be shown."""
    files: tuple[str, ...] = ()
    """What a recent item touched, where that is what is offered."""
    passage: Passage | None = None
    """What says it, where that is not the learning alone."""
    is_open: bool = False
    """Whether it is an unfinished end: those are told first."""
    part: str = ""
    """The name of the part that a recent item's statement is in, below the item's own heading."""
    story: str = ""
    """Of an unfinished end what its story is called before it: its id, and its plan or spec."""
    is_of_recent: bool = False
    """Whether it is a learning of a recent item: it has a share in the room that these get first."""
    by: str = ""
    """Which other clone says so, where its line has to name that (`summary.recent_stories.name_of`)."""
    items: tuple[int, ...] = ()
    """Places (`order`) of what it announces as its list."""

    @property
    def under(self) -> str:
        """The heading or label without which a statement may mean something else; often empty.

        Of a recent item that is one below the item's own heading: a part that has a name.
        """
        said = self.passage
        if said is None or (said.lead and self.text != said.text):
            return ""
        if self.section == EARLIER and not said.story:
            return said.label.rstrip(" :：")
        return self.part.rstrip(" :：")

    def origins(self) -> tuple[Origin, ...]:
        """Return where it is said."""
        said = self.passage
        if said is not None:
            return (Origin(said.source, said.line, said.last, said.entry),)
        taught = self.learning
        if taught is None or not taught.lines:
            return (Origin(taught.source),) if taught else ()
        return (Origin(taught.source, taught.lines[0], taught.lines[0]),)
