"""Clones on machines of their own that share their history through a team's server."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.team.clones import Clone
from tests.team.postgres import Database

REMOTE = "git@example.org:acme/harbour.git"
KEY = "example.org/acme/harbour"
NOWHERE = "postgresql:///team?host=/nonexistent"
STATE = "team/state"
BACKGROUND_SYNC = b"\0background\0sync\0"  # the last words of such a process before the root


class Member(Clone):
    """A clone whose user has configured a team's server."""

    def __init__(self, root: Path, home: Path, url: str) -> None:
        super().__init__(root, home)
        self._config = home / ".config/agent-progress/config.toml"
        self._config.parent.mkdir(parents=True)
        self.url = url
        self.reaches(url)

    def reaches(self, url: str) -> None:
        """Have the user's configuration name this server."""
        self._config.write_text(f'[team]\nurl = "{url}"\n', "utf-8")

    def log_offline(self, *texts: str) -> None:
        """Log entries while the server cannot be reached, and return when nothing tries to send them any more."""
        self.reaches(NOWHERE)
        for text in texts:
            self.log(text)
        waited_for(self)
        self.reaches(self.url)

    def sync(self) -> tuple[int, int]:
        """Sync, and return how many entries were taken in and sent."""
        done = json.loads(self.run("sync", "--json"))
        return done["taken"], done["sent"]

    def name(self) -> str:
        """Return the writer that this clone is."""
        return self.private("writer").read_text("ascii").strip()

    def started(self, *words: str, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Start a command of ours here, behind the words of a tracer if there is one."""
        return subprocess.Popen(
            [*before, sys.executable, "-m", "progress_plugin", *words],
            cwd=self.root, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip


def member(place: Path, name: str, database: Database | str) -> Member:
    """Return a clone of the project on a machine of its own, of the team with this server."""
    url = database if isinstance(database, str) else database.url
    clone = Member(place / name, place / f"home-of-{name}", url)
    clone.root.mkdir(parents=True)
    clone.git("init", "-q", "-b", "main")
    clone.git("remote", "add", "origin", REMOTE)
    return clone


def entry_body(name: str, says: str) -> str:
    """Return the body of an entry as a stranger writes it."""
    told = {"id": name, "timestamp": "2026-11-01T10:10:10Z", "type": "milestone_reached"}
    return json.dumps({**told, "data": {"description": says}})


@contextmanager
def here(clone: Member) -> Iterator[None]:
    """Work as a process on the machine of a clone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(clone.home))
        patch.setenv("AGENT_PROGRESS_NO_INSTALL", "1")
        yield


def waited_for(clone: Member) -> None:
    """Return when no process that syncs in the background is left in this clone."""
    while found := [
        pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if _is_syncing(pid, clone)
    ]:
        for pid in found:
            _end_of(pid)


def _end_of(pid: int) -> None:
    """Return when a process has ended, or at once where it is about to be another program."""
    if not _words(pid):
        os.sched_yield()
        return
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    # Without a turn of this process in between: it would take a third of two cores from what it waits for.
    select.select([handle], [], [])
    os.close(handle)


def _is_syncing(pid: int, clone: Member) -> bool:
    words = _words(pid)
    if words is None:
        return False
    if words:
        return words.endswith(BACKGROUND_SYNC + os.fsencode(clone.root) + b"\0")
    return _is_about_to(pid, clone)


def _words(pid: int) -> bytes | None:
    """Return the command line of a process; empty where there is none yet or any more, None without a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None


def _is_about_to(pid: int, clone: Member) -> bool:
    """Return whether a process without a command line may become one that syncs: a child of ours, or from here.

    All others, of whatever else runs on this machine, are always about to begin or to end somewhere.
    """
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
        if state in {"Z", "X"}:
            return False
        return int(parent) == os.getpid() or Path(f"/proc/{pid}/cwd").readlink().is_relative_to(clone.root)
    except OSError:
        return False


def require_tracer() -> None:
    """Skip loudly where no tracer can kill a process at a given system call."""
    tried = shutil.which("strace") and subprocess.run(
        ["strace", "-f", "-o", "/dev/null", "-e", "inject=sendto:signal=KILL:when=9999", "true"],
        capture_output=True,
        check=False,
    )
    if not tried or tried.returncode:
        why = "NO STRACE IS HERE THAT MAY TRACE: apt-get install strace; no kill in the middle of a sync was tried"
        if os.environ.get("AGENT_PROGRESS_REQUIRE_CLIENTS") == "1":
            pytest.fail(why)
        pytest.skip(why)
