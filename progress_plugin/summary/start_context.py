"""The text a session start puts in front of an agent: the summary, and where it comes from."""

from __future__ import annotations

from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.summary.shown_blockers import trouble
from progress_plugin.summary.summary_input import Facts
from progress_plugin.text.bounds import utf16_length
from progress_plugin.text.safe_output import item, one_line

CAP = 9_000
"""Most UTF-16 units of a hook's output; the client replaces more than 10,000 by a preview."""
_MOST_LEARNINGS = 30
ROOM = CAP - 400
"""Less what is around the text: the JSON's member names, the line for the user, the line that marks an
older summary. What quotes and line feeds grow by is counted apart."""


def context(summary: str, *, name: str) -> str:
    """Return the text to inject: facts and how to see more; the summary's last line names its sources."""
    return cut(head(name) + summary, ROOM)


def head(name: str) -> str:
    """Return what is before the summary."""
    return (
        f"agent-progress: recorded progress of the project {name}. "
        "More: `agent-progress recall WORDS`, `status`, `recent`.\n\n"
    )


_ITEM = "### "


def changes(before: str, after: str) -> str:
    """Return what a resumed session has not seen yet: the new lines, each under its heading.

    The heading of an item says something itself: a story, and how it stands.
    """
    known = set(before.splitlines())
    lines: list[str] = []
    heading = ""
    for line in after.splitlines():
        if line.startswith("#"):
            heading = line
            if line.startswith(_ITEM) and line not in known:
                lines += ["", line]
                heading = ""
        elif line.strip() and line not in known:
            if heading:
                lines += ["", heading]
                heading = ""
            lines.append(line)
    if not lines:
        return ""
    return cut(
        "agent-progress: what changed since this session last saw the summary.\n" + "\n".join(lines) + "\n",
        ROOM,
    )


_CUT = "[cut here: `agent-progress context` shows what an agent gets, `agent-progress status` all of it]\n"
_FULL_LOG_CUT = "[cut here: `agent-progress context --whole` prints all of it]\n"


def cut(text: str, most: int, note: str = _CUT) -> str:
    """Return at most `most` UTF-16 units of JSON-escaped text, whole lines, and say so where it is cut."""
    if escaped_length(text) <= most:
        return text
    room = most - escaped_length(note)
    kept = []
    for line in text.splitlines(keepends=True):
        room -= escaped_length(line)
        if room < 0:
            break
        kept.append(line)
    return "".join(kept) + note


def escaped_length(text: str) -> int:
    """Return the UTF-16 units that a text takes in a JSON string that leaves non-ASCII characters alone."""
    extra = text.count("\n") + text.count('"') + text.count("\\") + text.count("\t")
    return utf16_length(text) + extra


def full_log(facts: Facts) -> str:
    """Return the whole history, newest first, up to the cap: for projects that want no summary.

    What was learnt comes before it, so that a long history cannot cut it off.
    """
    lines = full_log_lines(facts)
    return cut("\n".join(lines) + "\n", ROOM, _FULL_LOG_CUT) if lines else ""


def full_log_lines(facts: Facts, learnings: int = _MOST_LEARNINGS) -> list[str]:
    """Return the lines of the whole history, those that an entry says with their origin.

    So many of the learnings come first, the newest of them.
    """
    newest = sorted(facts.learnings, key=lambda learning: -learning.position)[:learnings]
    taught = [Cited(f"- {item(learning.text, 400)}", *_places(learning)) for learning in newest]
    if not facts.events and not taught:
        return []
    lines = [f"agent-progress: the log of the project {one_line(facts.name)}, newest first.", ""]
    lines += ["Learnings:", *taught, ""] if taught else []
    for event in reversed(facts.events):
        lines += [*_block(event, facts), ""]
    return lines[:-1] if facts.events else [*lines, ""]


def _places(learning: Learning) -> list[Origin]:
    """Return each place that says it; our own log has no lines."""
    return [Origin(learning.source, line, line) for line in learning.lines] or [Origin(learning.source)]


def _block(event: Event, facts: Facts) -> list[str]:
    name = ", ".join(event.stories) or event.title or event.type
    title = f": {event.title}" if event.stories and event.title and event.title != name else ""
    title_line = one_line(f"{event.when or ''} {event.type.replace('_', ' ')} {name}{title}".strip(), 300)
    told = [detail for detail in (*event.details, *trouble(event, facts)) if detail != event.title]
    files = [f"Files: {', '.join(event.files)}"] if event.files else []
    lines = [title_line, *(f"- {item(line, 600)}" for line in (*told, *files))]
    return [Cited(line, event.origin) for line in lines]
