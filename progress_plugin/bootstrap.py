"""Make the environment: a virtual environment with the packages of `requirements.lock`.

Only the standard library is used here: any Python from 3.11 on may run it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from progress_plugin.core import environment
from progress_plugin.core.errors import AgentProgressError, Busy, DiskRefused
from progress_plugin.core.lock import FileLock
from progress_plugin.core.programs import find_program

LOCK_TIMEOUT_S = 600.0
COMMAND_TIMEOUT_S = 600.0
BACK_OFF_S = (3600.0, 86_400.0)  # after the first failure, after each later one
UNUSED_S = 14 * 86_400.0
FIRST_START = os.path.join(environment.PACKAGE, "first_start.py")
BUILD = "build-environment"  # the command of `start_build`
TEAM_MARK = "team"  # file beside the environments: psycopg is wanted in each of them
IMPORTS = "click, jinja2, markdown_it, pydantic, rich, tomli_w, watchdog"
FLAGS = ("--require-hashes", "--no-deps", "--only-binary", ":all:")
SOURCE_WORDS = (
    "INDEX",
    "FIND_LINKS",
    "CACHE_DIR",
    "CERT",
    "PROXY",
    "TLS",
    "HOST",
    "TIMEOUT",
    "RETRIES",
    "OFFLINE",
)
REASONS = (
    ("No space left on device", "the disk is full"),
    ("Permission denied", "a directory cannot be written"),
    ("DO NOT MATCH THE HASHES", "the package index served other files than the pinned ones"),
    ("Hash mismatch", "the package index served other files than the pinned ones"),
    ("CERTIFICATE_VERIFY_FAILED", "the certificate of the package index is not trusted (see PIP_CERT)"),
    ("ensurepip", "this Python has no pip; install uv or, on Debian and Ubuntu, python3-venv"),
    ("onnect", "the package index cannot be reached; is there a network, or a proxy (HTTPS_PROXY)?"),
    ("No matching distribution", "there are no wheels for this Python and system"),
)  # text in the output of pip, and what it means
Report = Callable[[str], object]


def build(report: Report, wheelhouse: str | None = None) -> str:
    """Make the environment if it is missing or damaged, and return its directory.

    Two processes never build at once. `wheelhouse` is a directory of wheels to use instead of an index.
    Raises AgentProgressError with the reason.
    """
    place = environment.directory()
    home = os.path.dirname(place)
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        with FileLock(os.path.join(home, "build.lock"), LOCK_TIMEOUT_S):
            if not works(place):
                _replace(place, report, wheelhouse)
            _remove_unused(home, place)
    except Busy:
        raise Busy("another process is installing the packages; try again in a minute") from None
    except OSError as error:
        raise DiskRefused(f"the packages cannot be installed in {home}", error) from error
    return place


def start_build() -> subprocess.Popen[bytes] | None:
    """Start a process that makes the environment; None if it is not allowed, or failed a while ago."""
    if not environment.may_install() or back_off_reason(time.time()):
        return None
    return subprocess.Popen(
        [sys.executable, *environment.python_flags(), FIRST_START, BUILD],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=os.sep,
        start_new_session=True, creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
    )  # fmt: skip


def back_off_reason(now: float) -> str | None:
    """Return why the last build failed if it is too early to try again; `now` in seconds since the epoch."""
    failure = _last_failure(environment.directory())
    wait = BACK_OFF_S[failure["count"] > 1]
    if not failure["count"] or not 0 <= now - failure["time"] < wait:
        return None
    until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(failure["time"] + wait))
    return f"{failure['reason']} (tried again after {until}, or by: agent-progress setup)"


def _last_failure(place: str) -> dict[str, Any]:
    try:
        with open(f"{place}.failed", encoding="utf-8") as file:
            found = json.load(file)
        return {"count": int(found["count"]), "time": float(found["time"]), "reason": str(found["reason"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {"count": 0, "time": 0.0, "reason": ""}


def _replace(place: str, report: Report, wheelhouse: str | None) -> None:
    scratch = tempfile.mkdtemp(dir=os.path.dirname(place), prefix="new-")
    fresh = os.path.join(scratch, "environment")
    try:
        _install(fresh, report, wheelhouse)
        if os.path.lexists(place):
            os.rename(place, os.path.join(scratch, "damaged"))
        os.rename(fresh, place)
    except AgentProgressError as error:
        count = _last_failure(place)["count"] + 1
        with open(f"{place}.failed", "w", encoding="utf-8") as file:
            json.dump({"count": count, "time": time.time(), "reason": str(error)}, file)
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{place}.failed")
    report(f"packages installed in {place}")


def _remove_unused(home: str, place: str) -> None:
    """Remove environments that nothing used for 14 days (`environment.enter` records the use)."""
    for entry in os.scandir(home):
        is_other = entry.is_dir(follow_symlinks=False) and entry.path != place
        if is_other and time.time() - entry.stat().st_mtime > UNUSED_S:
            shutil.rmtree(entry.path, ignore_errors=True)


def _install(fresh: str, report: Report, wheelhouse: str | None) -> None:
    uv, base = find_program("uv"), environment.base_python()
    has_pip = _succeeds([base, "-I", "-c", "import pip"])
    make = [base, "-I", "-m", "venv", *(["--without-pip"] if has_pip else []), fresh]
    ways = (
        {"pip": make} if uv is None else {"uv": [uv, "venv", "--quiet", "--python", base, fresh], "pip": make}
    )
    is_for_team = os.path.exists(os.path.join(environment.environments_directory(), TEAM_MARK))
    for name, command in ways.items():
        report(f"installing packages with {name}, once for all clients")
        try:
            _run(command)
            install_locked(environment.LOCK_FILE, fresh, wheelhouse, by=name)
            if is_for_team:
                install_locked(environment.TEAM_LOCK_FILE, fresh, wheelhouse, by=name)
        except AgentProgressError:
            shutil.rmtree(fresh, ignore_errors=True)
            if name == "pip":
                raise
        else:
            break
    if not works(fresh):
        raise AgentProgressError("the packages were installed but cannot be imported")


def install_locked(lock_file: str, place: str, wheelhouse: str | None = None, by: str | None = None) -> None:
    """Install what a lock file lists into a virtual environment. Raises AgentProgressError."""
    python, uv = environment.python_of(place), find_program("uv")
    source = ["--no-index", "--find-links", os.path.abspath(wheelhouse)] if wheelhouse else []
    wanted = [*FLAGS, *source, "--requirement", lock_file]
    if uv and by != "pip":
        _run(
            [
                uv,
                "pip",
                "install",
                "--quiet",
                "--python",
                python,
                *(["--offline"] if wheelhouse else []),
                *wanted,
            ]
        )
        return
    base = environment.base_python()
    own = _succeeds([python, "-I", "-c", "import pip"])  # if the base Python has none, venv put one in
    pip = [python, "-I", "-m", "pip"] if own else [base, "-I", "-m", "pip", "--python", python]
    _run([*pip, "install", "--quiet", "--no-compile", "--no-input", "--disable-pip-version-check", *wanted])


def works(place: str) -> bool:
    """Return whether the packages of an environment can be imported."""
    return can_import(place, IMPORTS)


def can_import(place: str, names: str) -> bool:
    """Return whether these modules can be imported in a virtual environment."""
    return _succeeds([environment.python_of(place), "-I", "-c", f"import {names}"])


def _succeeds(command: list[str]) -> bool:
    try:
        return not subprocess.run(command, capture_output=True, timeout=60, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):
        return False


def _run(command: list[str]) -> None:
    # A project may set variables: they may say where packages come from, never which.
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "UV_", "PYTHON", "VIRTUAL_ENV", "CONDA_"))
        or (name.startswith(("PIP_", "UV_")) and any(word in name for word in SOURCE_WORDS))
    } | {"PIP_USER": "0", "UV_PYTHON_DOWNLOADS": "never"}
    try:
        done = subprocess.run(
            command, cwd=os.sep, env=kept, timeout=COMMAND_TIMEOUT_S, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentProgressError(f"the packages could not be installed: {error}") from error
    if done.returncode:
        output = done.stdout.decode("utf-8", "replace")
        last = ([line.strip() for line in output.splitlines() if line.strip()] or ["no output"])[-1]
        reason = next((meaning for text, meaning in REASONS if text in output), last)
        raise AgentProgressError(f"the packages could not be installed: {reason}")
