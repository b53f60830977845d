"""The packages for a team's server, in a directory of their own beside the environment.

Nobody without a team gets them, and whoever names a team needs no other environment: psycopg is looked for
where everything else is, and then here. They are built by `usecases.team_setup` (`provide`).
"""

import os
import sys
from typing import NamedTuple

from progress_plugin.core import version
from progress_plugin.core.files import list_inside, read_inside
from progress_plugin.core.packages import environment

LOCK_FILE = os.path.join(environment.PLUGIN_ROOT, "requirements-team.lock")
_PREFIX = "team-"
_PACKAGE = "psycopg"


class Runner(NamedTuple):
    """A Python that syncs with a team's server: by commands, or by hooks."""

    python: str
    """Its path."""
    version: str
    """As in the names of environments, such as `3.12`."""


def own() -> Runner:
    """Return the Python that runs now."""
    return Runner(environment.interpreter(), version.python_name())


def name_for(version_: str) -> str:
    """Return the name of the directory for a Python, such as `team-0123456789abcdef-3.12`."""
    return f"{_PREFIX}{environment.locked_hash(os.path.basename(LOCK_FILE))}-{version_}"


def names(home: str) -> set[str]:
    """Return the names for the environments of this plugin in a home, and for this Python."""
    mine = environment.locked_hash()
    versions = {
        name.removeprefix(f"{mine}-") for name in list_inside(None, home) if name.startswith(f"{mine}-")
    }
    return {name_for(each) for each in versions | {version.python_name()}}


def site(version_: str) -> str | None:
    """Return the site-packages with them for a Python; None where they are not built."""
    for home in environment.homes():
        place = os.path.join(home, name_for(version_))
        found = os.path.join(place, "site-packages")
        if os.path.isfile(os.path.join(place, "python")) and os.path.isdir(os.path.join(found, _PACKAGE)):
            return found
    return None


def enter() -> None:
    """Put them on the path of this process, behind everything else, where they are built."""
    found = site(version.python_name())
    if found and found not in sys.path:
        sys.path.append(found)


def of_hooks() -> tuple[Runner, str] | None:
    """Return the Python by which hooks run, and its site-packages, as `bin/agent-progress` finds them.

    None where no environment stands: hooks then run by the Python of the installed package, or any.
    """
    prefix = f"{environment.locked_hash()}-"
    for home in environment.homes():
        for name in sorted(list_inside(None, home)):
            place = os.path.join(home, name, "site-packages")
            python = _named(os.path.join(home, name, "python")) if name.startswith(prefix) else ""
            if os.path.isdir(place) and os.access(python, os.X_OK):
                return Runner(python, name.removeprefix(prefix)), place
    return None


def lacking() -> list[Runner]:
    """Return the Pythons that would sync and do not find psycopg: that of this process, and that of hooks."""
    from importlib.util import find_spec  # noqa: PLC0415 - where a team is configured

    mine = own()
    found = []
    if find_spec(_PACKAGE) is None and site(mine.version) is None:
        found.append(mine)
    hooks = of_hooks()
    if hooks is not None:
        runner, packages = hooks
        is_there = os.path.isdir(os.path.join(packages, _PACKAGE)) or site(runner.version) is not None
        if not is_there and runner.version not in {each.version for each in found}:
            found.append(runner)
    return found


def _named(path: str) -> str:
    first = (read_inside(None, path) or b"").partition(b"\n")[0]
    return first.decode("utf-8", "replace").strip()
