"""Make the section about a session: the most useful lines first, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from progress_plugin.summary.start_context import ROOM, cut, escaped_length
from progress_plugin.text.bounds import estimate_tokens, tail
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.record import SessionRecord, Step, WrittenFile, newest_files_first

TOKENS = 350  # of a section
LINE_TOKENS, REQUEST_TOKENS = 55, 70
PART_TOKENS, SHORT_TOKENS = 25, 15  # of a fact, if a line has several
HEAD = "agent-progress: recorded by a client's hooks in this project. More: `agent-progress sessions`.\n\n"
"""The line above a section that stands alone."""
LAST, SO_FAR = "## Last Session", "## This Session So Far"
_NO_END = "no end recorded: it may still be running"


def section(
    record: SessionRecord,
    *,
    running: bool = False,
    in_log: bool | None = None,
    beside: SessionRecord | None = None,
) -> str:
    """Return the section of a session as Markdown.

    `running` is for the session that an agent is in. `in_log` says whether our log has an entry of the
    session, None if that is not known. `beside` is a session at the same time or later, which gets one line.
    """
    lines = [*_lines(record, running=running), *([_line_about(beside)] if beside is not None else [])]
    shown = f"{SO_FAR if running else LAST}\n\n{_heading(record, running=running, in_log=in_log)}\n\n"
    room = TOKENS - estimate_tokens(shown)
    costs = [estimate_tokens(f"- {line}\n") for line in lines]
    left_out = 0
    if sum(costs) > room:
        room -= estimate_tokens(f"- {_count_left_out(len(lines))}\n")
    for line, cost in zip(lines, costs, strict=True):
        if cost <= room:
            shown += f"- {line}\n"
            room -= cost
        else:
            left_out += 1
    return shown + (f"- {_count_left_out(left_out)}\n" if left_out else "")


def describe(record: SessionRecord) -> list[str]:
    """Return the lines about a session for a person who asks for it; none is left out."""
    heading = _heading(record, running=False, in_log=None)
    return [heading, *(f"- {line}" for line in _lines(record, running=False))]


def with_session(context: str, shown: str) -> str:
    """Return a start context with the section of a session before its stories and learnings.

    If both are too long together, lines are cut from the end of the context.
    """
    if not shown:
        return context
    context = cut(context, ROOM - escaped_length(shown))
    for heading in ("\n## Story Status", "\n## Key Learnings"):
        place = context.find(heading)
        if place >= 0:
            return f"{context[: place + 1]}{shown}\n{context[place + 1 :]}"
    return f"{context.rstrip()}\n\n{shown}" if context.strip() else HEAD + shown


def remove_session(context: str) -> str:
    """Return a start context without the section of a session; empty if it has nothing else."""
    kept: list[str] = []
    inside = False
    for line in context.splitlines(keepends=True):
        if line.startswith("## "):
            inside = line.rstrip() in (LAST, SO_FAR)
        if not inside:
            kept.append(line)
    return "".join(kept).removesuffix(HEAD)


def minute(when: str) -> str:
    """Return a time as `YYYY-MM-DD HH:MM`."""
    return when[:16].replace("T", " ")


def _count_left_out(number: int) -> str:
    return f"{number} more: `agent-progress sessions`"


def _heading(record: SessionRecord, *, running: bool, in_log: bool | None) -> str:
    end = minute(record.ended)
    end = end[-5:] if record.ended[:10] == record.started[:10] else end
    facts = [
        f"{minute(record.started)} – {end} UTC" if record.started else "",
        f"on {_shorten(record.branch, SHORT_TOKENS)}" if record.branch else "",
        f"in the worktree {_shorten(record.worktree, SHORT_TOKENS)}" if record.worktree else "",
        _shorten(record.client, SHORT_TOKENS),
    ]
    if not running:
        facts.append("run by a program" if record.headless else "")
        facts.append("" if record.over else _NO_END)
        facts.append("nothing of it is in the log" if in_log is False else "")
    return f"From the client's transcript: {', '.join(filter(None, facts))}."


def _lines(record: SessionRecord, *, running: bool) -> list[str]:
    """Return the lines about a session, the most useful first."""
    requests, last = record.request_texts, record.last_requests
    earlier = requests[: -len(last)] if last else []
    name = "Being worked on" if running else "Asked last" if len(requests) > 1 else "Asked"
    asked = ", then ".join(f"“{_shorten(text, REQUEST_TOKENS)}”" for text in last)
    stopped = " (the user interrupted it)" if record.interrupted else ""
    failing = [f"Failing: {_describe_run(record, run)}{_message_of(run.says)}" for run in record.failing]
    tasks = (
        _shorten(each.text, PART_TOKENS) + " (in progress)" * (each.status == "in_progress")
        for each in record.tasks.values()
        if each.is_open
    )
    before = (f"“{_shorten(text, PART_TOKENS)}”" for text in [*earlier[:1], *earlier[:0:-1]])
    commits = (f"{each.id[:9]} {_shorten(each.subject, PART_TOKENS)}" for each in record.commits[::-1])
    words = tail(record.closing, len(_shorten(record.closing, REQUEST_TOKENS)))
    closing = one_line("…" * (words != record.closing) + words)
    lines = [
        f"{name}: {asked}{stopped}" if asked else "",
        *failing[:1],
        _join_facts("Changed: ", map(_describe_file, newest_files_first(record.files.values()))),
        _join_facts("Open tasks: ", tasks),
        _join_facts("Asked before: ", before, record.asked - len(record.requests)),
        _join_facts("Checks: ", _other_checks(record)),
        _join_facts("Commits: ", commits),
        f"The agent's last words: “{closing}”" if closing and not running else "",
        *failing[1:],
    ]
    return [line for line in lines if line]


def _line_about(record: SessionRecord) -> str:
    asked = "".join(f"asked “{_shorten(text, SHORT_TOKENS)}”, " for text in record.request_texts[-1:])
    files = [_shorten(file.path, SHORT_TOKENS) for file in newest_files_first(record.files.values())]
    commits = [_shorten(each.subject, SHORT_TOKENS) for each in record.commits[::-1]]
    did = _join_facts("changed ", files) or _join_facts("committed ", commits)
    return f"Another session (`agent-progress sessions {record.short}`): {asked}{did}"


def _join_facts(name: str, facts: Iterable[str], more: int = 0) -> str:
    """Return a name, as many facts as fit on a line, and how many more there are; empty without a fact."""
    shown: list[str] = []
    for fact in facts:
        if shown and estimate_tokens("; ".join([*shown, fact])) > LINE_TOKENS:
            more += 1
        else:
            shown.append(fact)
    shown += [f"{more} more"] if more > 0 else []
    return f"{name}{'; '.join(shown)}" if shown else ""


def _shorten(text: str, tokens: int) -> str:
    """Return the beginning of a text, safe to show, in about so many tokens."""
    shown = one_line(text)
    while estimate_tokens(shown) > tokens:
        shown = one_line(text, len(shown) * 9 // 10)
    return shown


def _message_of(line: str) -> str:
    return f": {_shorten(line, PART_TOKENS)}" if line else ""


def _describe_file(file: WrittenFile) -> str:
    notes = ["new"] if file.created else []
    notes += [f"{file.times} times"] if file.times > 1 else []
    return _shorten(file.path, PART_TOKENS) + (f" ({', '.join(notes)})" if notes else "")


def _describe_run(record: SessionRecord, run: Step, ended: str = "") -> str:
    early = ", before the last edit" if record.is_outdated(run) else ""
    return f"`{_shorten(run.what, SHORT_TOKENS)}`{ended}{early}"


def _other_checks(record: SessionRecord) -> Iterator[str]:
    for run in reversed(record.checks.values()):
        if run.what in record.passed_later:
            yield f"`{_shorten(run.what, SHORT_TOKENS)}` failed, and passed in a later session"
        elif run.passed is not False:
            yield _describe_run(record, run, " passed" if run.passed else " ran, its result is not known")
