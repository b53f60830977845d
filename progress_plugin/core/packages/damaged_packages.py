"""What a failure says about the packages, and giving up an environment whose packages are damaged.

A file that is cut, empty or full of zeros raises whatever it happens to raise. So no kind of error decides,
but what the packages themselves recorded of their files.
"""

import os
import sys

from progress_plugin.core.packages import environment


def given_up(error: Exception) -> str | None:
    """Give up an environment that lost files, and return what to say to a person.

    None where the packages are not at fault: a module of ours or Python's is missing, or all their files are
    as they were installed.
    """
    site = os.environ.get(environment.SITE_VARIABLE) or environment.installed_site()
    found = _fault(error, site)
    if found is None:
        return None
    if environment.installed_in():
        return f"a package it was installed with is {found}; {environment.REINSTALL}"
    place = os.path.dirname(site) if site else None
    what = (
        f"a file of the packages in {place} is {found}"
        if place
        else f"its Python packages are not installed ({error})"
    )
    if site and environment.is_ours(site):
        environment.give_up(site)
    from progress_plugin.core.fast.own_command import command  # noqa: PLC0415 - where something is missing

    otherwise = "the next session start has them installed, or " if environment.may_install() else ""
    return f"{what}; {otherwise}run: {command()} setup"


def _fault(error: Exception, site: str | None) -> str | None:
    """Return what is wrong with the packages, None where nothing is."""
    if isinstance(error, ImportError) and not _is_own((error.name or "").partition(".")[0]):
        return f"missing ({error})"
    if site is None or not os.path.isdir(site):
        return None
    from progress_plugin.core.packages.old_environments import lost_files  # noqa: PLC0415 - after a failure

    damaged = lost_files(site, with_content=True)
    return f"missing or damaged: {damaged[0]} ({type(error).__name__}: {error})" if damaged else None


def _is_own(module: str) -> bool:
    return module == __name__.partition(".")[0] or module in sys.stdlib_module_names
