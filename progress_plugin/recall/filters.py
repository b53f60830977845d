"""Filter passages by story, file, kind and time.

A text or a question may name a file by its path, by the end of its path, or by its name alone.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.log.timestamp import format_time, read_time
from progress_plugin.recall.index import KINDS, LEARNINGS, Index
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import one_line

MAX_SHOWN_CHARS = 80
HOURS = {"h": 1, "d": 24, "w": 7 * 24}
MAX_AGE_DIGITS = 4
SLASH = r"[/\\]"
_PLACE = LazyPattern(r"(?<=.)(?:(?::\d[^:]*){1,2}|#L\d[-L\d]*)$", re.ASCII | re.IGNORECASE)
"""Line and column after a path, `:12:3`, or lines in a link, `#L10-L20`."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that all must hold; None does not restrict."""

    file: str | None = None  # the passage names the file or is from it, or the passage's entry lists it
    story: str | None = None
    kind: str | None = None  # one of `KINDS`; `learnings` is the first three of them
    since: datetime | None = None  # with a time zone

    def describe(self) -> tuple[str, ...]:
        """Return the filters in words."""
        since = format_time(self.since) if self.since else None
        given = {"file": self.file, "story": self.story, "kind": self.kind, "since": since}
        return tuple(f"{name} {shorten(value)}" for name, value in given.items() if value)

    def checked(self, project: Project) -> Filters:
        """Return the filters with the file as the history names it.

        Raises BadInput for an empty filter and an unknown kind.
        """
        for name, value in (("file", self.file), ("story", self.story), ("kind", self.kind)):
            if value is not None and not value.strip():
                raise BadInput(f"the {name} to look for is empty; name it, or leave it out")
        if self.kind and not find_kinds(self.kind):
            raise BadInput(f"there is no kind {shorten(self.kind)}; there are: learnings, {', '.join(KINDS)}")
        return replace(self, file=path_in_history(project, self.file) if self.file else None)

    def condition(self, index: Index) -> tuple[str, list[str]]:
        """Return the SQL condition that a passage `p` of the index has to meet, and its values."""
        conditions, values = ["1"], list[str]()
        add_function = index.connection.create_function
        if self.file:
            names = file_pattern(self.file).search
            add_function("names_file", 1, lambda text: bool(names(text)), deterministic=True)
            conditions.append(
                "(names_file(p.path) OR names_file(p.text) OR (p.path, p.entry) IN "
                "(SELECT path, entry FROM passages WHERE kind = 'files' AND entry AND names_file(text)))"
            )
        if self.story:
            add_function("is_about", 2, _is_about, deterministic=True)
            conditions.append("is_about(p.stories, ?)")
            values.append(self.story)
        if self.kind:
            kinds = find_kinds(self.kind)
            conditions.append(f"p.kind IN ({', '.join('?' * len(kinds))})")
            values += kinds
        if self.since:
            conditions.append("p.at <> '' AND p.at >= substr(?, 1, length(p.at))")
            values.append(format_time(self.since))
        return " AND ".join(conditions), values


def _is_about(stories: str, story: str) -> bool:
    stories, name = stories.casefold(), story.casefold()
    return f"\n{name}\n" in stories or f"\n{name}." in stories  # story `2` includes `2.1`


def find_kinds(name: str) -> frozenset[str]:
    """Return the kinds of passages that a name means, however it is written: `Blockers`, `learnings`."""
    name = name.strip().casefold()
    name = name if name in KINDS else name.removesuffix("s")
    return LEARNINGS if name == "learning" else frozenset({name}.intersection(KINDS))


def parse_time(text: str, now: datetime) -> datetime:
    """Return the time that a text names: a day or time in ISO 8601, or `12h`, `7d`, `2w` before `now`.

    `now` has a time zone. Raises BadInput for another text.
    """
    number, unit = text[:-1], text[-1:]
    if unit in HOURS and number.isascii() and number.isdecimal() and len(number) <= MAX_AGE_DIGITS:
        return now - timedelta(hours=int(number) * HOURS[unit])
    when = read_time(text)
    if when is None:
        raise BadInput(
            f"{shorten(text) or 'an empty text'} is not a time; name a day such as 2026-11-01, or 12h, 7d, 2w"
        )
    return when


def shorten(text: str) -> str:
    return one_line(text, MAX_SHOWN_CHARS)


def path_in_history(project: Project, named: str) -> str:
    """Return a path as the history names it: relative to the root if it lies inside, else absolute.

    The root itself becomes an empty text. A path in another worktree counts as one in this worktree, and so
    does a path of another machine that leads through a directory with the root's name.
    """
    whole = os.path.normpath(os.path.join(project.root, _PLACE.sub("", named)))
    roots = [project.root, *sorted(project.roots())]
    places = [(whole, root) for root in roots]
    places += [(os.path.realpath(whole), os.path.realpath(root)) for root in roots]
    for place, root in places:
        if place == root or place.startswith(f"{root.rstrip(os.sep)}{os.sep}"):
            return place[len(root) :].strip(os.sep)
    _, found, below = whole.partition(f"{os.sep}{os.path.basename(project.root)}{os.sep}")
    return below if found and not os.path.lexists(whole) else whole


def file_pattern(file: str) -> re.Pattern[str]:
    """Return the pattern of a file or folder in a text: its path, the end of its path, or a path through it.

    `src/db.ts` is found as `db.ts` and `web/src/db.ts`, but not as `lib/db.ts`. `src/gate` is not found as
    `gate`, which may be any word. A path outside the project is found only as a whole.
    """
    parts = [re.escape(part) for part in re.split(SLASH, file) if part not in {"", "."}]
    whole, *ends = [SLASH.join(parts[at:]) for at in range(len(parts))] or ["(?!)"]
    if os.path.isabs(file):
        ends = []
    elif ends and "." not in parts[-1]:
        ends.pop()
    of_ends = "".join(rf"|(?<![\w./\\-])(?:\./)?{end}(?![/\\])" for end in ends)
    return re.compile(rf"(?:(?<![\w.-]){whole}{of_ends})(?![\w-]|\.\w)", re.IGNORECASE)


def is_path(question: str) -> bool:
    """Return whether a question is one path: a word with a folder or a file's ending in it."""
    if len(question.split()) != 1 or not ("/" in question or "." in question):
        return False
    from progress_plugin.text.paths_in_text import paths_in  # noqa: PLC0415 - few questions are a path

    return bool(paths_in(question))
