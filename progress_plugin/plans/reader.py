"""The one way to read a plan, whatever its format: by its file name, then by what is in it (S5.3)."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.model.story import Plan
from progress_plugin.plans import prd
from progress_plugin.text.decode import decode

Read = Callable[[str], bytes | None]
"""Gives the bytes of a file by its path relative to the project root, or None where there is none."""

CANDIDATES = (
    "prd.json",
    "tasks/prd.json",
    "scripts/ralph/prd.json",
    ".ralph/prd.json",
    "ralph/prd.json",
    "plans/prd.json",
    ".chief/prds/*/prd.json",
    "feature_list.json",
    ".taskmaster/tasks/tasks.json",
    "tasks/tasks.json",
    ".agent-os/specs/*/tasks.json",
    ".agent-os/specs/*/tasks.md",
    ".beads/issues.jsonl",
    ".beads/beads.jsonl",
    "task_plan.md",
    ".planning/task_plan.md",
    ".planning/*/task_plan.md",
)
"""Where plans are found: paths relative to the project root, ``*`` standing for one folder."""


def read_plan(path: str, data: bytes, read: Read) -> Plan | None:
    """Return the plan in ``data``, or None for a foreign file of the same name.

    ``path`` is relative to the project root, with forward slashes; any other file can be read too, its format is
    then told by name and content. Raises BadInput, in one line, for a file that should be a plan and is unreadable.
    """
    document = _parsed(path, decode(data, path))
    name = posixpath.basename(path)
    return prd.read(path, document, prd.FEATURE_LIST if name.startswith("feature_list") else prd.PRD)


def _parsed(path: str, source: str) -> Any:
    try:
        return json.loads(source)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"{path}: not valid JSON at {where} ({error.msg}); correct the file there") from None
    except (ValueError, RecursionError):
        raise BadInput(
            f"{path}: nested too deeply, or holds a number too long to read; simplify it"
        ) from None
