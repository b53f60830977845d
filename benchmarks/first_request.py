"""B18: how much later a real client makes its first request because of the plugin.

    python3 benchmarks/first_request.py [--clients claude codex] [--pairs 10] [--write docs/performance.md]

Pairs of runs, one without the plugin and one with it, each kind in a home that is kept: with the packages,
without them, and with an index that cannot be reached. Which of a pair comes first alternates, so that what a
run leaves to the next one counts for both. Clients that are not installed are left out.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import document
import inputs
from run import prepare

from progress_plugin.core.packages import environment
from tests.clients.harness.client_run import run_client
from tests.clients.harness.installed_copy import copy_plugin
from tests.run import AGENTS, Agent

ROOT = Path(__file__).resolve().parents[1]
BOUND = 100.0
"""Milliseconds."""
CONDITIONS = ("packages there", "no packages", "index unreachable")
NOWHERE = "http://127.0.0.1:9/simple"
FAILS_WITHIN = 180.0
UNSURE = 0.05


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--clients", nargs="*", help="names such as claude-code-2.1.330 or codex; all by default"
    )
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--home", type=Path, default=Path.home() / ".cache/agent-progress-bench")
    parser.add_argument("--site", type=Path, help="packages to use in place of those built in --home")
    parser.add_argument("--write", type=Path, help="the document whose table is replaced")
    options = parser.parse_args()
    site = options.site or Path(prepare(options.home).site)
    with tempfile.TemporaryDirectory(prefix="agent-progress-first-") as folder:
        lines = list(table(options.clients, site, Path(folder), options.pairs))
    if options.write:
        document.fill(options.write, {"first request": "\n".join(lines)})
    return 0


def table(names: Sequence[str] | None, site: Path, folder: Path, pairs: int) -> Iterator[str]:
    """Yield the lines of the table, printing each as soon as it is known."""
    yield from _told(
        "| Client | Home | Pairs | Without, s | With, s | Quickest, s | Later by, ms | 95 % sure | Quartiles "
        "| Bound | |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    )
    plugin = copy_plugin(folder / "plugin")
    for agent in AGENTS:
        if names and not {agent.program, agent.name}.intersection(names):
            continue
        if not Path(agent.path).exists():
            print(f"{agent.name} is not here", file=sys.stderr)
            continue
        for condition in CONDITIONS:
            place = folder / agent.name / condition.replace(" ", "-")
            trial = Trial(agent, condition, place, site, plugin)
            yield from _told(trial.row(pairs))


def _told(*lines: str) -> Sequence[str]:
    print(*lines, sep="\n", flush=True)
    return lines


class Trial(NamedTuple):
    """One client in one condition."""

    agent: Agent
    condition: str
    place: Path
    site: Path
    plugin: Path

    def row(self, pairs: int) -> str:
        """Return the line of the table."""
        project = inputs.repository(self.place / "harbour")
        (project / "progress.md").write_text(inputs.markdown_log(20, 30_000), "utf-8")
        for name in ("with", "without"):
            (self.place / name).mkdir()
        settle(self.condition, self.place / "with", self.site)
        for number in range(2):
            self.pair(project, number)  # the first fills caches, and begins to build where it may
        if self.condition == "index unreachable":
            _await_failure(self.place / "with")
        took = [self.pair(project, number) for number in range(pairs)]
        later = [(with_it - without) * 1000 for without, with_it in took]
        low, middle, high = statistics.quantiles(later, n=4, method="inclusive")
        least, most = interval(later)
        medians, quickest = (
            [pick(column) for column in zip(*took, strict=True)] for pick in (statistics.median, min)
        )
        return (
            f"| {self.agent.name} | {self.condition} | {pairs} | {medians[0]:.2f} | {medians[1]:.2f} "
            f"| {quickest[0]:.2f} – {quickest[1]:.2f} | {middle:.0f} "
            f"| {least:.0f} – {most:.0f} | {low:.0f} – {high:.0f} "
            f"| {BOUND:.0f} | {_verdict(least, middle, most)} |"
        )

    def pair(self, project: Path, number: int) -> tuple[float, float]:
        """Return when the first request comes without the plugin and with it, in seconds."""
        homes = ("without", "with") if number % 2 else ("with", "without")
        took = {home: self.first_request(project, home) for home in homes}
        return took["without"], took["with"]

    def first_request(self, project: Path, home: str) -> float:
        """Return the seconds from the client's start to its first request."""
        run = run_client(
            self.agent.program,
            prompt="hello",
            plugin_dir=self.plugin if home == "with" else None,
            project_dir=project,
            client_bin=self.agent.path,
            home=self.place / home,
            env={"AGENT_PROGRESS_NO_INSTALL": "1"} if self.condition == "no packages" else {},
        )
        if run.exit_code or run.first_request_s is None:
            raise SystemExit(f"{self.agent.name} ended with {run.exit_code}: {run.stderr[-500:]}")
        return run.first_request_s


def interval(later: Sequence[float]) -> tuple[float, float]:
    """Return what the median of all such pairs lies between with 95 % certainty, whatever their distribution.

    The narrowest pair of order statistics at the same distance from both ends that is as certain (W. J.
    Conover, Practical Nonparametric Statistics, section 3.2: quantiles); all of them where none is.
    """
    ordered, count = sorted(later), len(later)
    cut, outside = 0, 0.0
    while (outside := outside + math.comb(count, cut) / 2**count) <= UNSURE / 2 and cut < count // 2:
        cut += 1
    cut = max(cut - 1, 0)
    return ordered[cut], ordered[count - 1 - cut]


def _verdict(least: float, middle: float, most: float) -> str:
    """Return whether the bound is met, and that it cannot be told where the runs differ too much for that."""
    return document.verdict(middle, BOUND) + ("" if not least <= BOUND < most else ", by the median")


def settle(condition: str, home: Path, site: Path) -> None:
    """Bring a home into its condition."""
    data = home / ".local/share/agent-progress"
    if condition == "packages there":
        place = data / "env" / environment.identity()
        place.mkdir(parents=True)
        (place / "site-packages").symlink_to(site)
        (place / "python").write_text(environment.interpreter() + "\n", "utf-8")
        return
    data.mkdir(parents=True)
    (data / "python").write_text(environment.interpreter() + "\n", "utf-8")
    settings = {
        ".config/pip/pip.conf": f"[global]\nindex-url = {NOWHERE}\n",
        ".config/uv/uv.toml": f'index-url = "{NOWHERE}"\n',
    }
    for path, text in settings.items():
        (home / path).parent.mkdir(parents=True)
        (home / path).write_text(text, "utf-8")


def _await_failure(home: Path) -> None:
    """Wait until the build that the first session began has failed."""
    until = time.monotonic() + FAILS_WITHIN
    while not list(home.glob(".local/share/agent-progress/env/*.failed")):
        if time.monotonic() > until:
            raise SystemExit(f"in {home} no build has failed")
        time.sleep(0.2)


if __name__ == "__main__":
    raise SystemExit(main())
