"""Compiled code that is whole: Python keeps what a full disk cut short, and fails at it ever after.

That is so of most versions before 3.14 (github.com/python/cpython/issues/126606). An entry point imports this
before anything else of ours, with writing off, and the launcher starts Python so: what the interpreter itself
imports first is kept from here, too. From then on a file of compiled code that is too short goes at once.
"""

import sys

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

_FIRST = ("encodings", "encodings.aliases", "encodings.utf_8", __name__)
"""What is imported while nothing is kept, and is not compiled into the interpreter."""


def _keep_first() -> None:
    for name in _FIRST:
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if spec and spec.cached:
            try:
                is_kept = system.stat(spec.cached).st_mtime >= system.stat(spec.origin).st_mtime
            except OSError:
                is_kept = False
            if not is_kept:
                spec.loader.get_code(name)


def _write_whole_files() -> None:
    try:
        import _frozen_importlib_external as files  # noqa: PLC0415 - nothing public is asked before one is kept

        write = files._write_atomic  # type: ignore[attr-defined]  # noqa: SLF001
    except (ImportError, AttributeError):
        return  # another Python than those that need it

    def write_whole(path: str, data: bytes, mode: int = 0o666) -> None:
        write(path, data, mode)
        if system.stat(path).st_size != len(data):
            system.unlink(path)

    files._write_atomic = write_whole  # type: ignore[attr-defined]  # noqa: SLF001


if sys.version_info < (3, 14):
    _write_whole_files()
if sys.pycache_prefix:
    sys.dont_write_bytecode = False
    _keep_first()
else:
    sys.dont_write_bytecode = bool(sys.flags.dont_write_bytecode)
