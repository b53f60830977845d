"""Find in the whole history what fits a question, in an index that is brought up to date first."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
from dataclasses import dataclass, replace

from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.memory.sqlite import BROKEN, BUSY, DISK, primary_code, transaction
from progress_plugin.recall import index_file, present_state
from progress_plugin.recall.file_mentions import is_path, is_same, names_file, parts_of
from progress_plugin.recall.filters import Filters
from progress_plugin.recall.index import LEARNINGS, MEMORY, Index
from progress_plugin.recall.present_state import PresentState
from progress_plugin.recall.question import Question, question_of
from progress_plugin.recall.search import Hit, Search, Visible
from progress_plugin.usecases.recalling.wanted import Wanted, path_in_history, shown

DEFAULT = 5
MOST = 50
LOG_LOCK_TIMEOUT_S = 1.5  # an answer without what has come since says so
IS_INDEXING = "another process is indexing this history; ask again when it has finished"
INPUTS = "inputs"
KINDS_OF_TOPIC = {
    "blocker": frozenset({"blocker"}),
    "next": frozenset({"next", "status", "blocker"}),
    "command": frozenset[str](),
}


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


@dataclass(frozen=True, slots=True)
class _Request:
    """One question, and how it is answered by an index."""

    project: Project
    words: str
    question: Question
    filters: Filters
    names: tuple[str, ...]  # of the filters
    number: int
    with_memory: bool

    def answer(self, index: Index) -> Recalled:
        """Return the best hits of an index that is up to date."""
        state = PresentState.from_index(index)
        visible = _without_muted(state.muted)
        search = Search(index, self.question, self.filters)
        topic = "" if self.names else self.question.topic
        path = self._path_asked()
        without = "" if self.with_memory else MEMORY
        hits: list[Hit] = []
        if topic:
            hits = search.hits(MOST, state, visible, without)
            hits = [hit for hit in hits if _is_on_topic(hit, topic)]
        elif path:
            about = Search(index, self.question, replace(self.filters, file=path))
            hits = [hit for hit in about.hits(MOST, state, visible, without) if _names(hit, path)]
        if not hits and not topic:
            hits = search.hits(self.number, state, visible, without)
        has_others = False
        if self.names and not hits and self.question.terms:
            has_others = bool(Search(index, self.question, Filters()).hits(1, state, visible))
        return Recalled(
            hits=hits[: self.number],
            searched=search.size,
            topic=topic,
            state=state.answers.get(topic, ()),
            filters=self.names,
            fits_without=has_others,
            unknown=search.unknown,
        )

    def _path_asked(self) -> str:
        """Return the path that is all that is asked about, else an empty text."""
        if self.filters.file or not is_path(self.words):
            return ""
        return path_in_history(self.project, self.words.strip())


def recall(
    project: Project, words: str, n: int = DEFAULT, wanted: Wanted | None = None, *, with_memory: bool = True
) -> Recalled:
    """Return the best `n` passages of the project's history that fit a question, none if nothing fits.

    Without words, the newest that are wanted. Raises BadInput for a question that is too long or says
    nothing, for an empty filter and an unknown kind, and Busy while another process is indexing.
    """
    wanted = wanted or Wanted()
    question = question_of(words)
    if words.strip() and not question.terms:
        raise BadInput(
            f"nothing can be looked for in {shown(words)!r}: it has no word that says what is meant"
        )
    if not question.terms and wanted == Wanted():
        raise BadInput("name what to look for: a question, names of code, a path")
    filters = wanted.filters(project)
    request = _Request(project, words, question, filters, wanted.describe(), n, with_memory)
    has_all = _take_in_arrivals(project)
    path = index_file.index_path(project.root)
    try:
        answer = (_ask_current(request, path) or _ask_updated(request, path)) if path else None
    except Busy as error:
        raise Busy(IS_INDEXING) from error
    except sqlite3.Error as error:
        if primary_code(error) in BUSY:
            raise Busy(IS_INDEXING) from error
        if primary_code(error) not in DISK:
            raise
        answer = None
    except (OSError, DiskRefused):
        answer = None  # there is no place for a file
    return replace(answer or _update(request, index_file.in_memory()), has_all_arrivals=has_all)


def _ask_current(request: _Request, path: str) -> Recalled | None:
    """Return the answer of the index as it is; None if it is not current, or damaged."""
    index = index_file.open_to_read(path)
    if index is None:
        return None
    try:
        with transaction(index.connection, "DEFERRED"):
            return request.answer(index) if _is_current(index, request.project) else None
    except sqlite3.DatabaseError as error:
        if primary_code(error) in BROKEN:
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
            if primary_code(error) not in BROKEN:
                raise
            return _update(request, index_file.open_to_write(path, anew=True))


def _update(request: _Request, index: Index) -> Recalled:
    """Bring an index up to date and return its answer; a change meanwhile is seen by the next question."""
    from progress_plugin.usecases.reading import read_project  # noqa: PLC0415 - if something has changed
    from progress_plugin.usecases.recalling import other_passages, passages, state  # noqa: PLC0415

    gc.disable()  # many objects are made, and nearly all of them are needed until the end
    try:
        inputs = InputSnapshot(request.project.root)
        reading = read_project(request.project, inputs)
        sources = [
            *passages.sources_of(reading),
            *other_passages.sessions_of(request.project, inputs),
            *other_passages.observations_of(request.project, reading.names, inputs),
        ]
        with transaction(index.connection):
            index.refresh(sources)
            index.note(present_state.FACT, state.present_state(reading).to_bytes())
            index.note(INPUTS, json.dumps(inputs.to_data()).encode())
        return request.answer(index)
    finally:
        gc.enable()
        index.connection.close()


def _is_current(index: Index, project: Project) -> bool:
    inputs = index.fact(INPUTS)
    if inputs is None:
        return False
    snapshot = InputSnapshot.from_data(json.loads(inputs))
    return snapshot.root == project.root and snapshot.first_change() is None


def _take_in_arrivals(project: Project) -> bool:
    """Take in what git has brought of others' history, and return whether all of it is there."""
    if not data_directory.has_shared(project.directory):
        return True
    from progress_plugin.usecases.sharing import find_new, is_shared, take_in_latest  # noqa: PLC0415

    take_in_latest(project, LOG_LOCK_TIMEOUT_S)
    return not is_shared(project) or not find_new(project)


def _without_muted(muted: tuple[str, ...]) -> Visible:
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


def _is_on_topic(hit: Hit, topic: str) -> bool:
    """Return whether a hit answers a question about the state: of the right kind, or with a command."""
    return hit.kind in KINDS_OF_TOPIC[topic] or (topic == "command" and hit.has_command)


def _names(hit: Hit, path: str) -> bool:
    """Return whether a hit names a path, or is in the file itself."""
    asked, whole = parts_of(path), os.path.isabs(path)
    return names_file(hit.text, asked, whole=whole) or is_same(parts_of(hit.path), asked, whole=whole)
