"""The environment our third-party packages are in: one for every client, outside the plugin.

A home holds one directory per lock file and Python, `<hash of requirements.lock>-<major.minor>`, with
`site-packages/` and `python`, a text file that names the interpreter. `bin/agent-progress` finds it by these
names without starting a process; nobody changes one in place, because servers run from it.
"""

import os
import sys

from progress_plugin.core import version
from progress_plugin.core.paths import make_private, user_cache, user_data

PLUGIN_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
LOCK_FILE = os.path.join(PLUGIN_ROOT, "requirements.lock")
SITE_VARIABLE = "AGENT_PROGRESS_SITE"
REINSTALL = "install it again: pipx reinstall agent-progress, or pip install --force-reinstall agent-progress"

identity = version.environment_name
locked_hash = version.locked_hash


def interpreter() -> str:
    """Return the real path of the running Python: no shim, no virtual environment, no moving link."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def homes() -> list[str]:
    """Return the directories environments are looked for in; none where there is no home."""
    return [os.path.join(place, "env") for place in (user_data(), user_cache()) if place]


def writable_home() -> str | None:
    """Return the first home that exists, or can be made, and can be written to."""
    for home in homes():
        try:
            make_private(home)
        except OSError:
            continue
        if os.access(home, os.W_OK | os.X_OK):
            return home
    return None


def installed_in() -> str | None:
    """Return the site-packages directory this plugin was installed into by pip and the like.

    None in a checkout, and in a copy that a client keeps.
    """
    package, name = os.path.split(PLUGIN_ROOT)
    is_package = name == "plugin" and os.path.basename(package) == __name__.partition(".")[0]
    return os.path.dirname(package) if is_package else None


def installed_packages() -> str | None:
    """Return that directory where this Python finds all packages in it: then nothing has to be built."""
    site = installed_in()
    if site is None:
        return None
    library = os.path.basename(os.path.dirname(site))
    is_for_another = library.startswith("python3.") and library != f"python{version.python_name()}"
    return site if not is_for_another and _is_whole(site) else None


def _lost(site: str) -> list[str]:
    return [name for name in version.PACKAGES if not os.path.isfile(os.path.join(site, name, "__init__.py"))]


def _is_whole(site: str) -> bool:
    return not _lost(site)


def marks() -> list[str]:
    """Return the files one of which exists once the environment for this plugin and this Python is built."""
    name = identity()
    return [os.path.join(home, name, "python") for home in homes()]


def installed_site() -> str | None:
    """Return the site-packages for this plugin and this Python: those it was installed with, else built."""
    if own := installed_packages():
        return own
    for mark in marks():
        site = os.path.join(os.path.dirname(mark), "site-packages")
        if os.path.isfile(mark) and os.path.isdir(site):
            return site
    return None


def lost_packages() -> tuple[str, list[str]] | None:
    """Return an environment that is used although packages have gone from it, and their names; else None."""
    site = os.environ.get(SITE_VARIABLE) or installed_site()
    lost = _lost(site) if site else []
    return (site, lost) if site and lost else None


def is_ours(site: str) -> bool:
    """Return whether we built the packages there, for this plugin and this Python."""
    return os.path.dirname(site) in map(os.path.dirname, marks())


def give_up(site: str) -> None:
    """Have the next start build it anew: the file that marks it as built is removed.

    Nothing else, since servers run from it; nothing at all where we may not build another.
    """
    if may_install():
        from contextlib import suppress  # noqa: PLC0415 - hardly ever, and a start waits for it

        with suppress(OSError):
            os.unlink(os.path.join(os.path.dirname(site), "python"))


def may_install() -> bool:
    """Return whether we may build the environment unasked: `AGENT_PROGRESS_NO_INSTALL` is not set."""
    return os.environ.get("AGENT_PROGRESS_NO_INSTALL", "") in ("", "0")


def enter_whole() -> bool:
    """Do as `enter`, and what packages ask for by .pth files, too: pywin32 cannot do without.

    Whether all are there is not looked at: who imports them all hears which file is missing.
    """
    had = set(sys.path)
    place = os.environ.get(SITE_VARIABLE) or installed_site()
    is_there = _enter(place)
    if is_there and place in sys.path and place not in had:  # else Python itself has done it
        import site  # noqa: PLC0415 - a start needs none of it

        site.addsitedir(place)
    return is_there


def enter() -> bool:
    """Put the packages on the path; return whether they are there."""
    site = os.environ.get(SITE_VARIABLE) or installed_site()
    if site and is_ours(site) and not _is_whole(site):
        give_up(site)  # half of it was deleted; what else is missing is noticed by who needs it
        site = None
    return _enter(site)


def _enter(site: str | None) -> bool:
    if site:
        if site in sys.path:
            return True
        # Behind everything else: a package must not be able to replace a module of ours or of Python.
        sys.path.append(site)
        return True
    from importlib.util import find_spec  # noqa: PLC0415 - 0.7 ms, where no environment is built

    return find_spec("jinja2") is not None
