"""`demo`: the main job done on the bundled example, in a copy that is thrown away."""

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
EXAMPLE_FILES = ("prd.json", "progress.md")
CONFIG = "inject = true\nsummary_enabled = true\n"  # whatever the user's own configuration says


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoResult:
    """The output of a first session start in the example."""

    context: str  # the text that an agent gets
    user_line: str
    summary: str  # the whole `progress-summary.md`
    figures: dict[str, Any]  # as `status summarize --json` prints them, without the path
    source_bytes: int
    milliseconds: int  # from reading the sources to the written summary


def demo() -> DemoResult:
    """Make the summary of the example in a temporary copy.

    Raises AgentProgressError if the example is missing, or no temporary directory can be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="agent-progress-demo-") as root:
            return _run_in_copy(root)
    except OSError as error:
        raise AgentProgressError(
            f"the example cannot be copied: {error}; install the plugin again"
        ) from error


def _run_in_copy(root: str) -> DemoResult:
    for name in EXAMPLE_FILES:
        shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
    project = find_project(root)
    prepare(project)
    with open(os.path.join(project.directory, CONFIG_FILE), "w", encoding="utf-8") as file:
        file.write(CONFIG)
    started = time.perf_counter()
    composed = regenerate(project, DEFAULT_TIMEOUT_S)
    milliseconds = round((time.perf_counter() - started) * 1000)
    shown = figures(composed, summary_path(project))
    del shown["path"]
    return DemoResult(
        context=composed.context,
        user_line=composed.user_line,
        summary=composed.summary.text,
        figures=shown,
        source_bytes=sum(os.path.getsize(os.path.join(root, name)) for name in EXAMPLE_FILES),
        milliseconds=milliseconds,
    )
