"""Build the environment: install into a sibling, try it out, move it into place (S16.5).

Whether it may be built unasked (`AGENT_PROGRESS_NO_INSTALL`) is decided in `core.packages.environment`
(`may_install`).

By which installer is decided in `core.packages.installers`, when a failed build is tried again, in
`core.fast.build_attempts`.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO

from progress_plugin.core import hook_errors, untrusted_paths
from progress_plugin.core.directories import user_cache
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, DiskRefused
from progress_plugin.core.fast.build_attempts import Attempts
from progress_plugin.core.files import safe_read
from progress_plugin.core.files.lock import FileLock
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.environment_home import (
    log_end,
    log_path,
    log_size,
    lost_files,
    name_interpreter,
    open_log,
    retire_others,
    sweep,
)
from progress_plugin.core.packages.installer_faults import in_words
from progress_plugin.core.packages.installers import (
    NEUTRAL_DIRECTORY,
    Installer,
    installer_environment,
    installers,
)
from progress_plugin.usecases.missing_packages import FAILED, no_place

ReportStep = Callable[[str], None]
"""Takes one line about what is being done."""

_LONGEST_COMMAND = 900.0
_LONGEST_TRIAL = 120.0
_TRIAL = """import site, sys
site.addsitedir(sys.argv[1])
import click, jinja2, mcp.server, pydantic, rich, watchdog.observers"""


def build(report: ReportStep, *, now: float, timeout: float, wheelhouse: str | None = None) -> str:
    """Return the site-packages of an environment that works, building it where there is none.

    An installed package has its own and builds none; its installer mends that. A `wheelhouse`, a directory of
    wheels, takes the place of every index. Waits up to `timeout` seconds for another process that builds it.
    Raises Busy after that, BadInput for a wheelhouse without wheels, and AgentProgressError where no
    installer succeeds or nothing can be written; failures are counted.
    """
    if own := environment.installed_packages():
        return own
    home = environment.writable_home()
    if home is None:
        raise AgentProgressError(no_place())
    try:
        with FileLock(os.path.join(home, "build.lock"), timeout):
            return _build_locked(home, report, now, _wheels_in(wheelhouse))
    except Busy:
        raise Busy("another process is building the environment; try again in a minute") from None
    except OSError as error:
        raise DiskRefused(f"the environment cannot be built in {home}", error) from error


def lend_packages(now: float) -> str | None:
    """Let copies of the plugin enter the packages it was installed with, and return where those are.

    A client's copy is no installed package: without this it would build an environment of its own. None
    where there are none to lend: in a checkout, inside a project, where they are not all in one directory,
    or nothing can be written. When they are gone an environment is built as ever.
    """
    site, home = environment.installed_packages(), environment.writable_home()
    if site is None or home is None or not untrusted_paths.is_outside(site):
        return None
    try:
        with FileLock(os.path.join(home, "build.lock"), 5.0):
            return site if _lent(home, site, now) else None
    except (AgentProgressError, OSError) as error:
        hook_errors.note("environment", error)  # the next session start builds one
        return None


def _lent(home: str, site: str, now: float) -> bool:
    place = os.path.join(home, environment.identity())
    if os.path.isfile(os.path.join(place, "python")) and os.path.isdir(os.path.join(place, "site-packages")):
        return os.path.realpath(os.path.join(place, "site-packages")) == os.path.realpath(site)
    if not _works(home, site):
        return False
    sibling = os.path.join(home, f".building-{os.getpid()}")
    fresh = os.path.join(sibling, "environment")
    try:
        os.makedirs(fresh, 0o700)
        os.symlink(site, os.path.join(fresh, "site-packages"), target_is_directory=True)
        name_interpreter(fresh)
        if os.path.lexists(place):
            os.rename(place, os.path.join(sibling, "broken"))
        os.rename(fresh, place)
    finally:
        shutil.rmtree(sibling, ignore_errors=True)
    retire_others(home, now)
    return True


def start_in_background(now: float) -> str | None:
    """Have the environment built by a process of its own; return the line that says so to the user.

    None, and nothing started, where it is built or forbidden, nothing can be written, or the last build
    failed a short while ago. A build that runs is announced again: a server may have started it unseen.
    """
    try:
        return _start(now)
    except (AgentProgressError, OSError) as error:
        hook_errors.note("environment", error)  # a session starts without it
        return None


def wait_for_environment(seconds: float) -> str | None:
    """Return the site-packages once the environment is built; None after `seconds`, or a failed build."""
    deadline, failures = time.monotonic() + seconds, _failures()
    while (site := environment.installed_site()) is None and time.monotonic() < deadline:
        if _failures() > failures:
            return None
        time.sleep(0.1)
    return site


def _failures() -> int:
    return sum(Attempts(home).read()[0] for home in environment.homes())


def last_failure() -> str | None:
    """Return why the last build failed, for `doctor`; None where none did since the environment was there."""
    reasons = [Attempts(home).read()[2] for home in environment.homes()]
    return next((reason for reason in reasons if reason), None)


def _start(now: float) -> str | None:
    home = (
        environment.writable_home()
        if environment.may_install() and not environment.installed_site()
        else None
    )
    if home is None or Attempts(home).too_soon(now):
        return None
    try:
        with FileLock(os.path.join(home, "build.lock"), 0):
            pass
    except Busy:
        return _announcement(home)
    _detach(home)
    return _announcement(home)


def _announcement(home: str) -> str:
    return (
        "installing its Python packages in the background, once, pinned by hash, into "
        f"{home}; commands and tools work in about a minute, all else works now "
        "(AGENT_PROGRESS_NO_INSTALL=1 prevents it)"
    )


def _wheels_in(wheelhouse: str | None) -> str | None:
    """Return the path of a directory of wheels as an installer elsewhere needs it."""
    if wheelhouse is None:
        return None
    place = os.path.abspath(wheelhouse)
    if not any(name.endswith(".whl") for name in safe_read.names(place, None)):
        raise BadInput(f"{wheelhouse}: no wheels here; docs/install.md says how to fill a wheelhouse")
    return place


def _build_locked(home: str, report: ReportStep, now: float, wheelhouse: str | None) -> str:
    site = environment.installed_site()
    if site and not lost_files(site) and _works(home, site):
        name_interpreter(os.path.dirname(site))
        return site
    sweep(home)
    sibling = os.path.join(home, f".building-{os.getpid()}")
    os.mkdir(sibling, 0o700)
    try:
        site = _fill(home, sibling, report, wheelhouse)
    except (AgentProgressError, OSError) as error:
        Attempts(home).failed(now, str(error))
        raise
    finally:
        shutil.rmtree(sibling, ignore_errors=True)
    Attempts(home).forget()
    _works(home, site, compile_as_well=True)
    retire_others(home, now)
    return site


def _fill(home: str, sibling: str, report: ReportStep, wheelhouse: str | None) -> str:
    """Install into the sibling and move it into place; return the site-packages there."""
    fresh = os.path.join(sibling, "environment")
    site = os.path.join(fresh, "site-packages")
    _install(home, site, os.path.join(sibling, "venv"), report, wheelhouse)
    if not _works(home, site):
        raise AgentProgressError(f"the packages were installed but do not load; see {log_path(home)}")
    name_interpreter(fresh)
    place = os.path.join(home, environment.identity())
    if os.path.lexists(place):
        # It is there but does not work; the servers that run from it keep what they have open.
        os.rename(place, os.path.join(sibling, "broken"))
    os.rename(fresh, place)
    report(f"the environment stands: {place}")
    return os.path.join(place, "site-packages")


def _install(home: str, target: str, scratch: str, report: ReportStep, wheelhouse: str | None) -> None:
    ways = list(installers(environment.interpreter(), environment.LOCK_FILE, target, scratch, wheelhouse))
    if not ways:
        python = environment.interpreter()
        is_of_conda = os.path.isdir(os.path.join(os.path.dirname(os.path.dirname(python)), "conda-meta"))
        pip = "conda install pip" if is_of_conda else "on Debian and Ubuntu: apt install python3-pip"
        raise AgentProgressError(
            f"{python} has neither pip nor ensurepip, and uv was not found; install uv "
            f"(docs.astral.sh/uv) or pip ({pip})"
        )
    before = log_size(home)
    for way in ways:
        report(f"installing its packages with {way.name}, pinned by hash, once for all clients")
        if _run(way, home):
            return
        shutil.rmtree(target, ignore_errors=True)
    tried = ", ".join(way.name for way in ways)
    cause = in_words(log_end(home, before)) or "the installer failed"
    raise AgentProgressError(f"{FAILED}: {cause} (tried {tried}; its output: {log_path(home)})")


def _run(way: Installer, home: str) -> bool:
    """Run an installer's commands up to the first that fails; return whether all succeeded."""
    with open_log(home) as log:
        return all(_run_command(command, log) for command in way.commands)


def _run_command(command: tuple[str, ...], log: IO[bytes]) -> bool:
    """Run one command with its output in the log; return whether it succeeded."""
    started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    log.write(f"\n{started} {' '.join(command)}\n".encode())
    log.flush()
    try:
        done = subprocess.run(
            command,
            cwd=NEUTRAL_DIRECTORY,
            env=installer_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            timeout=_LONGEST_COMMAND,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.write(f"{error}\n".encode())
        return False
    if done.returncode:
        log.write(f"exit code {done.returncode}\n".encode())
    return not done.returncode


def _works(home: str, site: str, *, compile_as_well: bool = False) -> bool:
    """Return whether our packages load from `site`; leave them compiled for the first start if asked."""
    cache = user_cache()
    keep = ["-X", f"pycache_prefix={os.path.join(cache, 'pycache')}"] if compile_as_well and cache else ["-B"]
    command = [environment.interpreter(), "-I", "-S", *keep, "-c", _TRIAL, site]
    with open_log(home) as log:
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=_LONGEST_TRIAL, check=False
            )
        except subprocess.TimeoutExpired as error:
            log.write(f"{error}\n".encode())
            return False
    return not done.returncode


def _detach(home: str) -> None:
    """Start `setup --unattended` so that it survives the client's end, with its output in the log."""
    prefix = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else ["-B"]
    main = os.path.join(environment.PLUGIN_ROOT, "progress_plugin", "__main__.py")
    command = [environment.interpreter(), "-I", "-S", "-X", "utf8", *prefix, main, "setup", "--unattended"]
    with open_log(home) as log:
        subprocess.Popen(
            command,
            cwd=NEUTRAL_DIRECTORY,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            creationflags=_DETACHED,
        )


_DETACHED = 0
if sys.platform == "win32":
    _DETACHED = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
