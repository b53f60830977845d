"""Find in the whole history what fits a question, and put it into words.

The index is made again when an input has changed. Passages are stored as safe text.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any

from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.recall.filters import Filters, is_path, mentions, path_in_history, shown
from progress_plugin.recall.index import (
    MEMORY,
    SESSION,
    Index,
    index_path,
    keep_index,
    new_index,
    open_index,
)
from progress_plugin.recall.ranking import names_command
from progress_plugin.recall.search import STATE_FACT, Hit, Search
from progress_plugin.recall.terms import question_of, terms_of
from progress_plugin.text.bounds import NAMED, counted, shortened

DEFAULT_HITS = 5
MAX_HITS = 50
LOG_LOCK_TIMEOUT_S = 1.5  # another question takes in what git has brought if the log is locked
INPUTS = "inputs"
MAX_TEXT_CHARS = 600  # `--json` has all that is indexed
MAX_NAME_CHARS = 200
NOTHING_RECORDED = {
    "blocker": "Nothing is recorded as blocked.",
    "next": "Nothing is recorded as the next step.",
    "command": "No command for it is recorded.",
}
KINDS_OF_TOPIC = {
    "blocker": frozenset({"blocker"}),
    "next": frozenset({"next", "status", "blocker"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The result of a search."""

    hits: list[Hit]
    searched: int  # passages in the index
    topic: str = ""  # what of the state the question is about, if nothing else
    state: tuple[str, ...] = ()  # what the state says on it
    filters: tuple[str, ...] = ()  # what the hits had to be besides, in words
    unknown: tuple[str, ...] = ()  # ids in the question that nothing names


Ask = Callable[[Index], Recalled]


def recall(
    project: Project,
    words: str,
    n: int = DEFAULT_HITS,
    filters: Filters | None = None,
) -> Recalled:
    """Return the best `n` passages of the project's history that fit a question, none if nothing fits.

    Without words, the newest that pass the filters. Raises BadInput for a question that is too long or says
    nothing, for an empty filter and an unknown kind.
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

    def ask(index: Index) -> Recalled:
        search = Search(index, question, filters)
        topic = "" if names else question.topic
        hits: list[Hit] = []
        if topic:
            hits = [hit for hit in search.hits(MAX_HITS) if _is_on_topic(hit, topic)]
        elif path:
            about = Search(index, question, replace(filters, file=path))
            hits = [hit for hit in about.hits(MAX_HITS) if mentions(path, hit["text"], hit["file"] or "")]
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

    if data_directory.has_shared(project.directory):
        from progress_plugin.usecases.sharing import import_shared_entries  # noqa: PLC0415 - it imports more

        import_shared_entries(project, LOG_LOCK_TIMEOUT_S)
    return _ask_current(project, ask) or _ask_new(project, ask)


def _ask_current(project: Project, ask: Ask) -> Recalled | None:
    """Return the answer of the index that was kept; None if it is not current, or damaged."""
    path = index_path(project.root)
    index = open_index(path) if path else None
    if index is not None:
        with closing(index.connection), suppress(sqlite3.DatabaseError, ValueError):
            if _is_current(index, project):
                return ask(index)
    return None


def _ask_new(project: Project, ask: Ask) -> Recalled:
    """Make an index, keep it if there is a place for it, and return its answer."""
    from progress_plugin.usecases.reading import read_project  # noqa: PLC0415 - if something has changed
    from progress_plugin.usecases.recalling import passages, state  # noqa: PLC0415

    gc.disable()  # many objects are made, and nearly all of them are needed until the end
    try:
        inputs = InputSnapshot(project.root)
        reading = read_project(project, inputs)
        index = new_index()
        with closing(index.connection):
            index.fill(
                chain(
                    passages.log_sources(reading),
                    state.plan_sources(reading),
                    passages.sessions_of(project, inputs),
                    passages.observations_of(project, reading.names, inputs),
                )
            )
            index.note(STATE_FACT, asdict(state.present_state(reading)))
            index.note(INPUTS, inputs.to_data())
            if path := index_path(project.root):
                with suppress(OSError, AgentProgressError):  # the next question makes it again
                    keep_index(index, path, lambda: inputs.first_change() is None)
            return ask(index)
    finally:
        gc.enable()


def _is_current(index: Index, project: Project) -> bool:
    inputs = index.fact(INPUTS)
    if inputs is None:
        return False
    snapshot = InputSnapshot.from_data(inputs)
    return snapshot.root == project.root and snapshot.first_change() is None


def _is_on_topic(hit: Hit, topic: str) -> bool:
    """Return whether a hit answers a question about the state: of the right kind, or with a command."""
    if topic != "command":
        return hit["kind"] in KINDS_OF_TOPIC[topic]
    return names_command(f"{hit['text']} {hit['around']}") or "run" in terms_of(hit["text"])


def recall_text(found: Recalled) -> str:
    """Return the answer of the state and the hits with their places, or that nothing fits; then notes."""
    lines = _state_lines(found)
    lines += map(hit_line, found.hits)
    lines = lines or [nothing(found)]
    return "\n".join([*lines, *notes(found)])


def nothing(found: Recalled) -> str:
    """Return the line for a search without hits, with its filters."""
    if not found.searched:
        return "There is no history yet."
    where = f"{counted(found.searched, 'passage')} searched"
    filters = f" with {', '.join(found.filters)}" if found.filters else ""
    return f"Nothing in the history fits{filters} ({where})."


def hit_line(hit: Hit) -> str:
    """Return a hit as `progress.md:41 (2026-11-20, US-012 done, gotcha): text`, with its context below."""
    path = hit["file"] or (f"{SESSION} {hit[SESSION]}" if SESSION in hit else MEMORY)
    place = f"{path}:{hit['line']}" if hit["line"] else path
    story = f"{hit['stories'][0]} {hit['story_status'] or ''}" if hit["stories"] else ""
    by = f"by {hit['writer']}" if hit["writer"] else ""
    facts = ((hit["when"] or "")[:10], story.rstrip(), f"{hit['kind']} {hit['blocker'] or ''}".rstrip(), by)
    known = ", ".join(filter(None, facts))
    lines = [f"{_cut(place, MAX_NAME_CHARS)} ({_cut(known, MAX_NAME_CHARS)}): {_cut(hit['text'])}"]
    if hit["later"]:
        lines.append(f"  superseded by: {_cut(hit['later'])}")
    if hit["around"]:
        lines.append(f"  context: {_cut(hit['around'])}")
    return "\n".join(lines)


def as_objects(found: Recalled) -> dict[str, Any]:
    """Return the result as the members of a JSON object."""
    state = {"state": _state_lines(found)} if found.topic else {}
    messages = [*([] if found.hits or found.topic else [nothing(found)]), *notes(found)]
    hits = {"count": len(found.hits), "hits": found.hits}
    return {**hits, **state, "searched": found.searched, "notes": messages}


def _state_lines(found: Recalled) -> list[str]:
    """Return the answer of the state on the topic of a question, or that nothing is recorded on it."""
    is_answered = bool(found.state) or (found.topic == "command" and bool(found.hits))
    return list(found.state) if is_answered or not found.topic else [NOTHING_RECORDED[found.topic]]


def notes(found: Recalled) -> list[str]:
    """Describe the limits of the search, one sentence each."""
    messages = []
    if found.unknown and found.hits:
        messages.append(f"Nothing in the history names {', '.join(found.unknown[:NAMED])}.")
    return messages


def _cut(text: str, most: int = MAX_TEXT_CHARS) -> str:
    return text if len(text) <= most else shortened(text, most - 1, "…")
