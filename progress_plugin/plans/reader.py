"""The one way to read a plan, whatever its format: by its file name, then by what is in it (S5.3)."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.model.story import Plan
from progress_plugin.plans import agent_os, prd, task_master
from progress_plugin.text.decode import decode

Read = Callable[[str], bytes | None]
"""Gives the bytes of a file by its path relative to the project root, or None where there is none."""

_CONFLICT = re.compile(r"^<<<<<<< ", re.MULTILINE)
_MARKDOWN = (".md", ".markdown", ".txt")
_PHASES_ONLY = ("task_plan.md", "roadmap.md")
"""What is called so is a plan for its phases alone: many a roadmap is a list of wishes."""
_SUCCESSORS = {"tasks.md": "tasks.json", "beads.jsonl": "issues.jsonl"}


def read_plan(path: str, data: bytes, read: Read) -> Plan | None:
    """Return the plan in ``data``, or None for a foreign file of the same name.

    ``path`` is relative to the project root, with forward slashes. Files of other names are read as well, by
    their extension and content. Raises BadInput, in one line, for a file that cannot be read.
    """
    source = decode(data, path)
    extension = posixpath.splitext(path)[1].lower()
    if extension in _MARKDOWN:
        return _read_markdown(path, source)
    if extension == ".jsonl":
        from progress_plugin.plans import beads  # noqa: PLC0415 - most plans are JSON as a whole

        return beads.read(path, source)
    return _read_document(path, _parsed(path, source), read)


def without_copies(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the paths without those another one replaces: tasks.md beside tasks.json, the old beads name.

    For discovery only: a file that somebody names is read whatever stands beside it.
    """
    present = set(paths)
    return tuple(path for path in paths if _successor(path) not in present)


def _successor(path: str) -> str:
    folder, name = posixpath.split(path)
    return posixpath.join(folder, _SUCCESSORS[name]) if name in _SUCCESSORS else ""


def _read_markdown(path: str, source: str) -> Plan | None:
    # Their patterns take as long to compile as all the rest, and most plans are JSON.
    from progress_plugin.plans import agent_os_markdown, planning_files  # noqa: PLC0415

    name = posixpath.basename(path).lower()
    if name == "tasks.md":
        return agent_os_markdown.read(path, source)
    # A phase is the more telling sign: every list of boxes would pass for tasks.
    plan = planning_files.read(path, source)
    return plan or (None if name in _PHASES_ONLY else agent_os_markdown.read(path, source))


def _read_document(path: str, document: Any, read: Read) -> Plan | None:
    name = posixpath.basename(path).lower()
    if task_master.is_tagged(document) or (name == "tasks.json" and ".agent-os/" not in path):
        return task_master.read(path, document, lambda: _state(task_master.state_path(path), read))
    if name == "tasks.json":
        return agent_os.read(path, document)
    return prd.read(path, document, prd.FEATURE_LIST if name.startswith("feature_list") else prd.PRD)


def _state(path: str, read: Read) -> Any:
    data = read(path)
    try:
        return None if data is None else _parsed(path, decode(data, path))
    except BadInput:
        return None  # The reader of the plan says that the tag is not known; the plan itself can be read.


def _parsed(path: str, source: str) -> Any:
    try:
        return json.loads(source)
    except json.JSONDecodeError as error:
        if _CONFLICT.search(source):
            raise BadInput(f"{path}: holds git conflict markers; resolve the conflict") from None
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"{path}: not valid JSON at {where} ({error.msg}); correct the file there") from None
    except (ValueError, RecursionError):
        raise BadInput(
            f"{path}: nested too deeply, or holds a number too long to read; simplify it"
        ) from None
