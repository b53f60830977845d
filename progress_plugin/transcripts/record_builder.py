"""Build the record of a session from its events, git and the disk."""

from __future__ import annotations

import os
import re
from bisect import insort
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from progress_plugin.core.clients import END_OF_CONTEXT
from progress_plugin.core.project import Project
from progress_plugin.log.timestamp import format_time, read_time
from progress_plugin.sources.names import is_plan_or_log
from progress_plugin.text.bounds import head, tail
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redacted_end
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts import events
from progress_plugin.transcripts.checks import Check, check_results, informative_line, may_edit_after_checks
from progress_plugin.transcripts.record import (
    CHECK,
    EDIT,
    REQUEST,
    Commit,
    Request,
    SessionRecord,
    Step,
    Task,
    WrittenFile,
    last_runs,
)
from progress_plugin.transcripts.work_on_disk import edits_since, is_source

MAX_REQUESTS, MAX_FILES, MAX_CHECKS, MAX_TASKS, MAX_COMMITS = 20, 60, 20, 30, 20
MAX_STEPS = 160
MAX_REQUEST_CHARS, MAX_LINE_CHARS, MAX_NAME_CHARS = 400, 200, 300
MAX_BRIEF_CHARS = 160  # a shorter answer does not replace the last one if nothing was done in between
MAX_CLOCK_GAP_S = 0.02  # between the times of the disk and those of the client
_TIME = LazyPattern(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z"
)
_MAX_TEXT_CHARS = 1_000_000
_MAX_RAW_CHARS = 8000  # characters of a text that are made safe before it is shortened
_MAX_CLOSING_CHARS = 600
_KEY = LazyPattern(r"[\w-]{1,80}")
_BLOCKS = (
    "hook_context", "system-reminder", "environment_context", "user_instructions", "session_context",
    "current_datetime", "todo_status", "untrusted_context", "ide_opened_file", "ide_selection",
    "local-command-caveat", "local-command-stdout", "local-command-stderr",
)  # fmt: skip
_OURS = (r"^[> \t]*agent-progress: ", rf"^[> \t]*{re.escape(END_OF_CONTEXT)}[> \t\r]*$\n?")
_INJECTED = [
    (LazyPattern(begin, re.MULTILINE | re.IGNORECASE), LazyPattern(end, re.MULTILINE | re.IGNORECASE))
    for begin, end in [*((rf"<{name}\b[^>]{{0,200}}>", f"</{name}>") for name in _BLOCKS), _OURS]
]
"""Beginning and end of each block that a client or this plugin puts in front of a request."""
T = TypeVar("T")
_WORK = (*events.WORK, events.TaskUpdate, events.TaskList)


class _Run(NamedTuple):
    """A command line of the session, and when it ran, in seconds since 1970."""

    began: float
    ended: float
    edits_last: bool  # whether it may edit files after its last check, or has no check


class RecordBuilder:
    """Builds the record of a session from its events, given in the order of the transcript."""

    def __init__(self, client: str, session: str, root: str = "") -> None:
        """`root` is the root of the worktree in which the session works."""
        self.record = SessionRecord(client=client, session=session)
        self.root = root
        self._when = 0.0  # of the newest event with a time
        self._answer = ""
        self._is_idle = False  # after `_answer` something was asked, and nothing was done for it
        self._runs: list[_Run] = []

    def take(self, event: events.Event) -> None:
        """Add one event to the record; an event without a time gets the time of the event before it."""
        record, before = self.record, self._when
        if _TIME.fullmatch(event.when):
            record.started = min(record.started or event.when, event.when)
            record.ended = max(record.ended, event.when)
            self._when = _seconds(event.when, before)
        else:
            event = event._replace(when="")
        self._is_idle = self._is_idle and not isinstance(event, _WORK)
        match event:
            case events.UserRequest():
                self._take_request(event)
            case events.FileEdit():
                self._take_edit(event.path, self._when, created=event.created)
            case events.CommandRun():
                self._take_command(event, before)
            case events.TaskUpdate():
                self._take_task(event)
            case events.TaskList():
                record.tasks = {}
                for text, status in event.tasks:
                    self._take_task(events.TaskUpdate(event.when, "", text, status))
            case events.AgentReply() if len(event.text.strip()) >= (MAX_BRIEF_CHARS if self._is_idle else 1):
                self._answer = event.text
            case events.Interruption():
                record.interrupted = True
            case events.SessionPlace():
                record.branch = safe(event.branch, 100) or record.branch

    def finished(self, project: Project | None = None) -> SessionRecord:
        """Return the record of all events, with the edits and commits that the disk and git show."""
        record = self.record
        record.closing = last_words(self._answer)
        now = format_time(datetime.now(UTC))
        record.ended = min(record.ended, now)  # else a session whose clock was ahead would stay the last one
        record.started = min(record.started, record.ended)
        if project is not None and record.started:
            first, last = _seconds(record.started), _seconds(record.ended)
            for when, path in edits_since(project.repository, project.root, first, record.files):
                self._take_edit_on_disk(when, path, last)
            if project.repository is not None:
                # Git's times have no fraction: a commit in the first second may be older than the session.
                # At the end, one second more is allowed.
                made = project.repository.local_commits(first + 1, last + 1)[-MAX_COMMITS:]
                record.commits = [Commit(move.id, safe(move.subject, MAX_LINE_CHARS)) for move in made]
        record.checks = dict([*last_runs(record.steps).items()][-MAX_CHECKS:])
        return record

    def _add_step(self, step: Step) -> None:
        steps = self.record.steps
        last = [(each.kind, each.what) for each in steps[-2:]]
        repeats = step.kind == EDIT and last == [(EDIT, step.what)] * 2
        if repeats and step.when >= steps[-1].when:
            steps[-1] = step  # of many edits of one file in a row, the first and the last are enough
        else:
            insort(steps, step, key=lambda each: each.when)
        del steps[:-MAX_STEPS]

    def _take_request(self, event: events.UserRequest) -> None:
        text = safe(without_injected(event.text).strip(), MAX_REQUEST_CHARS)
        if not text.strip():  # all of it may have been private
            return
        record = self.record
        record.asked += 1
        record.requests.append(Request(text, event.when))
        self._add_step(Step(REQUEST, self._when))
        record.interrupted = False
        self._is_idle = bool(self._answer)
        if len(record.requests) > MAX_REQUESTS:
            del record.requests[1]  # the first request names the subject of the session

    def _take_edit(self, path: str, when: float, *, created: bool = False) -> None:
        inside, files = self._inside(path), self.record.files
        if inside is None:
            return
        name = safe(inside, MAX_NAME_CHARS)
        if not is_plan_or_log(name):  # no check has to be repeated for these
            self._add_step(Step(EDIT, when, name))
        before = files.get(name, WrittenFile(name, 0))
        created = before.created or (created and before.times == 0)
        _put_last(files, name, WrittenFile(name, before.times + 1, created), MAX_FILES)

    def _take_command(self, event: events.CommandRun, before: float) -> None:
        found = [  # a check outside of the project proves nothing about it
            (result, folder)
            for result in check_results(event.command, event.exit_code, event.output)
            if (folder := self._folder_of_check(event, result)) is not None
        ]
        is_timed = _TIME.fullmatch(event.began) is not None and event.began < event.when
        began = _seconds(event.began) if is_timed else self._when
        has_failed = any(result.passed is False for result, _ in found)
        says = informative_line(event.output) if event.exit_code != 0 or has_failed else ""
        edits_last = not found or may_edit_after_checks(event.command)
        earliest = began if is_timed else before or self._when
        self._runs.append(_Run(earliest - MAX_CLOCK_GAP_S, self._when + MAX_CLOCK_GAP_S, edits_last))
        for path in event.wrote:
            if is_source(self._inside(path) or ""):
                self._take_edit(path, self._when if edits_last else began)
        # A check proves nothing about edits while it ran, so it is dated to its beginning.
        for result, folder in found:
            name = safe(f"{result.name} (in {folder})" if folder else result.name, MAX_NAME_CHARS)
            line = safe(says, MAX_LINE_CHARS) if not result.passed else ""
            self._add_step(Step(CHECK, began, name, result.passed, line))

    def _take_edit_on_disk(self, when: float, path: str, end: float) -> None:
        """Add an edit that only the disk shows, unless it was made after `end`.

        A file that the session has not written counts only if a command of the session ran at that time.
        """
        runs = [run for run in self._runs if run.began <= when <= run.ended]
        run = max(runs, key=lambda each: each.edits_last, default=None)
        when = when if run is None or run.edits_last else run.began
        if when > end:
            return
        if path not in self.record.files and run is not None:
            self._take_edit(os.path.join(self.root, path), when)
        elif path in self.record.files and not is_plan_or_log(path):
            self._add_step(Step(EDIT, when, path))

    def _folder_of_check(self, event: events.CommandRun, result: Check) -> str | None:
        """Return where below the root a check ran; None if its folder or all its paths are outside."""
        base = os.path.join(self.root, event.directory, os.path.expanduser(result.folder))
        inside = self._inside(os.path.join(base, "x"))
        paths = [self._inside(os.path.join(base, os.path.expanduser(path), "x")) for path in result.paths]
        is_elsewhere = bool(paths) and all(path is None for path in paths)
        return None if inside is None or is_elsewhere else os.path.dirname(inside)

    def _take_task(self, event: events.TaskUpdate) -> None:
        tasks = self.record.tasks
        number = valid_word(event.number) or str(len(tasks) + 1)
        before = tasks.get(number, Task(number, "", "pending"))
        text = safe(event.text, MAX_LINE_CHARS) or before.text
        if text:
            tasks[number] = Task(number, text, valid_word(event.status) or before.status)
        while len(tasks) > MAX_TASKS:
            done = next((key for key, task in tasks.items() if not task.is_open), next(iter(tasks)))
            del tasks[done]

    def _inside(self, path: str) -> str | None:
        """Return a path relative to the project; None if it is outside, in `.git` or in our directory."""
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


def without_injected(text: str) -> str:
    """Remove the blocks that clients and this plugin put in front of a request."""
    text = head(text, _MAX_TEXT_CHARS)
    for begins, ends in _INJECTED:
        kept: list[str] = []
        done = 0
        for end in ends.finditer(text):
            begin = begins.search(text, done, end.start())  # an end without a beginning stays
            kept.append(text[done : begin.start() if begin else end.end()])
            done = end.end()
        text = "".join([*kept, text[done:]])
    return text


def valid_word(word: str) -> str:
    """Return an id or status word of a client; empty if it is not valid."""
    return word if _KEY.fullmatch(word) else ""


def safe(text: str, limit: int) -> str:
    """Return text that may be stored and shown: its beginning is redacted, then sanitised, then shortened."""
    return one_line(head(text, _MAX_RAW_CHARS), limit)


def last_words(text: str) -> str:
    """Return the end of an answer, which is made safe before it is shortened."""
    whole = one_line(redacted_end(without_injected(text), _MAX_RAW_CHARS))
    kept = tail(whole, _MAX_CLOSING_CHARS)
    return kept if len(kept) == len(whole) else f"…{kept}"


def _put_last(values: dict[str, T], name: str, value: T, most: int) -> None:
    """Append a value; if there are more than `most`, drop the first one."""
    values.pop(name, None)
    values[name] = value
    if len(values) > most:
        del values[next(iter(values))]


def _seconds(when: str, default: float = 0.0) -> float:
    found = read_time(when)
    return default if found is None else found.timestamp()
