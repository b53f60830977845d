"""What is recorded about single files, for when an agent opens one: learnings, causes, blockers.

`hooks.file_notes` shows it.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.core.file_note_index import FileNoteIndex, RecordedPath
from progress_plugin.core.known_paths import LOGS, NAMES_OF_MANY
from progress_plugin.core.memo import Memo
from progress_plugin.learnings.logged_learnings import CURED_BY
from progress_plugin.learnings.merge import Muted
from progress_plugin.model.event import TYPE_OF_STATUS
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.status import Status
from progress_plugin.passages.passage import Form, Passage
from progress_plugin.plans.plan_and_story_identity import brief
from progress_plugin.summary.summary_input import Facts, OpenBlocker
from progress_plugin.summary.tokens import costs_at_most, estimate
from progress_plugin.text.code_marks import without_marks
from progress_plugin.text.paths_in_text import may_name_paths, paths_in, said_of_files
from progress_plugin.text.safe_output import item, one_line, summary_item
from progress_plugin.text.section_names import TEACHING, SectionKind

_LONGEST = 420
"""Characters of a note."""
_MOST_TOKENS = 200
"""Estimated tokens of a note: one must leave room for the sentence before it, and as a rule for another."""
_LONGEST_PATH = 300
_SHOWN_PATH = 100
_PATHS = 20
"""Paths of one note."""
_NOTES = 40
"""Notes of one path, those that matter most."""
MAX_NOTES = 2000  # in all; of more those that rank lowest are left out
_USUAL = frozenset(LOGS)
_RANK = {LearningKind.GOTCHA: 1, LearningKind.PATTERN: 2, LearningKind.DEPENDENCY: 3}
"""Kinds in the order in which they are told; blockers come before them."""
_STATEMENT = 4
"""What is none of these, told last."""
_STATEMENTS = 4
"""Of these notes of one path."""
_BLOCKED = TYPE_OF_STATUS[Status.BLOCKED]
_LIST_MARKS = "-*+ \t"
_BEGINNING = 60
"""Characters by which a note is found in a start context, which may cut it elsewhere."""
_PASSING = frozenset(
    {
        SectionKind.NEXT,
        SectionKind.STATUS,
        SectionKind.BLOCKED,
        SectionKind.TASK,
        SectionKind.DATE,
        SectionKind.TICKET,
    }
)
"""Sections whose statements held when they were written; the start context tells the state of today."""
_UNTOLD = (Form.CODE, Form.OPEN, Form.HEADING)


class _Said(NamedTuple):
    """A statement before it is made ready."""

    id: str
    """What it is known by: the statement as somebody wrote it."""
    shown: str
    mark: str = ""
    place: str = ""


class FileNote(NamedTuple):
    """A statement, as it is told, and the files that it is about."""

    id: str
    text: str
    paths: tuple[str, ...]
    rank: tuple[int, int]
    """Its kind, and how far back it is: the lowest is told first."""
    beginning: str
    """How it begins where a start context shows it, without marks of code."""


def note_id(text: str) -> str:
    """Return the id of a statement by its text as it was written."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()[:12]


def file_notes(facts: Facts, roots: Sequence[str], memo: Memo | None = None) -> list[FileNote]:
    """Return the notes about files, those that matter most first.

    `roots` are the directories that absolute paths may begin with, `memo` remembers from one process to
    the next how texts are shown.
    """
    remembered = memo or Memo()
    collected = _Collected(facts, roots, remembered)
    return collected.notes()


def begins(text: str) -> str:
    """Return how a statement begins where a start context shows it, however far."""
    return summary_item(text, _LONGEST)[:_BEGINNING]


def told_ids(stated: Iterable[Learning], notes: Iterable[FileNote], context: str) -> list[str]:
    """Return the ids of what a start context tells: these learnings, and the notes that it shows."""
    if not context:
        return []
    ids = [note_id(learning.text) for learning in stated]
    bare = without_marks(context)  # its blockers and next steps keep their marks of code
    # A word between blanks has them wherever the text is, and to look words up is cheaper than a search.
    may_be_there = set(bare.split(" ")).issuperset
    ids += [
        each.id for each in notes if may_be_there(each.beginning.split(" ")[1:-1]) and each.beginning in bare
    ]
    return list(dict.fromkeys(ids))


def index_of(notes: Sequence[FileNote], memo: Memo | None = None) -> bytes:
    """Return the index of these notes as it is written; `memo` as in `file_notes`."""
    remembered = memo or Memo()
    tokens, line = remembered.of(estimate), remembered.of(one_line)
    ids: defaultdict[str, list[str]] = defaultdict(list)
    statements: Counter[str] = Counter()
    for note in notes[:MAX_NOTES]:
        for path in note.paths:
            if len(ids[path]) < _NOTES and statements[path] < _STATEMENTS:
                ids[path].append(note.id)
                statements[path] += note.rank[0] == _STATEMENT
    paths: defaultdict[str, list[RecordedPath]] = defaultdict(list)
    for path, found in ids.items():
        shown = line(path, _SHOWN_PATH)
        if "[REDACTED:" not in shown:
            paths[posixpath.basename(path)].append(RecordedPath(path, shown, tokens(shown), found))
    texts = {note.id: (note.text, tokens(note.text)) for note in notes[:MAX_NOTES]}
    return FileNoteIndex(paths, texts).to_bytes()


class _Collected:
    """The notes of a project, gathered from everything that names files."""

    def __init__(self, facts: Facts, roots: Sequence[str], memo: Memo) -> None:
        self._facts = facts
        self._roots = [root.replace("\\", "/").rstrip("/") for root in roots]
        self._shown, self._in_summary = memo.of(item), memo.of(summary_item)
        self._line = memo.of(one_line)
        self._said_of_files = memo.of(said_of_files)
        self._found: list[FileNote] = []
        self._places: dict[str, int] = {}
        """By a statement as it is shown, where it is among the notes."""
        self._paths: dict[str, str | None] = {}
        """By the path as it is named."""
        self._loaded = {line.strip(_LIST_MARKS) for text in facts.loaded for line in text.splitlines()}
        """What the client shows in every session, and to every sub-agent."""
        self._of_event: dict[int, dict[str, set[str]]] = {}
        """For an event by its place, the paths that it lists by their base names."""
        self._own = {(event.source, event.position): event for event in facts.events if event.entry}
        """The entries of our own log."""
        self._of_entry = {event.entry: at for at, event in enumerate(facts.events) if event.entry}

    def notes(self) -> list[FileNote]:
        for blocker in self._facts.blockers:
            self._add_blocker(blocker)
        for learning in self._facts.learnings:
            if learning.files:
                self._add_learning(learning)
        self._add_statements()
        return sorted(self._with_folders(), key=lambda note: note.rank)

    def _add_blocker(self, blocker: OpenBlocker) -> None:
        said = " – ".join(filter(None, (_said(blocker), blocker.suggestion)))
        at = self._of_entry.get(blocker.id, -1)
        named = [*paths_in(said), *(self._facts.events[at].files if at >= 0 else ())]
        self._add(_Said(blocker.issue or blocker.label, said, "Blocked: "), named, (0, 0), at)

    def _add_learning(self, learning: Learning) -> None:
        rank, at = (_RANK[learning.kind], -learning.position), learning.position - 1
        self._add(_Said(learning.text, learning.text, place=self._place(learning)), learning.files, rank, at)

    def _add_statements(self) -> None:
        """Add what logs say else of a file: of a path the newest few, after all learnings."""
        learnt = {(each.source, line) for each in self._facts.learnings for line in each.lines}
        learnt |= {(source, line) for each in self._facts.learnings for _, source, lines in each.replaced
                   for line in lines}  # fmt: skip
        texts = {part for each in self._facts.learnings for part in each.text.split(CURED_BY)}
        texts |= {text for each in self._facts.learnings for text, _, _ in each.replaced}
        muted = Muted(self._facts.muted) if self._facts.muted else None  # hardly ever
        for reading in self._facts.readings:
            for passage in reading.passages:
                if _is_passing(passage) or not may_name_paths(passage.text):
                    continue
                said, named = self._said_of_files(passage.text, passage.section is SectionKind.FILES)
                if not named or self._is_of_a_blocker(passage):
                    continue
                if (passage.source, passage.line) in learnt or passage.text in texts:
                    continue
                if muted is None or not muted.hides(
                    Learning(LearningKind.GOTCHA, passage.text, passage.source)
                ):
                    rank = (_STATEMENT, passage.entry - reading.entries)
                    shown = passage.shown if said == passage.text else said
                    self._add(_Said(passage.text, shown, place=self._line_of(passage)), named, rank, -1)

    def _is_of_a_blocker(self, passage: Passage) -> bool:
        """Return whether an entry of ours says that something blocks: a blocker is told by itself."""
        event = self._own.get((passage.source, passage.entry))
        return event is not None and event.type == _BLOCKED and passage.section not in TEACHING

    def _line_of(self, passage: Passage) -> str:
        """Return where a statement stands; of an entry of ours, whose lines nobody reads, the story."""
        if passage.line and (passage.source, passage.entry) not in self._own:
            return f" ({self._at(passage.source, passage.line)})"
        return f" ({self._line(brief(passage.story), 40)})" if passage.story else ""

    def _place(self, learning: Learning) -> str:
        """Return where a learning stands; for one of our own log the story it was learnt in."""
        if learning.source and learning.lines:
            return f" ({self._at(learning.source, learning.lines[0])})"
        return f" ({self._line(brief(learning.story), 40)})" if learning.story else ""

    def _at(self, source: str, line: int) -> str:
        """Return where a statement stands; the usual places need nothing to be harmless."""
        place = f"{source}:{line}"
        return place if source in _USUAL else self._line(place, 80)

    def _add(self, said: _Said, named: Iterable[str], rank: tuple[int, int], event: int) -> None:
        """Add a statement about files; `event` is the place of the entry that makes it, -1 for none."""
        beside = self._beside(event)
        whole = [
            next(iter(beside[path])) if len(beside.get(path, ())) == 1 else path
            for name in named
            if (path := self._path(name))
        ]
        shown = self._text(said.shown) if whole else ""
        if not whole or not shown or shown in self._loaded:
            return
        told = f"{said.mark}{shown}"
        place = self._places.setdefault(told, len(self._found))
        if place < len(self._found):  # two readings may hold of one statement more than is told of it
            before = self._found[place]
            self._found[place] = before._replace(paths=tuple(dict.fromkeys((*before.paths, *whole)))[:_PATHS])
            return
        self._found.append(
            FileNote(
                note_id(said.id),
                f"{told}{said.place}",
                tuple(dict.fromkeys(whole))[:_PATHS],
                rank,
                self._in_summary(said.id, _LONGEST)[:_BEGINNING],
            )
        )

    def _beside(self, event: int) -> dict[str, set[str]]:
        """Return the paths with folders that an entry lists, by their base names."""
        if not 0 <= event < len(self._facts.events):
            return {}
        if event not in self._of_event:
            found = self._of_event[event] = {}
            for name in self._facts.events[event].files:
                path = self._path(name)
                if path and "/" in path:
                    found.setdefault(posixpath.basename(path), set()).add(path)
        return self._of_event[event]

    def _text(self, text: str) -> str:
        """Return a statement as it is told: harmless, and cut where it costs too much."""
        limit = _LONGEST
        shown = self._shown(text, limit)
        while not costs_at_most(shown, _MOST_TOKENS):
            limit = limit * 2 // 3
            shown = self._shown(text, limit)
        return shown

    def _path(self, named: str) -> str | None:
        """Return a path as the index has it: relative, with forward slashes; None for no single file.

        A log names the same files again and again.
        """
        if named not in self._paths:
            self._paths[named] = self._path_of(named)
        return self._paths[named]

    def _path_of(self, named: str) -> str | None:
        path = named.strip().strip("`").replace("\\", "/").removeprefix("./")
        if not path.isprintable() or any(sign in path for sign in "*?~ ") or "://" in path:
            return None
        if path.startswith("/") or path[1:2] == ":":
            path = self._below_root(path)
        parts = path.split("/")
        if not path or ".." in parts or "" in parts or len(path) > _LONGEST_PATH:
            return None
        return path

    def _below_root(self, path: str) -> str:
        """Return an absolute path below the root, of another machine by the name of the root's directory."""
        for root in self._roots:
            if path.startswith(f"{root}/"):
                return path[len(root) + 1 :]
        mark = f"/{posixpath.basename(self._roots[0])}/"
        return path.partition(mark)[2]

    def _with_folders(self) -> Iterator[FileNote]:
        """Yield the notes; a name without a folder gets the only one that the project's log has for it."""
        known = [path for note in self._found for path in note.paths if "/" in path]
        folders: defaultdict[str, set[str]] = defaultdict(set)
        for path in known:
            folders[posixpath.basename(path)].add(path)
        for note in self._found:
            paths = (
                next(iter(folders[path]))
                if len(folders.get(path, ())) == 1 and path.lower() not in NAMES_OF_MANY
                else path
                for path in note.paths
            )
            whole = tuple(dict.fromkeys(paths))
            yield note if whole == note.paths else note._replace(paths=whole)


def _is_passing(passage: Passage) -> bool:
    """Return whether a statement held when it was written, or is none that can be told by itself."""
    return passage.section in _PASSING or passage.form in _UNTOLD


def _said(blocker: OpenBlocker) -> str:
    return ": ".join(filter(None, (blocker.label, blocker.issue)))
