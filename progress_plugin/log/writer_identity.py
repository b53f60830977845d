"""Which writer this clone is: the name of its own folder in `shared/` (S20.1).

How an entry that came from another clone is shown is decided in `summary.recent_stories` (`_by`).

It is made once and kept in the user data directory, so that no clone, copy or archive brings it along. As the
copies of a log it is bound to marks that no other place can have (`log.outside_copy_owner`): the seal of the
repository or of our directory. A path where another clone lies by now, a copied working directory and a
restored backup are writers of their own; a machine that is called otherwise by now is the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from progress_plugin.core.directories import user_config, user_data
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.fast.start_cache import seal
from progress_plugin.core.files import atomic_file, safe_read
from progress_plugin.core.files.data_directory import root_of
from progress_plugin.core.git import git_files
from progress_plugin.log import outside_copies, shared_entries

_FOLDER = "writers"
_CONFIG = "config.toml"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_RANDOM_DIGITS = 6
_LONGEST_HOST = 24
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600
_MACHINE_ID = "/etc/machine-id"
"""Made once when a system with systemd is installed; it stays in our private file."""


def known_writer(directory: str) -> str | None:
    """Return the id of the writer that this clone is; None where it has none yet."""
    path = _place(directory)
    if path is None:
        return None
    marks = seals(directory)
    return _of_file(path, marks) or next(_under_other_names(path, marks), (None, ""))[0]


def writer_of(directory: str) -> str:
    """Return the id of the writer that this clone is, made now where it has none. Caller holds the lock.

    Raises AgentProgressError where there is no home to keep it in, or the disk refuses.
    """
    path = _place(directory)
    if path is None:
        raise AgentProgressError("there is no home directory to keep this clone's name in; set HOME")
    known = known_writer(directory)
    marks = seals(directory) | _machine()
    if known is None or not {known, *marks} <= set(_words(path)):
        known = known or _new_writer()
        os.makedirs(os.path.dirname(path), mode=_PRIVATE_FOLDER, exist_ok=True)
        if not os.path.exists(path):
            atomic_file.create_new(path, b"", _PRIVATE_FILE)
        atomic_file.replace(path, " ".join([known, *sorted(marks)]).encode() + b"\n")
    return known


def begin_anew(directory: str) -> str:
    """Return the id of this clone as another writer from now on. Caller holds the lock.

    For a clone that finds another one writing under its name: a backup of it, or the machine that its image
    was copied to. Raises as `writer_of` does.
    """
    path = _place(directory)
    if path is not None:
        others = [other for _, other in _under_other_names(path, seals(directory))]
        for known in (path, *others):
            if os.path.exists(known):
                atomic_file.replace(known, b"")
    return writer_of(directory)


def _place(directory: str) -> str | None:
    """Return the file for this path; machines may share a home, so it is told by the host, too."""
    data, copies = user_data(), outside_copies.folder_of(directory)
    return os.path.join(data, _FOLDER, _host(), os.path.basename(copies)) if data and copies else None


def _under_other_names(path: str, marks: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the writers that this clone was while this machine had other names, each with its file.

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
        if other != path and machine <= set(_words(other)) and (found := _of_file(other, marks)):
            yield found, other


def _of_file(path: str, marks: set[str]) -> str | None:
    words = _words(path)
    return words[0] if shared_entries.writers(words[:1]) and marks & set(words[1:]) else None


def _words(path: str) -> list[str]:
    return (safe_read.read(path, None) or b"").decode("ascii", "replace").split()


def _machine() -> set[str]:
    """Return the mark of this machine, whatever it is called; empty where the system keeps none."""
    words = _words(_MACHINE_ID)
    return {f"machine.{words[0]}"} if len(words) == 1 else set()


def seals(directory: str) -> set[str]:
    """Return the marks of this clone that no copy of it can have: the repository's and our directory's."""
    root = root_of(directory)
    checkout = git_files.checkout_around(root)
    found = {(seal(root) or b"").decode(), (checkout.seal() or "") if checkout else ""}
    return {each for each in found if each}


def _new_writer() -> str:
    number = int.from_bytes(os.urandom(8))
    digits = "".join(_DIGITS[number // 36**place % 36] for place in range(_RANDOM_DIGITS))
    return f"{_plain(_chosen_name()) or _host()}-{digits}"


def _chosen_name() -> str:
    """Return what the user wants their clones to be called; a file of a repository has no say in it."""
    from progress_plugin.config.load import load  # noqa: PLC0415 - once in a clone's life

    folder = user_config()
    users = safe_read.read(os.path.join(folder, _CONFIG), None) if folder else None
    return load(None, {}, users, os.environ).effective.team_name or ""


def _host() -> str:
    name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return _plain(name.partition(".")[0]) or "host"


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "-", name.lower())[:_LONGEST_HOST].strip("-")
