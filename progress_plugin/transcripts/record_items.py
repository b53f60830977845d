"""The kinds of facts that a record holds of a session."""

from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.sources.names import is_plan_or_log

_DONE = frozenset(("completed", "done", "deleted", "cancelled"))


class WrittenFile(NamedTuple):
    """A file of the project that was written."""

    path: str  # relative to the project's root, with slashes
    times: int = 1
    when: str = ""  # the last time
    created: bool = False
    agent: str = ""  # the sub-agent; empty for the main agent


class CheckRun(NamedTuple):
    """The last run of a check."""

    name: str
    kind: str
    passed: bool | None = None  # None if the result is not known
    when: str = ""
    says: str = ""  # the most telling line that a failing check printed
    agent: str = ""


class Failure(NamedTuple):
    """A command or tool call that failed and was not repeated with success."""

    what: str
    says: str = ""
    when: str = ""


class Task(NamedTuple):
    """An item of the client's own task list."""

    number: str
    text: str
    status: str

    @property
    def is_open(self) -> bool:
        """Whether it is still to be done."""
        return self.status not in _DONE


class Commit(NamedTuple):
    """A commit of the session's own."""

    id: str
    subject: str


def by_worth(files: Iterable[WrittenFile]) -> list[WrittenFile]:
    """Return files newest first, but plans and logs last."""
    newest = sorted(files, key=lambda file: file.when, reverse=True)
    return sorted(newest, key=lambda file: is_plan_or_log(file.path))
