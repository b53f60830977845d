"""The passages of our log, its archive, agents' logs, sessions and observations: safe text without secrets.

Records of sessions are indexed, not transcripts: a running one would make the index stale with every line.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.paths import DATABASE_VARIABLE, database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import archive
from progress_plugin.log.entry import text_of, writer_of
from progress_plugin.log.merge import effective
from progress_plugin.log.store import LOG_FILE
from progress_plugin.log.timestamp import format_time, read_time
from progress_plugin.memory.database import reading as reading_memory
from progress_plugin.memory.observations import PROGRESS_TYPE
from progress_plugin.memory.projects import name_of_root
from progress_plugin.model.status import Status
from progress_plugin.model.work import Entry, Statement
from progress_plugin.recall.index import KINDS, LEARNINGS, MEMORY, SESSION, IndexedFile, Passage, story_list
from progress_plugin.selection.merge import is_correction
from progress_plugin.selection.score import score_statements
from progress_plugin.state.state import ItemState
from progress_plugin.summary.own_log import read_entries
from progress_plugin.summary.shown_text import items_by_id, planned_title
from progress_plugin.text.bounds import head
from progress_plugin.text.safe_output import one_line, stored_line
from progress_plugin.transcripts.record import SessionRecord, newest_files_first
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import reads_transcripts
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.views import lines_of_ids

MAX_PASSAGE_CHARS = 2000
MAX_NAME_CHARS = 200
MAX_STORIES = 20  # stored with each passage of an agent log's entry
MAX_FILES = 12  # in one passage
MAX_TITLE_CHARS = 120
MAX_OBSERVATIONS = 5000  # the newest of a project
SESSION_WORTH, OBSERVATION_WORTH = 0.25, 0.5
KIND_OF_SECTION = {"blocked": "blocker", "deferred": "next", "focus": "status", "task": "story"}


def log_sources(reading: Reading) -> Iterator[IndexedFile]:
    """Yield our log, the months of its archive from the newest on, and the logs that agents keep."""
    log, project = reading.log, reading.project
    later = len(log.entries)
    blockers = {each.id for each in reading.facts.own.records if each.status is Status.BLOCKED}
    if log.log.raw:
        yield IndexedFile(_path(project, LOG_FILE), _entry_passages(log.entries, log.log.raw, blockers))
    for name in sorted(log.months, reverse=True):
        month = archive.read_month(project.log_directory, name)
        entries = effective(month.entries, log.retracted_ids)
        passages = _entry_passages(entries, month.raw or b"", blockers)
        yield IndexedFile(_path(project, f"{archive.ARCHIVE_FOLDER}/{name}"), passages, later)
        later += len(month.entries)
    yield from _agent_logs(reading)


def _path(project: Project, name: str) -> str:
    """Return the path of a file of our log: relative to the root, in a linked worktree the absolute one."""
    if project.log_directory == project.directory:
        return f"{DATA_DIRECTORY}/{name}"
    return os.path.join(project.log_directory, *name.split("/"))


def _entry_passages(
    entries: Sequence[dict[str, Any]], raw: bytes, blockers: Collection[str]
) -> Iterator[Passage]:
    """Yield the passages of effective entries; the line of a passage is that of its entry's id.

    `blockers` are the ids of the entries whose blockers are open.
    """
    lines = lines_of_ids(raw)
    log = read_entries(entries)
    headings = {
        shown.number: _own_entry_heading(entry, shown, lines, blockers)
        for entry, shown in zip(entries, log.entries, strict=True)
    }
    statements = [
        each._replace(source=each.source._replace(line=headings[each.entry][0].line, last=0))
        for each in log.statements
    ]
    return _passages(statements, headings)


def _own_entry_heading(
    entry: dict[str, Any], shown: Entry, lines: Mapping[str, int], blockers: Collection[str]
) -> list[Passage]:
    name, when = text_of(entry, "id") or "", read_time(text_of(entry, "timestamp"))
    stories = text_of(entry, "task_id") or "", text_of(entry, "spec") or ""
    heading = _heading_passage(shown, stories, format_time(when) if when else "", lines.get(name, 0))
    blocker, writer = "open" if name in blockers else "resolved", stored_name(writer_of(entry) or "")
    return heading._replace(blocker=blocker, writer=writer).with_files(shown.files)


def _heading_passage(entry: Entry, stories: Iterable[str], at: str, line: int, planned: str = "") -> Passage:
    """Return the heading of an entry; `planned` is the title of its story in a plan."""
    return Passage(
        "story", 0.0, stored_line(describe_heading(entry, planned)), line, entry=entry.number,
        stories=story_list(stored_name(name) for name in stories if name), at=at,
        title=stored_name(entry.title), is_heading=True,
    )  # fmt: skip


def _agent_logs(reading: Reading) -> Iterator[IndexedFile]:
    state = reading.facts.state
    paths = {file.path for file in reading.facts.files}
    open_lines = {(work.source.path, work.source.line) for work in state.blocked}
    blocked = {work.item.id for work in state.blocked if work.item}
    for log in reading.facts.inputs.logs:
        if log.path not in paths:
            continue
        blockers = (each for each in log.statements if each.section == "blocked")
        ended = {each.source.line for each in blockers if each.entry and each.story not in blocked}
        ended -= {line for path, line in open_lines if path == log.path}
        items = items_by_id(state, log.path)
        headings = {each.number: _agent_entry_heading(each, items) for each in log.entries}
        yield IndexedFile(log.path, _passages(log.statements, headings, ended))


def _agent_entry_heading(entry: Entry, items: Mapping[str, ItemState]) -> list[Passage]:
    planned = "" if entry.title else one_line(planned_title(entry, items))
    stories = entry.ids[:MAX_STORIES]
    heading = _heading_passage(entry, stories, str(entry.date or ""), entry.source.line, planned)
    return heading.with_files(entry.files)


def stored_name(text: str) -> str:
    """Return an id or title as it is stored and looked for."""
    return stored_line(text)[:MAX_NAME_CHARS]


def describe_heading(entry: Entry, planned: str = "") -> str:
    """Return date, ids and title of an entry. If it has no title, that of its story in a plan is used."""
    ids, title = ", ".join(entry.ids), entry.title or planned
    name = title if title.casefold().startswith(ids.casefold()) else f"{ids}: {title}" if title else ids
    return f"{entry.date or ''} {name}".strip()


def _passages(
    statements: Sequence[Statement], headings: Mapping[int, list[Passage]], ended: Collection[int] = ()
) -> Iterator[Passage]:
    """Yield the passages of a document; before those of an entry, its heading and its files.

    `ended` are the lines of blockers that are over.
    """
    outside, left = Passage("", 0.0, ""), dict(headings)
    for statement, worth in zip(statements, score_statements(statements), strict=True):
        yield from left.pop(statement.entry, ())
        heading = headings[statement.entry][0] if statement.entry in headings else outside
        text, kind, source = _safe_text(statement), _kind(statement), statement.source
        yield heading._replace(
            kind=kind,
            worth=worth,
            text=text,
            line=source.line,
            last=source.last,
            stories=heading.stories
            or (story_list([stored_name(statement.story)]) if statement.story else ""),
            blocker="" if kind != "blocker" else "resolved" if source.line in ended else heading.blocker,
            is_heading=statement.form == "heading",
            corrects=kind in LEARNINGS and (is_correction(text) or any(map(str.isdigit, text))),
            label=statement.label,
        )
    for entry in left.values():
        yield from entry


def _safe_text(statement: Statement) -> str:
    """Return the safe text of a statement. Each line of a log was redacted when it was read or written.

    Text put together from several lines or cells is redacted again: it may show a secret that no part shows.
    """
    text = head(statement.text, MAX_PASSAGE_CHARS)
    is_one_line = statement.form != "row" and statement.source.last in {0, statement.source.line}
    return stored_line(text) if is_one_line else one_line(text)


def _kind(statement: Statement) -> str:
    if statement.section == "learned":
        return kind_of(statement).value
    if statement.form == "box" and statement.text.startswith("[ ]"):
        return "next"
    kind = KIND_OF_SECTION.get(statement.section or "", statement.section or "")
    return kind if kind in KINDS else "other"


def session_sources(project: Project, inputs: InputSnapshot) -> Iterator[IndexedFile]:
    """Yield each recorded session as a source, the last one first; none if transcripts are switched off."""
    if not reads_transcripts(project, inputs):
        return
    store = SessionStore(project)
    inputs.note(store.folder)
    for later, record in enumerate(reversed(store.records())):
        yield IndexedFile(f"{SESSION} {record.session}", _session_passages(record), later)


def memory_sources(project: Project, names: tuple[str, ...], inputs: InputSnapshot) -> Iterator[IndexedFile]:
    """Yield the observations of a project as one source; nothing if there are none or they cannot be read."""
    inputs.note_variable(DATABASE_VARIABLE)
    try:
        path = database_path(project.root, project.main_root)
        with reading_memory(path) as db:
            rows = db.execute(
                "SELECT id, type, title, content, created_at FROM observations WHERE project = ? "
                "AND deleted_at IS NULL AND type <> ? ORDER BY id DESC LIMIT ?",
                (name_of_root(db, project.main_root, names[0]), PROGRESS_TYPE, MAX_OBSERVATIONS),
            ).fetchall()
    except AgentProgressError:
        return  # `doctor` and the memory tools name the reason
    if rows:
        yield IndexedFile(MEMORY, map(_observation_passage, count(1), reversed(rows)))


def _observation_passage(entry: int, row: tuple[int, str, str, str, str]) -> Passage:
    number, kind, title, content, created = row
    text = one_line(f"{title}: {head(content, MAX_PASSAGE_CHARS)}")
    shown_kind = kind if kind in LEARNINGS else MEMORY
    at = f"{created.replace(' ', 'T')}Z"
    return Passage(shown_kind, OBSERVATION_WORTH, text, number, entry=entry, at=at, label=one_line(kind))


def _session_passages(record: SessionRecord) -> Iterator[Passage]:
    requests = [each for each in record.requests if each.is_of_work]
    title = one_line(requests[0].text, MAX_TITLE_CHARS) if requests else ""
    texts = [("", f"Asked: {each.text}", each.when or record.ended) for each in requests]
    files = [f"`{each.path}`" for each in newest_files_first(record.files.values())]
    lists = (", ".join(files[first : first + MAX_FILES]) for first in range(0, len(files), MAX_FILES))
    ends = [
        *(f"Changed: {names}" for names in lists),
        *(f"Failing at its end: `{run.what}`{f': {run.says}' if run.says else ''}" for run in record.failing),
        *(f"Left open: {task.text}" for task in record.tasks.values() if task.is_open),
        *([f"The agent's last words: {record.closing}"] if record.closing else []),
    ]
    texts += [(title, text, record.ended) for text in ends]
    for above, text, when in texts:
        yield Passage(SESSION, SESSION_WORTH, one_line(text), entry=1, at=when, label=above)
