"""The one way to read a plan, whatever its format: by the table of formats, in `core.known_paths`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Protocol, cast

from progress_plugin.core.known_paths import FORMATS, PlanFormat
from progress_plugin.model.story import Plan
from progress_plugin.plans.plan_file import PlanFile, Read

_EXTENSIONS = {".markdown": ".md", ".txt": ".md"}
"""Read as files of another extension are."""
_OTHERS = ".json"
"""How files are read whose extension no format has."""


class FormatModule(Protocol):
    """What the module of a format has."""

    RECOGNISED_BY: str
    """How a file of this format is recognised, for `docs/formats-plans.md`."""

    def recognises(self, file: PlanFile) -> bool:
        """Return whether the file is this format's to read: by its name, else by what is in it."""

    def read(self, file: PlanFile) -> Plan | None:
        """Return the plan in the file, or None where it holds something else."""


def read_plan(path: str, data: bytes, read: Read) -> Plan | None:
    """Return the plan in ``data``, or None for a foreign file of the same name.

    ``path`` is relative to the project root, with forward slashes. Files of other names are read as well, by
    their extension and content. Raises BadInput, in one line, for a file that cannot be read.
    """
    file = PlanFile(path, data, read)
    for module in _modules(path):
        if module.recognises(file):
            return module.read(file)
    return None


def without_copies(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the paths without those another one replaces: tasks.md beside tasks.json, the old beads name.

    For discovery only: a file that somebody names is read whatever is beside it.
    """
    present = set(paths)
    newer = {old: new for row in FORMATS for old, new in row.copies.items()}
    return tuple(path for path in paths if _beside(path, newer) not in present)


def module_of(row: PlanFormat) -> FormatModule:
    """Return the module that reads a format."""
    # Not importlib, which hooks would load for this alone.
    return cast("FormatModule", __import__(f"progress_plugin.plans.{row.module}", fromlist=["read"]))


def _modules(path: str) -> Iterator[FormatModule]:
    """Yield the modules for a file's extension, the most particular first, each loaded when it is asked.

    The patterns of the Markdown formats take as long to compile as all the rest, and most plans are JSON.
    """
    by_extension: dict[str, list[PlanFormat]] = {}
    for row in reversed(FORMATS):
        for extension in dict.fromkeys(_extension(name) for name in row.files):
            by_extension.setdefault(extension, []).append(row)
    for row in by_extension.get(_extension(path)) or by_extension[_OTHERS]:
        yield module_of(row)


def _extension(path: str) -> str:
    extension = posixpath.splitext(path)[1].lower()
    return _EXTENSIONS.get(extension, extension)


def _beside(path: str, newer: dict[str, str]) -> str:
    folder, name = posixpath.split(path)
    return posixpath.join(folder, newer[name]) if name in newer else ""
