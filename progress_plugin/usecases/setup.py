"""Build the environment: when, where, and by whose wish."""

import os
import shutil
import subprocess
import sys
import time

from progress_plugin.core import error_log, untrusted_paths
from progress_plugin.core.errors import AgentProgressError, Busy, DiskRefused
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.lock import FileLock
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.installers import NEUTRAL_DIRECTORY
from progress_plugin.core.packages.old_environments import name_interpreter, open_log, retire_others
from progress_plugin.usecases.missing_packages import FAILED, no_place
from progress_plugin.usecases.package_build import (
    Packages,
    ReportStep,
    build_packages,
    wheels_in,
    works,
)


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
            return build_packages(home, _packages(), report, now, wheels_in(wheelhouse))
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
        error_log.note("environment", error)  # the next session start builds one
        return None


def _packages() -> Packages:
    return Packages(
        what="its packages",
        failed=FAILED,
        name=environment.identity(),
        lock_file=environment.LOCK_FILE,
        python=environment.interpreter(),
        imports="click, jinja2, mcp.server, pydantic, rich, watchdog.observers",
    )


def _lent(home: str, site: str, now: float) -> bool:
    place = os.path.join(home, environment.identity())
    if os.path.isfile(os.path.join(place, "python")) and os.path.isdir(os.path.join(place, "site-packages")):
        return os.path.realpath(os.path.join(place, "site-packages")) == os.path.realpath(site)
    if not works(home, site, _packages()):
        return False
    sibling = os.path.join(home, f".building-{os.getpid()}")
    fresh = os.path.join(sibling, "environment")
    try:
        os.makedirs(fresh, 0o700)
        os.symlink(site, os.path.join(fresh, "site-packages"), target_is_directory=True)
        name_interpreter(fresh, environment.interpreter())
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
        error_log.note("environment", error)  # a session starts without it
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
