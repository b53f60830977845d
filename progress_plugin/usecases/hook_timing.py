"""How long hooks take on this machine, side by side with what they are measured against."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from typing import NamedTuple

from progress_plugin.core.clients import as_claude_code
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.packages import environment
from progress_plugin.core.project import find_project
from progress_plugin.usecases.demo import EXAMPLE, EXAMPLE_FILES
from progress_plugin.usecases.doctor.process import by_launcher, by_script, run, site_packages
from progress_plugin.usecases.init import init

RUNS = 15


class Timing(NamedTuple):
    """One figure of the table."""

    name: str
    what: str
    milliseconds: float
    """The best wall time: what else a machine does only adds to it."""
    ratio: float
    """To what the bound is stated in."""
    bound: float
    unit: str
    """bare (an interpreter that does nothing) or imports (one that imports pydantic and jinja2)."""


def time_hooks(runs: int | None = None) -> list[Timing]:
    """Measure a fresh start, a stale one, and a hook event that is not ours, in a copy of the example.

    One after the other in each round, so that a busy machine is busy for all of them. Raises
    AgentProgressError where a hook fails: its time would say nothing.
    """
    with tempfile.TemporaryDirectory(prefix="agent-progress-timing-") as root:
        for name in EXAMPLE_FILES:
            shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
        init(find_project(root))
        took = _rounds(root, runs or RUNS)
    best = {name: min(times) * 1000 for name, times in took.items()}
    return [
        Timing(name, what, best[name], best[name] / best[unit], bound, unit)
        for name, what, bound, unit in (
            ("B1", "session start, nothing changed", 1.3, "bare"),
            ("B2", "session start, an input changed", 1.0, "imports"),
            ("B4", "a tool call that is not ours", 1.4, "bare"),
        )
    ]


def _rounds(root: str, runs: int) -> dict[str, list[float]]:
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AGENT_PROGRESS_", "CLAUDE"))
    }
    site = site_packages() or ""
    variables |= {**as_claude_code(root), environment.SITE_VARIABLE: site,
                  "AGENT_PROGRESS_NO_INSTALL": "1"}  # fmt: skip

    def hook(event: str, **told: object) -> Callable[[], float]:
        command = by_launcher("hook", event) or by_script(event)
        raw = json.dumps({"cwd": root, "hook_event_name": event, **told}).encode()

        def timed() -> float:
            ran = run(command, root, raw, variables)
            if ran.code or ran.errors:
                raise AgentProgressError(
                    f"{event} failed, so it was not timed: {ran.errors.strip() or ran.code}"
                )
            return ran.seconds

        return timed

    python = environment.interpreter()
    imports = f"import sys; sys.path.append({site!r}); import pydantic, jinja2"
    start = hook("SessionStart", source="startup")

    def stale() -> float:
        _change(root)
        return start()

    steps: dict[str, Callable[[], float]] = {
        "bare": lambda: run([python, "-I", "-S", "-c", "pass"], root, b"", variables).seconds,
        "imports": lambda: run([python, "-I", "-c", imports], root, b"", variables).seconds,
        "B2": stale,
        "B1": start,
        "B4": hook("PostToolUse", tool_name="Write", tool_input={"file_path": os.path.join(root, "pier.py")}),
    }
    took: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(runs):
        for name, step in steps.items():
            took[name].append(step())
    return took


def _change(root: str) -> None:
    with open(os.path.join(root, EXAMPLE_FILES[-1]), "a", encoding="utf-8") as file:
        file.write("\n")
