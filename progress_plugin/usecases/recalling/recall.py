"""Find in the whole history what fits a question, in an index that is made again when an input changed."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain

from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.memory.sqlite import BROKEN, BUSY, DISK, primary_code, transaction
from progress_plugin.recall.filters import (
    Filters,
    is_path,
    is_same,
    names_file,
    parts_of,
    path_in_history,
    shown,
)
from progress_plugin.recall.index import (
    MEMORY,
    Index,
    create_in_memory,
    create_index,
    index_lock,
    index_path,
    open_index,
)
from progress_plugin.recall.question import question_of
from progress_plugin.recall.ranking import names_command
from progress_plugin.recall.search import Hit, Search
from progress_plugin.recall.terms import terms_of

DEFAULT = 5
MOST = 50
LOG_LOCK_TIMEOUT_S = 1.5  # an answer without what has come since says so
IS_INDEXING = "another process is indexing this history; ask again when it has finished"
INPUTS = "inputs"
KINDS_OF_TOPIC = {
    "blocker": frozenset({"blocker"}),
    "next": frozenset({"next", "status", "blocker"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What was found."""

    hits: list[Hit]
    searched: int  # passages in the index
    topic: str = ""  # what of the state the question is about, if nothing else
    state: tuple[str, ...] = ()  # what the state says on it
    filters: tuple[str, ...] = ()  # what the hits had to be besides, in words
    unknown: tuple[str, ...] = ()  # ids in the question that nothing names
    has_all_arrivals: bool = True  # whether all history of others that git has brought was searched


Ask = Callable[[Index], Recalled]


def recall(
    project: Project,
    words: str,
    n: int = DEFAULT,
    filters: Filters | None = None,
    *,
    with_memory: bool = True,
) -> Recalled:
    """Return the best `n` passages of the project's history that fit a question, none if nothing fits.

    Without words, the newest that pass the filters. Raises BadInput for a question that is too long or says
    nothing, for an empty filter and an unknown kind, and Busy while another process is indexing.
    """
    filters = filters or Filters()
    question = question_of(words)
    if words.strip() and not question.terms:
        raise BadInput(
            f"nothing can be looked for in {shown(words)!r}: it has no word that says what is meant"
        )
    if not question.terms and filters == Filters():
        raise BadInput("name what to look for: a question, names of code, a path")
    names, filters = filters.describe(), filters.checked(project)
    path = "" if filters.file or not is_path(words) else path_in_history(project, words.strip())
    without = "" if with_memory else MEMORY

    def ask(index: Index) -> Recalled:
        search = Search(index, question, filters, without)
        topic = "" if names else question.topic
        hits: list[Hit] = []
        if topic:
            hits = [hit for hit in search.hits(MOST) if _is_on_topic(hit, topic)]
        elif path:
            about = Search(index, question, replace(filters, file=path), without)
            hits = [hit for hit in about.hits(MOST) if _names(hit, path)]
        if not hits and not topic:
            hits = search.hits(n)
        return Recalled(
            hits=hits[:n],
            searched=search.size,
            topic=topic,
            state=tuple(search.state.answers.get(topic, ())),
            filters=names,
            unknown=search.unknown,
        )

    has_all = _take_in_arrivals(project)
    return replace(_ask_index(project, ask), has_all_arrivals=has_all)


def _ask_index(project: Project, ask: Ask) -> Recalled:
    """Return the answer of an index that is up to date; without a place for a file it is made in memory."""
    path = index_path(project.root)
    try:
        if path:
            answer = _ask_current(project, path, ask)
            if answer is None:
                with index_lock(path):  # another process may have made the index meanwhile
                    answer = _ask_current(project, path, ask) or _fill(project, create_index(path), ask)
            return answer
    except Busy as error:
        raise Busy(IS_INDEXING) from error
    except sqlite3.Error as error:
        if primary_code(error) in BUSY:
            raise Busy(IS_INDEXING) from error
        if primary_code(error) not in DISK:
            raise
    except (OSError, DiskRefused):
        pass
    return _fill(project, create_in_memory(), ask)


def _ask_current(project: Project, path: str, ask: Ask) -> Recalled | None:
    """Return the answer of the index as it is; None if it is not current, or damaged."""
    index = open_index(path)
    if index is None:
        return None
    try:
        with transaction(index.connection, "DEFERRED"):
            return ask(index) if _is_current(index, project) else None
    except sqlite3.DatabaseError as error:
        if primary_code(error) in BROKEN:
            return None
        raise
    finally:
        index.connection.close()


def _fill(project: Project, index: Index, ask: Ask) -> Recalled:
    """Fill an index and return its answer; a change meanwhile is seen by the next question."""
    from progress_plugin.usecases.reading import read_project  # noqa: PLC0415 - if something has changed
    from progress_plugin.usecases.recalling import passages, state  # noqa: PLC0415

    gc.disable()  # many objects are made, and nearly all of them are needed until the end
    try:
        inputs = InputSnapshot(project.root)
        reading = read_project(project, inputs)
        with transaction(index.connection):
            index.fill(
                chain(
                    passages.log_sources(reading),
                    state.plan_sources(reading),
                    passages.sessions_of(project, inputs),
                    passages.observations_of(project, reading.names, inputs),
                )
            )
            state.present_state(reading).keep_in(index)
            index.note(INPUTS, json.dumps(inputs.to_data()).encode())
        return ask(index)
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
    from progress_plugin.usecases.sharing import find_new_files, import_shared_entries, is_shared  # noqa: PLC0415

    import_shared_entries(project, LOG_LOCK_TIMEOUT_S)
    return not is_shared(project) or not find_new_files(project)


def _is_on_topic(hit: Hit, topic: str) -> bool:
    """Return whether a hit answers a question about the state: of the right kind, or with a command."""
    if topic != "command":
        return hit["kind"] in KINDS_OF_TOPIC[topic]
    return names_command(f"{hit['text']} {hit['around']}") or "run" in terms_of(hit["text"])


def _names(hit: Hit, path: str) -> bool:
    """Return whether a hit names a path, or is in the file itself."""
    asked, whole = parts_of(path), os.path.isabs(path)
    source = parts_of(hit["file"] or "")
    return names_file(hit["text"], asked, whole=whole) or is_same(source, asked, whole=whole)
