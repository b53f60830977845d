"""What is recorded about single files, for when an agent opens one: blockers, learnings, other statements."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from progress_plugin.core.file_note_index import FileNoteIndex, RecordedPath, is_name_of_many
from progress_plugin.model.learning import LearningKind
from progress_plugin.model.work import Learning, Source, Statement
from progress_plugin.selection.merge import Merged, find_overtaken
from progress_plugin.selection.muted import Muted
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.project_facts import Facts
from progress_plugin.text.paths_in_text import may_name_paths, paths_in, said_of_files
from progress_plugin.text.safe_output import item, one_line, summary_item, without_marks
from progress_plugin.text.tokens import estimate_tokens

MAX_NOTE_CHARS = 420
MAX_NOTE_TOKENS = 200  # leaves room for the sentence before a note, and as a rule for another note
MAX_PATH_CHARS = 300
MAX_SHOWN_PATH_CHARS = 100
MAX_PATHS = 20  # of one note
MAX_NOTES_OF_PATH = 40
MAX_STATEMENTS_OF_PATH = 4
MAX_NOTES = 2000
MAX_BEGINNING_CHARS = 60
FIRST_WORDS = 5

BLOCKER, STATEMENT = 0, 4
RANK_OF_KIND = {LearningKind.GOTCHA: 1, LearningKind.PATTERN: 2, LearningKind.DEPENDENCY: 3}
PASSING_SECTIONS = frozenset(
    {"next", "status", "blocked", "task", "date", "ticket", "focus"}
)  # true for a day
UNSHOWN_FORMS = frozenset({"code", "box", "heading"})
CAUSE = "Root cause: "  # a cause is about the files of its entry, even if it names none
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FileNote:
    """A statement and the files that it is about."""

    id: str
    text: str  # as written
    mark: str  # shown before the text
    place: str  # shown behind it: file and line, of our own log the story
    paths: tuple[str, ...]
    rank: tuple[int, int, int]  # kind, date and entry: the lowest is shown first

    @property
    def shown(self) -> str:
        """The note as it is shown: safe, and shortened if it costs too much."""
        limit = MAX_NOTE_CHARS
        text = item(self.text, limit)
        while estimate_tokens(text) > MAX_NOTE_TOKENS:
            limit = limit * 2 // 3
            text = item(self.text, limit)
        return f"{self.mark}{text}{self.place}" if text else ""


def note_id(text: str) -> str:
    """Return the id of a statement by its text as it was written."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()[:12]


def file_notes(facts: Facts, roots: Sequence[str]) -> list[FileNote]:
    """Return the notes about files, those that matter most first.

    `roots` are the directories that absolute paths may begin with.
    """
    paths = _Paths(roots)
    loaded = {line.strip("-*+ \t") for text in facts.loaded for line in text.splitlines()}
    notes: dict[str, FileNote] = {}
    learnings = facts.learnings
    for note in (*_blockers(facts), *_learnings(facts, learnings), *_statements(facts, learnings)):
        known = notes.get(note.text)
        named = paths.resolve(note) if note.text not in loaded else []
        if known:
            notes[note.text] = replace(known, paths=tuple(dict.fromkeys((*known.paths, *named)))[:MAX_PATHS])
        elif named:
            notes[note.text] = replace(note, paths=tuple(dict.fromkeys(named))[:MAX_PATHS])
    return sorted(_with_folders(list(notes.values())), key=lambda note: note.rank)


def index_of(notes: Sequence[FileNote]) -> bytes:
    """Return the index of these notes as it is written."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    statements: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for note in notes:
        wanted = [
            path
            for path in note.paths
            if len(ids[path]) < MAX_NOTES_OF_PATH and statements[path] < MAX_STATEMENTS_OF_PATH
        ]
        text = note.shown if wanted and len(shown) < MAX_NOTES else ""
        if text:
            shown[note.id] = text
            for path in wanted:
                ids[path].append(note.id)
                statements[path] += note.rank[0] == STATEMENT
    paths: defaultdict[str, list[RecordedPath]] = defaultdict(list)
    for path, found in ids.items():
        name = one_line(path, MAX_SHOWN_PATH_CHARS)
        if found and "[REDACTED:" not in name:
            paths[posixpath.basename(path)].append(RecordedPath(path, name, estimate_tokens(name), found))
    return FileNoteIndex(
        paths, {each: (text, estimate_tokens(text)) for each, text in shown.items()}
    ).to_bytes()


def shown_ids(facts: Facts, notes: Sequence[FileNote], context: str) -> list[str]:
    """Return the ids of the learnings and notes that a start context shows."""
    bare = without_marks(context)
    words = set(_WORD.findall(bare))
    texts = dict.fromkeys(
        [*(each.statement.text for each in facts.learnings), *(note.text for note in notes)]
    )
    return [note_id(text) for text in dict.fromkeys(texts) if _is_shown(text, bare, words)]


def _is_shown(text: str, context: str, words: set[str]) -> bool:
    """Return whether a context has the beginning of a text; it may be shortened behind that."""
    if not words.issuperset(_WORD.findall(text)[:FIRST_WORDS]):
        return False  # much cheaper than what follows, and true for most
    beginning = summary_item(text, MAX_NOTE_CHARS)[:MAX_BEGINNING_CHARS]
    return bool(beginning) and beginning in context


def _blockers(facts: Facts) -> Iterator[FileNote]:
    for work in facts.state.blocked:
        name = work.item.id if work.item and work.item.id else work.text
        text = f"{name}: {work.reason}" if work.reason else work.text
        named = (*paths_in(text), *_files_of_entry(facts, work.source))
        yield _note(Learning(text, LearningKind.GOTCHA, work.source), BLOCKER, named, "Blocked: ")


def _files_of_entry(facts: Facts, source: Source) -> tuple[str, ...]:
    """Return the files that an entry of our own log lists."""
    is_own = source.path == OWN_PATH and source.line
    return facts.own.log.entries[source.line - 1].files if is_own else ()


def _learnings(facts: Facts, merged: Sequence[Merged[Learning]]) -> Iterator[FileNote]:
    """Yield the learnings that hold."""
    learnings = [each.statement for each in merged]
    overtaken = find_overtaken(learnings)
    for place, learning in enumerate(learnings):
        if place in overtaken:
            continue
        of_cause = _files_of_entry(facts, learning.source) if learning.text.startswith(CAUSE) else ()
        if named := (*paths_in(learning.text), *of_cause):
            yield _note(learning, RANK_OF_KIND[learning.kind], named)


def _statements(facts: Facts, learnings: Sequence[Merged[Learning]]) -> Iterator[FileNote]:
    """Yield what logs say else of files."""
    muted = Muted(facts.own.muted)
    learnt = {(source.path, source.line) for each in learnings for source in each.sources}
    for log in facts.logs:
        for each in log.statements:
            is_learnt = each.source.path != OWN_PATH and (each.source.path, each.source.line) in learnt
            if is_learnt or not _can_show(each):
                continue
            text, named = said_of_files(each.text, each.section == "files")
            if named and not muted.hides(each.text):
                yield _note(replace(each, text=text), STATEMENT, named)


def _can_show(statement: Statement) -> bool:
    """Return whether a statement names files, is no learning, and may hold for longer than its day."""
    if statement.section in PASSING_SECTIONS or statement.form in UNSHOWN_FORMS:
        return False
    is_taught = statement.source.path == OWN_PATH and statement.section in {"learned", "gotcha"}
    return not is_taught and may_name_paths(statement.text)


def _note(said: Learning | Statement, kind: int, paths: Sequence[str], mark: str = "") -> FileNote:
    source = said.source
    place = said.story or "" if source.path == OWN_PATH or not source.line else f"{source.path}:{source.line}"
    place = f" ({one_line(place, MAX_SHOWN_PATH_CHARS)})" if place else ""
    date = source.date.toordinal() if source.date else 0
    return FileNote(note_id(said.text), said.text, mark, place, tuple(paths), (kind, -date, -said.entry))


class _Paths:
    """Resolves the paths that notes name to paths below the project's root."""

    def __init__(self, roots: Sequence[str]) -> None:
        self._roots = [root.replace("\\", "/").rstrip("/") for root in roots]

    def resolve(self, note: FileNote) -> list[str]:
        """Return the paths of a note, relative and with forward slashes, without those of no single file."""
        return [path for named in note.paths if (path := self._resolve(named))]

    def _resolve(self, named: str) -> str:
        path = named.strip().strip("`").replace("\\", "/").removeprefix("./")
        if not path.isprintable() or any(sign in path for sign in "*?~ ") or "://" in path:
            return ""
        if path.startswith("/") or path[1:2] == ":":
            path = self._below_root(path)
        parts = path.split("/")
        return "" if ".." in parts or "" in parts or len(path) > MAX_PATH_CHARS else path

    def _below_root(self, path: str) -> str:
        """Return an absolute path below the root, of another machine by the name of the root's directory."""
        for root in self._roots:
            if path.startswith(f"{root}/"):
                return path[len(root) + 1 :]
        return path.partition(f"/{posixpath.basename(self._roots[0])}/")[2]


def _with_folders(notes: Sequence[FileNote]) -> list[FileNote]:
    """Return the notes; a name without a folder gets the only folder that a note has for it."""
    folders: defaultdict[str, set[str]] = defaultdict(set)
    for note in notes:
        for path in note.paths:
            if "/" in path:
                folders[posixpath.basename(path)].add(path)

    def whole(path: str) -> str:
        found = folders.get(path, set())
        return next(iter(found)) if len(found) == 1 and not is_name_of_many(path) else path

    return [replace(note, paths=tuple(dict.fromkeys(map(whole, note.paths)))) for note in notes]
