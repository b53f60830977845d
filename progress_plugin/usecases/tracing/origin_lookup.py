"""From the origins of a line to the very lines that say it: looked up when somebody asks, never at a start.

A passage knows its lines. Of everything else the entry, the story or the file is known, and within it those
lines are named that hold the words; where none does, the line it begins with.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from progress_plugin.core import data_directory
from progress_plugin.core.paths import database_path
from progress_plugin.learnings.logged_learnings import from_entries
from progress_plugin.log import archive, archive_index, store
from progress_plugin.log.entry import data_of, text_of, texts_of
from progress_plugin.model.origin import DOCUMENT, HEAD, Origin
from progress_plugin.model.story import Story
from progress_plugin.summary.origin_marks import Part
from progress_plugin.text.document_text import document_text
from progress_plugin.usecases.summarizing.compose import Composed
from progress_plugin.usecases.summarizing.gather import OUR_LOG
from progress_plugin.usecases.tracing.cited_file import CitedFile, cover
from progress_plugin.worth.said_already import words_of

_ENOUGH = 0.5
"""Share of the words that lines must hold where nothing but the file is known, or only what is above."""
_COMPLETED = 0.15
"""Share of a line's words that its statement lacks where it is shown with what is above it."""
_MANY = 4
"""Origins of one text beyond which it only counts them: each is named by the line it begins with."""


class OriginPlace(NamedTuple):
    """One place that says what a line says."""

    path: str
    """Relative to the project root where it lies inside."""
    line: int | None = None
    """1-based; None where only the file is known."""
    entry: str | None = None
    """Id of an entry of our log or its archive, of the row of the memory database, or of a session."""
    story: str | None = None
    """Id of a story of a plan."""


class OriginLookup:
    """Looks up origins in the files that a context was made from; each file is read once."""

    def __init__(self, composed: Composed) -> None:
        self._sources = composed.sources
        self._facts = composed.facts
        self._opened: dict[str, CitedFile] = {}

    def of(self, parts: Sequence[Part]) -> list[OriginPlace]:
        """Return the places of what a line says, those of one file in the order of their lines."""
        told = ((origin, _words(part)) for part in parts for origin in part.origins)
        found = dict.fromkeys(place for origin, words in told for place in self._of(origin, words))
        rank = {path: at for at, path in enumerate(dict.fromkeys(place.path for place in found))}
        return sorted(found, key=lambda place: (rank[place.path], place.line or 0))

    def _of(self, origin: Origin, words: frozenset[str]) -> Iterator[OriginPlace]:
        if origin == DOCUMENT:
            document = self._sources.document
            yield OriginPlace(database_path() or origin.source, entry=str(document.id) if document else None)
        elif origin == HEAD:
            repository = self._sources.project.repository
            yield OriginPlace(self._relative(repository.head_file) if repository else origin.source, 1)
        elif origin.source in ("", OUR_LOG):
            yield from self._of_ours(origin, words)
        else:
            lines = self._stated(origin, words) if origin.last else self._within(origin, words)
            yield from (OriginPlace(origin.source, line, story=origin.story) for line in lines)

    def _relative(self, path: str) -> str:
        root = self._sources.project.root
        path = os.path.join(root, path)
        return os.path.relpath(path, root).replace(os.sep, "/") if path.startswith(root + os.sep) else path

    def _file(self, path: str) -> CitedFile:
        if path not in self._opened:
            self._opened[path] = _cited(path, self._sources.inputs.read(path))
        return self._opened[path]

    def _file_of_ours(self, name: str) -> CitedFile:
        """Return a file of the log's directory, which in a linked worktree is that of the main one."""
        directory = self._sources.project.log_directory
        path = os.path.join(directory, name)
        if path not in self._opened:
            self._opened[path] = _cited(self._relative(path), data_directory.read(directory, name))
        return self._opened[path]

    # Plans and agents' logs

    def _stated(self, origin: Origin, words: frozenset[str]) -> list[int]:
        """Return the lines of a statement, and the one above that it completes, if shown with it."""
        file = self._file(origin.source)
        last = self._end(origin.source, origin.last)
        lines = file.all_made_of(origin.line, last, words) or file.holding(origin.line, last, words)
        lines = lines or [origin.line]
        left = words.difference(*map(file.words, lines))
        if len(left) <= _COMPLETED * len(words):
            return lines
        first = next((first for first, stop in self._entries(origin) if first <= origin.line < stop), 1)
        shared, line = max(
            ((len(left & file.words(at)), at) for at in range(first, lines[0])), default=(0, 0)
        )
        return [line, *lines] if shared >= len(left) * _ENOUGH else lines

    def _end(self, path: str, line: int) -> int:
        """Return the last line of the paragraph or item that begins at a line."""
        log = next((log for log in self._sources.logs if log.source == path), None)
        after = (block.line for block in log.document.blocks if block.line > line) if log else iter(())
        return max(next(after, line + 1) - 1, line)

    def _within(self, origin: Origin, words: frozenset[str]) -> Sequence[int | None]:
        """Return the lines of an entry, a story or a whole file that say something."""
        file = self._file(origin.source)
        span = self._story(origin) if origin.story is not None else self._entry(origin)
        words |= words_of(origin.story or "")
        if span is not None:
            return file.holding(*span, words) or [span[0]]
        lines = file.holding(1, len(file.lines), words)
        held = words.intersection(*[frozenset().union(*map(file.words, lines))])
        return lines if len(held) >= max(len(words) * _ENOUGH, 1) else [None]

    def _entry(self, origin: Origin) -> tuple[int, int] | None:
        spans = self._entries(origin)
        return next(((first, stop - 1) for first, stop in spans if first == origin.line), None)

    def _entries(self, origin: Origin) -> Iterator[tuple[int, int]]:
        """Yield first line and the line after the last of an entry; a machine may have repeated it."""
        for log in self._sources.logs:
            if log.source == origin.source:
                spans = (span for span in log.spans if log.events[span[2]].position == origin.position)
                yield from ((first, stop) for first, stop, _ in spans)

    def _story(self, origin: Origin) -> tuple[int, int] | None:
        story, number = self._stories.get((origin.source, origin.story or ""), (None, 0))
        file = self._file(origin.source)
        if story is None:
            return None
        if story.line is None:
            return file.stating(story.title, story.id, number)
        after = (line for path, line in self._lines_of_stories if path == origin.source and line > story.line)
        return story.line, min(after, default=len(file.lines) + 1) - 1

    @cached_property
    def _stories(self) -> dict[tuple[str, str], tuple[Story, int]]:
        """Every story by plan and id, and how many of its title come before it."""
        found, titles = {}, Counter[tuple[str, str]]()
        for plan in self._sources.plans:
            for story in plan.stories:
                found[plan.path, story.id] = story, titles[plan.path, story.title]
                titles[plan.path, story.title] += 1
        return found

    @cached_property
    def _lines_of_stories(self) -> list[tuple[str, int]]:
        stories = ((path, story) for (path, _), (story, _) in self._stories.items())
        return [(path, story.line) for path, story in stories if story.line]

    # Our own log

    def _of_ours(self, origin: Origin, words: frozenset[str]) -> Iterator[OriginPlace]:
        names = [origin.entry] if origin.entry else self._names(origin, words)
        for name in names:
            yield from self._of_entry(name, words)
        if not names:
            yield OriginPlace(self._file_of_ours(store.LOG_FILE).path)

    def _names(self, origin: Origin, words: frozenset[str]) -> list[str]:
        """Return the ids of the entries that an origin means: by place, by story, else by what they teach."""
        if origin.position:
            return [self._events[origin.position]] if origin.position in self._events else []
        if origin.story:
            named = (
                text_of(item, "id") for _, item in self._items if text_of(item, "task_id") == origin.story
            )
            return [name for name in named if name][-1:]
        taught = self._taught
        return list(
            dict.fromkeys(taught[at][0] for at in cover([words_of(text) for _, text in taught], words))
        )

    @cached_property
    def _events(self) -> dict[int, str]:
        """The ids of our entries by their position."""
        ours = (event for event in self._facts.events if event.source == OUR_LOG)
        return {event.position: event.entry for event in ours if event.entry}

    @cached_property
    def _taught(self) -> list[tuple[str, str]]:
        """What our entries teach, each with its id, the newest first."""
        log = self._sources.log
        archived = [
            (fact.get("id"), " ".join(filter(None, (fact["text"], fact.get("cure")))))
            for fact in log.archived_learnings()
        ]
        live = [(text_of(entry, "id"), each.text) for entry in log.entries for each in from_entries([entry])]
        return [(name, text) for name, text in reversed([*archived, *live]) if isinstance(name, str)]

    def _of_entry(self, name: str, words: frozenset[str]) -> Iterator[OriginPlace]:
        """Yield the lines of an entry and of those that add to it, as far as they hold the words."""
        found = []
        for file_name, own in self._family.get(name, []):
            file = self._file_of_ours(file_name)
            if span := file.entry(own):
                line = (file.holding(*span, words) or [span[0]])[0]
                found.append((OriginPlace(file.path, line, entry=own), file.words(line)))
        held = cover([own for _, own in found], words) or [0]
        yield from (found[at][0] for at in held if at < len(found))

    @cached_property
    def _items(self) -> list[tuple[str, dict[str, Any]]]:
        """Every entry of the archive and of the log with the name of its file, oldest first."""
        directory = self._sources.project.log_directory
        months = [
            (f"{archive_index.ARCHIVE_FOLDER}/{name}", archive.read(directory, name))
            for name in archive_index.names(directory)
        ]
        files = [*months, (store.LOG_FILE, self._sources.log.log.items)]
        return [(name, item) for name, items in files for item in items if isinstance(item, dict)]

    @cached_property
    def _family(self) -> dict[str, list[tuple[str, str]]]:
        """For each id the entry and those that add to it: name of the file, and id."""
        found: dict[str, list[tuple[str, str]]] = {}
        for file, item in self._items:
            own = text_of(item, "id")
            for name in (own, *texts_of(data_of(item), "supplements")):
                if name and own:
                    found.setdefault(name, []).append((file, own))
        return found


def _words(part: Part) -> frozenset[str]:
    return words_of(part.text) if len(part.origins) <= _MANY else frozenset()


def _cited(path: str, data: bytes | None) -> CitedFile:
    return CitedFile(path, document_text(data or b"", path)[0])
