"""The receipt of a summary: what was left out for room, and how to see it (S6.1).

What is left out is decided in `summary.budget` (`fit`).
"""

from progress_plugin.summary.story_table import StoryTableRow
from progress_plugin.summary.view_model import Content
from progress_plugin.text.bounds import counted

_FIND = "`agent-progress recall WORDS`"


def _open_rows(content: Content) -> int:
    return sum(row.stories for row in content.rows if not row.finished)


def _finished_rows(content: Content) -> int:
    return sum(row.stories for row in content.rows if row.finished)


def receipt_of(content: Content, kept: Content, archive_only: int) -> list[str]:
    """Say what was left out, and how to see it."""
    shown, known = kept.learnings_shown, content.learnings_in_all
    lines = []
    if shown < known:
        lines.append(f"{shown} of {counted(known, 'learning')} shown; the others: {_FIND}.")
    if archive_only:
        older = counted(archive_only, "older learning stands", "older learnings stand")
        where = "" if lines else f": {_FIND}"
        lines.append(f"{older} in archive/ alone{where}.")
    if len(kept.blocked) < len(content.blocked):
        lines.append(
            f"{len(kept.blocked)} of {len(content.blocked)} blocked shown; all: `agent-progress status`."
        )
    if len(kept.recent) < len(content.recent):
        lines.append(f"{len(kept.recent)} of {counted(len(content.recent), 'recent story')} shown.")
    if len(kept.notes) < len(content.notes):
        notes = counted(len(content.notes), "note")
        lines.append(f"{len(kept.notes)} of {notes} shown; all: `agent-progress status`.")
    open_shown, open_rows = _open_rows(kept), _open_rows(content)
    if not kept.rows:
        open_shown = sum(is_told_above(row, content) for row in content.rows if not row.finished)
    if open_shown < open_rows:
        rows = counted(open_rows, "open story")
        lines.append(f"{open_shown} of {rows} shown; all: `agent-progress status`.")
    named = _finished_rows(kept) or sum(story.finished for story in kept.recent)
    if (hidden := _finished_rows(content) - named) > 0:
        lines.append(f"{counted(hidden, 'finished story')} not listed: {_where(hidden, content, kept)}.")
    return lines


def _where(hidden: int, content: Content, kept: Content) -> str:
    """Say which command lists the finished stories that are left out: the oldest no status names."""
    nameless = _nameless(content) - _nameless(kept)
    if not nameless:
        return "`agent-progress status`"
    if nameless >= hidden:
        return "`agent-progress context --whole`"
    return f"`agent-progress status`, the oldest {nameless}: `agent-progress context --whole`"


def _nameless(content: Content) -> int:
    return sum(row.stories for row in content.rows if row.finished and row.is_counted_only)


def is_told_above(row: StoryTableRow, content: Content) -> bool:
    """Return whether the lines on the current and the next story say all that a row says."""
    lines = (content.current, content.next)
    return row.stories == 1 and any(row.id in line and row.title in line for line in lines)
