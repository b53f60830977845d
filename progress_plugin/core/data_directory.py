"""Our directory in a project, with a `.gitignore` of its own; `docs/file-formats.md` describes its files."""

import os

from progress_plugin.core.files import (
    LeadsOutside,
    leads_outside,
    make_folder,
    read_inside,
    walk_inside,
    write_atomic,
)
from progress_plugin.core.paths import state_file

DATA_DIRECTORY = ".agent-os/progress"  # relative to the root
SUMMARY_FILE = "progress-summary.md"
MAX_NAMED_LINKS = 20
_PRIVATE = "*\n!config.toml\n!templates/\n!templates/**\n"
_SHARED = f"{_PRIVATE}!shared/\n!shared/**\n.agent-progress-*\n"


def data_directory_of(root: str) -> str:
    return os.path.join(root, *DATA_DIRECTORY.split("/"))


def prepare(directory: str, *, share: bool = False) -> str:
    """Make sure that our directory exists with its own `.gitignore`, and return its real path.

    With `share`, git may track `shared/`. A `.gitignore` of the user is kept. Raises as `make_folder`.
    """
    root = root_of(directory)
    real = make_folder(root, directory)
    ignore, wanted = os.path.join(directory, ".gitignore"), _SHARED if share else _PRIVATE
    try:
        present = read_inside(root, ignore)
    except LeadsOutside:
        return real  # nothing is written through a link
    is_ours = present in {_PRIVATE.encode(), _SHARED.encode()}
    if present is None or (is_ours and present != wanted.encode()):
        write_atomic(ignore, wanted.encode(), root=root, durable=False)
    return real


def read(directory: str, name: str) -> bytes | None:
    """Return the content of a file of our directory; None if it is missing or a link out of the project.

    Raises BadInput if it cannot be read.
    """
    try:
        return read_inside(root_of(directory), os.path.join(directory, name))
    except LeadsOutside:
        return None


def stray_links(directory: str) -> list[str]:
    """Return up to 20 links in our directory that lead out of the project, relative to its root."""
    root = root_of(directory)
    links = [path for path in (os.path.dirname(directory), directory) if os.path.islink(path)]
    links += [os.path.join(directory, name) for name, is_link in walk_inside(root, directory) if is_link]
    strays = [path for path in links if leads_outside(root, path)]
    return [os.path.relpath(path, root) for path in strays[:MAX_NAMED_LINKS]]


def may_be_tracked(name: str, *, share: bool) -> bool:
    """Return whether git may track a file of our directory, named relative to it with slashes."""
    folders = ("templates/", "shared/") if share else ("templates/",)
    return name in (".gitignore", "config.toml") or name.startswith(folders)


def has_shared(directory: str) -> bool:
    """Return whether there is a `shared/`, the folder of the entries that git carries to other clones."""
    return os.path.isdir(os.path.join(directory, "shared"))


def has_team(directory: str) -> bool:
    """Return whether this clone has joined a team, which makes the file `team/state`."""
    return os.path.lexists(state_file(root_of(directory), "team/state"))


def root_of(directory: str) -> str:
    """Return the project root of `<root>/.agent-os/progress`."""
    return os.path.dirname(os.path.dirname(os.path.abspath(directory)))
