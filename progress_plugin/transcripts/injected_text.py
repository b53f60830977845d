"""What clients and their hooks put into a request: not the user's, and ours must not come back.

Only what is known by its shape is left out: a block that has an end, and lines that a start of ours prints.
What stands around them are the user's words, or the agent's.
"""

import re
from bisect import bisect_left

from progress_plugin.text.bounds import head
from progress_plugin.text.patterns import LazyPattern

_MOST = 1_000_000
"""Characters that are looked at: a block is known by its end, which may be far behind its beginning."""
_NAMES = (
    r"(hook_context|system-reminder|environment_context|user_instructions|session_context|current_datetime"
    r"|todo_status|untrusted_context|ide_opened_file|ide_selection|local-command-\w{1,40})"
)
_BEGIN = LazyPattern(rf"<{_NAMES}\b[^>]{{0,200}}>", re.IGNORECASE)
_END = LazyPattern(rf"</{_NAMES}>", re.IGNORECASE)
_QUOTED = "> \t"
"""What a quotation puts in front of its lines."""
_HEADS = (
    (
        "agent-progress: recorded progress of the project ",
        LazyPattern(r"\. More: (?:`[^`]{1,60}`(?:, )?){1,6}\."),
    ),
    (
        "agent-progress: recorded by a client's hooks ",
        LazyPattern(r"\. More: (?:`[^`]{1,60}`(?:, )?){1,6}\."),
    ),
    ("agent-progress: recorded in this project about ", LazyPattern(r":$")),
    ("agent-progress: what changed since this session last saw the summary", LazyPattern(r"\.")),
    ("agent-progress: the last entries of the log", LazyPattern(r"(?<=log)$")),
    ("agent-progress: the log of the project ", LazyPattern(r", newest first\.")),
    ("agent-progress: the summary could not be renewed ", LazyPattern(r"; an older one:")),
    ("# Progress Summary: ", LazyPattern(r"$")),
)
"""How the lines begin and go on with which texts of ours begin: one that only begins so is the user's."""
_NAME = "agent-progress: "
_LAST = "Auto-generated from "
_HEADINGS = ("## Last Session", "## This Session So Far")
_ORIGIN = "From the client's transcript: "
_ALONE = "recorded by a client's hooks"
_LINES_OF_A_SESSION = (
    r"## (?:Last Session|This Session So Far)$|From the client's transcript: "
    r"|- (?:Asked|Asked before|Asked last|Being worked on|Changed|Failing|Failing, too|Checks|Open tasks"
    r"|Commits|Failed, and not repeated with success|The agent's last words): "
    r"|- Beside it \(|- On .{1,80}, an earlier session's last words \("
)
_SESSION = LazyPattern(_LINES_OF_A_SESSION)
_SUMMARY = LazyPattern(
    _LINES_OF_A_SESSION + r"|#|- |---$|\[cut here|(?:Branch|Started|Last updated|Stories|Current|Blocked|Next"
    r"|Left open earlier|Learnings|Not read):"
)
"""The lines of a summary whose end was cut, and of a log."""


def without_injected(text: str) -> str:
    """Return a text without what clients wrap around it, and without what a start of ours has printed."""
    text = head(text, _MOST)
    text = _without_blocks(text) if "<" in text else text
    return _without_ours(text) if _may_be_ours(text) else text


def _without_blocks(text: str) -> str:
    ends: dict[str, list[int]] = {}
    for end in _END.finditer(text):
        ends.setdefault(end[1].lower(), []).append(end.end())
    kept: list[str] = []
    at = 0
    for begin in _BEGIN.finditer(text) if ends else ():
        known = ends.get(begin[1].lower(), [])
        place = bisect_left(known, begin.end())
        if begin.start() >= at and place < len(known):
            kept.append(text[at : begin.start()])
            at = known[place]
    return "".join([*kept, text[at:]])


def _may_be_ours(text: str) -> bool:
    return _NAME in text or "# Progress Summary: " in text or _ORIGIN in text


def _without_ours(text: str) -> str:
    """Return a text without the lines that a start prints: some are known by those before them."""
    lines = [line.lstrip(_QUOTED).rstrip() for line in text.split("\n")]
    first = [number for number, line in enumerate(lines) if line.startswith(_NAME)]
    last = [number for number, line in enumerate(lines) if line.startswith(_LAST)]
    kept: list[str] = []
    at = 0
    for number, whole in enumerate(text.split("\n")):
        if number < at:
            continue
        line = lines[number]
        end = _end_of_head(line)
        if end is not None and line[end:].strip():
            kept.append(line[end:].strip())  # the user went on in the same line: what follows is not ours
        elif end is not None:
            at = _footer(number, first, last) or _behind(lines, number)
        elif _is_section(lines, number):
            at = _behind(lines, number)
        else:
            kept.append(whole)
    return "\n".join(kept)


def _end_of_head(line: str) -> int | None:
    """Return where the first line of a text of ours ends; None where this is none."""
    for begin, going_on in _HEADS:
        if line.startswith(begin):
            found = going_on.search(line, len(begin))
            return found.end() if found else None
    return None


def _footer(at: int, first: list[int], last: list[int]) -> int | None:
    """Return the line behind the last one of the text that begins here; None where it has none."""
    end, again = bisect_left(last, at), bisect_left(first, at + 1)
    if end == len(last) or (again < len(first) and first[again] < last[end]):
        return None
    return last[end] + 1


def _is_section(lines: list[str], at: int) -> bool:
    """Return whether a session's section begins here: with its heading, or with the line below that."""
    if lines[at] in _HEADINGS:
        return any(line.startswith(_ORIGIN) for line in lines[at + 1 : at + 3])
    return lines[at].startswith(_ORIGIN)


def _behind(lines: list[str], at: int) -> int:
    """Return the line behind those that are like ours, and behind the blank ones between them."""
    known = _SESSION if _is_section(lines, at) or _ALONE in lines[at] else _SUMMARY
    behind = at + 1
    for number in range(at + 1, len(lines)):
        if known.match(lines[number]):
            behind = number + 1
        elif lines[number]:
            break
    return behind
