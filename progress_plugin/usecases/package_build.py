"""Packages into a directory of their own: install into a sibling, try it out, move it into place."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import IO, NamedTuple

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.files import list_inside
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.installer_faults import in_words
from progress_plugin.core.packages.installers import (
    NEUTRAL_DIRECTORY,
    Installer,
    installer_environment,
    installers,
)
from progress_plugin.core.packages.old_environments import (
    log_end,
    log_path,
    log_size,
    lost_files,
    name_interpreter,
    open_log,
    retire_others,
    sweep,
)
from progress_plugin.core.paths import user_cache

ReportStep = Callable[[str], None]
"""Takes one line about what is being done."""

_LONGEST_COMMAND = 900.0
_LONGEST_TRIAL = 120.0


class Packages(NamedTuple):
    """What is to be built."""

    what: str
    """As a person is told of them, such as `its packages`."""
    failed: str
    """That they could not be installed."""
    name: str
    """Of their directory in a home of environments."""
    lock_file: str
    python: str
    """The path of the Python they are for."""
    imports: str
    """What they are tried by, as behind `import`."""


def wheels_in(wheelhouse: str | None) -> str | None:
    """Return the path of a directory of wheels, for an installer elsewhere; BadInput where it has none."""
    if wheelhouse is None:
        return None
    place = os.path.abspath(wheelhouse)
    if not any(name.endswith(".whl") for name in list_inside(None, place)):
        raise BadInput(f"{wheelhouse}: no wheels here; docs/install.md says how to fill a wheelhouse")
    return place


def build_packages(
    home: str, packages: Packages, report: ReportStep, now: float, wheelhouse: str | None
) -> str:
    """Return the site-packages that load, building them where there are none. Caller holds `build.lock`.

    Raises AgentProgressError where no installer succeeds, and OSError where nothing can be written; failures
    are counted.
    """
    site = _standing(packages)
    if site and not lost_files(site) and works(home, site, packages):
        name_interpreter(os.path.dirname(site), packages.python)
        return site
    sweep(home)
    sibling = os.path.join(home, f".building-{os.getpid()}")
    os.mkdir(sibling, 0o700)
    try:
        site = _fill(home, packages, report, sibling, wheelhouse)
    except (AgentProgressError, OSError) as error:
        Attempts(home, packages.name).failed(now, str(error))
        raise
    finally:
        shutil.rmtree(sibling, ignore_errors=True)
    Attempts(home, packages.name).forget()
    works(home, site, packages, compile_as_well=True)
    retire_others(home, now)
    return site


def works(home: str, site: str, packages: Packages, *, compile_as_well: bool = False) -> bool:
    """Return whether they load from `site`; leave them compiled for the first start if asked."""
    cache = user_cache()
    keep = ["-X", f"pycache_prefix={os.path.join(cache, 'pycache')}"] if compile_as_well and cache else []
    trial = f"import site, sys\nsite.addsitedir(sys.argv[1])\nimport {packages.imports}"
    command = [packages.python, "-I", "-S", *(keep or ["-B"]), "-c", trial, site]
    with open_log(home) as log:
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=_LONGEST_TRIAL, check=False
            )
        except subprocess.TimeoutExpired as error:
            log.write(f"{error}\n".encode())
            return False
    return not done.returncode


def _standing(packages: Packages) -> str | None:
    """Return the site-packages of what was built, wherever that is; None where it was given up, too."""
    for home in environment.homes():
        place = os.path.join(home, packages.name)
        site = os.path.join(place, "site-packages")
        if os.path.isfile(os.path.join(place, "python")) and os.path.isdir(site):
            return site
    return None


def _fill(home: str, packages: Packages, report: ReportStep, sibling: str, wheelhouse: str | None) -> str:
    """Install into the sibling and move it into place; return the site-packages there."""
    fresh = os.path.join(sibling, "environment")
    site = os.path.join(fresh, "site-packages")
    python, scratch = packages.python, os.path.join(sibling, "venv")
    ways = list(installers(python, packages.lock_file, site, scratch, wheelhouse))
    if not ways:
        raise AgentProgressError(_no_installer(python))
    _install(home, packages, report, ways, site)
    if not works(home, site, packages):
        raise AgentProgressError(f"the packages were installed but do not load; see {log_path(home)}")
    name_interpreter(fresh, packages.python)
    place = os.path.join(home, packages.name)
    if os.path.lexists(place):
        # It is there but does not work; the servers that run from it keep what they have open.
        os.rename(place, os.path.join(sibling, "broken"))
    os.rename(fresh, place)
    report(f"the environment stands: {place}")
    return os.path.join(place, "site-packages")


def _no_installer(python: str) -> str:
    is_of_conda = os.path.isdir(os.path.join(os.path.dirname(os.path.dirname(python)), "conda-meta"))
    pip = "conda install pip" if is_of_conda else "on Debian and Ubuntu: apt install python3-pip"
    return (
        f"{python} has neither pip nor ensurepip, and uv was not found; install uv "
        f"(docs.astral.sh/uv) or pip ({pip})"
    )


def _install(home: str, packages: Packages, report: ReportStep, ways: list[Installer], target: str) -> None:
    before = log_size(home)
    for way in ways:
        report(f"installing {packages.what} with {way.name}, pinned by hash, once for all clients")
        if _run(way, home):
            return
        shutil.rmtree(target, ignore_errors=True)
    tried = ", ".join(way.name for way in ways)
    cause = in_words(log_end(home, before)) or "the installer failed"
    raise AgentProgressError(f"{packages.failed}: {cause} (tried {tried}; its output: {log_path(home)})")


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
