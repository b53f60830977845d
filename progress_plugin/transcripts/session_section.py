"""What a start shows of a session: lines by worth, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from progress_plugin.summary.start_context import ROOM, cut, escaped_length
from progress_plugin.text.bounds import estimate_tokens, tail
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.evidence import is_outdated
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.record_items import CheckRun, Task, WrittenFile, by_worth
from progress_plugin.transcripts.requests import asked_for

TOKENS = 350  # of a section
LINE_TOKENS, REQUEST_TOKENS = 55, 70
PART_TOKENS, SHORT_TOKENS = 25, 15  # of one of several facts in a line
HEAD = "agent-progress: recorded by a client's hooks in this project. More: `agent-progress sessions`.\n\n"
"""What precedes a section that is all that is shown."""
LAST, SO_FAR = "## Last Session", "## This Session So Far"
_NO_END = "no end recorded: it may still be running"
_LOOKS = ("Read ", "read_file ", "view ")
"""Calls that only read: that one failed is no fact of the work."""


def section(
    record: SessionRecord,
    *,
    running: bool = False,
    in_log: bool | None = None,
    beside: SessionRecord | None = None,
) -> str:
    """Return the section of a session as Markdown.

    `running` is for the session that an agent is in; `in_log` says whether our log has an entry of it, None
    without a log. `beside` is a session at the same time or later, which gets one line.
    """
    lines = [*_lines(record, running=running), *(_beside(beside) if beside is not None else ())]
    head = f"{SO_FAR if running else LAST}\n\n{_heading(record, running=running, in_log=in_log)}\n\n"
    return head + "".join(f"- {line}\n" for line in _fitting(lines, TOKENS - estimate_tokens(head)))


def describe(record: SessionRecord) -> list[str]:
    """Return the lines about a session for a person who asks for it; none is left out."""
    return [
        _heading(record, running=False, in_log=None),
        *(f"- {line}" for line in _lines(record, running=False)),
    ]


def with_session(context: str, shown: str) -> str:
    """Return a start context with a section after the state of the work, before what was learnt.

    What no longer fits into the whole is cut from the context's end, by whole lines.
    """
    if not shown:
        return context
    context = cut(context, ROOM - escaped_length(shown))
    for heading in ("\n## Story Status", "\n## Key Learnings"):
        place = context.find(heading)
        if place >= 0:
            return f"{context[: place + 1]}{shown}\n{context[place + 1 :]}"
    return f"{context.rstrip()}\n\n{shown}" if context.strip() else HEAD + shown


def without(context: str) -> str:
    """Return a start context without the section of a session; nothing of one that held no more."""
    kept: list[str] = []
    inside = False
    for line in context.splitlines(keepends=True):
        if line.startswith("## "):
            inside = line.rstrip() in (LAST, SO_FAR)
        if not inside:
            kept.append(line)
    return "".join(kept).removesuffix(HEAD)


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines that fit into so many tokens, in their order, and how many are left out."""
    if sum(map(_cost, lines)) <= room:
        return list(lines)
    room -= _cost(_left_out(len(lines)))
    kept = []
    for line in lines:
        if _cost(line) <= room:
            kept.append(line)
            room -= _cost(line)
    return [*kept, _left_out(len(lines) - len(kept))]


def _left_out(number: int) -> str:
    return f"{number} more: `agent-progress sessions`"


def _cost(line: str) -> int:
    return estimate_tokens(f"- {line}\n")


def _heading(record: SessionRecord, *, running: bool, in_log: bool | None) -> str:
    facts = [
        f"{minute(record.started)} – {_end(record)} UTC" if record.started else "",
        f"on {_within(record.branch, SHORT_TOKENS)}" if record.branch else "",
        f"in the worktree {_within(record.worktree, SHORT_TOKENS)}" if record.worktree else "",
        _within(record.client, SHORT_TOKENS),
    ]
    if not running:
        facts.append("run by a program" if record.headless else "")
        facts.append("" if record.over else _NO_END)
        facts.append("nothing of it is in the log" if in_log is False else "")
        facts.append("compacted" if record.compacted else "")
    return f"From the client's transcript: {', '.join(filter(None, facts))}."


def _lines(record: SessionRecord, *, running: bool) -> Iterator[str]:
    """Yield the lines about a session, the most useful first."""
    requests = asked_for(record.requests)
    if requests:
        name = "Being worked on" if running else "Asked last" if len(requests) > 1 else "Asked"
        stopped = " (the user interrupted it)" if record.interrupted else ""
        yield f"{name}: “{_within(requests[-1], REQUEST_TOKENS)}”{stopped}"
    failing = [_failed(record, run) for run in record.failing]
    yield from failing[:1]
    yield from _listed("Changed", map(_file, by_worth(record.files.values())))
    yield from _listed("Open tasks", (_task(task) for task in record.tasks.values() if task.is_open))
    yield from _listed("Asked before", _earlier(requests[:-1]), record.asked - len(record.requests))
    yield from _listed("Checks", _passed(record))
    yield from _listed(
        "Commits", (f"{each.id[:9]} {_within(each.subject, PART_TOKENS)}" for each in record.commits[::-1])
    )
    if record.closing and not running:
        yield f"The agent's last words: “{_closing(record.closing)}”"
    yield from failing[1:]
    yield from _listed("Failed, and not repeated with success", _failures(record))


def _beside(record: SessionRecord) -> Iterator[str]:
    asked = [f"asked “{_within(text, SHORT_TOKENS)}”" for text in asked_for(record.requests)[-1:]]
    commits = (_within(each.subject, SHORT_TOKENS) for each in record.commits[::-1])
    files = [_within(file.path, SHORT_TOKENS) for file in by_worth(record.files.values())]
    done = _joined(files, 0) if files else ""
    facts = [*asked, f"changed {done}" if done else f"committed {_joined(commits, 0)}"]
    yield f"Beside it (`agent-progress sessions {record.short}`): {', '.join(facts)}"


def _listed(name: str, facts: Iterable[str], more: int = 0) -> Iterator[str]:
    """Yield a line of several facts if there are any; `more` are known of that are not given."""
    text = _joined(facts, more)
    if text:
        yield f"{name}: {text}"


def _joined(facts: Iterable[str], more: int) -> str:
    """Return as many facts as a line has room for, and how many more there are."""
    shown: list[str] = []
    for fact in facts:
        if shown and estimate_tokens("; ".join([*shown, fact])) > LINE_TOKENS:
            more += 1
        else:
            shown.append(fact)
    return "; ".join([*shown, *([f"{more} more"] if more > 0 else [])])


def _within(text: str, tokens: int) -> str:
    """Return the beginning of a text, safe to show, in about so many tokens."""
    shown = one_line(text)
    while estimate_tokens(shown) > tokens:
        shown = one_line(text, len(shown) * 9 // 10)
    return shown


def _earlier(requests: Sequence[str]) -> Iterator[str]:
    """Yield the first request, then the others, the newest first."""
    for text in [*requests[:1], *requests[:0:-1]]:
        yield f"“{_within(text, PART_TOKENS)}”"


def _task(task: Task) -> str:
    return _within(task.text, PART_TOKENS) + " (in progress)" * (task.status == "in_progress")


def _closing(words: str) -> str:
    closing = tail(words, len(_within(words, REQUEST_TOKENS)))
    return one_line("…" * (len(closing) < len(words)) + closing)


def _file(file: WrittenFile) -> str:
    notes = ["new"] if file.created else []
    notes += [f"{file.times} times"] if file.times > 1 else []
    notes += [f"by {_within(file.agent, SHORT_TOKENS)}"] if file.agent else []
    return _within(file.path, PART_TOKENS) + (f" ({', '.join(notes)})" if notes else "")


def _failed(record: SessionRecord, run: CheckRun) -> str:
    says = f": {_within(run.says, PART_TOKENS)}" if run.says else ""
    return f"Failing: `{_within(run.name, SHORT_TOKENS)}`{_early(record, run)}{says}"


def _failures(record: SessionRecord) -> Iterator[str]:
    for each in reversed(record.failures.values()):
        if not each.what.startswith(_LOOKS):
            says = f": {_within(each.says, PART_TOKENS)}" if each.says else ""
            yield f"`{_within(each.what, SHORT_TOKENS)}`{says}"


def _passed(record: SessionRecord) -> Iterator[str]:
    failed = {each.when for each in record.failures.values() if each.when}  # shown as a whole line
    for run in reversed(record.checks.values()):
        name = f"`{_within(run.name, SHORT_TOKENS)}`"
        if run.name in record.passed_later:
            yield f"{name} failed, and passed in a later session"
        elif run.passed or (run.passed is None and run.when not in failed):
            yield f"{name} {'passed' if run.passed else 'ran, its result is not known'}{_early(record, run)}"


def _early(record: SessionRecord, run: CheckRun) -> str:
    return ", before the last edit" if is_outdated(record.timeline, run.name) else ""


def _end(record: SessionRecord) -> str:
    """Return the minute of the end, with its day if that is another one."""
    end = minute(record.ended)
    return end[-5:] if record.ended[:10] == record.started[:10] else end


def minute(when: str) -> str:
    """Return a time as `YYYY-MM-DD HH:MM`."""
    return when[:16].replace("T", " ")
