"""Run the checks of this repository on a machine that has Python 3.11 and a network: `python3 tests/run.py`.

It makes `.venv` from `requirements-dev.lock` and `.clients` from npm (both ignored by git, both reused), then
runs the linters, the types, the layers, all tests with real coding agents, and short benchmarks. With
`--coverage` the tests measure which branches run, in every process they start, for twice the time. The last
lines are a table of the steps and pytest's closing line; the exit code is 0 only if every step succeeded.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python")
DEV_LOCK = os.path.join(ROOT, "requirements-dev.lock")
CLIENTS = os.environ.get("AGENT_PROGRESS_CLIENTS") or os.path.join(ROOT, ".clients")


@dataclass(frozen=True)
class Agent:
    """A coding agent from npm, in the version that the tests are written for."""

    program: str
    package: str
    version: str
    script: str | None = None
    """What puts the program in place, where npm may be told to run no such scripts; it may run twice."""

    @property
    def name(self) -> str:
        return f"{self.package.rpartition('/')[2]}-{self.version}"

    @property
    def place(self) -> str:
        return os.path.join(CLIENTS, self.name)

    @property
    def path(self) -> str:
        return os.path.join(self.place, "node_modules", ".bin", self.program)

    @property
    def required(self) -> bool:
        """Whether a build server must not pass without it: the others are named where npm has them no more."""
        return self.program == "claude" and os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1"

    def commands(self) -> list[list[str]]:
        """Return how to install it, and to see that it starts."""
        npm = ["npm", "install", "--prefix", self.place, "--no-audit", "--no-fund"]
        install = [[*npm, f"{self.package}@{self.version}"]]
        if self.script:
            install.append(["node", os.path.join(self.place, "node_modules", self.package, self.script)])
        return [*install, self.says_its_version]

    @property
    def says_its_version(self) -> list[str]:
        """The command that shows that it starts: some write into a home even for that, which must not be the user's."""
        return ["env", f"HOME={self.place}", self.path, "--version"]

    def works(self) -> bool:
        if not os.path.exists(self.path):
            return False
        return subprocess.run(self.says_its_version, capture_output=True, check=False).returncode == 0


AGENTS = (
    # The newest Claude Code, and the one that npm picks on Node 20; they differ in ways that matter.
    Agent("claude", "@anthropic-ai/claude-code", "2.1.330", "install.cjs"),
    Agent("claude", "@anthropic-ai/claude-code", "2.1.197", "install.cjs"),
    Agent("codex", "@openai/codex", "0.169.0"),
    Agent("copilot", "@github/copilot", "1.0.102"),
    Agent("gemini", "@google/gemini-cli", "0.61.0"),
    Agent("opencode", "opencode-ai", "1.18.33", "postinstall.mjs"),
)

AXE_CORE = "4.14.1"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

SLOW_MARKS = "not client and not browser and not environment and not slow"
CLOSING = re.compile(r"^=+ .*\b(passed|failed|error|skipped|no tests ran)\b.* in [\d.]+s.*=+$")


@dataclass
class Step:
    """One line of the table at the end."""

    name: str
    outcome: str
    seconds: float


@dataclass
class Session:
    """What this call runs, and what has come of it so far."""

    fast: bool
    only: str | None
    install_node: bool
    pytest_arguments: list[str]
    coverage: bool = False
    steps: list[Step] = field(default_factory=list)
    closing: str = ""

    @property
    def failed(self) -> bool:
        return any(step.outcome.startswith("FAILED") for step in self.steps)

    def wants(self, name: str) -> bool:
        return self.only is None or self.only == name

    def step(self, name: str, *commands: list[str], env: dict[str, str] | None = None) -> None:
        """Run a step if it was asked for."""
        if self.wants(name):
            self.run(name, *commands, env=env)

    def run(self, name: str, *commands: list[str], env: dict[str, str] | None = None) -> None:
        """Run commands up to the first that fails, showing their output, and note how it went."""
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        outcome = "ok"
        for command in commands:
            code = self._show(command, {**os.environ, **(env or {})})
            if code:
                outcome = f"FAILED (exit {code}): {' '.join(command)}"
                break
        self.steps.append(Step(name, outcome, time.monotonic() - started))

    def _show(self, command: list[str], env: dict[str, str]) -> int:
        print("$", " ".join(command), flush=True)
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            assert process.stdout
            for line in process.stdout:
                print(line, end="", flush=True)
                if CLOSING.match(line.strip()):
                    self.closing = line.strip()
        return process.returncode

    def note(self, name: str, outcome: str) -> None:
        print(f"\n== {name}: {outcome}", flush=True)
        self.steps.append(Step(name, outcome, 0.0))


def main(arguments: list[str]) -> int:
    """Run the steps asked for; return the exit code."""
    session = parse(arguments)
    make_venv(session)
    if not session.failed:
        check_sources(session)
        if not session.fast and (session.only in (None, "clients", "tests")):
            install_clients(session)
            install_browser(session)
            install_postgres(session)
        run_tests(session)
        run_benchmarks(session)
    return report(session)


def parse(arguments: list[str]) -> Session:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--fast", action="store_true", help="no real clients, no builds from the index, no benchmarks"
    )
    parser.add_argument(
        "--only", metavar="STEP", help="lint, format, types, layers, shell, clients, tests, benchmarks"
    )
    parser.add_argument(
        "--install-node",
        action="store_true",
        help="as root: get a missing Node, Chromium, PostgreSQL or strace from apt-get",
    )
    parser.add_argument("--coverage", action="store_true", help="print which lines and branches no test runs")
    parser.add_argument("pytest", nargs="*", metavar="PYTEST_ARGUMENT", help="after --: handed to pytest")
    given = parser.parse_args(arguments)
    return Session(given.fast, given.only, given.install_node, given.pytest, given.coverage)


def make_venv(session: Session) -> None:
    """Have `.venv` hold exactly what the lock file says; a mark in it tells that it does."""
    with open(DEV_LOCK, "rb") as file:
        mark = os.path.join(VENV, "locked-" + hashlib.sha256(file.read()).hexdigest()[:16])
    if os.path.exists(mark) and os.access(PYTHON, os.X_OK):
        return
    session.run("venv", *venv_commands())
    if not session.failed:
        with open(mark, "w", encoding="utf-8"):
            pass


def venv_commands() -> list[list[str]]:
    """Return how to make it here: uv, else venv with its own pip, else with this Python's pip."""
    exists = os.access(PYTHON, os.X_OK)
    pinned = ["--require-hashes", "-r", DEV_LOCK]
    if uv := shutil.which("uv"):
        make = [] if exists else [[uv, "venv", "--python", sys.executable, VENV]]
        return [*make, [uv, "pip", "install", "--python", PYTHON, *pinned]]
    pip = ["pip", "install", "--disable-pip-version-check", *pinned]
    if has_module("ensurepip"):
        make = [] if exists else [[sys.executable, "-m", "venv", VENV]]
        return [*make, [PYTHON, "-m", *pip]]
    make = [] if exists else [[sys.executable, "-m", "venv", "--without-pip", VENV]]
    return [*make, [sys.executable, "-m", "pip", "--python", PYTHON, *pip[1:]]]


def has_module(name: str) -> bool:
    return (
        subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, check=False).returncode
        == 0
    )


def check_sources(session: Session) -> None:
    session.step("lint", [tool("ruff"), "check", "."])
    session.step("format", [tool("ruff"), "format", "--check", "."])
    session.step("types", [tool("mypy")])
    session.step("layers", [tool("lint-imports")])
    shells = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]
    session.step("shell", *([shell, "-n", "bin/agent-progress"] for shell in shells))


def tool(name: str) -> str:
    return os.path.join(BIN, name)


def install_clients(session: Session) -> None:
    """Install the coding agents the tests start, each version beside the other; they are kept."""
    missing = [agent for agent in AGENTS if not agent.works()]
    if not missing:
        return
    if not shutil.which("npm") and session.install_node and shutil.which("apt-get"):
        session.run("node", ["apt-get", "update"], ["apt-get", "install", "-y", "nodejs", "npm"])
    if not shutil.which("npm"):
        remedy = "install Node (20 or newer), or run with --install-node as root"
        session.note("clients", f"{left_out()}: no real client was tested, npm is missing; {remedy}")
        return
    for agent in missing:
        os.makedirs(agent.place, exist_ok=True)
        session.run(agent.name, *agent.commands())
        step = session.steps[-1]
        if step.outcome != "ok":
            verdict = "FAILED" if agent.required else "SKIPPED"
            step.outcome = f"{verdict}: not tested, it could not be installed ({step.outcome.lower()})"


def install_browser(session: Session) -> None:
    """Have a headless Chromium, Debian's own, and axe-core, which the tests of the report look with."""
    if not browser() and session.install_node and shutil.which("apt-get"):
        install = "apt-get install -y --no-install-recommends"
        either = f"{install} chromium-headless-shell || {install} chromium"
        session.run("browser", ["sh", "-c", f"apt-get update && {{ {either}; }}"])
    if not browser():
        remedy = "install Chromium, or run with --install-node as root"
        session.note("browser", f"{left_out()}: no page was opened, Chromium is missing; {remedy}")
        return
    place = os.path.join(CLIENTS, f"axe-core-{AXE_CORE}")
    script = os.path.join(place, "node_modules", "axe-core", "axe.min.js")
    if not os.path.exists(script) and shutil.which("npm"):
        os.makedirs(place, exist_ok=True)
        npm = ["npm", "install", "--prefix", place, "--no-audit", "--no-fund", f"axe-core@{AXE_CORE}"]
        session.run("axe-core", npm)


def install_postgres(session: Session) -> None:
    """Have a PostgreSQL, which the tests of a team's server start for themselves, and what kills a sync anywhere."""
    if not has_postgres() and session.install_node and shutil.which("apt-get"):
        install = [
            "apt-get",
            "install",
            "-y",
            "--no-install-recommends",
            "postgresql",
            "postgresql-client",
            "strace",
        ]
        session.run("postgres", ["apt-get", "update"], install)
    if not has_postgres():
        remedy = "install PostgreSQL 15 or newer and strace, or run with --install-node as root"
        session.note("postgres", f"{left_out()}: no team's server was tested, a program is missing; {remedy}")


def has_postgres() -> bool:
    return bool(
        glob.glob("/usr/lib/postgresql/*/bin/initdb") and shutil.which("strace") and shutil.which("psql")
    )


def browser() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def left_out() -> str:
    """Return how to count what cannot be tested: a build server must not pass without it, a person is told."""
    return "FAILED" if os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1" else "LEFT OUT"


def run_tests(session: Session) -> None:
    """Run pytest; whole files go to one process each, so that what a file builds once is built once.

    They begin them in the order of `tests/order.py`, not in that of how many tests they hold.
    """
    processes = str(min(os.cpu_count() or 1, 8))
    spread = ["--dist", "loadfile", "--no-loadscope-reorder"]
    chosen = ["-n", processes, *spread, *session.pytest_arguments]
    env = {"AGENT_PROGRESS_CLIENTS": CLIENTS}
    marks = ["-m", SLOW_MARKS] if session.fast else []
    coverage = [PYTHON, "-m", "coverage"]
    measured = [*coverage, "run"] if session.coverage else [PYTHON]
    session.step("tests", [*measured, "-m", "pytest", *marks, *chosen], env=env)
    if session.coverage and session.wants("tests"):
        # Run after a failure too: what was covered is worth knowing then as well.
        session.run("coverage", [*coverage, "combine", "--quiet"], [*coverage, "report"])


def run_benchmarks(session: Session) -> None:
    if not session.fast and os.path.exists(os.path.join(ROOT, "benchmarks", "run.py")):
        session.step("benchmarks", [PYTHON, "benchmarks/run.py", "--short"])


def report(session: Session) -> int:
    """Print the table, and pytest's own closing line as the last."""
    print("\n== steps")
    for step in session.steps:
        print(f"{step.name:<16} {step.seconds:7.1f} s  {step.outcome}")
    total = sum(step.seconds for step in session.steps)
    print(f"{'all':<16} {total:7.1f} s  {'FAILED' if session.failed else 'ok'}")
    if session.closing:
        print(session.closing)
    sys.stdout.flush()
    return 1 if session.failed or not session.steps else 0


def newer_python() -> str | None:
    """Return a Python that is new enough, for a machine whose `python3` is not."""
    names = ("python3.14", "python3.13", "python3.12", "python3.11")
    return next((found for name in names if (found := shutil.which(name))), None)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        newer = newer_python()
        if newer is None:
            sys.exit("tests/run.py needs Python 3.11 or newer")
        os.execv(newer, [newer, os.path.abspath(__file__), *sys.argv[1:]])
    sys.exit(main(sys.argv[1:]))
