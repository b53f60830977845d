"""Why our packages are missing, until when, and what to do: one account for every way it is shown."""

from __future__ import annotations

import time

from progress_plugin.core.fast import own_command
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.packages import environment

FAILED = "its Python packages could not be installed"


def missing_packages_reason(now: float) -> str:
    """Return what is missing and until when; `now` in seconds since the epoch."""
    if not environment.may_install():
        return (
            "its Python packages are not installed, and AGENT_PROGRESS_NO_INSTALL forbids it; "
            f"run: {own_command.command()} setup"
        )
    return failing(now) or (
        "its Python packages are being installed, which takes about a minute; try again then, " + _remedy()
    )


def failing(now: float) -> str | None:
    """Return why the packages cannot be had, while a failed build is not tried again; else None."""
    if environment.writable_home() is None:
        return no_place()
    for home in environment.homes():
        attempts = Attempts(home)
        until = attempts.waits_until(now)
        if until is not None:
            reason = attempts.read()[2]
            what = reason if reason.startswith(FAILED) else f"{FAILED}: {reason}"
            return f"{what}; tried again after {_clock(until)}, {_remedy()}"
    return None


def no_place() -> str:
    """Return that there is no directory for the packages, and how to name one."""
    places = " nor ".join(environment.homes()) or "a home directory"
    return (
        f"{FAILED}: neither {places} can be written; "
        "make one writable, or name another place in XDG_DATA_HOME or XDG_CACHE_HOME"
    )


def damaged() -> str | None:
    """Return which packages have gone from the environment that is used, and what to do; else None."""
    found = environment.lost_packages()
    if found is None:
        return None
    site, names = found
    return f"{', '.join(names)} no longer in {site}; run: {own_command.command()} setup"


def failing_today(now: float) -> str | None:
    """Return for the user what is amiss, once a day; where that cannot be noted, every time.

    Nothing of packages that are missing where the user forbade to install them, but of those that were lost.
    """
    is_gone = environment.may_install() and not environment.installed_site()
    told = failing(now) if is_gone else damaged()
    homes = [Attempts(home) for home in environment.homes()]
    if told is None or any(attempts.was_announced(now) for attempts in homes):
        return None
    for attempts in homes:
        attempts.tell(now)
    return f"{told}. Summaries and records work without them, other commands and the tools do not."


def _remedy() -> str:
    return f"or run: {own_command.command()} setup"


def _clock(when: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(when))
