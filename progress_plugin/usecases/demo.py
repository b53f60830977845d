"""`demo`: the main job done on the bundled example, in a copy that is thrown away.

How much is saved is counted in `usecases.summarize` (`figures`).
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from typing import Any

from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import find_project
from progress_plugin.usecases.project_writes import prepare, summary_path
from progress_plugin.usecases.reading import CONFIG_FILE
from progress_plugin.usecases.summarize import figures
from progress_plugin.usecases.summary_files import regenerate

EXAMPLE = os.path.join(PLUGIN_ROOT, "examples", "harbour")
"""A plan and the log an agent kept of it, both invented."""
EXAMPLE_FILES = ("prd.json", "progress.md")
_SHOWING = "inject = true\nsummary_enabled = true\n"
"""Written into the copy: somebody who switched injection off still wants to see a context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoResult:
    """What the demonstration found out."""

    context: str
    """The text a session start puts in front of an agent."""
    user_line: str
    summary: str
    """The whole `progress-summary.md`."""
    figures: dict[str, Any]
    """As `status summarize --json` prints them, but for the path, which names no lasting place."""
    source_bytes: int
    milliseconds: int
    """From reading the sources to the written summary."""


def demo() -> DemoResult:
    """Make the summary of the example as a first session start does, and return what came of it.

    Raises AgentProgressError where the example is not there, or no temporary directory can be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="agent-progress-demo-") as root:
            return _in_copy(root)
    except OSError as error:
        raise AgentProgressError(
            f"the example cannot be copied: {error}; install the plugin again"
        ) from error


def _in_copy(root: str) -> DemoResult:
    for name in EXAMPLE_FILES:
        shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
    project = find_project(root)
    prepare(project)
    with open(os.path.join(project.directory, CONFIG_FILE), "w", encoding="utf-8") as file:
        file.write(_SHOWING)
    started = time.perf_counter()
    composed = regenerate(project, DEFAULT_TIMEOUT_S)
    took = time.perf_counter() - started
    shown = figures(composed, summary_path(project))
    shown.pop("path")
    return DemoResult(
        context=composed.context,
        user_line=composed.user_line,
        summary=composed.summary.text,
        figures=shown,
        source_bytes=sum(os.path.getsize(os.path.join(root, name)) for name in EXAMPLE_FILES),
        milliseconds=round(took * 1000),
    )
