"""The text a session start puts in front of an agent: the summary, and where it comes from."""

from __future__ import annotations

from progress_plugin.text.bounds import utf16_length

CAP = 9_000  # UTF-16 units of a hook's output; a client replaces more than 10,000 by a preview
ROOM = CAP - 400  # less the JSON around the text, the line for the user, the line about an older summary
_CUT = "[cut here: `agent-progress status` shows all stories, `agent-progress recall WORDS` the rest]\n"


def intro(name: str) -> str:
    """Return the lines above the summary: the name of the project, and the commands that show more."""
    return (
        f"agent-progress: recorded progress of the project {name}. "
        "More: `agent-progress recall WORDS`, `status`, `recent`.\n\n"
    )


def changed_lines(before: str, after: str) -> str:
    """Return the lines that a resumed session has not seen yet, each under its heading.

    A new heading `### ` is shown even without lines: it has a story and its status.
    """
    known = set(before.splitlines())
    lines: list[str] = []
    heading = ""
    for line in after.splitlines():
        if line.startswith("#"):
            heading = line
            if line.startswith("### ") and line not in known:
                lines += ["", line]
                heading = ""
        elif line.strip() and line not in known:
            if heading:
                lines += ["", heading]
                heading = ""
            lines.append(line)
    if not lines:
        return ""
    title = "agent-progress: what changed since this session last saw the summary."
    return cut("\n".join([title, *lines, ""]), ROOM)


def cut(text: str, most: int, note: str = _CUT) -> str:
    """Return the first lines of a text that fit into `most` UTF-16 units of JSON, and `note` if it is cut."""
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
