"""What a hit must be besides an answer, as a user asks for it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.timestamp import moment, written
from progress_plugin.recall.file_mentions import without_place
from progress_plugin.recall.filters import Filters
from progress_plugin.recall.index import KINDS, LEARNINGS

MAX_SHOWN_CHARS = 80
HOURS = {"h": 1, "d": 24, "w": 7 * 24}
MAX_AGE_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters of a question; None does not restrict."""

    file: str | None = None
    story: str | None = None
    kind: str | None = None  # one of `KINDS`; `learnings` is the first three of them
    since: datetime | None = None  # with its zone

    def describe(self) -> tuple[str, ...]:
        """Return the filters in words."""
        since_ = written(self.since) if self.since else None
        given = {"file": self.file, "story": self.story, "kind": self.kind, "since": since_}
        return tuple(f"{name} {shown(value)}" for name, value in given.items() if value)

    def filters(self, project: Project) -> Filters:
        """Return the filters as the index has them. Raises BadInput for an empty one and an unknown kind."""
        for name, value in (("file", self.file), ("story", self.story), ("kind", self.kind)):
            if value is not None and not value.strip():
                raise BadInput(f"the {name} to look for is empty; name it, or leave it out")
        return Filters(
            file=path_in_history(project, self.file) if self.file else "",
            story=self.story or "",
            kinds=_kinds(self.kind) if self.kind else frozenset(),
            since=written(self.since) if self.since else "",
        )


def path_in_history(project: Project, named: str) -> str:
    """Return a path as the history names it: relative to the root if it lies inside, else absolute.

    Nothing is left of the root itself, which contains everything. A file in another worktree is the same,
    and so is one of another machine whose path leads through a directory of the root's name.
    """
    path = without_place(named)
    whole = os.path.normpath(os.path.join(project.root, path))
    roots = [project.root, *sorted(project.roots())]
    places = [(whole, root) for root in roots]
    places += [(os.path.realpath(whole), os.path.realpath(root)) for root in roots]
    for place, root in places:
        if place == root or place.startswith(f"{root.rstrip(os.sep)}{os.sep}"):
            return place[len(root) :].strip(os.sep)
    _, found, below = whole.partition(f"{os.sep}{os.path.basename(project.root)}{os.sep}")
    return below if found and not os.path.lexists(whole) else whole


def is_kind(name: str) -> bool:
    """Return whether there are passages of a kind of this name."""
    return _singular(name) in (*KINDS, "learning")


def since(text: str, now: datetime) -> datetime:
    """Return the time that a text names: a day or time in ISO 8601, or `12h`, `7d`, `2w` before `now`.

    `now` carries its zone. Raises BadInput for another text.
    """
    number, unit = text[:-1], text[-1:]
    if unit in HOURS and number.isascii() and number.isdecimal() and len(number) <= MAX_AGE_DIGITS:
        return now - timedelta(hours=int(number) * HOURS[unit])
    when = moment(text)
    if when is None:
        raise BadInput(
            f"{shown(text) or 'an empty text'} is no time; name a day such as 2026-11-01, or 12h, 7d, 2w"
        )
    return when


def shown(text: str) -> str:
    """Return what a user typed as a message names it."""
    from progress_plugin.text.safe_output import one_line  # noqa: PLC0415 - most questions show nothing of it

    return one_line(text, MAX_SHOWN_CHARS)


def _kinds(kind: str) -> frozenset[str]:
    name = _singular(kind)
    if name == "learning":
        return LEARNINGS
    if name not in KINDS:
        raise BadInput(f"there is no kind {shown(kind)}; there are learnings, {', '.join(KINDS)}")
    return frozenset({name})


def _singular(kind: str) -> str:
    """Return a kind as it is called here, however it was written: `Blockers` is `blocker`."""
    name = kind.strip().casefold()
    return name if name in KINDS else name.removesuffix("s")
