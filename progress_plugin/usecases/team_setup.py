"""psycopg for a team's server, where commands look for it and where hooks do.

Hooks may run by an environment that was built before anybody thought of a team, whatever the command line was
installed with.
"""

from __future__ import annotations

import os

from progress_plugin.core.errors import AgentProgressError, Busy, DiskRefused
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.lock import FileLock
from progress_plugin.core.packages import environment, team_packages
from progress_plugin.core.packages.team_packages import Runner
from progress_plugin.usecases.missing_packages import no_place
from progress_plugin.usecases.package_build import Packages, ReportStep, build_packages, wheels_in

_FAILED = "psycopg, which a team's server needs, could not be installed"


def provide(
    report: ReportStep,
    *,
    now: float,
    timeout: float,
    is_asked: bool = False,
    wheelhouse: str | None = None,
) -> list[str]:
    """Install psycopg for each Python that syncs and lacks it; return the site-packages that were built.

    Caller has seen that a team is configured. Unless `is_asked`, nothing is installed where
    `AGENT_PROGRESS_NO_INSTALL` forbids it, nor again soon after a failure. Waits up to `timeout` seconds for
    another build. Raises Busy after that, and AgentProgressError where no installer succeeds.
    """
    missing = team_packages.lacking()
    if not missing or not (is_asked or environment.may_install()):
        return []
    home = environment.writable_home()
    if home is None:
        raise AgentProgressError(no_place())
    if not is_asked:
        missing = [each for each in missing if not _attempts(home, each).too_soon(now)]
    try:
        with FileLock(os.path.join(home, "build.lock"), timeout):
            wheels = wheels_in(wheelhouse)
            return [build_packages(home, _packages(each), report, now, wheels) for each in missing]
    except Busy:
        raise Busy("another process is installing packages; try again in a minute") from None
    except OSError as error:
        raise DiskRefused(f"psycopg cannot be installed in {home}", error) from error


def last_failure() -> str | None:
    """Return why psycopg could not be installed where it is lacking still; None where no build failed."""
    reasons = [
        _attempts(home, each).read()[2] for each in team_packages.lacking() for home in environment.homes()
    ]
    return next((reason for reason in reasons if reason), None)


def _attempts(home: str, runner: Runner) -> Attempts:
    return Attempts(home, team_packages.name_for(runner.version))


def _packages(runner: Runner) -> Packages:
    return Packages(
        what="psycopg for your team's server",
        failed=_FAILED,
        name=team_packages.name_for(runner.version),
        lock_file=team_packages.LOCK_FILE,
        python=runner.python,
        imports="psycopg",
    )
