"""Notes on single files for an agent that opens one: blockers, learnings and other statements.

A statement is about a file if it names the file's path, or an end of it that no other file's path has.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.core import fast_json
from progress_plugin.model.work import Learning, LearningKind, Source, Statement
from progress_plugin.selection.merge import find_overtaken
from progress_plugin.selection.similarity import Muted
from progress_plugin.summary.own_log import PATH as OWN_PATH
from progress_plugin.summary.project_facts import Facts
from progress_plugin.text.bounds import estimate_tokens
from progress_plugin.text.safe_output import item, one_line, summary_item

MAX_NOTE_CHARS = 420
MAX_NOTE_TOKENS = 200  # leaves room for the sentence before a note, and as a rule for another note
MAX_PATH_CHARS = 100
MAX_FILES = 20  # of one note
MAX_NOTES_OF_FILE, MAX_STATEMENTS_OF_FILE = 40, 4
MAX_NOTES = 2000
MAX_BEGINNING_CHARS = 60
MIN_WORDS = 4  # of letters alone, in a statement: paths and numbers do not count

STATEMENT_RANK = 4
RANK_OF_KIND = {LearningKind.GOTCHA: 1, LearningKind.PATTERN: 2, LearningKind.DEPENDENCY: 3}
PASSING_SECTIONS = frozenset({"next", "status", "blocked", "task", "date", "ticket", "focus"})
"""Sections whose statements are soon out of date."""
UNSHOWN_FORMS = frozenset({"code", "box", "heading"})
CAUSE = "Root cause: "  # a cause is about the files of its entry, even if it names none
_IN_PATHS = str.maketrans("\\`'\"|<>", "/      ")
_LINE_NUMBER = re.compile(r":\d.*")


class FileNote(NamedTuple):
    """A statement and the files that it is about."""

    rank: tuple[int, int, int]  # by kind, then the newest: the lowest is shown first
    text: str  # as written
    prefix: str  # shown before the text, such as `Blocked: `
    place: str  # shown after it: file and line, or the story for our own log
    files: tuple[str, ...]

    @property
    def beginning(self) -> str:
        """The beginning of the note as a start context shows it; the rest may be cut off there."""
        return summary_item(self.text, MAX_NOTE_CHARS)[:MAX_BEGINNING_CHARS]

    @property
    def shown(self) -> str:
        """The note as it is shown: safe, and shortened if it costs too much."""
        limit, text = MAX_NOTE_CHARS, item(self.text, MAX_NOTE_CHARS)
        while estimate_tokens(text) > MAX_NOTE_TOKENS:
            limit = limit * 2 // 3
            text = item(self.text, limit)
        return f"{self.prefix}{text}{self.place}" if text else ""


class ProjectFiles:
    """The files of a project, found by a path or the end of one, as a text names them."""

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths` are relative to the root, with forward slashes."""
        self._by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            if len(path) <= MAX_PATH_CHARS and path.isprintable():
                self._by_name[path.rpartition("/")[2]].append(path)

    def named_in(self, text: str) -> tuple[str, ...]:
        """Return the first files that a text names, each once."""
        words = text.replace("](", " ").translate(_IN_PATHS).split()
        # `build` is more likely a word than a file, unlike `Makefile`
        words = [word for word in words if not word.islower() or "." in word or "/" in word]
        return tuple(dict.fromkeys(path for word in words if (path := self._find(word))))[:MAX_FILES]

    def _find(self, word: str) -> str:
        word = _LINE_NUMBER.sub("", word) if ":" in word else word
        word = word.strip("*()[],;:!?").rstrip(".").removeprefix("./")
        same_name = self._by_name.get(word.rpartition("/")[2], ())
        if word in same_name:
            return word
        if word.startswith("/") or word[1:2] == ":":  # also the path of a checkout on another machine
            return max((path for path in same_name if word.endswith(f"/{path}")), key=len, default="")
        ends = [path for path in same_name if path.endswith(f"/{word}")]
        return ends[0] if len(ends) == 1 else ""


def file_notes(facts: Facts, files: ProjectFiles) -> list[FileNote]:
    """Return the notes about files, those that matter most first."""
    loaded = {line.strip("-*+ \t") for text in facts.shown_by_client for line in text.splitlines()}
    notes: dict[str, FileNote] = {}
    for note in (*_blockers(facts, files), *_learnings(facts, files), *_statements(facts, files)):
        if note.files and note.text not in loaded:
            notes.setdefault(note.text, note)
    return sorted(notes.values(), key=lambda note: note.rank)


def index_of(notes: Sequence[FileNote]) -> bytes:
    """Return the index that a hook reads: JSON with beginning, text and tokens of each note, by path."""
    index: defaultdict[str, list[list[str | int]]] = defaultdict(list)
    statements: Counter[str] = Counter()
    for note in notes[:MAX_NOTES]:
        wanted = [
            path
            for path in note.files
            if len(index[path]) < MAX_NOTES_OF_FILE
            and statements[path] < MAX_STATEMENTS_OF_FILE
            and path == one_line(path)  # the hook shows the path, and a folder's name may look like a tag
        ]
        text = note.shown if wanted else ""
        for path in wanted if text else ():
            index[path].append([note.beginning, text, estimate_tokens(text)])
            statements[path] += note.rank[0] == STATEMENT_RANK
    found = {path: listed for path, listed in index.items() if listed}
    return fast_json.dumps(found).encode("utf-8", "replace")


def _blockers(facts: Facts, files: ProjectFiles) -> Iterator[FileNote]:
    for work in facts.state.blocked:
        name = work.item.id if work.item and work.item.id else work.text
        text = f"{name}: {work.reason}" if work.reason else work.text
        named = files.named_in(" ".join([text, *_files_of_entry(facts, work.source)]))
        yield _note(Learning(text, LearningKind.GOTCHA, work.source), 0, named, "Blocked: ")


def _learnings(facts: Facts, files: ProjectFiles) -> Iterator[FileNote]:
    """Yield notes of the learnings, except those that a later one has overtaken."""
    learnings = [each.statement for each in facts.learnings]
    overtaken = find_overtaken(learnings)
    for place, learning in enumerate(learnings):
        if place not in overtaken:
            of_cause = _files_of_entry(facts, learning.source) if learning.text.startswith(CAUSE) else ()
            named = files.named_in(" ".join([learning.text, *of_cause]))
            yield _note(learning, RANK_OF_KIND[learning.kind], named)


def _statements(facts: Facts, files: ProjectFiles) -> Iterator[FileNote]:
    """Yield notes of the other statements that may be shown, last, and say more than the names of files."""
    muted = Muted(facts.own.muted)
    learnt = {(source.path, source.line) for each in facts.learnings for source in each.sources}
    for statement in (each for log in facts.logs for each in log.statements):
        source = statement.source
        is_learnt = (source.path, source.line) in learnt
        if source.path == OWN_PATH:
            is_learnt = statement.section in {"learned", "gotcha"}
        is_passing = statement.section in PASSING_SECTIONS or statement.form in UNSHOWN_FORMS
        if is_learnt or is_passing or not (named := files.named_in(statement.text)):
            continue
        words = [word for word in statement.text.split() if word.strip("()[]:;,.`*").isalpha()]
        if len(words) >= MIN_WORDS and not muted.hides(statement.text):
            yield _note(statement, STATEMENT_RANK, named)


def _files_of_entry(facts: Facts, source: Source) -> tuple[str, ...]:
    is_own = source.path == OWN_PATH and source.line
    return facts.own.log.entries[source.line - 1].files if is_own else ()


def _note(statement: Learning | Statement, kind: int, files: tuple[str, ...], prefix: str = "") -> FileNote:
    source = statement.source
    is_own = source.path == OWN_PATH or not source.line
    place = statement.story or "" if is_own else f"{source.path}:{source.line}"
    place = f" ({one_line(place, MAX_PATH_CHARS)})" if place else ""
    date = source.date.toordinal() if source.date else 0
    return FileNote((kind, -date, -statement.entry), statement.text, prefix, place, files)
