"""Our compiled modules kept in one file per journey, beside those that Python keeps one by one.

A stale start needs 150 of them. To find, open and read each costs 50 µs, which is more than a quarter of what
importing them takes. So what a journey imported is kept together, and found there the next time: by a finder
and a loader as the import system describes them (Python's language reference, section 5, PEP 302 and 451).
As with Python's own files a module counts as unchanged while its source has the same size and time. All
are kept as one value, not each as bytes of its own: that is read in two thirds of the time, and a journey
needs nearly all of them.
"""

import os
import sys
from types import CodeType, ModuleType

from progress_plugin.core.caches import checked_marshal
from progress_plugin.core.light_typing import Any
from progress_plugin.core.version import MODULE_CACHE_FORMAT, VERSION

_PACKAGE = __name__.partition(".")[0]
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_MOST = 400
"""Modules kept of a journey; beyond that they are begun anew."""
_Spec: Any = type(__spec__)
_BY_FILES = type(getattr(__spec__, "loader", None))
"""`importlib.machinery.SourceFileLoader`, which nobody needs to import for this."""
_Kept = tuple[int, int, bool, CodeType]
"""Size and time of the source, in bytes and ns; whether it is a package; the code."""


class _Loader:
    """Runs a module whose code was kept."""

    def __init__(self, code: CodeType) -> None:
        self._code = code

    def create_module(self, spec: object) -> None:
        """Leave making the module to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code in it."""
        exec(self._code, module.__dict__)  # noqa: S102 - as any import


class _Finder:
    """Finds the modules that were kept, while their sources are as they were."""

    def __init__(self, known: dict[str, _Kept], place: str | None) -> None:
        self._known = known
        self._place = place

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return how to load a module, None where the next finder has to know."""
        del path, target
        kept = self._known.get(name)
        if kept is None:
            return None
        source = _source(name, is_package=kept[2])
        if _state(source) != kept[:2]:
            return None
        spec = _Spec(name, _Loader(kept[3]), origin=source, is_package=kept[2])
        spec.has_location = True
        spec.cached = (
            self._place
        )  # where nothing is said, the import system works out where Python would keep it
        if kept[2]:
            spec.submodule_search_locations.append(os.path.dirname(source))
        return spec


_known: dict[str, _Kept] = {}
_before: frozenset[str] = frozenset()
_journey = ""


def recall(journey: str) -> None:
    """Have modules found where earlier processes kept them; without effect where nothing usable is kept."""
    global _known, _before, _journey  # noqa: PLW0603 - the import system is one per process
    _journey, _before = journey, frozenset(sys.modules)
    _known = _kept()
    if _known:
        sys.meta_path.insert(0, _Finder(_known, _place()))  # type: ignore[arg-type]


def keep() -> None:
    """Keep what this process imported, for the next one; without effect where that cannot be."""
    place = _place()
    if place is None:
        return
    added = {
        name: _compiled(name) for name in sys.modules.keys() - _before if name.startswith(f"{_PACKAGE}.")
    }
    added = {name: each for name, each in added.items() if each}
    if not added:
        return
    kept = {**_known, **added} if len(_known) + len(added) <= _MOST else added
    checked_marshal.write(place, (_version(), kept))


def _compiled(name: str) -> _Kept | None:
    """Return a module as it is kept; None for one that was kept before, or is in no file of ours."""
    spec: Any = getattr(sys.modules[name], "__spec__", None)
    if type(getattr(spec, "loader", None)) is not _BY_FILES or (state := _state(spec.origin)) is None:
        return None
    code: CodeType = spec.loader.get_code(name)
    return *state, spec.submodule_search_locations is not None, code


def _kept() -> dict[str, _Kept]:
    place = _place()
    found = checked_marshal.read(place) if place else None
    return found[1] if found and found[0] == _version() else {}


def _place() -> str | None:
    """Return where it is kept: beside the compiled modules of this copy of the plugin."""
    cached = __spec__.cached if __spec__ else None
    if not sys.pycache_prefix or sys.dont_write_bytecode or not cached:
        return None
    folder = os.path.dirname(os.path.dirname(os.path.dirname(cached)))
    return os.path.join(folder, f"modules{_journey and '-'}{_journey}.{sys.implementation.cache_tag}")


def _version() -> tuple[int, int, str, str]:
    """Return what the code of all modules depends on."""
    return MODULE_CACHE_FORMAT, sys.hexversion, VERSION, _FOLDER


def _source(name: str, *, is_package: bool) -> str:
    stem = _FOLDER + name.removeprefix(_PACKAGE).replace(".", os.sep)
    return f"{stem}{os.sep}__init__.py" if is_package else f"{stem}.py"


def _state(source: str) -> tuple[int, int] | None:
    """Return what shows whether a source has changed; None where there is none."""
    try:
        status = os.stat(source)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
