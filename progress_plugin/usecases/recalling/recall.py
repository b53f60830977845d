"""Search the whole history for answers to a question, and format them.

The index is made again when an input has changed. Passages are stored as safe text.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.paths import make_state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.recall.filters import Filters, is_path, path_in_history, shorten
from progress_plugin.recall.index import (
    INDEX_VERSION,
    MEMORY,
    SESSION,
    VERSION_FACT,
    Index,
    index_path,
    keep_index,
    new_index,
    open_index,
)
from progress_plugin.recall.ranking import names_command
from progress_plugin.recall.search import Hit, Search
from progress_plugin.text.bounds import NAMED, counted, shortened
from progress_plugin.text.search_terms import question_of, terms_of

DEFAULT_HITS = 5
MAX_HITS = 50
LOG_LOCK_TIMEOUT_S = 1.5  # if the log is locked, the next question imports the shared entries
INPUTS, ANSWERS = "inputs", "answers"  # names of facts that an index stores
MAX_TEXT_CHARS = 600  # `--json` has all that is indexed
MAX_NAME_CHARS = 200
NOTHING_RECORDED = {
    "blocker": "Nothing is recorded as blocked.",
    "next": "Nothing is recorded as the next step.",
    "command": "No command for it is recorded.",
}
KINDS_OF_TOPIC = {"blocker": frozenset({"blocker"}), "next": frozenset({"next", "status", "blocker"})}

Answer = dict[str, Any]
"""The result of a search as `recall --json` prints it: `count`, `hits`, `state`, `searched`, `notes`."""
Ask = Callable[[Index], Answer]


def recall(project: Project, words: str, n: int = DEFAULT_HITS, filters: Filters | None = None) -> Answer:
    """Return the best `n` passages of the project's history that fit a question, none if nothing fits.

    Without words, the newest that pass the filters. Raises BadInput for a question that is too long or says
    nothing, without words and filters, for an empty filter and an unknown kind.
    """
    filters = filters or Filters()
    question = question_of(words)
    if words.strip() and not question.terms:
        raise BadInput(
            f"nothing can be looked for in {shorten(words)!r}: it has no word, or only words such as `the`"
        )
    if not question.terms and filters == Filters():
        raise BadInput("name what to look for: a question, names in the code, or a path")
    names, filters = filters.describe(), filters.checked(project)
    path = "" if filters.file or not is_path(words) else path_in_history(project, words.strip())

    def ask(index: Index) -> Answer:
        search = Search(index, question, filters)
        topic = "" if names else question.topic
        hits: list[Hit] = []
        if topic:
            hits = [hit for hit in search.hits(MAX_HITS) if _is_on_topic(hit, topic)]
        elif path:
            hits = Search(index, question, replace(filters, file=path)).hits(n)
        if not hits and not topic:
            hits = search.hits(n)
        recorded = index.read_fact(ANSWERS).get(topic, ())
        nothing = [NOTHING_RECORDED[topic]] if topic and not (topic == "command" and hits) else []
        return {
            "count": len(hits[:n]),
            "hits": hits[:n],
            **({"state": list(recorded) or nothing} if topic else {}),
            "searched": search.size,
            "notes": _notes(search, hits, names) if hits or not topic else [],
        }

    if data_directory.has_shared(project.directory):
        from progress_plugin.usecases.sharing import import_shared_entries  # noqa: PLC0415 - it imports more

        import_shared_entries(project, LOG_LOCK_TIMEOUT_S)
    return _ask_current(project, ask) or _ask_new(project, ask)


def _ask_current(project: Project, ask: Ask) -> Answer | None:
    """Return the answer of the index that was kept; None if it is missing, damaged or not current."""
    with suppress(sqlite3.DatabaseError, ValueError):
        if index := open_index(index_path(project.root)):
            with closing(index.connection):
                return ask(index) if _is_current(index, project) else None
    return None


def _ask_new(project: Project, ask: Ask) -> Answer:
    """Make an index, keep it if the disk allows that, and return its answer."""
    from progress_plugin.usecases.reading import read_project  # noqa: PLC0415 - if something has changed
    from progress_plugin.usecases.recalling import passages, state  # noqa: PLC0415

    gc.disable()  # many objects are made, and nearly all of them are needed until the end
    with suppress(AgentProgressError):  # there the parsed texts are kept for the next index
        make_state_directory(project.root)
    try:
        inputs = InputSnapshot(project.root)
        reading = read_project(project, inputs)
        index = new_index()
        with closing(index.connection):
            sources = chain(
                passages.log_sources(reading),
                state.plan_sources(reading),
                passages.session_sources(project, inputs),
                passages.memory_sources(project, reading.names, inputs),
            )
            index.fill(state.with_present_state(reading, sources))
            index.store_fact(ANSWERS, state.answers(reading.facts.state))
            index.store_fact(INPUTS, inputs.to_data())
            with suppress(OSError, AgentProgressError):  # the next question makes it again
                keep_index(index, index_path(project.root), lambda: inputs.first_change() is None)
            return ask(index)
    finally:
        gc.enable()


def _is_current(index: Index, project: Project) -> bool:
    if index.read_fact(VERSION_FACT) != INDEX_VERSION:
        return False
    snapshot = InputSnapshot.from_data(index.read_fact(INPUTS))
    return snapshot.root == project.root and snapshot.first_change() is None


def _notes(search: Search, hits: Sequence[Hit], filters: Sequence[str]) -> list[str]:
    """Return a note with the filters if nothing fits, else one with the ids that no passage names."""
    if hits:
        unknown = ", ".join(search.unknown_ids[:NAMED])
        return [f"Nothing in the history names {unknown}."] if unknown else []
    if not search.size:
        return ["There is no history yet."]
    restricted = f" with {', '.join(filters)}" if filters else ""
    return [f"Nothing in the history fits{restricted} ({counted(search.size, 'passage')} searched)."]


def _is_on_topic(hit: Hit, topic: str) -> bool:
    """Return whether a hit answers a question about the state: of the right kind, or with a command."""
    if topic != "command":
        return hit["kind"] in KINDS_OF_TOPIC[topic]
    return names_command(f"{hit['text']} {hit['around']}") or "run" in terms_of(hit["text"])


def recall_text(found: Answer) -> str:
    return "\n".join([*found.get("state", ()), *map(hit_line, found["hits"]), *found["notes"]])


def is_answered(found: Answer) -> bool:
    return bool(found["hits"] or {*found.get("state", ())} - {*NOTHING_RECORDED.values()})


def hit_line(hit: Hit) -> str:
    """Return a hit as `progress.md:41 (2026-11-20, US-012 done, gotcha): text`, correction and context."""
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


def _cut(text: str, most: int = MAX_TEXT_CHARS) -> str:
    return text if len(text) <= most else shortened(text, most - 1, "…")
