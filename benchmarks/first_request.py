"""Measure by how much the plugin delays the first request of the real Claude Code."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from pathlib import Path

import inputs
from timing import SETTLE_S

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.clients.harness.client_run import run_client  # noqa: E402
from tests.clients.harness.installed_copy import copy_plugin  # noqa: E402


def median_delay_ms(folder: Path, home: Path, pairs: int) -> float | None:
    """Return the median delay in milliseconds, or None if Claude Code is not installed.

    Runs come in pairs, without and with the plugin, in alternating order. `home` has the environment of the
    plugin. Each run begins when the background process has recorded the end of the run before.
    """
    program = find_claude()
    if program is None:
        return None
    plugin = copy_plugin(folder / "plugin")
    project = inputs.make_repository(folder / "harbour")
    (project / "progress.md").write_text(inputs.agent_log(20, 30_000), "utf-8")
    homes = {"with": folder / "home-with", "without": folder / "home-without"}
    for place in homes.values():
        place.mkdir()
    shutil.copytree(home / ".local", homes["with"] / ".local", symlinks=True)

    def first_request(kind: str) -> float:
        time.sleep(SETTLE_S)
        run = run_client(
            "claude",
            prompt="hello",
            plugin_dir=plugin if kind == "with" else None,
            project_dir=project,
            client_bin=program,
            home=homes[kind],
        )
        if run.exit_code or run.first_request_s is None:
            raise RuntimeError(f"{program} ended with {run.exit_code}: {run.stderr[-500:]}")
        return run.first_request_s

    delays = []
    for number in range(pairs + 1):
        order = ("with", "without") if number % 2 else ("without", "with")
        took = {kind: first_request(kind) for kind in order}
        delays.append((took["with"] - took["without"]) * 1000)
    return statistics.median(delays[1:])  # the first pair fills caches


def find_claude() -> str | None:
    """Return the newest Claude Code in `AGENT_PROGRESS_CLIENTS`."""
    place = Path(os.environ.get("AGENT_PROGRESS_CLIENTS") or ROOT / ".clients")
    found = sorted(place.glob("claude-code-*/node_modules/.bin/claude"))
    return str(found[-1]) if found else None
