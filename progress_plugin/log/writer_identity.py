"""Which writer this clone is: the name of its own folder in `shared/`.

It is made once and kept in the user data directory, so that no clone, copy or archive brings it along. As the
copies of a log it is bound to marks that no other place can have (`log.outside_copy_owner`): the seal of the
repository or of our directory. A path where another clone lies by now, a copied working directory and a
restored backup are writers of their own; a machine that is called otherwise by now is the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from progress_plugin.core.data_directory import root_of
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import create_new, read_inside, write_atomic
from progress_plugin.core.git import find_repository
from progress_plugin.core.paths import user_config, user_data
from progress_plugin.log import outside_copies, shared_entries

_CONFIG = "config.toml"
_FOLDER = "writers"
"""Folder of user data with the name of each clone."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_RANDOM_DIGITS = 6
_LONGEST_HOST = 24
_MEMBER = "member"
"""Among the marks: this clone takes part in a team's server."""
_BEFORE = "before:"
"""Among them: the writer that was at this path, until a sync has settled what becomes of its claims."""
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600
_MACHINE_ID = "/etc/machine-id"
"""Made once when a system with systemd is installed; it stays in our private file."""


def has_writers() -> bool:
    """Return whether a clone of this user has a name: only those have one that share their history."""
    data = user_data()
    return data is not None and os.path.isdir(os.path.join(data, _FOLDER))


def known_writer(directory: str) -> str | None:
    """Return the id of the writer that this clone is; None where it has none yet."""
    words = _words(directory)
    return words[0] if words and seals(directory) & set(words[1:]) else None


def writer_of(directory: str) -> str:
    """Return the id of the writer that this clone is, made now where it has none. Caller holds the lock.

    Raises AgentProgressError where there is no home to keep it in, or the disk refuses.
    """
    path = _place(directory)
    if path is None:
        raise AgentProgressError("there is no home directory to keep this clone's name in; set HOME")
    known = known_writer(directory)
    if known is None or not {known, *seals(directory), *_machine()} <= set(_kept(path)):
        before, known = former(directory), known or _new_writer()
        _write(directory, known, is_member=took_part(directory), before=before)
    return known


def begin_anew(directory: str) -> str:
    """Return the id of this clone as another writer from now on. Caller holds the lock.

    For a clone that finds another one writing under its name: a backup of it, or the machine that its image
    was copied to. Raises as `writer_of` does.
    """
    if _words(directory):
        _write(directory, _new_writer(), is_member=took_part(directory), before=None)
    return writer_of(directory)


def former(directory: str) -> str | None:
    """Return the writer that was at this path before this clone was restored or made anew, until a sync."""
    words = _words(directory)
    if words and not seals(directory) & set(words[1:]):
        return words[0]
    return next((word.removeprefix(_BEFORE) for word in words if word.startswith(_BEFORE)), None)


def took_part(directory: str) -> bool:
    """Return whether the last clone at this path took part in a team's server, and has not left."""
    return _MEMBER in _words(directory)


def note_membership(directory: str, *, is_member: bool) -> None:
    """Note whether this clone takes part in a team's server; what was here before is settled with that.

    Nothing of our directory can say it where that is gone. Raises as `writer_of`. Caller holds the lock.
    """
    if took_part(directory) != is_member or former(directory) is not None:
        _write(directory, writer_of(directory), is_member=is_member, before=None)


def _words(directory: str) -> list[str]:
    """Return what is kept for this path: the name, the seals that it is bound to, and marks; else nothing."""
    path = _place(directory)
    if path is None:
        return []
    own, marks = _kept(path), seals(directory)
    if own and marks & set(own[1:]):
        return own
    return next((_kept(other) for other in _under_other_names(path, marks)), own)


def _kept(path: str) -> list[str]:
    words = (read_inside(None, path) or b"").decode("ascii", "replace").split()
    return words if shared_entries.writers(words[:1]) else []


def _write(directory: str, name: str, *, is_member: bool, before: str | None) -> None:
    path = _place(directory)
    if path is None:
        return
    marks = [
        *sorted(seals(directory) | _machine()),
        *([_MEMBER] if is_member else []),
        *([_BEFORE + before] if before else []),
    ]
    outdated = list(_under_other_names(path, seals(directory)))
    os.makedirs(os.path.dirname(path), mode=_PRIVATE_FOLDER, exist_ok=True)
    if not os.path.exists(path):
        create_new(path, b"", _PRIVATE_FILE)
    write_atomic(path, " ".join([name, *marks]).encode() + b"\n")
    for other in outdated:
        write_atomic(other, b"")  # else it would count again under its name, with what it knew then


def _place(directory: str) -> str | None:
    """Return the file for this path; machines may share a home, so it is told by the host, too."""
    data, copies = user_data(), outside_copies.folder_of(directory)
    return os.path.join(data, _FOLDER, _host(), os.path.basename(copies)) if data and copies else None


def _under_other_names(path: str, marks: set[str]) -> Iterator[str]:
    """Yield the files of this clone from when this machine had other names.

    A laptop is called otherwise in another network. That it is the same machine is said by its own id alone.
    """
    machine, (folder, name) = _machine(), os.path.split(path)
    if not machine:
        return
    try:
        hosts = sorted(os.listdir(os.path.dirname(folder)))
    except OSError:
        return
    for host in hosts:
        other = os.path.join(os.path.dirname(folder), host, name)
        words = set(_kept(other)) if other != path else set()
        if machine <= words and marks & words:
            yield other


def _machine() -> set[str]:
    """Return the mark of this machine, whatever it is called; empty where the system keeps none."""
    words = (read_inside(None, _MACHINE_ID) or b"").decode("ascii", "replace").split()
    return {f"machine.{words[0]}"} if len(words) == 1 else set()


def seals(directory: str) -> set[str]:
    """Return the marks of this clone that no copy of it can have: the repository's and our directory's."""
    root = root_of(directory)
    repository = find_repository(root)
    found = {
        (outside_copies.directory_mark(root) or b"").decode(),
        (repository.identity() or "") if repository else "",
    }
    return {each for each in found if each}


def _new_writer() -> str:
    number = int.from_bytes(os.urandom(8))
    digits = "".join(_DIGITS[number // 36**place % 36] for place in range(_RANDOM_DIGITS))
    return f"{_plain(_chosen_name()) or _host()}-{digits}"


def _chosen_name() -> str:
    """Return what the user wants their clones to be called; a file of a repository has no say in it."""
    from progress_plugin.config.load import load  # noqa: PLC0415 - once in a clone's life

    folder = user_config()
    users = read_inside(None, os.path.join(folder, _CONFIG)) if folder else None
    return load(None, {}, users, os.environ).effective.team_name or ""


def _host() -> str:
    name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return _plain(name.partition(".")[0]) or "host"


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower())[:_LONGEST_HOST].strip("-")
