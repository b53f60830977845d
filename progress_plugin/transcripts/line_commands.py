"""The simple commands of a command line, those inside of `sh -c` too, in the order in which they run.

How a line is taken apart is decided in `transcripts.shell_line` (`parts_of`).
"""

from functools import lru_cache

from progress_plugin.core.light_typing import NamedTuple
from progress_plugin.transcripts.check_names import program_of
from progress_plugin.transcripts.check_table import unwrapped
from progress_plugin.transcripts.shell_line import Part, joined, parts_of, tells_exit_code

_DEEPEST = 3
"""Shells within shells that are looked into."""
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ash"))


class Command(NamedTuple):
    """A simple command of a line."""

    words: tuple[str, ...]
    folder: str
    """Where it runs, from where the line begins."""
    targets: tuple[str, ...]
    """The files that its standard output goes to."""
    tells: bool
    """Whether the line succeeds only if this command does."""
    after: str
    """The operator that follows."""


@lru_cache(maxsize=256)
def commands_of(line: str) -> tuple[Command, ...]:
    """Return the simple commands of a line: it is asked for its checks and its edits, and it is run again."""
    return tuple(_commands(line, 0, ""))


def _commands(line: str, depth: int, folder: str) -> list[Command]:
    parts = parts_of(line)
    found: list[Command] = []
    for place, part in enumerate(parts):
        here, tells = joined(folder, part.folder), tells_exit_code(parts, place)
        inner = _inner_line(part)
        if inner is None or depth == _DEEPEST:
            found.append(Command(part.words, here, part.targets, tells, part.after))
            continue
        inside = _commands(inner, depth + 1, here)
        found += [each._replace(tells=each.tells and tells) for each in inside[:-1]]
        found += [
            last._replace(tells=last.tells and tells, after=part.after, targets=last.targets + part.targets)
            for last in inside[-1:]
        ]
    return found


def _inner_line(part: Part) -> str | None:
    words = unwrapped(part.words)
    if words and program_of(words[0]) in _SHELLS:
        for place, word in enumerate(words[1:-1], 1):
            if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
                return words[place + 1]
    return None
