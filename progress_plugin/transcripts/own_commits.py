"""Which commits are a session's own: those whose ids or subjects are in its commands, or that hold its files.

Time alone proves nothing: another session may work beside it, and the user commits by hand.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from progress_plugin.core.git import RefMove
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.events import Ran

_PRINTED_ID = LazyPattern(
    r"^\[[^\]\n]{1,200} ([0-9a-f]{7,64})\] ", re.MULTILINE
)  # [main 934cc2c] feat: tides
_MAX_COMMITS = 20  # whose files git is asked for, the newest


class CommitCall(NamedTuple):
    """A command line that commits."""

    line: str
    ids: tuple[str, ...]  # the beginnings of ids that git printed


def commit_calls(event: Ran) -> list[CommitCall]:
    """Return what a command line shows of commits, as a list of one, or none."""
    ids = tuple(_PRINTED_ID.findall(event.output))
    if not ids and (event.exit_code not in (0, None) or "commit" not in event.command):
        return []
    return [CommitCall(event.command, ids)]


def own_commits(
    commits: Sequence[RefMove],
    calls: Sequence[CommitCall],
    files: Collection[str],
    files_of: Callable[[list[str]], dict[str, set[str]]],
) -> list[RefMove]:
    """Return the session's own of these commits; `files` are those that it wrote.

    `files_of` returns the files of commits by their ids, if git can tell them.
    """
    ids = tuple(each for call in calls for each in call.ids)
    own = {commit.id for commit in commits if _is_named(commit, calls, ids)}
    remaining = [commit.id for commit in commits if commit.id not in own][-_MAX_COMMITS:]
    if remaining and files:
        own |= {name for name, touched in files_of(remaining).items() if not touched.isdisjoint(files)}
    return [commit for commit in commits if commit.id in own]


def _is_named(commit: RefMove, calls: Sequence[CommitCall], ids: tuple[str, ...]) -> bool:
    version: RefMove | None = commit
    while version is not None:  # an amended commit was another one when it was printed
        subject = re.escape(version.subject or "\n")
        if version.id.startswith(ids) or any(
            re.search(rf"(?<!\w){subject}(?!\w)", call.line) for call in calls
        ):
            return True
        version = version.amended
    return False
