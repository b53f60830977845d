"""Our directory in a project, which ignores itself as tool caches do.

Which of its files git may track is decided here (`may_be_tracked`); what each file is:
`docs/file-formats.md`.
"""

import os

from progress_plugin.core.errors import BadInput, DiskRefused
from progress_plugin.core.files import (
    LeadsOutside,
    leads_outside,
    read_inside,
    resolve_inside,
    scan_inside,
    write_atomic,
)
from progress_plugin.core.paths import state_file

SUMMARY_FILE = "progress-summary.md"
_IGNORED = "*\n!config.toml\n!templates/\n!templates/**\n"
_FOLDERS = ("archive", "shared", "recovery", "summaries", "templates")
_NAMED = 20
"""Links that are named; more of them add nothing to know."""
_SHARED = _IGNORED + "!shared/\n!shared/**\n.agent-progress-*\n"
_FORMER = _IGNORED + "!progress.json\n!archive/\n!archive/[0-9]*.json\n"
"""How `share` was before each clone had files of its own: two branches conflicted."""


_OURS = (_IGNORED.encode(), _SHARED.encode(), _FORMER.encode())


def prepare(directory: str, *, share: bool = False) -> str:
    """Make sure that our directory exists with its own `.gitignore`, and return its real path.

    `share` leaves `shared/` to be tracked by git, never the log itself. A `.gitignore` that is not one of
    ours is kept: the user wrote it. Raises Refused where a link leads out of the project,
    BadInput where something else is in its place, AgentProgressError where it cannot be made.
    """
    real = resolve_inside(root_of(directory), directory)
    try:
        os.makedirs(real, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise BadInput(f"{directory} is not a directory; move what stands there out of the way") from error
    except OSError as error:
        raise DiskRefused(f"cannot make {directory}", error) from error
    ignore = os.path.join(real, ".gitignore")
    wanted = (_SHARED if share else _IGNORED).encode()
    try:
        present = read_inside(root_of(directory), os.path.join(directory, ".gitignore"))
    except LeadsOutside:
        return real  # nothing is written through a link
    if present is None or (present != wanted and present in _OURS):
        write_atomic(ignore, wanted, root=root_of(directory), durable=False)
    return real


def read(directory: str, name: str) -> bytes | None:
    """Return the content of a file of our directory; None where there is none, or a link leads out to it.

    Raises BadInput for anything but a file that can be read.
    """
    try:
        return read_inside(root_of(directory), os.path.join(directory, name))
    except LeadsOutside:
        return None


def read_copy(directory: str, name: str) -> bytes | None:
    """Return the content of a file that is one of several copies, as `read`; None also for what it refuses.

    So nothing in the place of a copy stops who looks for the others; `find_unreadable` says what it is.
    """
    try:
        return read(directory, name)
    except BadInput:
        return None


def names(directory: str, folder: str = "") -> list[str]:
    """Return the sorted names in a folder of our directory, without those of links that lead out."""
    root, place = root_of(directory), os.path.join(directory, folder)
    return [
        name
        for name, is_link in _listed(place, root)
        if not (is_link and leads_outside(root, os.path.join(place, name)))
    ]


def stray_links(directory: str) -> list[str]:
    """Return the links in our directory that lead out of the project, relative to its root; none is read."""
    root = root_of(directory)
    places = [os.path.join(directory, folder) for folder in ("", *_FOLDERS)]
    links = [os.path.dirname(directory), directory]
    links += [os.path.join(place, name) for place in places for name, link in _listed(place, root) if link]
    strays = [path for path in links if os.path.islink(path) and leads_outside(root, path)]
    return [os.path.relpath(path, root) for path in strays[:_NAMED]]


def _listed(place: str, root: str) -> list[tuple[str, bool]]:
    try:
        return scan_inside(root, place)
    except LeadsOutside:
        return []


def may_be_tracked(name: str, *, share: bool) -> bool:
    """Return whether git may track a file of our directory, named relative to it with slashes."""
    if name in (".gitignore", "config.toml") or name.startswith("templates/"):
        return True
    return share and name.startswith("shared/")


def has_shared(directory: str) -> bool:
    """Return whether there are files of entries that git carries from clone to clone."""
    return os.path.isdir(os.path.join(directory, "shared"))


def has_team(directory: str) -> bool:
    """Return whether this clone may take part in a sync with a team's server."""
    return os.path.lexists(state_file(root_of(directory), "team/state"))


def subfolder(directory: str, name: str) -> str:
    """Make sure that a folder of our directory exists, and return its real path.

    Raises Refused where a link leads out of the project; OSError where it cannot be made.
    """
    folder = resolve_inside(root_of(directory), os.path.join(directory, name))
    os.makedirs(folder, exist_ok=True)
    return folder


def root_of(directory: str) -> str:
    """Return the project root of `<root>/.agent-os/progress`."""
    return os.path.dirname(os.path.dirname(os.path.abspath(directory)))
