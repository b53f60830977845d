"""Find in the whole history what fits a question, in an index that is made current first.

While nothing has changed that costs a stat per input and the question. How an answer is found is in
`recall.search`, what is indexed, in `history_passages`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from progress_plugin import VERSION
from progress_plugin.core import data_directory
from progress_plugin.core.errors import BadInput, Busy, DiskRefused
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.timestamp import moment, written
from progress_plugin.recall import index_file, still_holds
from progress_plugin.recall.file_mentions import without_place
from progress_plugin.recall.index import KINDS, LEARNINGS, Index, stored_name
from progress_plugin.recall.path_question import is_path, naming
from progress_plugin.recall.question import question_of
from progress_plugin.recall.search import Filters, Hit, Search
from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from progress_plugin.usecases.recalling.history_passages import ProjectHistory

DEFAULT = 5
MOST = 50
"""Hits in one answer."""
_FOR_THE_LOG = 1.5
"""Seconds to wait for whoever writes to the log; an answer without what has come since says so."""
_TURNS = 3
"""How often sources are read that change while they are read."""
_ALL_LEARNINGS = frozenset({"learnings", "learning"})
_DIGITS = 4
_BUSY = "another process is indexing this history; ask again when it has finished"
_INPUTS, _VERSION, _MUTED = "inputs", "version", "muted"
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


class Wanted(NamedTuple):
    """What a hit must be besides an answer, as somebody asks for it."""

    file: str | None = None
    story: str | None = None
    kind: str | None = None
    """One of `KINDS`; `learnings` is the first three of them."""
    since: datetime | None = None
    """With its zone."""


ANYTHING = Wanted()


class Recalled(NamedTuple):
    """What was found."""

    hits: list[Hit]
    searched: int
    """Passages in the index."""
    left_out: int
    """Passages that it has no room for."""
    filters: tuple[str, ...] = ()
    """What the hits had to be besides, in words."""
    fits_without: bool = False
    """Whether something fits without that, where nothing does."""
    unknown: tuple[str, ...] = ()
    """Ids that were asked about and that nothing names."""
    has_all_arrivals: bool = True
    """Whether everything that git has brought of others' history was searched."""
    has_sources: bool = True
    """Whether there is a log, plan or archive, though it may say nothing that can be found."""


def recall(project: Project, words: str, n: int = DEFAULT, wanted: Wanted = ANYTHING) -> Recalled:
    """Return the best `n` passages of the project's history that fit a question, none where nothing fits.

    Without words, the newest that are wanted. Raises BadInput for a question that is too long or says
    nothing, for an empty filter and a kind that there is not, and Busy while another process is indexing.
    """
    question = question_of(words)
    if words.strip() and not question.terms:
        raise BadInput(
            f"nothing can be looked for in {one_line(words, 80)!r}: it has no word that says what is meant"
        )
    if not question.terms and not any(wanted):
        raise BadInput("name what to look for: a question, names of code, a path")
    filters = _filters(project, wanted)
    named = _named(wanted)

    def ask(index: Index) -> Recalled:
        search = Search(index, question, filters)
        hits = _of_the_path(project, index, words, filters, n) or search.hits(n, _shown(index))
        can_be_asked_without = bool(named and not hits and question.terms)
        others = Search(index, question, Filters()).hits(1, _shown(index)) if can_be_asked_without else []
        return Recalled(
            hits,
            search.size,
            index.left_out(),
            named,
            bool(others),
            search.unknown,
            has_sources=bool(index.states()),
        )

    has_all = _taken_in(project)
    place = index_file.place(project.root)
    if place is None:
        answer = _Renewal(project, index_file.in_memory()).then(ask)
    else:
        answer = _asked_as_it_is(project, place, ask) or _asked_anew(project, place, ask)
    return answer._replace(has_all_arrivals=has_all)


def _of_the_path(project: Project, index: Index, words: str, filters: Filters, n: int) -> list[Hit]:
    """Return the hits that name a path, where that alone is asked about and something names it."""
    if filters.file or not is_path(words):
        return []
    path = _file_asked(project, words.strip())
    found = Search(index, question_of(words), filters._replace(file=path)).hits(MOST, _shown(index))
    return list(islice(naming(path, found), n))


def _taken_in(project: Project) -> bool:
    """Take in what git has brought of others' history, and return whether all of it is there."""
    if not data_directory.has_shared(project.directory):
        return True
    from progress_plugin.log import shared_state  # noqa: PLC0415 - where history is shared

    directory = project.directory
    if shared_state.is_current(directory):
        return True
    from progress_plugin.usecases.sharing import is_shared, take_in_latest  # noqa: PLC0415

    take_in_latest(project, _FOR_THE_LOG)
    return not is_shared(project) or shared_state.is_current(directory)


_Ask = Callable[[Index], Recalled]


def _asked_as_it_is(project: Project, place: str, ask: _Ask) -> Recalled | None:
    """Return the answer of the index as it is; None if it is not current, or damaged."""
    with _busy_if_locked():
        index = index_file.reading(place)
        if index is None:
            return None
        try:
            with index.transaction():
                return ask(index) if _is_current(index, project) else None
        except sqlite3.DatabaseError as error:
            if index_file.is_locked(error):
                raise
            return None
        finally:
            index.connection.close()


@contextmanager
def _busy_if_locked() -> Iterator[None]:
    """Raise Busy if another process holds the index."""
    try:
        yield
    except Busy as error:
        raise Busy(_BUSY) from error
    except sqlite3.Error as error:
        if index_file.is_locked(error):
            raise Busy(_BUSY) from error
        raise


def _asked_anew(project: Project, place: str, ask: _Ask) -> Recalled:
    """Return the answer of an index that is brought up to date first, and kept if the disk allows it."""
    from progress_plugin.usecases.recalling import history_passages  # noqa: F401, PLC0415 - before others wait for the lock

    try:
        with _busy_if_locked(), index_file.lock(place):
            try:
                return _renewed(project, index_file.writing(place), ask)
            except sqlite3.DatabaseError as error:
                if not index_file.is_damage(error):
                    raise
                return _renewed(project, index_file.anew(place), ask)
    except (OSError, DiskRefused):
        pass  # there is no place for a file
    except sqlite3.Error as error:
        if not index_file.is_refused(error):
            raise
    return _Renewal(project, index_file.in_memory()).then(ask)


def _renewed(project: Project, index: Index, ask: _Ask) -> Recalled:
    try:
        return _Renewal(project, index).then(ask)
    finally:
        index.connection.close()


class _Renewal:
    """Makes an index current, source by source, where inputs have changed; nobody else writes it."""

    def __init__(self, project: Project, index: Index) -> None:
        self._project = project
        self._index = index

    def then(self, ask: _Ask) -> Recalled:
        """Return the answer; what changes while it is read is read again, and at last not kept."""
        from progress_plugin.usecases.recalling.history_passages import history_of  # noqa: PLC0415 - if something has changed

        for _ in range(_TURNS):
            inputs = InputSnapshot(self._project.root)
            history = history_of(self._project, inputs)  # before others have to wait
            self._index.connection.execute("BEGIN IMMEDIATE")
            try:
                self._renew(history, inputs)
                answer = ask(self._index)
                is_true = not inputs.changes()
            except BaseException:
                self._index.connection.execute("ROLLBACK")
                raise
            # Whoever erases a text changes a source before this file goes: what was read before is not kept.
            self._index.connection.execute("COMMIT" if is_true else "ROLLBACK")
            if is_true:
                break
        return answer

    def _renew(self, history: ProjectHistory, inputs: InputSnapshot) -> None:
        index = self._index
        states = index.states()
        if index.fact(_VERSION) == VERSION.encode():
            gone = states.keys() - {source.path for source, _ in history.sources}
        else:
            gone, states = set(states), {}  # nothing is kept of what other rules made
        for path in gone:
            index.remove(path)
        for source, read in history.sources:
            if states.get(source.path) == source.state:
                index.place(source)
            else:
                index.replace(source, read(index.texts(source.path)))
        index.forget_removed()
        index.note(still_holds.FACT, history.present.stored())
        index.note(_MUTED, "\0".join(history.muted).encode("utf-8", "replace"))
        index.note(_VERSION, VERSION.encode())
        index.note(_INPUTS, json.dumps(inputs.to_data()).encode())


def _is_current(index: Index, project: Project) -> bool:
    inputs = index.fact(_INPUTS)
    if inputs is None or index.fact(_VERSION) != VERSION.encode():
        return False
    snapshot = InputSnapshot.from_data(json.loads(inputs))
    return snapshot.root == project.root and snapshot.first_change() is None


def _shown(index: Index) -> Callable[[str], str]:
    """Return what takes muted statements out of a text."""
    muted = (index.fact(_MUTED) or b"").decode()
    if not muted:
        return str
    from progress_plugin.selection.muted import Muted  # noqa: PLC0415 - if anything is muted

    is_muted = Muted(muted.split("\0")).hides

    def shown(text: str) -> str:
        # Small items of one list are one passage.
        return "" if is_muted(text) else "; ".join(part for part in text.split("; ") if not is_muted(part))

    return shown


def _named(wanted: Wanted) -> tuple[str, ...]:
    """Return the filters in words."""
    since_ = written(wanted.since) if wanted.since else None
    given = {"file": wanted.file, "story": wanted.story, "kind": wanted.kind, "since": since_}
    return tuple(f"{name} {one_line(value, 80)}" for name, value in given.items() if value)


def _filters(project: Project, wanted: Wanted) -> Filters:
    for name, value in (("file", wanted.file), ("story", wanted.story), ("kind", wanted.kind)):
        if value is not None and not value.strip():
            raise BadInput(f"the {name} to look for is empty; name it, or leave it out")
    return Filters(
        file=_file_asked(project, wanted.file) if wanted.file else "",
        story=stored_name(wanted.story) if wanted.story else "",
        kinds=_kinds(wanted.kind) if wanted.kind else frozenset(),
        since=written(wanted.since) if wanted.since else "",
    )


def _file_asked(project: Project, named: str) -> str:
    """Return a path as the history names it: relative to the root where it lies inside, else absolute.

    Nothing is left of the root itself, where everything is. A file in another worktree is the same file, and
    so is one of another machine, whose path leads through a directory of the root's name.
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
    return _singular(name) in {*KINDS, *_ALL_LEARNINGS}


def _kinds(kind: str) -> frozenset[str]:
    name = _singular(kind)
    if name in _ALL_LEARNINGS:
        return LEARNINGS
    if name not in KINDS:
        raise BadInput(f"there is no kind {one_line(kind, 40)}; there are learnings, {', '.join(KINDS)}")
    return frozenset({name})


def _singular(kind: str) -> str:
    """Return a kind as it is called here, however it was written: `Blockers` is `blocker`."""
    name = kind.strip().casefold()
    return name.removesuffix("s") if name.removesuffix("s") in KINDS else name


def since(text: str, now: datetime) -> datetime:
    """Return the time that somebody names: a day or time in ISO 8601, or `12h`, `7d`, `2w` before `now`.

    `now` carries its zone. Raises BadInput for what is no time.
    """
    number, unit = text[:-1], text[-1:]
    if unit in _HOURS and number.isascii() and number.isdecimal() and len(number) <= _DIGITS:
        return now - timedelta(hours=int(number) * _HOURS[unit])
    when = moment(text)
    if when is None:
        raise BadInput(
            f"{one_line(text, 40) or 'what is empty'} is no time; "
            "name a day such as 2026-11-01, or 12h, 7d, 2w"
        )
    return when
