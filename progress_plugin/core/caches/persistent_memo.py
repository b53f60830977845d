"""Answers of pure functions kept between processes: a log that has grown asks mostly what it asked before.

Whether a statement of an agent's log teaches, and what, takes 20 µs to find out and 1 to look up. So the
answers are kept in the user's cache, by the arguments themselves: nothing can be outdated but the
code that answered, and that is part of what is compared.
"""

from __future__ import annotations

import marshal
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from progress_plugin.core.caches import checked_marshal
from progress_plugin.core.directories import make_private
from progress_plugin.core.fast.minimal_os import content_number
from progress_plugin.core.version import ANSWERS_FORMAT

_FEWEST = 300
"""Answers below which looking a file up costs as much as it saves."""
_MOST = 20_000
"""Answers of one function that are remembered: those about a log of 7 MB."""
_SHARE_NEW = 10
"""One answer in so many must be new before all are written again."""
_DAYS = 30
"""After which the answers for a project that nobody opens are removed."""

if TYPE_CHECKING:
    from typing import TypeVar, TypeVarTuple

    _Arguments = TypeVarTuple("_Arguments")
    _Answer = TypeVar("_Answer")
_Tables = dict[str, dict[Any, Any]]
"""By the function's module and name, answers by arguments."""
_UNKNOWN: Any = object()
_WITHOUT_REFERENCES = 2
"""The format of `marshal` in which equal values are written alike, whoever else holds their parts."""


class Memo:
    """What functions answered, taken over from an earlier process and added to in this one."""

    def __init__(self, before: _Tables | None = None) -> None:
        self._before = before or {}
        self._asked: _Tables = {}
        self._new: dict[str, int] = {}
        """By name how many of the answers that are remembered were found out here."""
        self._worth: dict[str, int] = {}
        self._says: dict[str, dict[Any, str | bytes]] = {}
        """By name and key of what was found out by `of_key` and `of_value`, what it is about."""
        self._digests: dict[int, tuple[Any, tuple[int], bytes]] = {}
        """By their ids values that functions were asked about, with the key of each and what it says."""
        self._wholes: dict[str, tuple[str, str]] = {}
        """By the name of answers about several values, that of those about one, and where both are needed."""

    def of(
        self, function: Callable[[*_Arguments], _Answer], worth: int = 1
    ) -> Callable[[*_Arguments], _Answer]:
        """Return a pure function with a memory; it takes and returns plain values.

        Plain is what `marshal` writes: texts, numbers, None, and tuples and frozensets of them. `worth` is
        how many answers one of these counts for.
        """
        name = f"{function.__module__}.{function.__name__}"
        self._worth[name] = worth
        before, new = self._before.get(name, {}), self._new
        asked = self._asked.setdefault(name, {})

        def remembered(*arguments: *_Arguments) -> _Answer:
            answer: _Answer = asked.get(arguments, _UNKNOWN)
            if answer is _UNKNOWN:
                answer = before.get(arguments, _UNKNOWN)
                if answer is _UNKNOWN:
                    answer = function(*arguments)
                    new[name] = new.get(name, 0) + (len(asked) < _MOST)
                if len(asked) < _MOST:
                    asked[arguments] = answer
            return answer

        return remembered

    def of_value(self, function: Callable[[Any], _Answer], worth: int = 1) -> Callable[[Any], _Answer]:
        """Return a pure function of a JSON value with a memory, which finds it by all that the value says.

        What it returns is plain as for `of`. No value may change while the memo lives. It is found by a
        number made of it, not by itself: most of what an entry says is in the answer as well. `worth` as for
        `of`.
        """
        name = f"{function.__module__}.{function.__name__}"
        self._worth[name] = worth
        before, new = self._before.get(name, {}), self._new
        asked, says = self._asked.setdefault(name, {}), self._says.setdefault(name, {})

        def of_value(value: Any) -> _Answer:
            try:
                _, key, written = self._digests.get(id(value)) or self._digested(value)
            except ValueError:  # it nests too deeply to be written
                return function(value)
            answer: _Answer = asked.get(key, _UNKNOWN)
            if answer is _UNKNOWN:
                answer = before.get(key, _UNKNOWN)
                if answer is _UNKNOWN:
                    answer = function(value)
                    new[name] = new.get(name, 0) + (len(asked) < _MOST)
                if len(asked) < _MOST:
                    asked[key], says[key] = answer, written
            return answer

        return of_value

    def number_of(self, value: Any) -> int:
        """Return a number made of all that a JSON value says; it may not change while the memo lives.

        Raises ValueError for one that nests too deeply.
        """
        return (self._digests.get(id(value)) or self._digested(value))[1][0]

    def _digested(self, value: Any) -> tuple[Any, tuple[int], bytes]:
        written = marshal.dumps(value, _WITHOUT_REFERENCES)
        found = value, (content_number(written),), written
        self._digests[id(value)] = found  # with the value, so that no other gets its id
        return found

    def of_key(
        self, name: str, worth: int = 1
    ) -> Callable[[tuple[Any, ...], str | bytes, Callable[[], Any]], Any]:
        """Return a function that answers by a key; what is not known it asks for.

        It takes the key, the text (or the value, as `marshal` writes it) that the answer is about and decides
        whether it may be kept, and what finds the answer out. Keys and answers are plain as for `of`; the
        name is one of `code` (`recall`).
        """
        self._worth[name] = worth
        before, new = self._before.get(name, {}), self._new
        asked, says = self._asked.setdefault(name, {}), self._says.setdefault(name, {})

        def of_key(key: tuple[Any, ...], text: str | bytes, find: Callable[[], Any]) -> Any:
            answer = asked.get(key, _UNKNOWN)
            if answer is _UNKNOWN:
                answer = before.get(key, _UNKNOWN)
                if answer is _UNKNOWN:
                    answer = find()
                    says[key] = text
                    new[name] = new.get(name, 0) + (len(asked) < _MOST)
                if len(asked) < _MOST:
                    asked[key] = answer
            return answer

        return of_key

    def answers_whole(self, name: str, part: str, but: str) -> None:
        """Have what was answered about values one by one not kept where it was about several at once.

        Those answers are called `part`, these `name`, found by a word and the numbers of the values
        (`number_of`). Where the word is `but`, as a rule others will be asked, and both are kept.
        """
        self._wholes[name] = part, but

    def needed(self, answers: _Tables) -> _Tables:
        """Return answers without those that others stand for."""
        for name, (part, but) in self._wholes.items():
            several = [key for key in answers.get(name, ()) if key[0] != but]
            told = {(number,) for _, *numbers in several for number in numbers}
            if part in answers:
                answers[part] = {key: answer for key, answer in answers[part].items() if key not in told}
        return answers

    def knows(self, name: str, key: tuple[Any, ...]) -> bool:
        """Return whether an earlier process has found out what `of_key` would answer."""
        return key in self._before.get(name, {})

    def texts(self, name: str) -> dict[Any, str | bytes]:
        """Return by their keys what answers of a name are about: texts, and values as they are written."""
        return self._says.get(name, {})

    def answers(self) -> _Tables | None:
        """Return what was asked for, None where it is not worth keeping."""
        count = new = 0
        for name, asked in self._asked.items():
            count += len(asked) * self._worth[name]
            new += self._new.get(name, 0) * self._worth[name]
        return self._asked if count >= _FEWEST and new * _SHARE_NEW > count else None


def recall(path: str | None, code: tuple[str, ...]) -> Memo:
    """Return what was kept at `path` by the same code, an empty memo where there is nothing usable.

    `code` names the directories of the modules that answer.
    """
    found = checked_marshal.read(path) if path else None
    return Memo(found[1] if found and found[0] == _identity(code) else None)


def keep(
    path: str | None, code: tuple[str, ...], memo: Memo, may_be_stored: Callable[[object], bool]
) -> None:
    """Keep the answers asked for, if enough of them are new; without effect where that cannot be.

    Left out is what was asked with an argument, or about a text, that may not be stored.
    """
    asked = memo.answers()
    if path is None or asked is None:
        return
    answers = {}
    for name, table in asked.items():
        texts = memo.texts(name)
        answers[name] = {
            key: answer
            for key, answer in table.items()
            if all(map(may_be_stored, key)) and (key not in texts or may_be_stored(texts[key]))
        }
    folder, identity = os.path.dirname(path), _identity(code)
    try:
        make_private(folder)
        checked_marshal.write(path, (identity, memo.needed(answers)))
        _remove_old(folder)
    except OSError:
        return


def _identity(code: tuple[str, ...]) -> tuple[Any, ...]:
    """Return what changes with Python and the code of these directories: names, sizes and times of files."""
    files = [entry for folder in code for entry in os.scandir(folder) if entry.name.endswith(".py")]
    stats = [(entry.path, entry.stat()) for entry in files]
    return (
        ANSWERS_FORMAT,
        sys.hexversion,
        *sorted((path, stat.st_size, stat.st_mtime_ns) for path, stat in stats),
    )


def _remove_old(folder: str) -> None:
    oldest = time.time() - _DAYS * 86_400
    for entry in list(os.scandir(folder)):
        if entry.stat().st_mtime < oldest:
            os.unlink(entry.path)
