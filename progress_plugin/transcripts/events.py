"""The events of a transcript, the same for every client."""

from typing import NamedTuple


class Asked(NamedTuple):
    """A request of the user."""

    when: str  # ISO 8601 in UTC, as every `when` here; empty if the client wrote no time
    text: str
    parent: str = ""  # what it answers; of two requests with the same parent the first was withdrawn


class Wrote(NamedTuple):
    """A file was written."""

    when: str
    path: str  # absolute
    created: bool = False


class Ran(NamedTuple):
    """A shell command has ended."""

    when: str
    command: str
    exit_code: int | None  # None if the transcript does not show it
    output: str = ""
    wrote: tuple[str, ...] = ()  # the files that it changed, absolute, if the client reports them
    directory: str = ""  # where it ran; empty for the project's root
    began: str = ""  # the earliest time at which it can have begun; empty if it is not known


class Planned(NamedTuple):
    """A task of the client's own list changed, or is one of a new list if `number` is empty."""

    when: str
    number: str
    text: str  # empty if only the status changed
    status: str


class PlanReplaced(NamedTuple):
    """The client's own list was replaced by these tasks, each with its text and status."""

    when: str
    tasks: tuple[tuple[str, str], ...]


class Said(NamedTuple):
    """The agent's text to the user."""

    when: str
    text: str


class Interrupted(NamedTuple):
    """The user stopped the agent."""

    when: str


class Setting(NamedTuple):
    """Where the session works; empty members are not known."""

    when: str
    directory: str = ""
    branch: str = ""
    is_subagent: bool = False  # the transcript of its parent covers the whole transcript


WORK = (Wrote, Ran)
Event = Asked | Wrote | Ran | Planned | PlanReplaced | Said | Interrupted | Setting
