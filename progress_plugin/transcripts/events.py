"""The events of a transcript, the same for every client."""

from typing import NamedTuple


class Asked(NamedTuple):
    """A request of the user."""

    when: str  # ISO 8601 in UTC, as every `when` here; empty if the client wrote no time
    text: str
    key: str = ""  # the client's id of it; a copied transcript repeats it
    parent: str = ""  # what it answers; of two requests with the same parent the first was withdrawn


class Wrote(NamedTuple):
    """A file was written."""

    when: str
    path: str  # absolute
    created: bool = False
    agent: str = ""  # the sub-agent that did it; empty for the main one


class Ran(NamedTuple):
    """A shell command has ended."""

    when: str
    command: str
    exit_code: int | None  # None if the transcript does not show it
    output: str = ""
    agent: str = ""
    wrote: tuple[str, ...] = ()  # the files that it changed, absolute, if the client reports them
    directory: str = ""  # where it ran; empty for the project's root
    began: str = ""  # the earliest time at which it can have begun; empty if it is not known


class CallFailed(NamedTuple):
    """A tool other than the shell refused or failed."""

    when: str
    tool: str
    target: str


class Planned(NamedTuple):
    """A task of the client's own list changed, or is one of a new list if `number` is empty."""

    when: str
    number: str
    text: str  # empty if only the status changed
    status: str


class PlanReplaced(NamedTuple):
    """The client's own list was replaced; its tasks follow."""

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
    key: str = ""  # the client's id of that; a copied transcript may begin with it


class Setting(NamedTuple):
    """Where and with what the session works; empty members are not known."""

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
    Asked | Wrote | Ran | CallFailed | Planned | PlanReplaced | Said | Interrupted | Compacted | Setting
    | Rewound | SubagentTranscript
)  # fmt: skip
