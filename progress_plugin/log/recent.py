"""The newest entries of the history, summed up in a few sentences."""

from __future__ import annotations

from typing import Any, NamedTuple

from progress_plugin.log.blockers import names_of_task
from progress_plugin.log.entry import text_of
from progress_plugin.log.headline import headline
from progress_plugin.text.bounds import counted
from progress_plugin.text.labels import normalised
from progress_plugin.text.safe_output import one_line

DEFAULT_ENTRIES = 20
NOTHING = "No previous progress recorded."
_MAX_TEXT_CHARS = 120
_MAX_NAMED_LOGS = 3


class OpenWork(NamedTuple):
    """What is blocked and what comes next, as all sources of the project state it."""

    blockers: int = 0
    next: str = ""
    agent_logs: tuple[str, ...] = ()  # paths
    current: str = ""


class RecentEntries(NamedTuple):
    """The newest entries, oldest of them first, and what they amount to."""

    entries: list[dict[str, Any]]
    summary: str
    last_spec: str | None  # of the last completed task, as is `last_task`
    last_task: str | None
    unresolved_blockers: list[dict[str, Any]]  # of the whole history


def recent(
    history: list[dict[str, Any]], blockers: list[dict[str, Any]], n: int, open_work: OpenWork | None = None
) -> RecentEntries:
    """Return the last `n` of these effective entries."""
    work = open_work or OpenWork(len(blockers))
    entries = history[-n:] if n > 0 else []
    completed = (entry for entry in reversed(history) if entry.get("type") == "task_completed")
    last: dict[str, Any] = next(completed, {})
    summary = _summarise(history, entries, work)
    return RecentEntries(entries, summary, text_of(last, "spec"), text_of(last, "task_id"), blockers)


def _summarise(history: list[dict[str, Any]], entries: list[dict[str, Any]], work: OpenWork) -> str:
    if entries:
        facts = f"{_describe_completed(entries)}, {counted(work.blockers, 'blocker')}"
        parts = [f"Last {counted(len(entries), 'entry')}: {facts}"]
        parts.append(f"Most recent: {_shorten(headline(entries[-1]))}")
    elif history:
        parts = [f"No entries shown, {counted(work.blockers, 'blocker')}"]
    elif work.agent_logs:
        where = one_line(", ".join(work.agent_logs[:_MAX_NAMED_LOGS]))
        parts = [
            f"No entries in the progress log; the record is {where} (`agent-progress status` sums it up)"
        ]
        parts += [f"Open blockers: {work.blockers}"] if work.blockers else []
    else:
        return NOTHING
    parts += [f"Current: {_shorten(work.current)}"] if work.current else []
    parts += [f"Next: {_shorten(work.next)}"] if work.next else []
    return ". ".join(parts) + "."


def _describe_completed(entries: list[dict[str, Any]]) -> str:
    """Return how many tasks were completed, and in how many entries if some were completed again."""
    done = [entry for entry in entries if entry.get("type") == "task_completed"]
    tasks = {next(names_of_task(entry), (normalised(headline(entry)),)) for entry in done}
    text = f"{counted(len(tasks), 'task')} completed"
    return text if len(tasks) == len(done) else f"{text} in {counted(len(done), 'entry')}"


def _shorten(text: str) -> str:
    return one_line(text, _MAX_TEXT_CHARS).rstrip(" .")
