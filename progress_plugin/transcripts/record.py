"""What is kept of a session: what was asked, changed, checked and left open, in bounded size."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import injected_text
from progress_plugin.transcripts.commands.check_names import covers, placed
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Happening,
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
from progress_plugin.transcripts.session_ids import short_id
from progress_plugin.transcripts.timeline import ANY_FILE, ASKED, RAN, WROTE, Timeline

if TYPE_CHECKING:
    from progress_plugin.transcripts.commands.check_results import Check
    from progress_plugin.transcripts.own_commits import CommitCall

VERSION = 1
_REQUESTS, _FILES, _CHECKS, _TASKS, _COMMITS = 20, 60, 20, 30, 20
_KEYS = 400
"""Ids of requests that are kept, by which a copied transcript is known."""
_REQUEST, _LINE, _NAME = 400, 200, 300
_MOMENT = LazyPattern(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z"
)
_OWN_TOOLS = ("progress_log", "mem_progress", "mem_save", "mem_search", "mem_compact")
"""How our own tools are called at the end, whatever a client puts before: what they refuse is no work."""
_WORK = (Wrote, Ran, CallFailed, Planned)


class SessionRecord:
    """One session of a client in a project; it grows by what its transcript tells, and stays bounded."""

    def __init__(self, client: str, session: str, root: str) -> None:
        self.client = client
        self.session = session
        self.root = root
        self.requests: list[Request] = []
        self.asked = 0
        self.keys: list[str] = []
        self.files: dict[str, WrittenFile] = {}
        self.outside = 0
        """Files written outside the project."""
        self.checks: dict[str, CheckRun] = {}
        self.failures = Failures()
        self.tasks: dict[str, Task] = {}
        self.commits: list[Commit] = []
        self.commit_calls: list[CommitCall] = []
        """What the commands of this reading tell of commits; not kept, since the commits are."""
        self.timeline = Timeline()
        self._words = ClosingWords()
        self.started = self.ended = self.branch = self.model = ""
        self.compacted = 0
        self.interrupted = False
        self.over = False
        """Whether the client has said that the session ended."""
        self.passed_later: frozenset[str] = frozenset()
        """The failing checks that passed in a later session; not kept, since that is the later one's."""
        self.worktree = ""
        """The linked worktree that it worked in, where this is another one; not kept, either."""
        self.short = short_id(session)
        """How people are told its id: what tells it from the others that are recorded; not kept, either."""
        self.reading: dict[str, Any] = {}
        """How far each of its files was read, by path; what is in there is the reader's."""

    # --- what was done -------------------------------------------------------------------------------

    @property
    def changed_something(self) -> bool:
        """Whether the project is another one since."""
        return bool(self.files or self.commits)

    @property
    def is_worth_telling(self) -> bool:
        """Whether a next agent needs to know of it."""
        return (
            self.changed_something or bool(self.failing) or any(task.is_open for task in self.tasks.values())
        )

    @property
    def is_listed(self) -> bool:
        """Whether it is named to who asks for the sessions: what a start tells of is, too."""
        return self.asked > 0 or self.is_worth_telling

    @property
    def closing(self) -> str:
        """The end of the last answer, safe to show."""
        return self._words.text

    @property
    def failing(self) -> list[CheckRun]:
        """The checks whose last run failed, here and in later sessions, the newest first."""
        runs = self.checks.values()
        found = [run for run in runs if run.passed is False and run.name not in self.passed_later]
        return sorted(found, key=lambda run: run.when, reverse=True)

    # --- how it grows --------------------------------------------------------------------------------

    def take(self, event: Happening) -> None:
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
                if (
                    self.requests
                ):  # what was asked before was answered, whatever the chain says that begins now
                    self.requests[-1] = self.requests[-1]._replace(parent="")
            case Rewound():
                self._rewound(event.key)
            case Setting():
                self.branch = event.branch or self.branch
                self.model = event.model or self.model

    def made(self, commits: Iterable[tuple[str, str]]) -> None:
        """Note the session's own commits, by id and subject."""
        self.commits = [Commit(commit, safe(subject, _LINE)) for commit, subject in commits][-_COMMITS:]

    def _asked(self, event: Asked) -> None:
        self._know(event.key)
        text = injected_text.without_injected(event.text).strip()
        shown = safe(text, _REQUEST)
        if not shown.strip():  # it may have been private as a whole
            return
        request = Request(shown, event.when, kept_id(event.key), kept_id(event.parent))
        last = self.requests[-1] if self.requests else None
        if last is not None and request.parent and last.parent == request.parent:
            self.requests[-1] = request  # the earlier one was withdrawn
        else:
            self.asked += 1
            self.requests.append(request)
        self.timeline.add(ASKED, event.when)
        self._words.asked(of_work=request.is_of_work)
        self.interrupted = False
        if len(self.requests) > _REQUESTS:
            del self.requests[1]  # what the session began with, and the newest

    def _rewound(self, key: str) -> None:
        places = [place for place, each in enumerate(self.requests) if key and each.key == key]
        if places:
            self.asked -= len(self.requests) - places[0]
            del self.requests[places[0] :]

    def _know(self, key: str) -> None:
        if kept_id(key):
            self.keys = [*self.keys, key][-_KEYS:]

    def _wrote(self, event: Wrote, behind: int = 0) -> None:
        path = self._inside(event.path)
        if path is None:
            self.outside += 1
            return
        name = safe(path, _NAME)
        self.timeline.add(WROTE, event.when, name, agent=safe(event.agent, 60), behind=behind)
        before = self.files.pop(name, WrittenFile(name, 0))
        self.files[name] = before._replace(
            times=before.times + 1,
            when=max(before.when, event.when),
            created=before.created or (event.created and before.times == 0),
            agent=safe(event.agent, 60),
        )
        if len(self.files) > _FILES:
            del self.files[next(iter(self.files))]
        self.failures.file_written(name)

    def _ran(self, event: Ran, before: str) -> None:
        from progress_plugin.transcripts.commands.check_results import checks_of, telling_line  # noqa: PLC0415 - only to read more
        from progress_plugin.transcripts.commands.looking_commands import only_looks  # noqa: PLC0415
        from progress_plugin.transcripts.own_commits import commit_calls  # noqa: PLC0415

        self.commit_calls += commit_calls(event, before)
        found = [
            check
            for check in checks_of(event.command, event.exit_code, event.output)
            if self._place(event, check) is not None  # tests of something else say nothing of the project
        ]
        # A check tells nothing of what was edited beside it: it is dated to its beginning.
        is_early = _MOMENT.fullmatch(event.began) and event.began < event.when
        begun = event._replace(when=event.began) if is_early else event
        is_bad = event.exit_code != 0 or any(check.passed is False for check in found)
        says = telling_line(event.output) if is_bad else ""
        edits = self._edits(event, found)
        for number, check in enumerate(found):
            # One that mends what it finds, and succeeds, has changed what ran before it, itself included.
            end = check.place + (check.passed is False)
            self._edited([path for place, path in edits if place < end], begun, number)
            edits = [(place, path) for place, path in edits if place >= end]
            self._checked(check, event, says, (begun.when, number))
            if check.passed is False and event.exit_code:
                edits = []  # what follows did not run
        self._edited([path for _, path in edits], event, len(found))
        while len(self.checks) > _CHECKS:
            del self.checks[next(iter(self.checks))]
        if event.exit_code == 0:
            self.failures.command_succeeded(event.command)
        elif event.exit_code and not (
            any(check.passed is False for check in found) or only_looks(event.command)
        ):
            self.failures.add(event.command, says, event.when)

    def _edits(self, event: Ran, checks: Sequence["Check"]) -> list[tuple[int, str]]:
        """Return the files that a command line writes, each with which of its commands does.

        What a check or build itself writes is no edit; nor is that of a command that failed.
        """
        from progress_plugin.transcripts.commands.shell_writes import edits_of, of_people, writes_behind  # noqa: PLC0415

        did_fail = event.exit_code != 0 and not checks
        told = of_people(name for path in event.wrote if (name := self._inside(path)))
        if told and not checks:
            return [(0, path) for path in told]
        found = []
        for edit in edits_of(event.command, event.output):
            if did_fail and edit.is_last:
                continue
            name = edit.path if edit.path == ANY_FILE else self._inside(self._from(event, edit.path))
            if name and (not edit.path.startswith("/") or of_people([name])):
                found.append((edit.place, name))
        if told and checks and writes_behind(event.command, checks[-1].place):
            found += [(checks[-1].place + 1, path) for path in told]
        return found

    def _from(self, event: Ran, path: str) -> str:
        return os.path.join(self.root, event.directory, os.path.expanduser(path))

    def _edited(self, paths: Iterable[str], event: Ran, behind: int) -> None:
        for path in paths:
            if path == ANY_FILE:
                self.timeline.add(WROTE, event.when, path, agent=safe(event.agent, 60), behind=behind)
            else:
                self._wrote(Wrote(event.when, os.path.join(self.root, path), agent=event.agent), behind)

    def _place(self, event: Ran, check: "Check") -> str | None:
        """Return the project's folder in which a check ran; None outside of the project."""
        inside = self._inside(os.path.join(self._from(event, check.folder), "x"))
        paths = [self._inside(os.path.join(self._from(event, path), "x")) for path in check.paths]
        is_elsewhere = bool(paths) and all(path is None for path in paths)
        return None if inside is None or is_elsewhere else os.path.dirname(inside)

    def _checked(self, check: "Check", event: Ran, says: str, begun: tuple[str, int]) -> None:
        name, agent = (
            safe(placed(check.name, self._place(event, check) or ""), _NAME),
            safe(event.agent, 60),
        )
        self.timeline.add(RAN, begun[0], name, passed=check.passed, agent=agent, behind=begun[1])
        before = self.checks.get(name)
        # What several agents ran is read one after the other; what one ran is in order of its work.
        if before is not None and before.agent != agent and before.when > event.when:
            return
        self.checks.pop(name, None)
        said = safe(says, _LINE) if check.passed is False else ""
        self.checks[name] = CheckRun(name, check.kind, check.passed, event.when, said, agent)
        if check.passed:
            # Failures of parts of what passed as a whole are mended.
            for part in [each for each, run in self.checks.items() if each != name and run.passed is False]:
                if covers(name, part):
                    del self.checks[part]

    def _planned(self, event: Planned) -> None:
        number = kept_id(event.number) or str(len(self.tasks) + 1)
        before = self.tasks.get(number)
        text = safe(event.text, _LINE) if event.text else before.text if before else ""
        if text:
            self.tasks[number] = Task(
                number, text, kept_id(event.status) or (before.status if before else "pending")
            )
        while len(self.tasks) > _TASKS:
            done = next((key for key, task in self.tasks.items() if not task.is_open), next(iter(self.tasks)))
            del self.tasks[done]

    def _inside(self, path: str) -> str | None:
        """Return a path relative to the project; None for one outside."""
        real = os.path.normpath(path)
        top = self.root.rstrip(os.sep) + os.sep
        if not real.startswith(top):
            try:
                real = os.path.realpath(real)
            except ValueError:  # no file has such a name: half a character, or a null byte
                return None
        if not real.startswith(top):
            return None
        name = real[len(top) :].replace(os.sep, "/")
        return None if name.startswith((".git/", ".agent-os/progress/")) else name

    # --- how it is kept ------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """Return it as one JSON object; every text in it is safe to show."""
        return {
            "version": VERSION,
            "client": self.client,
            "session": self.session,
            "started": self.started,
            "ended": self.ended,
            "over": self.over,
            "branch": safe(self.branch, 100),
            "model": safe(self.model, 60),
            "requests": [list(each) for each in self.requests],
            "asked": self.asked,
            "files": [list(each) for each in self.files.values()],
            "outside": self.outside,
            "checks": [list(each) for each in self.checks.values()],
            "failures": [list(each) for each in self.failures.values()],
            "tasks": [list(each) for each in self.tasks.values()],
            "commits": [list(each) for each in self.commits],
            "timeline": self.timeline.as_json(),
            "closing": self.closing,
            "compacted": self.compacted,
            "interrupted": self.interrupted,
            "keys": self.keys,
            "reading": self.reading,
        }

    @classmethod
    def from_json(cls, value: Any, root: str) -> "SessionRecord | None":
        """Return the record that `as_json` gave; None for anything else."""
        if (
            not isinstance(value, dict)
            or value.get("version") != VERSION
            or not isinstance(value.get("session"), str)
        ):
            return None
        record = cls(str(value.get("client")), value["session"], root)
        try:
            record._fill(value)
        except (TypeError, ValueError, KeyError):
            return None
        return record

    def _fill(self, value: dict[str, Any]) -> None:
        self._words = ClosingWords(str(value["closing"]))
        for name in ("started", "ended", "branch", "model"):
            setattr(self, name, str(value[name]))
        for name in ("asked", "outside", "compacted"):
            setattr(self, name, int(value[name]))
        self.over, self.interrupted = bool(value["over"]), bool(value["interrupted"])
        self.requests = [Request(*map(str, each)) for each in value["requests"]]
        self.files = {each[0]: WrittenFile(*each) for each in value["files"]}
        self.checks = {each[0]: CheckRun(*each) for each in value["checks"]}
        self.failures = Failures({each[0]: Failure(*each) for each in value["failures"]})
        self.tasks = {each[0]: Task(*each) for each in value["tasks"]}
        self.commits = [Commit(*each) for each in value["commits"]]
        self.timeline = Timeline(value["timeline"])
        self.keys = [str(key) for key in value["keys"]]
        self.reading = dict(value["reading"])
