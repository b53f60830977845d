"""What a start tells of a session: whole lines by worth, within a budget of tokens.

It stays whole: where summary and section are too long together, the summary gives way (`with_session`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.summary.start_context import ROOM, cut, escaped_length
from progress_plugin.text.bounds import tail
from progress_plugin.text.safe_output import item, one_line
from progress_plugin.text.tokens import estimate_tokens
from progress_plugin.transcripts.evidence import is_outdated
from progress_plugin.transcripts.record import SessionRecord
from progress_plugin.transcripts.record_items import CheckRun, Failure, Task, by_worth
from progress_plugin.transcripts.requests import asked_for


class WordsOnStory(NamedTuple):
    """What a session said last of a story."""

    story: str
    session: str
    short: str  # the session's id as people see it
    when: str  # when the session ended
    text: str


class Line(NamedTuple):
    """One line of what is told."""

    rank: int
    """The lowest is given room first."""
    forms: list[str]
    """How it may be told, the longest first; one form may be several lines of the list."""


TOKENS = 350
"""What a session may take of a start context."""
HEAD = "agent-progress: recorded by a client's hooks in this project. More: `agent-progress sessions`.\n\n"
"""What stands before a section that is all that is told."""
_NO_END = "no end recorded: it may still be running"
"""Of a session whose client has not said that it ended: it was killed, or another agent is at work beside."""
LAST, SO_FAR = "## Last Session", "## This Session So Far"
_FILES, _EARLIER, _TASKS, _COMMITS, _FAILURES, _PASSED = 8, 4, 5, 4, 3, 4
_FAILING, _BESIDE = 5, 4
_REQUEST, _SHORT, _CLOSING, _NAMED = 320, 150, 300, 60


def section(
    record: SessionRecord,
    *,
    running: bool,
    in_log: bool | None,
    beside: SessionRecord | None = None,
    on_stories: Sequence[WordsOnStory] = (),
) -> str:
    """Return the section as Markdown; empty where nothing is worth telling.

    `running` is for the session that an agent is in; `in_log` is whether our log has an entry of it, None
    where there is no log. `beside` is a session that was at work meanwhile: it has one line, and so have the
    last words `on_stories` of sessions before.
    """
    lines = _lines(record, running=running) if record.is_worth_telling or running else []
    if not lines:
        return ""
    lines += [_beside(beside)] if beside is not None else []
    lines += map(_on_story, on_stories)
    head = f"{SO_FAR if running else LAST}\n\n{_heading(record, running=running, in_log=in_log)}\n"
    told = [f"- {line}" for line in _fitting(lines, TOKENS - estimate_tokens(head))]
    return "\n".join([head, *told]) + "\n"


def _fitting(lines: Sequence[Line], left: int) -> list[str]:
    """Return what is told of lines in so many tokens, in their order.

    Each kind of fact has its shortest form before another one has more than that. Where even these are too
    long together, the last line says how many are left out.
    """
    kept = _kept(lines, left)
    if len(kept) < len(lines):
        kept = _kept(lines, left - _cost(_left_out(len(lines))))
        return [*kept, _left_out(len(lines) - len(kept))]
    return kept


def _left_out(number: int) -> str:
    return f"{number} more: `agent-progress sessions`"


def _kept(lines: Sequence[Line], left: int) -> list[str]:
    kept: dict[int, str] = {}
    ranked = sorted(range(len(lines)), key=lambda place: lines[place].rank)
    least = {place: _cost(lines[place].forms[-1]) for place in ranked}
    for number, place in enumerate(ranked):
        line = lines[place]
        spare = left - sum(least[each] for each in ranked[number + 1 :])
        form = next((form for form in line.forms if _cost(form) <= spare), line.forms[-1])
        if _cost(form) <= left:
            kept[place] = form
            left -= _cost(form)
    return [kept[place] for place in sorted(kept)]


def _cost(line: str) -> int:
    return estimate_tokens(f"- {line}\n")


def told_lines(record: SessionRecord) -> list[str]:
    """Return all that is told of a session, for whoever asks for it: nothing is left out for room."""
    told = [f"- {line.forms[0]}" for line in _lines(record, running=False)]
    return [_heading(record, running=False, in_log=None), *"\n".join(told).splitlines()]


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
    worktree = f"in the worktree {one_line(record.worktree, _NAMED)}" if record.worktree else ""
    facts = [times, where, worktree, one_line(record.client, 20)]
    if not running and not record.over:
        facts.append(_NO_END)
    if not running and in_log is False:
        facts.append("nothing of it is in the log")
    if record.compacted and not running:
        facts.append("compacted" if record.compacted == 1 else f"compacted {record.compacted} times")
    return "From the client's transcript: " + ", ".join(fact for fact in facts if fact) + "."


def _lines(record: SessionRecord, *, running: bool) -> list[Line]:
    """Return the lines in the order of telling."""
    requests = asked_for(record.requests)
    found: list[Line] = []
    if len(requests) > 1:
        found.append(Line(5, _earlier(requests[:-1], record.asked - len(record.requests))))
    if requests:
        word = "Being worked on" if running else "Asked last" if len(requests) > 1 else "Asked"
        stopped = " (the user interrupted it)" if record.interrupted else ""
        found.append(
            Line(
                0,
                [f"{word}: “{item(requests[-1], length)}”{stopped}" for length in (_REQUEST, _SHORT, _NAMED)],
            )
        )
    if record.files:
        found.append(Line(2, _shorter("Changed: ", _files(record), _FILES)))
    found += _all_failing(record)
    passed = _passed(record)
    if passed:
        found.append(Line(4, _shorter("Checks: ", passed, _PASSED)))
    tasks = [task for task in record.tasks.values() if task.is_open]
    if tasks:
        forms = _shorter("Open tasks: ", [_task(task, _SHORT) for task in tasks], _TASKS)
        found.append(Line(3, forms + _shorter("Open tasks: ", [_task(task, _NAMED) for task in tasks], 1)))
    if record.commits:
        named = [f"{commit.id[:9]} {item(commit.subject, _NAMED + 20)}" for commit in record.commits[::-1]]
        found.append(Line(4, _shorter("Commits: ", named, _COMMITS)))
    failures = _failures(record)
    if failures:
        named = [
            ": ".join(filter(None, [f"`{one_line(each.what, _NAMED)}`", one_line(each.says, _SHORT)]))
            for each in failures
        ]
        found.append(Line(7, _shorter("Failed, and not repeated with success: ", named, _FAILURES)))
    if record.closing and not running:
        found.append(Line(6, [_closing(record.closing, length) for length in (_CLOSING, _SHORT, _NAMED)]))
    return found


def _beside(record: SessionRecord) -> Line:
    """Return a line of what a session at work beside was asked last, and what it changed."""
    asked = asked_for(record.requests)[-1:]
    changed = [item(file.path, _NAMED) for file in by_worth(record.files.values())]
    commits = [one_line(commit.subject, _NAMED) for commit in record.commits[::-1]]
    named, what = (changed, "changed") if changed else (commits, "committed")
    forms = []
    for number, length in ((_BESIDE, _SHORT), (_BESIDE, _NAMED), (1, _NAMED)):
        told = [f"asked “{one_line(text, length)}”" for text in asked] + [f"{what} {_some(named, number)}"]
        forms.append(f"Beside it (`agent-progress sessions {record.short}`): {', '.join(told)}")
    return Line(5, forms)


def _on_story(words: WordsOnStory) -> Line:
    """Return a line of what a session before said last of a story that is blocked or current."""
    head = f"On {item(words.story, _NAMED)}, an earlier session's last words"
    where = f"{_minute(words.when)}, `agent-progress sessions {words.short}`"
    return Line(3, [f"{head} ({where}): “{item(words.text, length)}”" for length in (_REQUEST, _SHORT)])


def _failures(record: SessionRecord) -> list[Failure]:
    """Return what failed and is told, the last first; that a file could not be read is not."""
    failed = reversed(record.failures.values())
    return [each for each in failed if not each.what.startswith(("Read ", "read_file ", "view "))]


def _earlier(requests: Sequence[str], left_out: int) -> list[str]:
    """Return a line of the first request and the newest of those before the last one, then shorter ones."""
    forms = []
    for number, length in ((_EARLIER, _SHORT), (_EARLIER, _NAMED), (2, _NAMED), (1, _NAMED)):
        named = (
            requests if len(requests) <= number else [requests[0], *requests[len(requests) - number + 1 :]]
        )
        more = left_out + len(requests) - len(named)
        told = "; ".join(f"“{item(text, length)}”" for text in named)
        forms.append(f"Asked before: {told}{f' ({more} more between)' if more > 0 else ''}")
    return forms


def _task(task: Task, length: int) -> str:
    return item(task.text, length) + " (in progress)" * (task.status == "in_progress")


def _closing(words: str, length: int) -> str:
    closing = tail(words, length)
    more = "…" if len(closing) < len(words) else ""
    return f"The agent's last words: “{item(more + closing, length + 20)}”"


def _files(record: SessionRecord) -> list[str]:
    named = []
    for file in by_worth(record.files.values()):
        notes = ["new"] if file.created else []
        notes += [f"{file.times} times"] if file.times > 1 else []
        notes += [f"by {one_line(file.agent, 30)}"] if file.agent else []
        told = f" ({', '.join(notes)})" if notes else ""
        named.append(f"{item(file.path, 90)}{told}")
    return named


def _all_failing(record: SessionRecord) -> list[Line]:
    """Return the failing check that ran last, and the others as far as there is room for them."""
    told = [_failed(record, run) for run in record.failing]
    forms = []
    for number in range(min(_FAILING, len(told)), 0, -1):
        rest = len(told) - number
        forms.append("\n- ".join([*told[1:number], *([f"Failing, too: {rest} more"] if rest else [])]))
    last = [_failed(record, run, length) for run in record.failing[:1] for length in (_SHORT, _NAMED)]
    return [Line(1, last), *([Line(8, forms)] if len(told) > 1 else [])] if told else []


def _failed(record: SessionRecord, run: CheckRun, length: int = _SHORT) -> str:
    says = f": {one_line(run.says, length)}" if run.says else ""
    return f"Failing: `{one_line(run.name, _NAMED)}`{_early(record, run)}{says}"


def _early(record: SessionRecord, run: CheckRun) -> str:
    return ", before the last edit" if is_outdated(record.timeline, run.name) else ""


def _passed(record: SessionRecord) -> list[str]:
    named = []
    failed = {each.when for each in _failures(record) if each.when}  # each told as a whole line
    for run in reversed(record.checks.values()):
        if run.name in record.passed_later:
            named.append(f"`{item(run.name, _NAMED)}` failed, and passed in a later session")
        elif run.passed or (run.passed is None and run.when not in failed):
            ended = "passed" if run.passed else "ran, its result is not known"
            named.append(f"`{item(run.name, _NAMED)}` {ended}{_early(record, run)}")
    return named


def _shorter(what: str, named: Sequence[str], most: int) -> list[str]:
    """Return a line that names so many and how many more there are, then with ever fewer names."""
    return [what + _some(named, number) for number in range(min(most, len(named)), 0, -1)]


def _some(named: Sequence[str], most: int) -> str:
    rest = len(named) - most
    return "; ".join(named[:most]) + (f"; {rest} more" if rest > 0 else "")


def _end(record: SessionRecord) -> str:
    """Return the minute of the end, with its day where that is another one."""
    end = _minute(record.ended)
    return end[-5:] if record.ended[:10] == record.started[:10] else end


def _minute(when: str) -> str:
    return when[:16].replace("T", " ")
