"""Compiled modules kept in one file per journey, beside those that Python keeps one by one.

A stale start needs 200 of them, 30 from the standard library. To find, open and read each costs 50 µs, which
is more than a quarter of what importing them takes. So what a journey imported is kept together, and found
there the next time: by a finder and loader as the import system describes them (Python's language reference,
section 5, PEP 302 and 451). As with Python's own files a module counts as unchanged while its source has the
same size and time. All are kept as one value, not each as bytes of its own: that is read in two thirds of the
time, and a journey needs nearly all of them.

What importing a module imported besides, in which order it was ready, is kept, too: the next time all of that
is made ready first, one by one, so that the import system, which takes 25 µs for each, need not be asked.

Nothing but what an interpreter has loaded is used here until something is to be kept.
"""

import marshal
import os
import sys

from progress_plugin.core.fast import kept_modules
from progress_plugin.core.version import MODULE_CACHE_FORMAT, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    _Kept = tuple[int, int, bool, CodeType | bytes]
    """Size and time of the source, in bytes and ns; whether it is a package; the code.

    Of a module of the standard library that is bytes of its own: some came with a first run's tidying up.
    """

_PACKAGE = __name__.partition(".")[0]
_COMMANDS = f"{_PACKAGE}.cli"
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
_LIBRARY = os.path.dirname(os.__file__)
_PRIVATE = 0o700
_MOST = 400
"""Modules kept of a journey; beyond that they are begun anew."""
_RARE = frozenset(("shutil", "fnmatch", "bz2", "lzma", "_compression"))
"""Of Python's own what only the first write of a project imports: all later ones would read it."""
_ONLY_PARSED = 0x400
"""The flag of `compile` for a tree, `ast.PyCF_ONLY_AST`; importing `ast` takes 10 ms."""
_FUNCTIONS = ("FunctionDef", "AsyncFunctionDef")
_STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a tree that hold statements, or what holds them."""
_Spec: "Any" = type(__spec__)
_BY_FILES = "SourceFileLoader"
_IN_C = (
    {
        "datetime": "from _datetime import *\nfrom _datetime import __doc__\n"
        "__all__ = ('date', 'datetime', 'time', 'timedelta', 'timezone', 'tzinfo', 'MINYEAR', 'MAXYEAR', "
        "'UTC')\n"
    }
    if sys.version_info < (3, 12) and sys.implementation.name == "cpython"
    else {}
)
"""What comes of a module of Python's that defines everything a second time, only to replace it: later Pythons
have it so. Reading and running the definitions takes ten times as long."""

if TYPE_CHECKING or sys.version_info >= (3, 12):
    _Module = type(sys)
else:

    class _Module(type(sys)):
        """A module that says without an error, put in words and thrown away, that it has no such name.

        Python asks each module for a path at each `from … import`, a thousand times at a start. For none of
        ours a function `__getattr__` would be called, as it would for a module of Python's own kind.
        """

        __getattribute__ = object.__getattribute__


class _Finder:
    """Finds and runs the modules that were kept, while their sources are as they were."""

    def __init__(
        self, known: "dict[str, _Kept]", before: dict[str, tuple[str, ...]], place: str, *, is_alone: bool
    ) -> None:
        """Take what is kept, what is to be made ready before which modules, and where that is kept."""
        self.known = known
        self.before = before
        self.place = place
        # Where it is asked how long each import takes, each goes through the import system, which tells it.
        self._is_alone = is_alone and "importtime" not in sys._xoptions  # noqa: SLF001 - it is documented
        self.is_outdated = False
        """Whether a source has changed, and with it what it imports."""
        self._knows_all = True
        """Whether all modules of ours went through here, so that it is seen what comes with which."""
        self._within: list[list[str]] = []
        """For each module that is being imported now, the outermost first, those of ours that came."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return how to load a module, None where the next finder has to know."""
        del path, target
        kept = self.known.get(name)
        if kept is None:
            self._knows_all &= not name.startswith(_PACKAGE)
            return None
        for other in self.before.get(name, ()) if self._is_alone else ():
            if other not in sys.modules:
                self._make_ready(other)
        source = self._source(name, kept)
        return source and self._spec(name, kept, source)

    def create_module(self, spec: "Any") -> "ModuleType | None":
        """Return the module that the import system fills in; None leaves making it to that."""
        return _Module(spec.name) if spec.name.startswith(_PACKAGE) else None

    def exec_module(self, module: "ModuleType") -> None:
        """Run the module's code in it."""
        name = module.__name__
        within: list[str] = []
        self._within.append(within)
        try:
            code = self.known[name][3]
            exec(marshal.loads(code) if type(code) is bytes else code, module.__dict__)  # noqa: S102, S302 - as any import
        finally:
            self._within.pop()
        if self._within:
            self._within[-1] += [*within, name] if name.startswith(_PACKAGE) else within
        elif within and self._is_alone and self._knows_all and name not in self.before:
            self.before[name] = tuple(within)
            self.is_outdated = True

    def _make_ready(self, name: str) -> None:
        """Import a module of ours whose own imports are ready; without effect where it has changed."""
        kept = self.known.get(name)
        source = kept and self._source(name, kept)
        if not kept or not source:
            return
        around, _, last = name.rpartition(".")
        if around not in sys.modules:  # it was there where it was seen what comes with what
            self._make_ready(around)
            if around not in sys.modules:
                return
        spec = self._spec(name, kept, source)
        module = _Module(name)
        module.__dict__.update(
            __spec__=spec,
            __loader__=self,
            __package__=name if kept[2] else around,
            __file__=source,
            __cached__=self.place,
        )
        if kept[2]:
            module.__path__ = spec.submodule_search_locations
        sys.modules[name] = module
        is_ready = False
        try:
            exec(kept[3], module.__dict__)  # noqa: S102 - as any import
            is_ready = True
        finally:
            if not is_ready:
                del sys.modules[name]
        setattr(sys.modules[around], last, module)

    def _source(self, name: str, kept: "_Kept") -> str | None:
        """Return the path of a module's source, None where it is not what it was."""
        source = _source(name, is_package=kept[2])
        if kept_modules.state_of(source) == kept[:2]:
            return source
        self.is_outdated, self._knows_all = True, False
        self.before.clear()
        return None

    def _spec(self, name: str, kept: "_Kept", source: str) -> "Any":
        spec = _Spec(name, self, origin=source, is_package=kept[2])
        spec.has_location = True
        # where nothing is said, the import system works out where Python would keep it
        spec.cached = self.place
        if kept[2]:
            spec.submodule_search_locations.append(os.path.dirname(source))
        return spec


_finder: _Finder | None = None
_before: frozenset[str] = frozenset()
_journey = ""


def recall(journey: str, *, is_alone: bool = False) -> None:
    """Have modules found where earlier processes kept them; without effect where nothing usable is kept.

    `is_alone` says that no other thread imports: it could come upon a module that is not ready yet.
    """
    global _finder, _before, _journey  # noqa: PLW0603 - the import system is one per process
    _journey, _before, _finder = journey, frozenset(sys.modules), None
    place = _place()
    if place is not None:
        _finder = _Finder(*_kept(place), place, is_alone=is_alone)
        sys.meta_path.insert(0, _finder)  # type: ignore[arg-type]


def keep() -> None:
    """Keep what this process imported, for the next one; without effect where that cannot be."""
    finder = _finder
    if finder is None:
        return
    names = sys.modules.keys() - _before - _RARE
    if not finder.is_outdated:
        names -= finder.known.keys()  # each came from there, as a rule all
    added = {name: each for name in names if (each := _compiled(name))}
    if not added and not finder.is_outdated:
        return
    from progress_plugin.core.errors import AgentProgressError  # noqa: PLC0415 - as a rule there is nothing to keep
    from progress_plugin.core.files import atomic_file  # noqa: PLC0415

    is_little = len(finder.known) + len(added) <= _MOST
    modules, before = ({**finder.known, **added}, finder.before) if is_little else (added, {})
    content = marshal.dumps((_version(), modules, before))
    _close_to_others()
    try:
        atomic_file.replace(finder.place, kept_modules.checksum(content) + content, durable=False)
    except (OSError, AgentProgressError):
        return


def _close_to_others() -> None:
    """Let nobody else into our folder of compiled code: Python looks at no owner of what it runs from there.

    Not one that was named for all of Python, nor root's, which others may be meant to read.
    """
    from progress_plugin.core.directories import user_cache  # noqa: PLC0415 - as a rule there is nothing to keep

    folder = os.path.join(user_cache() or "", "pycache")
    if folder != sys.pycache_prefix or not hasattr(os, "geteuid") or os.geteuid() == 0:
        return
    try:
        os.chmod(folder, _PRIVATE)
    except OSError:
        return  # root's, or gone


def _compiled(name: str) -> "_Kept | None":
    """Return a module as it is kept; None for one that was kept before, or is no file of ours or Python's."""
    spec: Any = getattr(sys.modules[name], "__spec__", None)
    loader: Any = getattr(spec, "loader", None)
    if isinstance(loader, kept_modules.KeptModules):
        return loader.known[name]  # of a quick look: what comes with which is seen where all come from here
    if type(loader).__name__ != _BY_FILES:
        return None
    is_package = spec.submodule_search_locations is not None
    source = _source(name, is_package=is_package)
    state = kept_modules.state_of(source) if spec.origin == source else None
    if not state:
        return None
    is_in_c = name in _IN_C and f"_{name}" in sys.modules
    text: str | bytes = _IN_C[name] if is_in_c else loader.get_data(source)
    # Without docstrings, an eighth of what is read at each start; those of commands are the help they show.
    optimize = 0 if name.startswith(_COMMANDS) else 2
    tree = compile(text, source, "exec", _ONLY_PARSED, dont_inherit=True, optimize=optimize)
    if name.startswith(_PACKAGE):
        _drop_annotations(tree)
    code: CodeType = compile(tree, source, "exec", dont_inherit=True, optimize=optimize)
    return *state, is_package, code if name.startswith(_PACKAGE) else marshal.dumps(code)


def _drop_annotations(tree: "Any") -> None:
    """Take out what functions say of the kinds of what they take and return, of which nothing of ours asks.

    It is a twentieth of what is read at each start, and put together as each function is made.
    """
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if type(node).__name__ in _FUNCTIONS:
            node.returns, own = None, node.args
            for each in (*own.posonlyargs, *own.args, *own.kwonlyargs, own.vararg, own.kwarg):
                if each is not None:
                    each.annotation = None
        for field in _STATEMENTS:
            waiting += getattr(node, field, ())


def _kept(place: str) -> "tuple[dict[str, _Kept], dict[str, tuple[str, ...]]]":
    """Return the modules that are kept at a place, and what is made ready before which of them."""
    try:
        version, modules, before = kept_modules.read(place) or (None, {}, {})
    except (EOFError, ValueError, TypeError):  # written by another Python, or by an earlier version
        return {}, {}
    return (modules, before) if version == _version() else ({}, {})


def _place() -> str | None:
    """Return where it is kept: beside the compiled modules of this copy of the plugin."""
    cached = __spec__.cached if __spec__ else None
    if not (kept_modules.HAS_CHECKSUM and sys.pycache_prefix) or sys.dont_write_bytecode or not cached:
        return None
    folder = os.path.dirname(os.path.dirname(os.path.dirname(cached)))
    return os.path.join(folder, f"modules{_journey and '-'}{_journey}.{sys.implementation.cache_tag}")


def _version() -> tuple[int, int, str, str, str]:
    """Return what the code of all modules depends on."""
    return MODULE_CACHE_FORMAT, sys.hexversion, VERSION, _FOLDER, _LIBRARY


def _source(name: str, *, is_package: bool) -> str:
    """Return where the source of a module of ours is, or of one of the standard library."""
    folder = _FOLDER if name.startswith(_PACKAGE) else _LIBRARY
    return f"{folder}{os.sep}{name.replace('.', os.sep)}{f'{os.sep}__init__' if is_package else ''}.py"
