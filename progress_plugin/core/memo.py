"""Remember the answers of pure functions between processes, in a file of the user's cache.

Answers are found by the arguments, so only a change of the code can make them wrong: names, sizes and times
of the source files are compared when the answers are loaded.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from progress_plugin import ANSWERS_FORMAT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import write_atomic
from progress_plugin.core.paths import make_private

MIN_ANSWERS = 300  # fewer are not worth a file
MAX_ANSWERS = 20_000  # of one function
MIN_NEW_SHARE = 10  # the file is written again if one answer in so many is new
MAX_AGE_DAYS = 30  # files of projects that have not been opened for so long are removed
MARSHAL_FORMAT = 2  # the newest in which equal values are always written alike

if TYPE_CHECKING:
    from typing import TypeVar, TypeVarTuple

    _Arguments = TypeVarTuple("_Arguments")
    _Answer = TypeVar("_Answer")
_Answers = dict[str, dict[Any, Any]]  # function name -> arguments -> answer


class _Table:
    """The answers of one function; keys and answers are values that `marshal` can write."""

    def __init__(self, earlier: dict[Any, Any], worth: int) -> None:
        self.earlier = earlier
        self.answers: dict[Any, Any] = {}
        self.subjects: dict[Any, str | bytes] = {}  # the text or marshalled value that a new answer is about
        self.new_count = 0
        self.worth = worth

    def answer(self, key: Any, subject: str | bytes, compute: Callable[[], Any]) -> Any:
        """Return the answer for a key, computing it if it is not known."""
        if key in self.answers:
            return self.answers[key]
        is_new = key not in self.earlier
        answer = compute() if is_new else self.earlier[key]
        if len(self.answers) < MAX_ANSWERS:
            self.answers[key] = answer
            if is_new:
                self.new_count += 1
                self.subjects[key] = subject
        return answer


class Memo:
    """The answers of several functions, loaded from an earlier process and added to in this one."""

    def __init__(self, earlier: _Answers | None = None) -> None:
        self._earlier = earlier or {}
        self._tables: dict[str, _Table] = {}
        self._digests: dict[int, tuple[Any, int, bytes]] = {}  # id -> value (kept alive), digest, marshalled

    def of(
        self, function: Callable[[*_Arguments], _Answer], worth: int = 1
    ) -> Callable[[*_Arguments], _Answer]:
        """Return the pure function with a memory; `worth` says how many answers one of these counts for."""
        table = self._table(_name(function), worth)

        def remembered(*arguments: *_Arguments) -> _Answer:
            return table.answer(arguments, "", partial(function, *arguments))  # type: ignore[no-any-return]

        return remembered

    def of_value(self, function: Callable[[Any], _Answer], worth: int = 1) -> Callable[[Any], _Answer]:
        """Return the pure function of one JSON value with a memory; the value must not change meanwhile."""
        table = self._table(_name(function), worth)

        def remembered(value: Any) -> _Answer:
            try:
                digest, written = self._digested(value)
            except ValueError:  # nested too deeply for marshal
                return function(value)
            return table.answer((digest,), written, partial(function, value))  # type: ignore[no-any-return]

        return remembered

    def of_key(
        self, name: str, worth: int = 1
    ) -> Callable[[tuple[Any, ...], str | bytes, Callable[[], Any]], Any]:
        """Return a function of key, subject and computation."""
        return self._table(name, worth).answer

    def number_of(self, value: Any) -> int:
        """Return a digest of a JSON value as a number. Raises ValueError if it is nested too deeply."""
        return self._digested(value)[0]

    def knows(self, name: str, key: tuple[Any, ...]) -> bool:
        """Return whether an earlier process stored the answer for a key of `of_key`."""
        return key in self._earlier.get(name, {})

    def storable(self, may_be_stored: Callable[[object], bool]) -> _Answers | None:
        """Return the answers to store; None if too few of them are new."""
        count = sum(len(table.answers) * table.worth for table in self._tables.values())
        new_count = sum(table.new_count * table.worth for table in self._tables.values())
        if count < MIN_ANSWERS or new_count * MIN_NEW_SHARE <= count:
            return None
        answers = self.answers()
        for name, table in self._tables.items():
            for key in table.answers:
                if not (all(map(may_be_stored, key)) and may_be_stored(table.subjects.get(key, ""))):
                    del answers[name][key]
        return answers

    def answers(self) -> _Answers:
        """Return all answers that were asked for."""
        return {name: dict(table.answers) for name, table in self._tables.items()}

    def _table(self, name: str, worth: int) -> _Table:
        return self._tables.setdefault(name, _Table(self._earlier.get(name, {}), worth))

    def _digested(self, value: Any) -> tuple[int, bytes]:
        known = self._digests.get(id(value))
        if known is None:
            written = marshal.dumps(value, MARSHAL_FORMAT)
            digest = int.from_bytes(blake2b(written, digest_size=16).digest(), "big")
            known = self._digests[id(value)] = (value, digest, written)
        return known[1:]


def load(path: str | None, code_folders: tuple[str, ...]) -> Memo:
    """Return the answers stored at `path` by the same code; an empty memo if there are none."""
    try:
        with open(path or os.devnull, "rb") as file:
            identity, answers = marshal.load(file)  # noqa: S302 - a cache of our own, like compiled code
    except (OSError, EOFError, ValueError, TypeError):  # missing, damaged or written by another Python
        return Memo()
    return Memo(answers if identity == _identity(code_folders) else None)


def save(
    path: str | None, code_folders: tuple[str, ...], memo: Memo, may_be_stored: Callable[[object], bool]
) -> None:
    """Store the answers that were asked for, unless an argument or a subject may not be stored."""
    answers = memo.storable(may_be_stored) if path else None
    if path is None or answers is None:
        return
    try:
        make_private(os.path.dirname(path))
        write_atomic(path, marshal.dumps((_identity(code_folders), answers)), durable=False)
        _remove_old(os.path.dirname(path))
    except (OSError, AgentProgressError):
        return


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__name__}"


def _identity(code_folders: tuple[str, ...]) -> tuple[Any, ...]:
    """Return what the answers depend on: format, Python, and each source file's name, size and time."""
    files = [entry for folder in code_folders for entry in os.scandir(folder) if entry.name.endswith(".py")]
    states = sorted((file.path, file.stat().st_size, file.stat().st_mtime_ns) for file in files)
    return ANSWERS_FORMAT, sys.hexversion, *states


def _remove_old(folder: str) -> None:
    oldest = time.time() - MAX_AGE_DAYS * 86_400
    for entry in list(os.scandir(folder)):
        if entry.stat().st_mtime < oldest:
            os.unlink(entry.path)
