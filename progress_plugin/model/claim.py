"""A claim: the story that an agent works on, so that no other takes it."""

from typing import NamedTuple

from progress_plugin.model.status import THIS_CLONE


class Claim(NamedTuple):
    """Who works on a story, and how long that holds."""

    story: str
    writer: str | None
    """Which other clone; None for this one."""
    since: str
    until: str
    """Both ISO 8601 in UTC, as an entry's timestamp."""

    @property
    def by(self) -> str:
        """Who claims it, in words."""
        return self.writer or THIS_CLONE

    @property
    def key(self) -> str:
        """What it is compared by."""
        return self.story.casefold()
