"""Which commits made while a session ran are its own: by its commands, or with files that it wrote.

Time alone tells nothing: another session may be at work beside, and the user commits by hand.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.core.git import LocalCommit
from progress_plugin.log.timestamp import moment
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.events import Ran

_NAMED = LazyPattern(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,64})\] ", re.MULTILINE)
"""How git names a commit that it has made: `[main 934cc2c] feat: tide table`."""
_WITH_VALUE = ("-C", "-c", "--git-dir", "--work-tree", "--namespace")
_MOST = 20
"""Commits whose files git is asked for, the newest."""


class CommitCall(NamedTuple):
    """A command line that has committed, as far as it and its output tell."""

    line: str
    named: tuple[str, ...]
    """The beginnings of ids that were printed."""
    number: int
    """How many of its commands commit, and have not certainly failed."""
    since: str
    """What the session did before it: it began later."""
    when: str


def commit_calls(event: Ran, since: str) -> list[CommitCall]:
    """Return what a command line tells of commits, as a list of one, or none."""
    named = tuple(_NAMED.findall(event.output))
    if not named and "commit" not in event.command:
        return []
    from progress_plugin.transcripts.commands.line_commands import commands_of  # noqa: PLC0415 - few lines commit

    number = sum(_is_commit(command.words) for command in commands_of(event.command))
    has_failed = event.exit_code not in (0, None)
    began = min(filter(None, (since, event.began)), default="")
    if not named and not number:
        return []
    return [CommitCall(event.command, named, 0 if has_failed else number, began, event.when)]


def own_commits(
    commits: Sequence[LocalCommit],
    calls: Iterable[CommitCall],
    known: Collection[str],
    files: Collection[str],
    files_of: Callable[[list[str]], dict[str, set[str]]],
) -> list[LocalCommit]:
    """Return the session's own of these commits.

    `calls` are its commands since the last reading, `known` the ids of the commits that were its own then,
    `files` what it wrote; `files_of` returns the files of commits by their ids, where git can tell them.
    """
    own = {commit.id for commit in commits if any(each.id in known for each in _versions(commit))}
    for call in calls:
        own |= {commit.id for commit in _made_by(call, commits)}
    left = [commit.id for commit in commits if commit.id not in own][-_MOST:]
    if left and files:
        own |= {name for name, touched in files_of(left).items() if not touched.isdisjoint(files)}
    return [commit for commit in commits if commit.id in own]


def _made_by(call: CommitCall, commits: Sequence[LocalCommit]) -> list[LocalCommit]:
    """Return what a command line has committed: by what it printed, else by its words, else by time."""
    if call.named:
        return [each for each in commits if any(one.id.startswith(call.named) for one in _versions(each))]
    meanwhile = [each for each in commits if any(_is_meanwhile(one, call) for one in _versions(each))]
    for found in (meanwhile, commits):
        said = [each for each in found if any(_is_said(one.subject, call.line) for one in _versions(each))]
        if said:
            return said
    return meanwhile[len(meanwhile) - min(call.number, len(meanwhile)) :]


def _versions(commit: LocalCommit) -> Iterator[LocalCommit]:
    """Yield a commit, and what it was before it was amended."""
    version: LocalCommit | None = commit
    while version is not None:
        yield version
        version = version.amended


def _is_meanwhile(commit: LocalCommit, call: CommitCall) -> bool:
    since, when = moment(call.since), moment(call.when)
    if since is None or when is None:
        return False
    return int(since.timestamp()) <= commit.time <= when.timestamp() + 1


def _is_said(subject: str, line: str) -> bool:
    """Return whether a command line has a commit's subject, and not as a part of other words."""
    before, found, behind = line.partition(subject) if subject else ("", "", "")
    return bool(found) and not before[-1:].isalnum() and not behind[:1].isalnum()


def _is_commit(words: Sequence[str]) -> bool:
    from progress_plugin.transcripts.commands.check_names import program_of  # noqa: PLC0415 - as that
    from progress_plugin.transcripts.commands.check_table import unwrapped  # noqa: PLC0415 - as that

    program, *rest = unwrapped(words) or [""]
    if program_of(program) != "git":
        return False
    while rest and rest[0].startswith("-"):
        rest = rest[2 if rest[0] in _WITH_VALUE else 1 :]
    return rest[:1] == ["commit"]
