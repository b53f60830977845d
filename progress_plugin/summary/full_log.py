"""The whole history as text, newest first: for projects that want no summary, and for `context --whole`."""

from __future__ import annotations

from collections import defaultdict

from progress_plugin.model.work import Line, Source, Statement
from progress_plugin.summary.newest_entries import newest_entries, with_heading
from progress_plugin.summary.project_facts import Facts
from progress_plugin.summary.shown_text import safe_line
from progress_plugin.summary.start_context import ROOM, cut

CUT_NOTE = "[cut here: `agent-progress context --whole` prints all of it]\n"
MAX_LEARNINGS = 30  # in a start context; they come first, so that a cut at the end does not remove them
MAX_LINE_CHARS = 600


def full_log(facts: Facts) -> str:
    """Return the whole history, cut to the size that a client accepts; empty if there is no history."""
    lines = [line.text for line in full_log_lines(facts, MAX_LEARNINGS)]
    return cut("\n".join(lines) + "\n", ROOM, CUT_NOTE) if lines else ""


def full_log_lines(facts: Facts, most_learnings: int | None = None) -> list[Line]:
    """Return the newest learnings, then the whole history, as lines with their sources."""
    newest = newest_entries(facts)
    known = [_bullet(each.statement.text, *each.sources) for each in facts.learnings[::-1][:most_learnings]]
    if not newest and not known:
        return []
    lines = [safe_line(f"agent-progress: the log of the project {facts.name}, newest first."), Line("")]
    lines += [Line("Learnings:"), *known, Line("")] if known else []
    statements: dict[tuple[str, int], list[Statement]] = defaultdict(list)
    for log in facts.logs:
        for statement in log.statements:
            statements[log.path, statement.entry].append(statement)
    for log, entry in newest:
        own = statements[log.path, entry.number]
        bullets = [_bullet(_labelled(each), each.source) for each in own]
        lines += [with_heading(facts, log, entry).heading, *bullets, Line("")]
    return lines


def _labelled(statement: Statement) -> str:
    label, text = statement.label, statement.text
    return f"{label}: {text}" if label and not text.startswith(label) else text


def _bullet(text: str, *sources: Source) -> Line:
    line = safe_line(text, *sources, limit=MAX_LINE_CHARS)
    return Line(f"- {line.text}", line.sources)
