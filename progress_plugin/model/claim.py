"""A claim: the story that an agent works on, so that no other takes it."""

from typing import NamedTuple

from progress_plugin.model.status import THIS_CLONE


class Claim(NamedTuple):
    """The writer that works on a story, and until when."""

    story: str
    writer: str | None
    """The other clone; None for this one."""
    since: str
    until: str
    """Both ISO 8601 in UTC, as an entry's timestamp."""

    @property
    def by(self) -> str:
        """The writer in words."""
        return self.writer or THIS_CLONE

    @property
    def key(self) -> str:
        """The story in lower case, to compare claims."""
        return self.story.casefold()
