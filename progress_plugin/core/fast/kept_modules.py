"""The compiled modules of a hook's quick look, all in one file: found, read and checked at once.

To find, open and read a module by itself takes 0.2 ms, and a quick look needs a dozen of them, at every tool
call. So they are kept together, without docstrings, by `core.caches.hook_module_cache`, and run from here: by
a finder and loader as the import system describes them (Python's language reference, section 5, PEP 302 and
451). As with Python's own files a module counts as unchanged while its source has the same size and time.

An entry point in `hooks/` imports this module by its own folder: whoever names the packages above it imports
those, too. What longer work imports is kept by `core.caches.module_cache`.
"""

import marshal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

    class _Base(MetaPathFinder, Loader): ...

    Kept = tuple[int, int, bool, CodeType]
    """Size and time of a module's source, in bytes and ns; whether it is a package; the code."""
else:
    _Base = object

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

try:
    from _imp import source_hash

    HAS_CHECKSUM = True
except ImportError:
    HAS_CHECKSUM = False  # then nothing is kept

FORMAT = 1
_CHECKSUM = 8
"""Bytes of the checksum that comes first: `marshal` believes what it reads, and a page may be damaged."""
_INIT = "/__init__.py"
_Spec = type(sys.__spec__)
_HAS_OWNERS = sys.platform != "win32"
_FLAGS = system.O_RDONLY | (
    system.O_NOFOLLOW | system.O_NONBLOCK if _HAS_OWNERS else getattr(system, "O_BINARY", 0)
)


class KeptModules(_Base):
    """Finds and runs the modules that were kept, while their sources are as they were."""

    def __init__(self, root: str, known: "dict[str, Kept]") -> None:
        """Take the plugin's folder, with the separator behind it, and what is kept, by the modules' names."""
        self.root = root
        self.known = known
        self.is_outdated = not known
        """Whether there is something to keep anew, after the work."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """Return how to load a module, None where the next finder has to know."""
        del path, target
        kept = self.known.get(name)
        if kept is None:
            return None
        source = source_of(self.root, name, kept[2])
        if state_of(source) != kept[:2]:
            self.is_outdated = True
            return None
        spec = _Spec(name, self, origin=source, is_package=kept[2])
        spec.has_location = True
        spec.cached = ""  # where nothing is said, the import system works out where Python would keep it
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(source[: -len(_INIT)])
        return spec

    def create_module(self, spec: object) -> None:
        """Leave making the module to the import system."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run the module's code in it."""
        exec(self.known[module.__name__][3], module.__dict__)  # noqa: S102 - as any import


def recall(root: str, entry_point: str) -> KeptModules | None:
    """Have an entry point's modules found where they were kept; None where nothing can be kept."""
    # For what goes on with longer work: by its own name it would be read once more.
    sys.modules["progress_plugin.core.fast.kept_modules"] = sys.modules[__name__]
    path = place(root, entry_point)
    if path is None:
        return None
    kept = KeptModules(root, read(path))
    sys.meta_path.insert(0, kept)
    return kept


def place(root: str, entry_point: str) -> "str | None":
    """Return where they are kept, beside this copy's other compiled modules; None for nowhere."""
    if not (HAS_CHECKSUM and sys.pycache_prefix) or sys.dont_write_bytecode or root[:1] != "/":
        return None
    tag = f"{sys.implementation.cache_tag}-{sys.hexversion:x}-{FORMAT}"
    return f"{sys.pycache_prefix}{root}progress_plugin/hook-{entry_point}.{tag}"


def read(path: str) -> "Any":
    """Return what is kept; an empty dictionary where it is not there, or damaged."""
    try:
        descriptor = system.open(path, _FLAGS)
    except OSError:
        return {}
    try:
        status = system.fstat(descriptor)
        if _HAS_OWNERS and status.st_uid != 0 and status.st_uid != system.geteuid():
            return {}  # anybody else's code would run as ours
        data = system.read(descriptor, status.st_size)
    except OSError:
        return {}
    finally:
        system.close(descriptor)
    content = memoryview(data)[_CHECKSUM:]
    if len(data) <= _CHECKSUM or checksum(content) != data[:_CHECKSUM]:
        return {}
    return marshal.loads(content)  # noqa: S302 - as trusted as the compiled modules of Python beside it


def checksum(content: bytes | memoryview) -> bytes:
    """Return the checksum of what is kept: Python's own of sources, which is loaded anyway."""
    return source_hash(FORMAT, content)


def source_of(root: str, name: str, is_package: bool) -> str:
    """Return the path of a module's source."""
    return root + name.replace(".", "/") + (_INIT if is_package else ".py")


def state_of(source: str) -> tuple[int, int] | None:
    """Return what shows whether a source has changed, as it is kept; None where there is none."""
    try:
        status = system.stat(source)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
