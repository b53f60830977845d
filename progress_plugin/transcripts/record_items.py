"""What a record holds of a session, one kind of fact each."""

from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.sources.names import is_plan_or_log

_DONE = frozenset(("completed", "done", "deleted", "cancelled"))


class WrittenFile(NamedTuple):
    """A file of the project that was written."""

    path: str
    """Relative to the project's root, with slashes."""
    times: int = 1
    when: str = ""
    """The last time."""
    created: bool = False
    agent: str = ""


def by_worth(files: Iterable[WrittenFile]) -> list[WrittenFile]:
    """Return files as they are told: the newest first, plans and logs behind what they are about."""
    newest = sorted(files, key=lambda file: file.when, reverse=True)
    return sorted(newest, key=lambda file: is_plan_or_log(file.path))


class CheckRun(NamedTuple):
    """The last run of a check."""

    name: str
    kind: str
    passed: bool | None = None
    when: str = ""
    says: str = ""
    """The line that a failing one printed which tells most."""
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
