"""Fenced code that is told: commands of a shell, and what is so short that it ends the sentence before it.

`Run this before every commit:` is such a sentence.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, section_of

_MOST_LINES = 3
_LONGEST = 160
"""Characters of such code, its lines in one."""
_REMARKS = ("#", "//", "--")
_SHELL = LazyPattern(
    r"\s*(?:```+|~~~+)\s*(?:bash|sh|shell|zsh|console|terminal|powershell|pwsh|ps1|cmd|bat)\b", re.IGNORECASE
)
_PROMPT = LazyPattern(r"(?:\$|PS [^>]*>|>)\s+")
_MOST_COMMANDS = 10
"""More are a script, which says by itself what it does."""
_ROOM = 320
"""Characters of the commands that are told."""


def short_code(lines: Sequence[str], fences: Iterable[range]) -> Mapping[int, str]:
    """Return by the number of its first line what each short fence holds, its lines as code spans."""
    found = {}
    for fence in fences:
        if len(fence) > 2 * _MOST_LINES + 2:
            continue
        inside = (lines[number - 1].strip() for number in fence[1:-1])
        code = [line for line in inside if line and not line.startswith(_REMARKS)]
        text = "; ".join(f"`{line}`" for line in code)
        if 0 < len(code) <= _MOST_LINES and len(text) <= _LONGEST and text.count("`") == 2 * len(code):
            found[fence.start] = text
    return found


def leads_to_code(text: str) -> bool:
    """Return whether a text ends as one does that is completed by what is below it.

    `Learnings:` does not: a learning is no code.
    """
    return text.rstrip("*_ ")[-1:] in {":", "："} and section_of(text) not in TEACHING


def shell_commands(lines: Sequence[str], fences: Iterable[range]) -> Mapping[int, str]:
    """Return by the number of its first line the commands that each fence of a shell holds, as code spans.

    Where some have a prompt before them the other lines are what was printed.
    """
    found = {}
    for fence in fences:
        if not _SHELL.match(lines[fence.start - 1]) or len(fence) > 3 * _MOST_COMMANDS:
            continue
        inside = [lines[number - 1].strip() for number in fence[1:-1]]
        typed = [line[prompt.end() :] for line in inside if (prompt := _PROMPT.match(line))]
        if text := _told(typed or [line for line in inside if line and not line.startswith(_REMARKS)]):
            found[fence.start] = text
    return found


def _told(commands: Sequence[str]) -> str:
    """Return the first commands that there is room for; none of a script."""
    if len(commands) > _MOST_COMMANDS or any(line[-1] in "\\`|{(" or "`" in line for line in commands):
        return ""
    told = ""
    for command in commands:
        more = f"{told}; `{' '.join(command.split())}`".removeprefix("; ")
        told = more if len(more) <= _ROOM else told
    return told
