"""What a start tells of a session: whole lines by worth, within a budget of tokens (S19.2).

It stays whole: where summary and section are too long together, the summary gives way (`with_session`).
Which session is told is decided in `usecases.summarizing.session_input` (`last_session`), and for one that
goes on, in `usecases.starting.session_context`.
"""

from collections.abc import Sequence

from progress_plugin.summary.context import ROOM, cut, escaped_length
from progress_plugin.summary.tokens import estimate
from progress_plugin.text.bounds import tail
from progress_plugin.text.safe_output import item, one_line
from progress_plugin.transcripts.evidence import is_outdated
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.session_facts import CheckRun

TOKENS = 350
"""What a session may take of a start context."""
HEAD = "agent-progress: recorded by a client's hooks in this project. More: `agent-progress sessions`.\n\n"
"""What stands before a section that is all that is told."""
_NO_END = "no end recorded: it may still be running"
"""Of a session whose client has not said that it ended: it was killed, or another agent is at work beside."""
LAST, SO_FAR = "## Last Session", "## This Session So Far"
_FILES, _EARLIER, _TASKS, _COMMITS, _FAILURES, _PASSED = 8, 4, 5, 4, 3, 4
_FIRST_FAILING, _FAILING = 2, 5
_REQUEST, _SHORT, _CLOSING, _NAMED = 320, 150, 300, 60


def section(record: SessionRecord, *, running: bool, in_log: bool | None) -> str:
    """Return the section as Markdown; empty where nothing is worth telling.

    `running` is for the session that an agent is in; `in_log` is whether our log has an entry of it, None
    where there is no log.
    """
    lines = _lines(record, running=running) if record.is_worth_telling or running else []
    if not lines:
        return ""
    head = f"{SO_FAR if running else LAST}\n\n{_heading(record, running=running, in_log=in_log)}\n"
    left = TOKENS - estimate(head)
    kept: dict[int, str] = {}
    for place, line in sorted(lines, key=lambda each: each[0]):
        cost = estimate(f"- {line}\n")
        if cost <= left:
            kept[lines.index((place, line))] = line
            left -= cost
    told = [f"- {kept[number]}" for number in sorted(kept)]
    return "\n".join([head, *told]) + "\n"


def told_lines(record: SessionRecord) -> list[str]:
    """Return all that is told of a session, for whoever asks for it: nothing is left out for room."""
    lines = [line for _, line in _lines(record, running=False)]
    return [_heading(record, running=False, in_log=None), *(f"- {line}" for line in lines)]


def with_session(context: str, told: str) -> str:
    """Return a start context with a section after what says how the work stands, before what was learnt.

    What no longer fits into the whole is cut from the context's end, by whole lines.
    """
    if not told:
        return context
    context = cut(context, ROOM - escaped_length(told))
    for heading in ("\n## Story Status", "\n## Key Learnings"):
        at = context.find(heading)
        if at >= 0:
            return f"{context[: at + 1]}{told}\n{context[at + 1 :]}"
    return f"{context.rstrip()}\n\n{told}" if context.strip() else HEAD + told


def without(context: str) -> str:
    """Return a start context without the section of a session; nothing of one that held no more."""
    found: list[str] = []
    inside = False
    for line in context.splitlines(keepends=True):
        if line.startswith("## "):
            inside = line.rstrip() in (LAST, SO_FAR)
        if not inside:
            found.append(line)
    return "".join(found).removesuffix(HEAD)


def _heading(record: SessionRecord, *, running: bool, in_log: bool | None) -> str:
    times = f"{_minute(record.started)} – {_end(record)} UTC" if record.started else ""
    where = f"on {one_line(record.branch, _NAMED)}" if record.branch else ""
    facts = [times, where, one_line(record.client, 20)]
    if not running and not record.over:
        facts.append(_NO_END)
    if not running and in_log is False:
        facts.append("not in the log")
    if record.compacted and not running:
        facts.append("compacted" if record.compacted == 1 else f"compacted {record.compacted} times")
    return "From the client's transcript: " + ", ".join(fact for fact in facts if fact) + "."


def _lines(record: SessionRecord, *, running: bool) -> list[tuple[int, str]]:
    """Return the lines in the order of telling, each with its rank: the lowest is given room first."""
    requests = [each.text for each in record.requests if not each.is_to_client]
    found: list[tuple[int, str]] = []
    if len(requests) > 1:
        earlier = [f"“{item(text, _SHORT)}”" for text in requests[:-1]]
        left_out = record.asked - len(record.requests)
        if len(earlier) > _EARLIER:
            left_out += len(earlier) - _EARLIER
            earlier = [earlier[0], *earlier[1 - _EARLIER :]]
        more = f" ({left_out} more between)" if left_out > 0 else ""
        found.append((5, f"Asked before: {'; '.join(earlier)}{more}"))
    if requests:
        word = "Being worked on" if running else "Asked last" if len(requests) > 1 else "Asked"
        stopped = " (the user interrupted it)" if record.interrupted else ""
        found.append((0, f"{word}: “{item(requests[-1], _REQUEST)}”{stopped}"))
    if record.files:
        found.append((2, f"Changed: {_files(record)}"))
    failing = record.failing
    found += [
        (1 if place < _FIRST_FAILING else 6, _failed(record, run))
        for place, run in enumerate(failing[:_FAILING])
    ]
    passed = _passed(record)
    if passed:
        found.append((4, passed))
    tasks = [task for task in record.tasks.values() if task.is_open]
    if tasks:
        named = [
            item(task.text, _SHORT) + " (in progress)" * (task.status == "in_progress") for task in tasks
        ]
        found.append((3, f"Open tasks: {_some(named, _TASKS)}"))
    if record.commits:
        named = [f"{commit.id[:9]} {item(commit.subject, _NAMED + 20)}" for commit in record.commits[::-1]]
        found.append((4, f"Commits: {_some(named, _COMMITS)}"))
    failures = [
        each
        for each in reversed(record.failures.values())
        if not each.what.startswith(("Read ", "read_file ", "view "))
    ]
    if failures:
        named = [
            ": ".join(filter(None, [f"`{item(each.what, _NAMED)}`", item(each.says, _SHORT)]))
            for each in failures
        ]
        found.append((7, f"Failed, and not repeated with success: {_some(named, _FAILURES)}"))
    if record.closing and not running:
        closing = tail(record.closing, _CLOSING)
        more = "…" if len(closing) < len(record.closing) else ""
        found.append((6, f"The agent's last words: “{item(more + closing, _CLOSING + 20)}”"))
    return found


def _files(record: SessionRecord) -> str:
    newest = sorted(record.files.values(), key=lambda file: file.when, reverse=True)
    named = []
    for file in newest:
        notes = ["new"] if file.created else []
        notes += [f"{file.times} times"] if file.times > 1 else []
        notes += [f"by {one_line(file.agent, 30)}"] if file.agent else []
        told = f" ({', '.join(notes)})" if notes else ""
        named.append(f"{item(file.path, 90)}{told}")
    return _some(named, _FILES)


def _failed(record: SessionRecord, run: CheckRun) -> str:
    says = f": {item(run.says, _SHORT)}" if run.says else ""
    return f"Failing: `{item(run.name, _NAMED)}`{_early(record, run)}{says}"


def _early(record: SessionRecord, run: CheckRun) -> str:
    return ", before the last edit" if is_outdated(record.timeline, run.name) else ""


def _passed(record: SessionRecord) -> str:
    named = []
    for run in reversed(record.checks.values()):
        if run.name in record.passed_later:
            named.append(f"`{item(run.name, _NAMED)}` failed, and passed in a later session")
        elif run.passed is not False:
            ended = "passed" if run.passed else "ran, its result is not known"
            named.append(f"`{item(run.name, _NAMED)}` {ended}{_early(record, run)}")
    return f"Checks: {_some(named, _PASSED)}" if named else ""


def _some(named: Sequence[str], most: int) -> str:
    rest = len(named) - most
    return "; ".join(named[:most]) + (f"; {rest} more" if rest > 0 else "")


def _end(record: SessionRecord) -> str:
    """Return the minute of the end, with its day where that is another one."""
    end = _minute(record.ended)
    return end[-5:] if record.ended[:10] == record.started[:10] else end


def _minute(when: str) -> str:
    return when[:16].replace("T", " ")
