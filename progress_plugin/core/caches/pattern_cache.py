"""Regular expressions kept compiled between processes, as Python keeps its modules.

A stale start needs 150 of them, which take 25 ms to compile and 1 ms to take over ready-made. The engine's
code is kept beside the compiled modules, and `re`'s own cache finds it there when it is asked, so that
nobody else needs to know. Entries are found by pattern and flags: a changed pattern is simply not there.

Modules have all their patterns compiled as they are imported, and an append never uses two thirds of them. So
it is kept which ones were used; any other has a stand-in, which becomes a pattern when something is asked of
it.
"""

import os
import sys
from typing import TYPE_CHECKING, Any

from progress_plugin.core.caches import checked_marshal
from progress_plugin.core.files import safe_read
from progress_plugin.core.version import PATTERN_CACHE_FORMAT

if TYPE_CHECKING:
    import re

_MOST = 800
"""Patterns kept; beyond that only those that the process which adds to them has asked for."""
_UNLIKE = (ImportError, AttributeError, LookupError, OverflowError, RuntimeError, TypeError, ValueError)
"""What is raised where `re` has other private parts than those of Python 3.11 to 3.14, or none: this is a
short cut into them, and without it all is compiled as ever."""


def recall(journey: str = "") -> None:
    """Give `re` what earlier processes compiled; without effect where nothing usable is kept.

    Each `journey` has a file of its own, so that none takes over what only others need.
    """
    global _known, _used, _before, _journey  # noqa: PLW0603 - `re`'s cache is one per process, and so is what was put there
    _journey, _before = journey, _present()
    _asked.clear()
    _known, _used = _kept()
    if not _known:
        return
    import re  # noqa: PLC0415 - not before there is something to give it

    try:
        re._cache = _OnDemand(re._cache)  # type: ignore[attr-defined]  # noqa: SLF001
    except _UNLIKE:
        _known = {}


class _OnDemand(dict[tuple[type, str, int], object]):
    """`re`'s cache, which finds a kept pattern as it is asked for: few processes need all of them."""

    def __missing__(self, key: tuple[type, str, int]) -> object:
        """Return a pattern that was kept; Python 3.11 asks in this way."""
        made = _stood_in_for(key)
        if made is None:
            raise KeyError(key)
        self[key] = made
        return made

    def pop(self, key: tuple[type, str, int], default: Any = None) -> Any:
        """Return a pattern that was made or kept; later Pythons ask in this way, and put it back."""
        made = super().pop(key, None) or _stood_in_for(key)
        return default if made is None else made


class _Later:
    """A kept pattern of which no process has asked anything yet: it is made ready when this one does."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags
        self._made: Any = None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Return the class of what it stands for: `re` takes that for compiled, and asks nothing else."""
        from re import Pattern  # noqa: PLC0415 - as above

        return Pattern

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            key = self.pattern, self._flags
            self._made = _taken_over(key) or _compiled(*key)
            _asked.add(key)
        found = getattr(self._made, name)
        setattr(self, name, found)  # the next time it is found without a question
        return found


def _stood_in_for(key: tuple[type, str, int]) -> object:
    """Return a pattern as it was kept, or what stands for it; None for one that was not kept."""
    kind, *found = key
    asked = tuple(found)
    if kind is not str or asked not in _known:
        return None
    return _taken_over(asked) if asked in _used else _Later(*asked)


def _compiled(pattern: str, flags: int) -> object:
    """Compile a pattern without asking what is kept. Raises re.error."""
    from re import _compiler  # type: ignore[attr-defined]  # noqa: PLC0415

    return _compiler.compile(pattern, flags)


def _taken_over(key: tuple[str, int]) -> object:
    """Return a pattern as it was kept, None where the engine refuses its code."""
    try:
        all_flags, code, groups, names, by_number = _known[key]
        from _sre import compile as from_code  # type: ignore[import-not-found]  # noqa: PLC0415

        return from_code(key[0], all_flags, memoryview(code).cast("I").tolist(), groups, names, by_number)
    except _UNLIKE:
        # A damaged file, or another engine of the same version: it is compiled as ever, and kept anew.
        _known.pop(key, None)
        return None


def uncached(pattern: str, flags: int = 0) -> "re.Pattern[str]":
    """Compile a pattern that is made of somebody's data, leaving nothing of it for `keep` to find.

    Raises re.error as `re.compile` does.
    """
    import re  # noqa: PLC0415

    try:
        return re.compile(pattern, flags)
    finally:
        # All of it: which entry is that pattern's is the engine's affair. What is missed is compiled again.
        re.purge()


def forget() -> None:
    """Remove what was kept for all journeys; the next processes make it anew."""
    place = _place()
    if place is None:
        return
    folder = os.path.dirname(place)
    for name in safe_read.names(folder, None):
        if name.startswith("patterns"):
            try:
                os.unlink(os.path.join(folder, name))
            except OSError:
                continue


def _present() -> frozenset[tuple[str, int]]:
    """Return the patterns that `re` keeps; none where nobody has imported it."""
    cache = getattr(sys.modules.get("re"), "_cache", {})
    try:
        # Python 3.13 has a zero of its own for flags that nobody gave.
        return frozenset((text, int(flags)) for kind, text, flags in cache if kind is str)
    except _UNLIKE:
        return frozenset()


def keep() -> None:
    """Keep what this process compiled, for the next one; without effect where that cannot be."""
    place = _place()
    if place is None:
        return
    try:
        added = {key: _code_of(*key) for key in _present() - _before - _known.keys()}
        if not added and _asked <= _used:
            return
        if len(_known) + len(added) > _MOST:  # those of earlier versions, too
            asked = _present()
            added = {key: code for key, code in _known.items() if key in asked} | added
        else:
            added = _known | added
        checked_marshal.write(place, (_version(), added, (_used | _asked) & added.keys()))
    except _UNLIKE:
        return


_Code = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""All flags, code in machine words of 32 bits, number of groups, groups by name, names by group."""
_known: dict[tuple[str, int], _Code] = {}
_used: frozenset[tuple[str, int]] = frozenset()
"""Of which an earlier process asked something."""
_asked: set[tuple[str, int]] = set()
"""Of which this one did, as the first."""
_before: frozenset[tuple[str, int]] = frozenset()
"""Compiled before the journey began, which it need not take over."""
_journey = ""


def _code_of(pattern: str, flags: int) -> _Code:
    """Return what `re.compile` hands to the engine; Python 3.11 to 3.14 name these steps alike."""
    from array import array  # noqa: PLC0415
    from re import _compiler  # type: ignore[attr-defined]  # noqa: PLC0415

    parsed = _compiler._parser.parse(pattern, flags)  # noqa: SLF001
    code = array("I", map(int, _compiler._code(parsed, flags))).tobytes()  # noqa: SLF001
    names: dict[str, int] = parsed.state.groupdict
    by_number: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        by_number[number] = name
    return flags | parsed.state.flags, code, parsed.state.groups - 1, dict(names), tuple(by_number)


def _kept() -> tuple[dict[tuple[str, int], _Code], frozenset[tuple[str, int]]]:
    place = _place()
    found = checked_marshal.read(place) if place else None
    return found[1:] if found and found[0] == _version() else ({}, frozenset())


def _place() -> str | None:
    """Return where it is kept: with the compiled modules, which the launcher gives a place of their own."""
    prefix = sys.pycache_prefix
    if not prefix or sys.dont_write_bytecode or sys.implementation.name != "cpython":
        return None
    return os.path.join(prefix, f"patterns{_journey and '-'}{_journey}.{sys.implementation.cache_tag}")


def _version() -> tuple[int, int, str]:
    """Return what the engine's code depends on."""
    return PATTERN_CACHE_FORMAT, sys.hexversion, sys.byteorder
