"""Find in the whole history what fits a question, in an index that is brought up to date first."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice

from progress_plugin import VERSION
from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.timestamp import moment, written
from progress_plugin.recall import index as index_file
from progress_plugin.recall import present_state
from progress_plugin.recall.file_mentions import is_path, is_same, names_file, parts_of, without_place
from progress_plugin.recall.index import KINDS, LEARNINGS, MEMORY, Index, primary_code, stored_name
from progress_plugin.recall.present_state import PresentState
from progress_plugin.recall.question import Question, question_of
from progress_plugin.recall.search import Filters, Hit, Search

DEFAULT = 5
MOST = 50
LOG_LOCK_TIMEOUT_S = 1.5  # an answer without what has come since says so
MAX_SHOWN_CHARS = 80
BUSY = "another process is indexing this history; ask again when it has finished"
INPUTS, VERSION_FACT = "inputs", "version"
HOURS = {"h": 1, "d": 24, "w": 7 * 24}
KINDS_OF_TOPIC = {
    "blocker": frozenset({"blocker"}),
    "next": frozenset({"next", "status", "blocker"}),
    "command": frozenset(),
}
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a hit must be besides an answer, as the user asks for it."""

    file: str | None = None
    story: str | None = None
    kind: str | None = None  # one of `KINDS`; `learnings` is the first three of them
    since: datetime | None = None  # with its zone


ANYTHING = Wanted()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What was found."""

    hits: list[Hit]
    searched: int  # passages in the index
    topic: str = ""  # what of the state the question is about, if nothing else
    state: tuple[str, ...] = ()  # what the state says on it
    filters: tuple[str, ...] = ()  # what the hits had to be besides, in words
    fits_without: bool = False  # whether something fits without the filters, if nothing does with them
    unknown: tuple[str, ...] = ()  # ids in the question that nothing names
    has_all_arrivals: bool = True  # whether all history of others that git has brought was searched
    has_sources: bool = True


@dataclass(frozen=True, slots=True)
class _Request:
    """One question, and how it is answered by an index."""

    project: Project
    words: str
    question: Question
    filters: Filters
    names: tuple[str, ...]
    number: int

    def answer(self, index: Index) -> Recalled:
        """Return the best hits of an index that is up to date."""
        state = PresentState.from_index(index)
        visible = _without_muted(state.muted)
        search = Search(index, self.question, self.filters)
        topic = "" if self.names else self.question.topic
        if topic:
            hits = _on_topic(topic, search.hits(MOST, state, visible))[: self.number]
        else:
            hits = self._of_the_path(index, state, visible) or search.hits(self.number, state, visible)
        has_others = False
        if self.names and not hits and self.question.terms:
            has_others = bool(Search(index, self.question, Filters()).hits(1, state, visible))
        return Recalled(
            hits=hits,
            searched=search.size,
            topic=topic,
            state=state.answers.get(topic, ()),
            filters=self.names,
            fits_without=has_others,
            unknown=search.unknown,
            has_sources=index.has_sources(),
        )

    def _of_the_path(
        self, index: Index, state: PresentState, visible: Callable[[str, str], str]
    ) -> list[Hit]:
        """Return the hits that name a path, if that alone is asked about and something names it."""
        if self.filters.file or not is_path(self.words):
            return []
        path = _file_asked(self.project, self.words.strip())
        found = Search(index, self.question, self.filters._replace(file=path)).hits(MOST, state, visible)
        return list(islice(_naming(path, found), self.number))


def recall(
    project: Project, words: str, n: int = DEFAULT, wanted: Wanted = ANYTHING, *, with_memory: bool = True
) -> Recalled:
    """Return the best `n` passages of the project's history that fit a question, none if nothing fits.

    Without words, the newest that are wanted. Raises BadInput for a question that is too long or says
    nothing, for an empty filter and an unknown kind, and Busy while another process is indexing.
    """
    question = question_of(words)
    if words.strip() and not question.terms:
        raise BadInput(
            f"nothing can be looked for in {_shown(words)!r}: it has no word that says what is meant"
        )
    if not question.terms and wanted == ANYTHING:
        raise BadInput("name what to look for: a question, names of code, a path")
    filters = _filters(project, wanted, with_memory=with_memory)
    request = _Request(project, words, question, filters, _describe(wanted), n)
    has_all = _take_in_arrivals(project)
    path = index_file.index_path(project.root)
    try:
        answer = path and (_ask_current(request, path) or _ask_updated(request, path))
    except (OSError, DiskRefused):
        answer = None  # there is no place for a file
    except sqlite3.Error as error:
        if primary_code(error) in _LOCKED:
            raise Busy(BUSY) from error
        if primary_code(error) not in _DISK:
            raise
        answer = None
    except Busy as error:
        raise Busy(BUSY) from error
    return replace(answer or _update(request, index_file.in_memory()), has_all_arrivals=has_all)


def _ask_current(request: _Request, path: str) -> Recalled | None:
    """Return the answer of the index as it is; None if it is not current, or damaged."""
    index = index_file.open_to_read(path)
    if index is None:
        return None
    try:
        with index.transaction():
            return request.answer(index) if _is_current(index, request.project) else None
    except sqlite3.DatabaseError as error:
        if primary_code(error) in _DAMAGED:
            return None
        raise
    finally:
        index.connection.close()


def _ask_updated(request: _Request, path: str) -> Recalled:
    """Return the answer of an index that is brought up to date first."""
    with index_file.lock_of(path):
        try:
            return _update(request, index_file.open_to_write(path))
        except sqlite3.DatabaseError as error:
            if primary_code(error) not in _DAMAGED:
                raise
            return _update(request, index_file.open_to_write(path, anew=True))


def _update(request: _Request, index: Index) -> Recalled:
    """Bring an index up to date and return its answer; a change meanwhile is seen by the next question."""
    from progress_plugin.usecases.reading import read_project  # noqa: PLC0415 - if something has changed
    from progress_plugin.usecases.recalling import other_passages, passages, state  # noqa: PLC0415

    try:
        inputs = InputSnapshot(request.project.root)
        reading = read_project(request.project, inputs)
        sources = [
            *passages.sources_of(reading),
            *other_passages.sessions_of(request.project, inputs),
            *other_passages.observations_of(request.project, reading.names, inputs),
        ]
        with index.transaction("IMMEDIATE"):
            is_same_version = index.fact(VERSION_FACT) == VERSION.encode()
            if not is_same_version:
                index.refresh([])  # nothing is kept of what other rules made
            index.refresh(sources)
            index.note(present_state.FACT, state.present_state(reading).to_bytes())
            index.note(VERSION_FACT, VERSION.encode())
            index.note(INPUTS, json.dumps(inputs.to_data()).encode())
        return request.answer(index)
    finally:
        index.connection.close()


def _is_current(index: Index, project: Project) -> bool:
    inputs = index.fact(INPUTS)
    if inputs is None or index.fact(VERSION_FACT) != VERSION.encode():
        return False
    snapshot = InputSnapshot.from_data(json.loads(inputs))
    return snapshot.root == project.root and snapshot.first_change() is None


def _take_in_arrivals(project: Project) -> bool:
    """Take in what git has brought of others' history, and return whether all of it is there."""
    if not data_directory.has_shared(project.directory):
        return True
    from progress_plugin.log import shared_entries  # noqa: PLC0415 - if history is shared

    if shared_entries.is_current(project.directory):
        return True
    from progress_plugin.usecases.sharing import is_shared, take_in_latest  # noqa: PLC0415

    take_in_latest(project, LOG_LOCK_TIMEOUT_S)
    return not is_shared(project) or shared_entries.is_current(project.directory)


def _on_topic(topic: str, hits: list[Hit]) -> list[Hit]:
    """Return the hits that answer a question about the state: of the right kind, or with a command."""
    kinds = KINDS_OF_TOPIC[topic]
    return [hit for hit in hits if hit.kind in kinds or (topic == "command" and hit.has_command)]


def _without_muted(muted: tuple[str, ...]) -> Callable[[str, str], str]:
    """Return a function that takes muted learnings out of a text; nothing else is ever hidden."""
    if not muted:
        return lambda text, _kind: text
    from progress_plugin.selection.muted import Muted  # noqa: PLC0415 - if anything is muted

    hides = Muted(muted).hides

    def visible(text: str, kind: str) -> str:
        if kind not in LEARNINGS:
            return text
        # Small items of one list are one passage.
        return "" if hides(text) else "; ".join(part for part in text.split("; ") if not hides(part))

    return visible


def _describe(wanted: Wanted) -> tuple[str, ...]:
    """Return the filters in words."""
    since_ = written(wanted.since) if wanted.since else None
    given = {"file": wanted.file, "story": wanted.story, "kind": wanted.kind, "since": since_}
    return tuple(f"{name} {_shown(value)}" for name, value in given.items() if value)


def _shown(text: str) -> str:
    from progress_plugin.text.safe_output import one_line  # noqa: PLC0415 - most questions show nothing of it

    return one_line(text, MAX_SHOWN_CHARS)


def _filters(project: Project, wanted: Wanted, *, with_memory: bool) -> Filters:
    for name, value in (("file", wanted.file), ("story", wanted.story), ("kind", wanted.kind)):
        if value is not None and not value.strip():
            raise BadInput(f"the {name} to look for is empty; name it, or leave it out")
    return Filters(
        file=_file_asked(project, wanted.file) if wanted.file else "",
        story=stored_name(wanted.story) if wanted.story else "",
        kinds=_kinds(wanted.kind) if wanted.kind else frozenset(),
        since=written(wanted.since) if wanted.since else "",
        without_source="" if with_memory else MEMORY,
    )


def _file_asked(project: Project, named: str) -> str:
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


def _kinds(kind: str) -> frozenset[str]:
    name = _singular(kind)
    if name == "learning":
        return LEARNINGS
    if name not in KINDS:
        raise BadInput(f"there is no kind {_shown(kind)}; there are learnings, {', '.join(KINDS)}")
    return frozenset({name})


def _singular(kind: str) -> str:
    """Return a kind as it is called here, however it was written: `Blockers` is `blocker`."""
    name = kind.strip().casefold()
    return name if name in KINDS else name.removesuffix("s")


def since(text: str, now: datetime) -> datetime:
    """Return the time that a text names: a day or time in ISO 8601, or `12h`, `7d`, `2w` before `now`.

    `now` carries its zone. Raises BadInput for another text.
    """
    number, unit = text[:-1], text[-1:]
    if unit in HOURS and number.isascii() and number.isdecimal() and len(number) <= 4:  # noqa: PLR2004 - digits
        return now - timedelta(hours=int(number) * HOURS[unit])
    when = moment(text)
    if when is None:
        raise BadInput(
            f"{_shown(text) or 'an empty text'} is no time; name a day such as 2026-11-01, or 12h, 7d, 2w"
        )
    return when


def _naming(path: str, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield those hits that name a path, or are in the file itself; none for the root's empty path."""
    asked, whole = parts_of(path), os.path.isabs(path)
    for hit in hits if asked else ():
        if names_file(hit.text, asked, whole=whole) or is_same(parts_of(hit.path), asked, whole=whole):
            yield hit
