"""The simple commands of a command line, those inside of `sh -c` too, in the order in which they run."""

from functools import lru_cache
from typing import NamedTuple

from progress_plugin.transcripts.commands.check_names import program_of
from progress_plugin.transcripts.commands.check_table import unwrapped
from progress_plugin.transcripts.commands.exit_code_owner import ends_of
from progress_plugin.transcripts.commands.shell_line import Part, is_cut, joined, parts_of

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
    is_reached: bool = True
    """Whether it certainly ran, where the line is through."""


@lru_cache(maxsize=256)
def commands_of(line: str) -> tuple[Command, ...]:
    """Return the simple commands of a line; who asks for its checks asks for its edits, too."""
    found = _commands(line, 0, "")
    return tuple(each._replace(tells=False) for each in found) if is_cut(line) else tuple(found)


def _commands(line: str, depth: int, folder: str) -> list[Command]:
    parts = parts_of(line)
    found: list[Command] = []
    for part, end in zip(parts, ends_of(parts), strict=True):
        here = joined(folder, part.folder)
        inner = _inner_line(part)
        if inner is None or depth == _DEEPEST:
            found.append(Command(part.words, here, part.targets, end.tells, part.after, end.is_reached))
            continue
        inside = [
            each._replace(tells=each.tells and end.tells, is_reached=each.is_reached and end.is_reached)
            for each in _commands(inner, depth + 1, here)
        ]
        found += inside[:-1]
        found += [
            last._replace(after=part.after, targets=last.targets + part.targets) for last in inside[-1:]
        ]
    return found


def _inner_line(part: Part) -> str | None:
    words = unwrapped(part.words)
    if words and program_of(words[0]) in _SHELLS:
        for place, word in enumerate(words[1:-1], 1):
            if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
                return words[place + 1]
    return None
