"""The record of a session in bounded size: requests, changes, checks and open work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from progress_plugin.sources.names import is_plan_or_log
from progress_plugin.transcripts.checks import covers

REQUEST, EDIT, CHECK = "asked", "wrote", "ran"
SHORT_ID = 13
_DONE = frozenset(("completed", "done", "deleted", "cancelled"))
_MIN_CLEAR_CHARS = 20  # a shorter request, such as `go on`, may need the one before it to be understood
_MAX_LATEST = 3
_CLIENT_COMMANDS = (
    "/compact", "/compress", "/clear", "/exit", "/quit", "/resume", "/model", "/help", "/login", "/config",
)  # fmt: skip
_PROSE = (".md", ".mdx", ".rst", ".adoc")  # no check has to be repeated for these


class Request(NamedTuple):
    """One request of the user."""

    text: str
    when: str = ""

    @property
    def is_of_work(self) -> bool:
        """True unless it is a command to the client, such as `/clear`, or a command of this plugin."""
        return self.text.split(" ")[0] not in _CLIENT_COMMANDS and not self.text.startswith("/progress:")


class Step(NamedTuple):
    """A request, an edit, or the run of a check; a run has the time at which it began."""

    kind: str
    when: float  # seconds since 1970
    what: str = ""  # the file, relative to the project's root, or the name of the check
    passed: bool | None = None  # how the check ended; None if the transcript does not show it
    says: str = ""  # the most informative line of the output if the check did not pass

    @property
    def outdates_checks(self) -> bool:
        """True if checks have to be repeated after it."""
        return self.kind == EDIT and not is_prose(self.what)


class WrittenFile(NamedTuple):
    """A file of the project that was written."""

    path: str  # relative to the project's root, with slashes
    times: int = 1
    created: bool = False


class Task(NamedTuple):
    """An item of the client's own task list."""

    number: str
    text: str
    status: str

    @property
    def is_open(self) -> bool:
        return self.status not in _DONE


class Commit(NamedTuple):
    """A commit that was made here during the session."""

    id: str
    subject: str


@dataclass
class SessionRecord:
    """One session of a client in a project. Every text from its transcript is safe to show."""

    client: str
    session: str
    transcript: str = ""
    size: int = 0  # of the transcript when it was read
    written_ns: int = 0  # when the transcript was written last
    started: str = ""
    ended: str = ""
    branch: str = ""
    worktree: str = ""  # name of the linked worktree; empty for the main one
    asked: int = 0  # number of requests
    interrupted: bool = False  # by the user, since the last request
    over: bool = False  # the client has reported the end
    foreign: bool = False  # of another project, or of a sub-agent; no work is kept
    headless: bool = False  # a program ran the client, not a person
    never_reread: bool = False  # the transcript still holds a text that was erased; `frozen` in the file
    requests: list[Request] = field(default_factory=list)
    files: dict[str, WrittenFile] = field(default_factory=dict)
    checks: dict[str, Step] = field(default_factory=dict)  # the last run of each, by its name
    tasks: dict[str, Task] = field(default_factory=dict)
    commits: list[Commit] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)  # the newest, in their order
    closing: str = ""  # the end of the last answer
    passed_later: frozenset[str] = frozenset()  # checks that failed in it and passed later; not stored

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> SessionRecord:
        """Restore a record from `to_data`. Raises TypeError, ValueError or AttributeError for other data."""
        record = cls(**{name: value for name, value in data.items() if name in cls.__annotations__})
        record.never_reread = bool(data.get("frozen"))
        record.requests = [Request(*each[:2]) for each in record.requests]  # older versions stored more
        record.files = {path: WrittenFile(*each) for path, each in record.files.items()}
        record.checks = {name: Step(*each) for name, each in record.checks.items()}
        record.tasks = {number: Task(*each) for number, each in record.tasks.items()}
        record.commits = [Commit(*each) for each in record.commits]
        record.steps = [Step(*each) for each in record.steps]
        return record

    def to_data(self) -> dict[str, Any]:
        """Return the stored part of the record as JSON values."""
        values = vars(self) | {"frozen": self.never_reread}
        return {name: value for name, value in values.items() if name not in ("passed_later", "never_reread")}

    @property
    def short(self) -> str:
        return self.session[:SHORT_ID]

    @property
    def request_texts(self) -> list[str]:
        return [each.text for each in self.requests if each.is_of_work]

    @property
    def last_requests(self) -> list[str]:
        """The last request; if it is too short to be clear, with the ones before it, at most 3 in all."""
        latest: list[str] = []
        for text in self.request_texts[: -_MAX_LATEST - 1 : -1]:
            latest.insert(0, text)
            if len(text) >= _MIN_CLEAR_CHARS:
                break
        return latest

    @property
    def failing(self) -> list[Step]:
        """The checks whose last run failed and that have not passed since in any session, newest first."""
        runs = reversed(self.checks.values())
        return [run for run in runs if run.passed is False and run.what not in self.passed_later]

    @property
    def changed_something(self) -> bool:
        return bool(self.files or self.commits)

    @property
    def did_something(self) -> bool:
        """True if the next agent needs to know of the session, even if the session logged nothing."""
        has_open_task = any(task.is_open for task in self.tasks.values())
        return self.changed_something or bool(self.failing) or has_open_task

    @property
    def is_listed(self) -> bool:
        return not self.foreign and (self.asked > 0 or self.did_something)

    def is_outdated(self, run: Step) -> bool:
        """Return whether a file other than prose, a plan or a log was edited after the run of a check."""
        return any(step.outdates_checks for step in self.steps[self.steps.index(run) :])


def is_prose(path: str) -> bool:
    return path.lower().endswith(_PROSE)


def last_runs(steps: Iterable[Step]) -> dict[str, Step]:
    """Return the last run of each check, by name; a passing run replaces runs of checks that it includes."""
    last: dict[str, Step] = {}
    for run in steps:
        if run.kind == CHECK:
            replaced = [name for name in last if run.passed and covers(run.what, name)]
            for name in [*replaced, run.what]:
                last.pop(name, None)
            last[run.what] = run
    return last


def note_later_passes(records: Sequence[SessionRecord]) -> None:
    """Note in each record which of its failing checks have passed since, on the same branch."""
    passed = [(record.branch, run) for record in records for run in record.checks.values() if run.passed]
    for record in records:
        branches = {record.branch, ""}  # empty if it is not known
        record.passed_later = frozenset(
            failed.what
            for failed in record.checks.values()
            if failed.passed is False
            and any(
                run.when > failed.when
                and covers(run.what, failed.what)
                and (branch in branches or not record.branch)
                for branch, run in passed
            )
        )


def newest_files_first(files: Iterable[WrittenFile]) -> list[WrittenFile]:
    """Return the files of a record, the newest first, but plans and logs last."""
    newest_first = reversed([*files])
    return sorted(newest_first, key=lambda file: is_plan_or_log(file.path))
