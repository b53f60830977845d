"""`doctor` by the standard library alone: it is wanted most where the packages cannot be installed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from progress_plugin.cli.doctor_text import lines
from progress_plugin.cli.error_exit import bounded
from progress_plugin.core.errors import NoProject
from progress_plugin.core.project import Project, find_project
from progress_plugin.usecases.doctor.examination import examine

_PROJECT = ("-C", "--project-dir")
_VERBOSE = "--verbose"


def run(arguments: Sequence[str]) -> int | None:
    """Run `[-C DIR] doctor [--verbose]` and return its exit code; None for anything else."""
    words = list(arguments)
    named = None
    if words[:1] and words[0] in _PROJECT and words[1:]:
        named = words[1]
        del words[:2]
    if words[:1] != ["doctor"] or words[1:] not in ([], [_VERBOSE]):
        return None
    return bounded(lambda: _run(named, verbose=_VERBOSE in words))


def _run(named: str | None, *, verbose: bool) -> int:
    found = examine(_project(named), datetime.now(UTC))
    sys.stdout.write("\n".join(lines(found.findings, verbose=verbose)) + "\n")
    return 0 if found.is_good else 1


def _project(named: str | None) -> Project | None:
    try:
        return find_project(named)
    except NoProject:
        return None
