"""What a transcript tells, in the same words for every client: readers yield it, a record keeps it."""

from typing import NamedTuple


class Asked(NamedTuple):
    """A request of the user's."""

    when: str
    """ISO 8601 in UTC, as every `when` here; empty where the client wrote no time."""
    text: str
    key: str = ""
    """The client's id of it: a copied transcript repeats it."""
    parent: str = ""
    """What it answers: of two requests with the same one the first was withdrawn."""


class Wrote(NamedTuple):
    """A file was written."""

    when: str
    path: str
    """Absolute."""
    created: bool = False
    agent: str = ""
    """Which sub-agent did it; empty for the main one."""


class Ran(NamedTuple):
    """A shell command has ended."""

    when: str
    command: str
    exit_code: int | None
    """None where the transcript does not tell it."""
    output: str = ""
    agent: str = ""
    wrote: tuple[str, ...] = ()
    """The files that it changed, absolute, where the client tells them."""
    directory: str = ""
    """Where it ran; empty where the transcript does not tell: then in the project's root."""
    began: str = ""
    """The earliest time at which it can have begun; empty where nothing ran beside it."""


class CallFailed(NamedTuple):
    """A tool other than the shell refused or failed."""

    when: str
    tool: str
    target: str


class Planned(NamedTuple):
    """A task of the client's own list changed, or the whole list where `number` is empty."""

    when: str
    number: str
    text: str
    """Empty where only the status changed."""
    status: str


class PlanReplaced(NamedTuple):
    """The client's own list was written anew; what follows are its tasks."""

    when: str


class Said(NamedTuple):
    """The agent's text to the user."""

    when: str
    text: str


class Interrupted(NamedTuple):
    """The user stopped the agent."""

    when: str


class Compacted(NamedTuple):
    """The client shortened the conversation."""

    when: str
    key: str = ""
    """The client's id of that; a copied transcript may begin with it."""


class Setting(NamedTuple):
    """Where and with what the session works; what is empty is not told."""

    when: str
    directory: str = ""
    branch: str = ""
    model: str = ""


class Rewound(NamedTuple):
    """The user took back a message and all after it."""

    when: str
    key: str


class SubagentTranscript(NamedTuple):
    """The whole transcript belongs to a sub-agent: the transcript of its parent covers it."""

    when: str


Event = (
    Asked
    | Wrote
    | Ran
    | CallFailed
    | Planned
    | PlanReplaced
    | Said
    | Interrupted
    | Compacted
    | Setting
    | Rewound
    | SubagentTranscript
)
Happening = Event
