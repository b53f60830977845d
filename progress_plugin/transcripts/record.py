"""The record of a session: what was asked, changed, checked and left open, in bounded size."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.checks import covers, name_in_folder
from progress_plugin.transcripts.cleaning import without_injected
from progress_plugin.transcripts.disk_edits import EDITS_BEHIND, NO_EDITS, CommandRun, is_source
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Event,
    Interrupted,
    Planned,
    PlanReplaced,
    Ran,
    Rewound,
    Said,
    Setting,
    Wrote,
)
from progress_plugin.transcripts.failures import Failures
from progress_plugin.transcripts.kept_text import kept_id, safe
from progress_plugin.transcripts.last_answer import ClosingWords
from progress_plugin.transcripts.record_items import CheckRun, Commit, Failure, Task, WrittenFile
from progress_plugin.transcripts.requests import Request
from progress_plugin.transcripts.timeline import ASKED, RAN, WROTE, Timeline

if TYPE_CHECKING:
    from progress_plugin.transcripts.check_results import CheckResult
    from progress_plugin.transcripts.disk_edits import DiskEdit
    from progress_plugin.transcripts.own_commits import CommitCall

MAX_REQUESTS, MAX_FILES, MAX_CHECKS, MAX_TASKS, MAX_COMMITS = 20, 60, 20, 30, 20
MAX_KEYS = 400  # ids of requests, by which the copied part of a fork is recognised
MAX_REQUEST_CHARS, MAX_LINE_CHARS, MAX_NAME_CHARS, MAX_AGENT_CHARS = 400, 200, 300, 60
_MOMENT = LazyPattern(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z"
)
_OWN_TOOLS = ("progress_log", "mem_progress", "mem_save", "mem_search", "mem_compact")
"""Our own tools, before whose names clients put their own: a refusal of theirs is no failure of the work."""
_WORK = (Wrote, Ran, CallFailed, Planned)
_SCALARS: dict[str, Any] = {
    "transcript": "", "size": 0, "written_ns": 0, "started": "", "ended": "", "branch": "", "worktree": "",
    "asked": 0, "compacted": 0, "interrupted": False, "over": False, "foreign": False, "headless": False,
    "frozen": False,
}  # fmt: skip
"""The members of one value that are kept, with their value in a record that was only begun."""
_TABLES: dict[str, Callable[..., Any]] = {
    "files": WrittenFile,
    "checks": CheckRun,
    "failures": Failure,
    "tasks": Task,
}
"""The members of many facts, each under its first value."""


class SessionRecord:
    """One session of a client in a project; `root` is the root of the worktree in which it worked."""

    def __init__(self, client: str, session: str, root: str) -> None:
        self.client = client
        self.session = session
        self.root = root
        self.transcript = ""
        self.size = self.written_ns = 0  # of the transcript when it was read
        self.started = self.ended = self.branch = ""
        self.worktree = ""  # name of the linked worktree; empty for the main one
        self.asked = self.compacted = 0  # how often
        self.interrupted = False  # by the user, since the last request
        self.over = False  # the client has reported the end
        self.foreign = (
            False  # it belongs to another project or session, and only size and transcript are kept
        )
        self.headless = False  # a program ran the client, not a person
        self.frozen = False  # a text was erased, so the transcript is not read again
        self.requests: list[Request] = []
        self.keys: list[str] = []
        self.files: dict[str, WrittenFile] = {}
        self.checks: dict[str, CheckRun] = {}
        self.failures = Failures()
        self.tasks: dict[str, Task] = {}
        self.commits: list[Commit] = []
        self.timeline = Timeline()
        self._words = ClosingWords()
        # Not kept:
        self.commit_calls: list[CommitCall] = []
        self.runs: list[CommandRun] = []
        self.passed_later: frozenset[str] = frozenset()  # failing checks that passed in a later session
        self.short = session  # the beginning of the id that no other recorded session has

    @property
    def changed_something(self) -> bool:
        """Whether the session changed the project."""
        return bool(self.files or self.commits)

    @property
    def did_something(self) -> bool:
        """Whether a next agent needs to know of it, even if it logged nothing."""
        has_open_task = any(task.is_open for task in self.tasks.values())
        return self.changed_something or bool(self.failing) or has_open_task

    @property
    def is_listed(self) -> bool:
        """Whether it is listed among the sessions of the project."""
        return not self.foreign and (self.asked > 0 or self.did_something)

    @property
    def closing(self) -> str:
        """The end of the last answer, safe to show."""
        return self._words.text

    @property
    def failing(self) -> list[CheckRun]:
        """The checks whose last run failed, here and in later sessions, newest first."""
        runs = [run for run in self.checks.values() if run.passed is False]
        return sorted(
            (run for run in runs if run.name not in self.passed_later), key=lambda run: run.when, reverse=True
        )

    def take(self, event: Event) -> None:
        """Take in one event, in the order of the transcript."""
        if not _MOMENT.fullmatch(event.when):
            event = event._replace(when="")
        before = self.ended
        if event.when:
            self.started = min(self.started or event.when, event.when)
            self.ended = max(self.ended, event.when)
        if isinstance(event, _WORK):
            self._words.worked()
        match event:
            case Asked():
                self._asked(event)
            case Wrote():
                self._wrote(event)
            case Ran():
                self._ran(event, before)
            case CallFailed() if not event.tool.endswith(_OWN_TOOLS):
                target = self._inside(event.target) or event.target
                self.failures.add(f"{event.tool} {target}".strip(), "", event.when)
            case Planned():
                self._planned(event)
            case PlanReplaced():
                self.tasks = {}
            case Said():
                self._words.says(event.text)
            case Interrupted():
                self.interrupted = True
            case Compacted():
                self.compacted += 1
                self._know(event.key)
                if self.requests:  # the chain of records begins anew, so it withdraws no earlier request
                    self.requests[-1] = self.requests[-1]._replace(parent="")
            case Rewound():
                self._rewound(event.key)
            case Setting():
                self.branch = safe(event.branch, 100) or self.branch

    def add_commits(self, commits: Iterable[tuple[str, str]]) -> None:
        """Set the session's own commits, given by id and subject."""
        made = [Commit(commit, safe(subject, MAX_LINE_CHARS)) for commit, subject in commits]
        self.commits = made[-MAX_COMMITS:]

    def _asked(self, event: Asked) -> None:
        self._know(event.key)
        text = safe(without_injected(event.text).strip(), MAX_REQUEST_CHARS)
        if not text.strip():  # all of it may have been private
            return
        request = Request(text, event.when, kept_id(event.key), kept_id(event.parent))
        last = self.requests[-1] if self.requests else None
        if last is not None and request.parent and last.parent == request.parent:
            self.requests[-1] = request  # the user withdrew the earlier one
        else:
            self.asked += 1
            self.requests.append(request)
        self.timeline.add(ASKED, event.when)
        self._words.asked(of_work=request.is_of_work)
        self.interrupted = False
        if len(self.requests) > MAX_REQUESTS:
            del self.requests[1]  # the first one says what the session is about

    def _rewound(self, key: str) -> None:
        places = [place for place, each in enumerate(self.requests) if key and each.key == key]
        if places:
            self.asked -= len(self.requests) - places[0]
            del self.requests[places[0] :]

    def _know(self, key: str) -> None:
        if kept_id(key):
            self.keys = [*self.keys, key][-MAX_KEYS:]

    def _wrote(self, event: Wrote, behind: int = 0) -> None:
        path = self._inside(event.path)
        if path is None:
            return
        name, agent = safe(path, MAX_NAME_CHARS), safe(event.agent, MAX_AGENT_CHARS)
        self.timeline.add(WROTE, event.when, name, agent=agent, behind=behind)
        before = self.files.pop(name, WrittenFile(name, 0))
        created = before.created or (event.created and before.times == 0)
        self.files[name] = WrittenFile(name, before.times + 1, max(before.when, event.when), created, agent)
        if len(self.files) > MAX_FILES:
            del self.files[next(iter(self.files))]
        self.failures.file_written(name)

    def _ran(self, event: Ran, before: str) -> None:
        from progress_plugin.transcripts.check_results import (  # noqa: PLC0415 - only to read
            check_results,
            edits_around_checks,
            only_looks,
            telling_line,
        )
        from progress_plugin.transcripts.own_commits import commit_calls  # noqa: PLC0415

        self.commit_calls += commit_calls(event)
        found = [
            (result, folder)
            for result in check_results(event.command, event.exit_code, event.output)
            if (folder := self._folder(event, result)) is not None  # other checks say nothing of the project
        ]
        is_timed = _MOMENT.fullmatch(event.began) is not None and event.began < event.when
        began = event.began if is_timed else event.when
        has_failed = any(result.passed is False for result, _ in found)
        says = telling_line(event.output) if event.exit_code != 0 or has_failed else ""
        edits = edits_around_checks(event.command) if found else EDITS_BEHIND
        self.runs.append(CommandRun.between(began if is_timed else before, event.when, bool(found), edits))
        when = event.when if edits == EDITS_BEHIND else began
        for path in event.wrote if edits != NO_EDITS else ():
            if (name := self._inside(path)) and is_source(name):
                self._wrote(Wrote(when, path, agent=event.agent))
        # A check says nothing of what was edited while it ran: it is dated to its beginning.
        for number, (result, folder) in enumerate(found):
            self._checked(result, folder, event, says, (began, number))
        while len(self.checks) > MAX_CHECKS:
            del self.checks[next(iter(self.checks))]
        if event.exit_code == 0:
            self.failures.command_succeeded(event.command)
        elif event.exit_code and not (has_failed or only_looks(event.command)):
            self.failures.add(event.command, says, event.when)

    def add_edits_on_disk(self, edits: Iterable[DiskEdit]) -> None:
        """Add the edits that the transcript does not show: those by its commands, and those of its own files.

        A file that is not in git and that changed while a check ran is output of the check.
        """
        for edit in edits:
            runs = sorted((run for run in self.runs if run.covers(edit.when)), key=lambda run: run.has_checks)
            run = next(iter(runs), None)
            if run is not None and run.edits == NO_EDITS and not edit.is_added:
                continue
            when = edit.when if run is None or run.edits == EDITS_BEHIND else run.began
            stamp = datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            if stamp <= self.ended and edit.path in self.files:
                self.timeline.add(WROTE, stamp, edit.path)
            elif stamp <= self.ended and run is not None:
                self._wrote(Wrote(stamp, os.path.join(self.root, edit.path)))

    def _folder(self, event: Ran, result: CheckResult) -> str | None:
        """Return the project's folder in which a check ran; None outside of the project."""
        here = os.path.join(self.root, event.directory, os.path.expanduser(result.folder))
        inside = self._inside(os.path.join(here, "x"))
        paths = [self._inside(os.path.join(here, os.path.expanduser(path), "x")) for path in result.paths]
        is_elsewhere = bool(paths) and all(path is None for path in paths)
        return None if inside is None or is_elsewhere else os.path.dirname(inside)

    def _checked(
        self, result: CheckResult, folder: str, event: Ran, says: str, started: tuple[str, int]
    ) -> None:
        name = safe(name_in_folder(result.name, folder), MAX_NAME_CHARS)
        agent = safe(event.agent, MAX_AGENT_CHARS)
        self.timeline.add(RAN, started[0], name, passed=result.passed, agent=agent, behind=started[1])
        before = self.checks.get(name)
        # The transcripts of several agents are read one after the other, that of one agent is in order.
        if before is not None and before.agent != agent and before.when > event.when:
            return
        self.checks.pop(name, None)
        line = safe(says, MAX_LINE_CHARS) if result.passed is False else ""
        self.checks[name] = CheckRun(name, result.kind, result.passed, event.when, line, agent)
        if result.passed:  # the failures of its parts are mended
            for part in [each for each, run in self.checks.items() if each != name and run.passed is False]:
                if covers(name, part):
                    del self.checks[part]

    def _planned(self, event: Planned) -> None:
        number = kept_id(event.number) or str(len(self.tasks) + 1)
        before = self.tasks.get(number, Task(number, "", "pending"))
        text = safe(event.text, MAX_LINE_CHARS) or before.text
        if text:
            self.tasks[number] = Task(number, text, kept_id(event.status) or before.status)
        while len(self.tasks) > MAX_TASKS:
            done = next((key for key, task in self.tasks.items() if not task.is_open), next(iter(self.tasks)))
            del self.tasks[done]

    def _inside(self, path: str) -> str | None:
        """Return a path relative to the project; None for one outside."""
        real = os.path.normpath(path)
        top = self.root.rstrip(os.sep) + os.sep
        if not real.startswith(top):
            try:
                real = os.path.realpath(real)
            except ValueError:  # no file has such a name: it has half a character, or a null byte
                return None
        if not real.startswith(top):
            return None
        name = real[len(top) :].replace(os.sep, "/")
        return None if name.startswith((".git/", ".agent-os/progress/")) else name

    def as_json(self) -> dict[str, Any]:
        """Return it as one JSON object; every text in it is safe to show."""
        return {
            "client": self.client,
            "session": self.session,
            **{name: getattr(self, name) for name in _SCALARS},
            **{name: [list(each) for each in getattr(self, name).values()] for name in _TABLES},
            "requests": [list(each) for each in self.requests],
            "commits": [list(each) for each in self.commits],
            "keys": self.keys,
            "timeline": self.timeline.as_json(),
            "closing": self.closing,
        }

    @classmethod
    def from_json(cls, value: Any, root: str) -> SessionRecord | None:
        """Return the record that `as_json` gave, or one that was only begun; None for anything else."""
        try:
            record = cls(str(value["client"]), str(value["session"]), root)
            for name, default in _SCALARS.items():
                setattr(record, name, type(default)(value.get(name, default)))
            for name, kind in _TABLES.items():
                getattr(record, name).update({each[0]: kind(*each) for each in value.get(name, ())})
            record.requests = [Request(*map(str, each)) for each in value.get("requests", ())]
            record.commits = [Commit(*each) for each in value.get("commits", ())]
            record.keys = [str(key) for key in value.get("keys", ())]
            record.timeline = Timeline(value.get("timeline"))
            record._words = ClosingWords(str(value.get("closing", "")))
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):
            return None
        return record
