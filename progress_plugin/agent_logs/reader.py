"""Read one Markdown document of an agent."""

from __future__ import annotations

from collections.abc import Collection

from progress_plugin.agent_logs.document import parse
from progress_plugin.agent_logs.entries import find_entries
from progress_plugin.agent_logs.learnings import find_learnings
from progress_plugin.agent_logs.order import oldest_first
from progress_plugin.agent_logs.statements import read_statements, shape
from progress_plugin.model.work import AgentLog, Entry, Source


def read_agent_log(path: str, text: str, plan_ids: Collection[str] = ()) -> AgentLog:
    """Read a log, a state, hand-off or notes document. Never raises, whatever the text."""
    document = parse(text)
    ordered = oldest_first(find_entries(document, plan_ids))
    entries = []
    for number, found in enumerate(ordered, 1):
        block, last = document.blocks[found.start], document.blocks[found.stop - 1]
        heading = found.heading
        source = Source(path, block.first, last.last, heading.date)
        entries.append(Entry(number, heading.title, source, heading.ids, heading.date, heading.status))
    statements = read_statements(document, ordered, path)
    return AgentLog(
        path,
        "log" if entries else "notes",
        tuple(entries),
        statements=tuple(shape(statements)),
        learnings=tuple(find_learnings(statements)),
    )
