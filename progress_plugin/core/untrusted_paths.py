"""What a project could have put programs and settings into: no variable makes us use those.

A project steers variables: by its client's settings, by a tool that enters its directory, and `PATH` holds
the programs of an active virtual environment. So folders that a variable names are believed outside the
project alone. `bin/agent-progress` asks the same before any Python runs, and must answer alike.
"""

import os
import sys
from collections.abc import Iterable

from progress_plugin.core.clients import PROJECT_MARKS, PROJECT_VARIABLE, SERVER_VARIABLE

_DIRECTORIES = ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
_LISTS = ("XDG_CONFIG_DIRS", "XDG_DATA_DIRS")


def is_outside(path: str, *more: str) -> bool:
    """Return whether a place is named in full and lies outside the project, wherever links lead.

    The project is the working directory, what the client names as its directory, each of `more`, and every
    directory around one of them that `PROJECT_MARKS` show to be a project's top: a repository, or what was
    unpacked without one. The user's home and what is above it is nobody's project, even where it is under
    version control.
    """
    if not os.path.isabs(path) or "\0" in path:  # no file has such a name
        return False
    return _lies_outside(path, _trees(more))


def is_of_nobody_else(path: str, *more: str) -> bool:
    """Return whether a place of the user's data is named outside the project and outside every other.

    What a clone brought along could otherwise be taken for the user's from a second project.
    """
    if not os.path.isabs(path):
        return False
    real = _real(path)
    return _lies_outside(path, _trees(more) | _without_home(_tops(real)))


def is_own(*places: str) -> bool:
    """Return whether directories that hold code belong to the user or the system.

    What anybody else puts there would run as the user. Of one that is not there it is the nearest above it.
    """
    return all(map(_belongs_to_us, places))


def _belongs_to_us(place: str) -> bool:
    while not os.path.exists(place) and place != (above := os.path.dirname(place)):
        place = above
    try:
        return sys.platform == "win32" or os.stat(place).st_uid in {os.geteuid(), 0}
    except OSError:
        return False


def inside(paths: Iterable[str], *more: str) -> set[str]:
    """Return those of these absolute paths that lie in the project."""
    trees = _trees(more)
    return {path for path in paths if not _lies_outside(path, trees)}


def program(name: str, *more: str) -> str | None:
    """Return where a program is, by the folders of `PATH` that lie outside the project; None where nowhere.

    Windows would look into the working directory first, so it is given no name without a folder.
    """
    import shutil  # noqa: PLC0415 - 5 ms, which a look at a path need not wait for

    found = shutil.which(name, path=os.pathsep.join(search_path(*more)))
    return found if found and os.path.isabs(found) else None


def search_path(*more: str) -> list[str]:
    """Return the folders of `PATH` that lie outside the project: no program comes from another."""
    return _outside(os.environ.get("PATH", os.defpath), _trees(more))


def variables(*more: str) -> dict[str, str]:
    """Return the variables for a program that we start: what they name of the project is left out."""
    trees = _trees(more)
    given = dict(os.environ)
    for name in (*_DIRECTORIES, *_LISTS):
        if name in given:
            kept = _outside(given[name], trees)
            if kept:
                given[name] = os.pathsep.join(kept)
            else:
                del given[name]
    return {**given, "PATH": os.pathsep.join(search_path(*more)) or os.devnull}


def _outside(places: str, trees: Iterable[str]) -> list[str]:
    """Return the absolute ones of a list of folders that lie in none of the trees."""
    known = tuple(trees)
    folders = places.split(os.pathsep)
    return [folder for folder in folders if os.path.isabs(folder) and _lies_outside(folder, known)]


def _lies_outside(path: str, trees: Iterable[str]) -> bool:
    real = _real(path)
    return not any(_is_within(real, tree) for tree in trees)


def _is_within(real: str, tree: str) -> bool:
    return real == tree or real.startswith(tree.rstrip(os.sep) + os.sep)


def _trees(more: Iterable[str]) -> set[str]:
    return _without_home({tree for start in _starts(more) for tree in _around(start)})


def _starts(more: Iterable[str]) -> set[str]:
    named = (os.environ.get(PROJECT_VARIABLE, ""), os.environ.get(SERVER_VARIABLE, ""), *more)
    return {_real(place) for place in named if os.path.isabs(place)} | _working_directory()


def _without_home(trees: Iterable[str]) -> set[str]:
    """Return those of these trees that are neither the user's home nor above it."""
    home = os.environ.get("HOME", "") or (
        os.environ.get("USERPROFILE", "") if sys.platform == "win32" else ""
    )
    own = _real(home).rstrip(os.sep) + os.sep if os.path.isabs(home) else os.sep
    return {tree for tree in trees if not own.startswith(tree.rstrip(os.sep) + os.sep)}


def _around(start: str) -> list[str]:
    """Return a directory, and those above it that are the top of a project."""
    return [start, *_tops(os.path.dirname(start))]


def _tops(start: str) -> list[str]:
    """Return those of a directory and the ones above it that are the top of a project."""
    found, current = [], start
    while current != (above := os.path.dirname(current)):
        if any(os.path.lexists(os.path.join(current, mark)) for mark in PROJECT_MARKS):
            found.append(current)
        current = above
    return found


def _working_directory() -> set[str]:
    try:
        return {_real(os.getcwd())}
    except OSError:
        return set()  # it is gone, with whatever was in it


def _real(path: str) -> str:
    return os.path.normcase(os.path.realpath(path))
