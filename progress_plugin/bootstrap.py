"""Make the environment with the packages of `requirements.lock`; any Python from 3.11 on may run this."""

from __future__ import annotations

import compileall
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable

from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, DiskRefused
from progress_plugin.core.lock import FileLock
from progress_plugin.core.paths import is_set
from progress_plugin.core.processes import find_program, start_detached

TIMEOUT_S = 600.0  # of the lock and of each command
BACK_OFF_S = 3600.0
UNUSED_S = 14 * 86_400.0
BUILD = "build-environment"  # the command of `first_start.py` that makes the environment
TEAM_MARK = "team"  # if a file of this name is next to the environments, psycopg is installed, too
IMPORTS = "click, jinja2, markdown_it, pydantic, rich, tomlkit, watchdog"
FLAGS = ("--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:")
# A project may set variables. Those of pip and uv pass only if they concern index, connection or cache.
VARIABLES = re.compile(
    r"(?!PIP_|UV_|PYTHON|VIRTUAL_ENV|CONDA_)"
    r"|(PIP|UV)_.*(INDEX|FIND_LINKS|CACHE_DIR|CERT|PROXY|TLS|HOST|TIMEOUT|RETRIES|OFFLINE)"
)
REASONS = (
    ("hash", "the package index served other files than the pinned ones"),
    ("ensurepip", "this Python has no pip; install uv or, on Debian and Ubuntu, python3-venv"),
    ("connect", "the package index cannot be reached; is there a network, or a proxy (HTTPS_PROXY)?"),
)  # text in the output of uv or pip, and its meaning
Notify = Callable[[str], object]


def build(notify: Notify, wheelhouse: str | None = None) -> str:
    """Make the environment if it is missing or damaged, from an index or a wheelhouse; return its path."""
    place = environment.directory()
    home = os.path.dirname(place)
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with lock(home):
            if not works(place):
                with tempfile.TemporaryDirectory(dir=home, prefix="new-", ignore_cleanup_errors=True) as new:
                    _install(new, place, notify, wheelhouse)
            _remove_unused(home, place)
    except OSError as error:
        raise DiskRefused(f"the packages cannot be installed in {home}", error) from error
    except AgentProgressError as error:
        with open(f"{place}.failed", "w", encoding="utf-8") as file:
            file.write(str(error))
        raise
    return place


def lock(home: str) -> FileLock:
    """Return the lock of whoever installs packages into the environments in `home`."""
    return FileLock(os.path.join(home, "build.lock"), TIMEOUT_S, "packages are being installed")


def start_build() -> subprocess.Popen[bytes] | None:
    """Start a process that makes the environment; None if `refusal` has a reason not to."""
    if refusal():
        return None
    return start_detached(BUILD, script=os.path.join(environment.PACKAGE, "first_start.py"))


def refusal() -> str | None:
    """Return why only `setup` may install packages now, else None: a variable says so, or a build failed."""
    if is_set("NO_INSTALL"):
        return "AGENT_PROGRESS_NO_INSTALL forbids the installation of packages; run: agent-progress setup"
    note = f"{environment.directory()}.failed"
    if not os.path.exists(note) or not 0 <= time.time() - os.stat(note).st_mtime < BACK_OFF_S:
        return None
    with open(note, encoding="utf-8") as file:
        return f"{file.read()} (tried again after an hour, or by: agent-progress setup)"


def _remove_unused(home: str, place: str) -> None:
    """Remove environments that nothing used for 14 days (`environment.enter` records the use)."""
    for entry in os.scandir(home):
        is_other = entry.is_dir(follow_symlinks=False) and entry.path != place
        if is_other and time.time() - entry.stat().st_mtime > UNUSED_S:
            shutil.rmtree(entry.path, ignore_errors=True)


def _install(scratch: str, place: str, notify: Notify, wheelhouse: str | None) -> None:
    fresh = os.path.join(scratch, "environment")
    notify(f"installing packages with {'uv' if find_program('uv') else 'pip'}, once for all clients")
    _run([*_programs(fresh)[0], fresh])
    install_locked(environment.LOCK_FILE, fresh, wheelhouse)
    if os.path.exists(os.path.join(environment.environments_directory(), TEAM_MARK)):
        install_locked(environment.TEAM_LOCK_FILE, fresh, wheelhouse)
    compileall.compile_dir(environment.PACKAGE, quiet=2)  # this saves time at the first session start
    if os.path.lexists(place):
        os.rename(place, os.path.join(scratch, "damaged"))
    os.rename(fresh, place)
    if not works(place):  # importing the packages also compiles them
        raise AgentProgressError("the packages were installed but cannot be imported")


def install_locked(lock_file: str, place: str, wheelhouse: str | None = None) -> None:
    """Install the packages of a lock file into a virtual environment. Raises AgentProgressError."""
    source = ["--no-index", "--find-links", os.path.abspath(wheelhouse)] if wheelhouse else []
    _run([*_programs(place)[1], *FLAGS, *source, "--requirement", lock_file])


def _programs(place: str) -> tuple[list[str], list[str]]:
    """Return the commands that make a virtual environment and that install into it."""
    python, base = environment.python_of(place), environment.base_python()
    if uv := find_program("uv"):
        return [uv, "venv", "--quiet", "--python", base], [uv, "pip", "install", "--python", python]
    if _can_import(base, "pip"):  # a new environment gets pip only slowly, so it stays without pip
        pip = [base, "-I", "-m", "pip", "--python", python, "install", "--no-compile"]
        return [base, "-I", "-m", "venv", "--without-pip"], pip
    return [base, "-I", "-m", "venv"], [python, "-I", "-m", "pip", "install", "--no-compile"]


def works(place: str, names: str = IMPORTS) -> bool:
    """Return whether these modules can be imported in a virtual environment."""
    return _can_import(environment.python_of(place), names)


def _can_import(python: str, names: str) -> bool:
    flags = [flag for flag in environment.python_flags() if flag != "-S"]
    try:
        _run([python, *flags, "-c", f"import {names}"])
    except AgentProgressError:
        return False
    return True


def _run(command: list[str]) -> None:
    variables = {name: value for name, value in os.environ.items() if VARIABLES.match(name)}
    try:
        done = subprocess.run(
            command, cwd=os.sep, env=variables, timeout=TIMEOUT_S, check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentProgressError(f"the packages could not be installed: {error}") from error
    if done.returncode:
        last = (done.stdout.strip() or "no output").splitlines()[-1].strip()
        reason = next((meaning for text, meaning in REASONS if text in done.stdout.lower()), last)
        raise AgentProgressError(f"the packages could not be installed: {reason}")
