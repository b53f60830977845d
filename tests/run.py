"""Run the checks of this repository on a machine that has Python 3.11 and a network: `python3 tests/run.py`.

It makes `.venv` from `requirements-dev.lock` and `.clients` from npm (both ignored by git, both reused), then runs the
linter, the types, the layers, all tests with real coding agents, and short benchmarks. The last lines are a table of
the steps and pytest's closing line; the exit code is 0 only if every step succeeded.
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
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
BIN = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin")
PYTHON = os.path.join(BIN, "python")
LOCK = os.path.join(ROOT, "requirements-dev.lock")
CLIENTS = os.environ.get("AGENT_PROGRESS_CLIENTS") or os.path.join(ROOT, ".clients")
IS_REQUIRED = os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1"  # a build server leaves nothing out
AXE_CORE = "4.14.1"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FAST = "not client and not browser and not environment and not slow"
CLOSING = re.compile(r"^=+ .*\b(passed|failed|error|skipped|no tests ran)\b.* in [\d.]+s.*=+$")
APT = "apt-get update && apt-get install -y --no-install-recommends"


class Agent(NamedTuple):
    """A coding agent from npm, in the version that the tests are written for."""

    program: str
    package: str
    version: str
    script: str = ""  # puts the program in place if npm runs no install scripts; it may run twice

    @property
    def name(self) -> str:
        return f"{self.package.rpartition('/')[2]}-{self.version}"

    @property
    def place(self) -> str:
        return os.path.join(CLIENTS, self.name)

    @property
    def path(self) -> str:
        return os.path.join(self.place, "node_modules", ".bin", self.program)

    def show_version(self) -> list[str]:
        """Return a command that shows whether it starts; its home is not the user's, since some write there."""
        return ["env", f"HOME={self.place}", self.path, "--version"]


AGENTS = (
    # The newest Claude Code, and the one that npm picks on Node 20; they differ in ways that matter.
    Agent("claude", "@anthropic-ai/claude-code", "2.1.330", "install.cjs"),
    Agent("claude", "@anthropic-ai/claude-code", "2.1.197", "install.cjs"),
    Agent("codex", "@openai/codex", "0.169.0"),
    Agent("copilot", "@github/copilot", "1.0.102"),
    Agent("gemini", "@google/gemini-cli", "0.61.0"),
    Agent("opencode", "opencode-ai", "1.18.33", "postinstall.mjs"),
)


class Step(NamedTuple):
    """One line of the table at the end."""

    name: str
    outcome: str
    seconds: float


steps: list[Step] = []
closing_line = ""


def run(name: str, *commands: list[str]) -> bool:
    """Run commands up to the first that fails, show their output, and return whether all succeeded."""
    global closing_line  # noqa: PLW0603
    print(f"\n== {name}", flush=True)
    started, outcome = time.monotonic(), "ok"
    for command in commands:
        print("$", " ".join(command), flush=True)
        environment = {**os.environ, "AGENT_PROGRESS_CLIENTS": CLIENTS}
        pipe, both = subprocess.PIPE, subprocess.STDOUT
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=pipe, stderr=both)
        for raw in process.stdout or ():
            line = raw.decode("utf-8", "replace")
            print(line, end="", flush=True)
            closing_line = line.strip() if CLOSING.match(line.strip()) else closing_line
        if process.wait():
            outcome = f"FAILED (exit {process.returncode}): {' '.join(command)}"
            break
    steps.append(Step(name, outcome, time.monotonic() - started))
    return outcome == "ok"


def make_venv() -> bool:
    """Make `.venv` hold what the lock file lists; a file in it shows that it does."""
    with open(LOCK, "rb") as file:
        mark = os.path.join(VENV, "locked-" + hashlib.sha256(file.read()).hexdigest()[:16])
    if os.path.exists(mark) and os.access(PYTHON, os.X_OK):
        return True
    wanted = ["install", "--require-hashes", "-r", LOCK]
    make, install = [sys.executable, "-m", "venv", VENV], [PYTHON, "-m", "pip", *wanted]
    if uv := shutil.which("uv"):
        make, install = (
            [uv, "venv", "--python", sys.executable, VENV],
            [uv, "pip", *wanted, "--python", PYTHON],
        )
    is_made = run("venv", *([] if os.access(PYTHON, os.X_OK) else [make]), install)
    if is_made:
        open(mark, "w", encoding="utf-8").close()
    return is_made


def install_clients(*, may_use_apt: bool) -> None:
    """Install the programs that the tests start: coding agents, Chromium with axe-core, PostgreSQL."""
    if may_use_apt:
        chromium = f"chromium-headless-shell || {APT} chromium"
        for is_there, packages in (
            (shutil.which("npm"), "nodejs npm"),
            (browser(), chromium),
            (has_postgres(), "postgresql postgresql-client strace"),
        ):
            if not is_there:
                run("apt-get", ["sh", "-c", f"{APT} {packages}"])
    missing = {"browser": not browser(), "postgres": not has_postgres(), "clients": not shutil.which("npm")}
    for name in [name for name, is_missing in missing.items() if is_missing]:
        verdict = "FAILED" if IS_REQUIRED else "LEFT OUT"  # a build server must not pass without it
        outcome = f"{verdict}: a program is missing; install it, or run with --install-node as root"
        steps.append(Step(name, outcome, 0.0))
    if missing["clients"]:
        return
    axe = os.path.join(CLIENTS, f"axe-core-{AXE_CORE}")
    if not os.path.exists(axe):
        run("axe-core", npm_install(axe, f"axe-core@{AXE_CORE}"))
    for agent in AGENTS:
        if not os.path.exists(agent.path) or subprocess.call(agent.show_version(), stdout=subprocess.DEVNULL):
            script = ["node", os.path.join(agent.place, "node_modules", agent.package, agent.script)]
            install = npm_install(agent.place, f"{agent.package}@{agent.version}")
            is_here = run(agent.name, install, *([script] if agent.script else []), agent.show_version())
            if not is_here and not (IS_REQUIRED and agent.program == "claude"):
                steps[-1] = steps[-1]._replace(outcome=f"SKIPPED: {steps[-1].outcome.lower()}")


def npm_install(place: str, package: str) -> list[str]:
    os.makedirs(place, exist_ok=True)
    return ["npm", "install", "--prefix", place, "--no-audit", "--no-fund", package]


def browser() -> str | None:
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def has_postgres() -> bool:
    programs = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    return bool(programs and shutil.which("strace") and shutil.which("psql"))


def main(arguments: list[str]) -> int:
    """Run the steps that are asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--fast", action="store_true", help="no real clients, no network, no benchmarks")
    parser.add_argument("--only", metavar="STEP", help="lint, format, types, shell, clients, tests, ...")
    parser.add_argument(
        "--install-node", action="store_true", help="get missing programs by apt-get, as root"
    )
    parser.add_argument("pytest", nargs="*", metavar="PYTEST_ARGUMENT", help="after --: handed to pytest")
    given = parser.parse_args(arguments)
    tool = {name: os.path.join(BIN, name) for name in ("ruff", "mypy", "lint-imports")}
    pytest = [PYTHON, "-m", "pytest", "-n", str(min(os.cpu_count() or 1, 8)), "--dist", "loadfile"]
    pytest += ["--max-worker-restart", "0"]  # after a crash xdist may wait forever for the lost tests
    shells = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]
    commands = {
        "lint": [[tool["ruff"], "check", "."]],
        "format": [[tool["ruff"], "format", "--check", "."]],
        "types": [[tool["mypy"]]],
        "layers": [[tool["lint-imports"]]],
        "shell": [[shell, "-n", "bin/agent-progress"] for shell in shells],
        "clients": None,
        "tests": [[*pytest, *(["-m", FAST] if given.fast else []), *given.pytest]],
        "benchmarks": [[PYTHON, "benchmarks/run.py", "--short"]],
    }
    skipped = {"clients", "benchmarks"} if given.fast else set()
    if make_venv():
        for name in [name for name in commands if name not in skipped and given.only in (None, name)]:
            if name == "clients":
                install_clients(may_use_apt=given.install_node and bool(shutil.which("apt-get")))
            else:
                run(name, *(commands[name] or []))
    failed = not steps or any(step.outcome.startswith("FAILED") for step in steps)
    print(
        "\n== steps", *(f"{each.name:<20} {each.seconds:7.1f} s  {each.outcome}" for each in steps), sep="\n"
    )
    print(closing_line, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.version_info >= (3, 11) else "tests/run.py needs Python 3.11 or newer")
