"""The passages of recorded sessions and of observations: they find what no log has.

Clients' transcripts are not read for it: a running session would make the index stale with every line.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.paths import DATABASE_VARIABLE, database_path
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.memory.database import reading
from progress_plugin.memory.observations import PROGRESS_TYPE
from progress_plugin.memory.projects import name_of_root
from progress_plugin.recall.index import LEARNINGS, MEMORY, SESSION, Passage, Source
from progress_plugin.text.bounds import head
from progress_plugin.text.safe_output import one_line
from progress_plugin.transcripts.record import SessionRecord, by_worth, note_later_passes
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import reads_transcripts

MAX_FILES = 12  # in one passage
MAX_TITLE_CHARS = 120
MAX_OBSERVATIONS = 5000  # the newest of a project
MAX_PASSAGE_CHARS = 2000
SESSION_WORTH, OBSERVATION_WORTH = 0.25, 0.5


def sessions_of(project: Project, inputs: InputSnapshot) -> Iterator[Source]:
    """Yield each recorded session as a source, the last one first; none if that is switched off."""
    if not reads_transcripts(project, inputs):
        return
    store = SessionStore(project)
    inputs.note(store.folder)
    records = store.records()
    note_later_passes(records)
    for later, record in enumerate(reversed(records)):
        yield Source(f"{SESSION} {record.session}", _of_session(record), later)


def observations_of(project: Project, names: tuple[str, ...], inputs: InputSnapshot) -> Iterator[Source]:
    """Yield the observations of a project as one source; none if the memory cannot be read."""
    inputs.note_variable(DATABASE_VARIABLE)
    try:
        path = database_path(project.root, project.main_root)
        if path is None:
            return
        with reading(path) as db:
            rows = db.execute(
                "SELECT id, type, title, content, created_at FROM observations WHERE project = ? "
                "AND deleted_at IS NULL AND type <> ? ORDER BY id DESC LIMIT ?",
                (name_of_root(db, project.main_root, names[0]), PROGRESS_TYPE, MAX_OBSERVATIONS),
            ).fetchall()
    except AgentProgressError:
        return  # `doctor` and the memory tools name the reason
    if rows:
        yield Source(MEMORY, map(_of_observation, count(1), reversed(rows)))


def _of_observation(entry: int, row: tuple[int, str, str, str, str]) -> Passage:
    number, kind, title, content, created = row
    text = one_line(f"{title}: {head(content, MAX_PASSAGE_CHARS)}")
    shown_kind = kind if kind in LEARNINGS else MEMORY
    at, about = f"{created.replace(' ', 'T')}Z", one_line(f"{kind} {created[:10]}")
    return Passage(shown_kind, OBSERVATION_WORTH, text, number, number, entry, at=at, about=about)


def _of_session(record: SessionRecord) -> Iterator[Passage]:
    requests = [each for each in record.requests if each.is_of_work]
    for each in requests:
        yield _passage(f"Asked: {each.text}", each.when or record.ended)
    files = [f"`{each.path}`" for each in by_worth(record.files.values())]
    texts = [
        f"Changed: {', '.join(files[first : first + MAX_FILES])}" for first in range(0, len(files), MAX_FILES)
    ]
    failing = [(run.what, f": {run.says}" if run.says else "") for run in record.failing]
    texts += [f"Failing at its end: `{what}`{says}" for what, says in failing]
    texts += [f"Left open: {task.text}" for task in record.tasks.values() if task.is_open]
    texts += [f"The agent's last words: {record.closing}"] if record.closing else []
    title = one_line(requests[0].text, MAX_TITLE_CHARS) if requests else ""
    for text in texts:
        yield _passage(text, record.ended, title)


def _passage(text: str, when: str, about: str = "") -> Passage:
    about = f"{about} {when[:10]}".strip()
    return Passage(SESSION, SESSION_WORTH, one_line(text), entry=1, at=when, about=about)
