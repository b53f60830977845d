"""The events of a transcript, the same for every client, and the tool calls that have no result yet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple


class UserRequest(NamedTuple):
    """A request of the user."""

    when: str  # ISO 8601 in UTC, as every `when` here; empty if the client wrote no time
    text: str


class FileEdit(NamedTuple):
    """A file was written."""

    when: str
    path: str  # absolute
    created: bool = False


class CommandRun(NamedTuple):
    """A shell command has ended."""

    when: str
    command: str
    exit_code: int | None  # None if the transcript does not show it
    output: str = ""
    wrote: tuple[str, ...] = ()  # the files that it changed, absolute, if the client reports them
    directory: str = ""  # where it ran; empty for the project's root
    began: str = ""  # the earliest time at which it can have begun; empty if it is not known


class TaskUpdate(NamedTuple):
    """A task of the client's task list changed; an empty `number` means a new task."""

    when: str
    number: str
    text: str  # empty if only the status changed
    status: str


class TaskList(NamedTuple):
    """The client's task list was replaced by these tasks, each with its text and status."""

    when: str
    tasks: tuple[tuple[str, str], ...]


class AgentReply(NamedTuple):
    """The agent's text to the user."""

    when: str
    text: str


class Interruption(NamedTuple):
    """The user stopped the agent."""

    when: str


class SessionPlace(NamedTuple):
    """The directory and branch of the session; empty members are not known."""

    when: str
    directory: str = ""
    branch: str = ""
    is_subagent: bool = False  # a sub-agent wrote the transcript; its parent's record has the work


WORK = (FileEdit, CommandRun)
Event = UserRequest | FileEdit | CommandRun | TaskUpdate | TaskList | AgentReply | Interruption | SessionPlace


def only_work(found: Iterable[Event]) -> Iterator[Event]:
    """Yield a sub-agent's edits and commands; its requests and replies are not between user and agent."""
    return (event for event in found if isinstance(event, WORK))


@dataclass
class Call:
    """The parts of a tool call that the event of its end needs."""

    tool: str
    began: str
    command: str = ""
    path: str = ""
    directory: str = ""
    given: Any = None  # further arguments, as the client wrote them
    in_background: bool = False


class Calls(dict[str, Call]):
    """Calls without a result, by id. A client can write several at once, but runs them one after another."""

    def end(self, name: str, when: str, *, is_over: bool = True) -> Call | None:
        """Return the call whose result came at `when`, and forget it unless it runs on in the background.

        Calls that the client wrote after this call cannot have begun before `when`.
        """
        call = self.get(name)
        names = list(self)
        for later in names[names.index(name) + 1 :] if call else ():
            if not self[later].in_background:
                self[later].began = max(self[later].began, when)
        if call is not None and is_over:
            del self[name]
        elif call is not None:
            call.in_background = True
        return call
