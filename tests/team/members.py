"""Clones on machines of their own that share their history, and a memory, through a team's server."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from progress_plugin.core.project import find_project
from progress_plugin.usecases.team.sync import sync
from tests.background import wait_for_processes
from tests.team.clones import Clone
from tests.team.postgres import Database, skip_loudly

REMOTE = "git@example.org:acme/harbour.git"
KEY = "example.org/acme/harbour"
NOWHERE = "postgresql:///team?host=/nonexistent"
STATE = "team/state"


class Member(Clone):
    """A clone whose user has configured a team's server."""

    def __init__(self, root: Path, home: Path, url: str) -> None:
        super().__init__(root, home)
        self._config = home / ".config/agent-progress/config.toml"
        self._config.parent.mkdir(parents=True)
        self.url = url
        self.reaches(url)

    def reaches(self, url: str) -> None:
        """Set this server in the user's configuration."""
        self._config.write_text(f'[team]\nurl = "{url}"\n', "utf-8")

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Work while the server cannot be reached, until nothing tries to send it any more."""
        self.reaches(NOWHERE)
        yield
        waited_for(self)
        self.reaches(self.url)

    def log_offline(self, *texts: str) -> None:
        """Log entries while the server cannot be reached."""
        with self.offline():
            for text in texts:
                self.log(text)

    def sync(self) -> tuple[int, int]:
        """Sync, and return how many entries were taken in and sent."""
        done = json.loads(self.run("sync", "--json"))
        return done["taken"], done["sent"]

    def sync_here(self) -> None:
        """Sync in this process, once no background process of this machine runs any more."""
        waited_for(self)
        with here(self):
            sync(find_project(str(self.root)), joins=True)

    def started(self, *words: str, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Start a command of ours here, behind the words of a tracer if there is one."""
        return subprocess.Popen(
            [*before, sys.executable, "-m", "progress_plugin", *words],
            cwd=self.root, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def keep(self, title: str, content: str, **options: str) -> int:
        """Save an observation, and return its id."""
        words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        given = ("--title", title, "--content", content, "--type", "decision", "--json", *words)
        row: int = json.loads(self.run("memory", "save", *given))["id"]
        return row

    def compact(self, ids: list[int], title: str, content: str) -> None:
        """Compact observations that are older than this second: their times have whole seconds."""
        now = int(time.time())
        while int(time.time()) == now:
            time.sleep(0.02)
        self.run("memory", "compact", "--older-than-days", "0.0000001", "--ids", json.dumps(ids),
                 "--summary-title", title, "--summary-content", content)  # fmt: skip

    def write(self, **fields: Any) -> None:
        """Write the progress document as an agent does that has read it."""
        has_one = self.rows(
            "SELECT count(*) FROM observations WHERE type = 'progress' AND deleted_at IS NULL"
        )
        found = json.loads(
            self.run("memory", "progress", "--json", status=0 if has_one not in ([], [(0,)]) else 1)
        )
        base = ("--base-revision", str(found["revision"])) if found["found"] else ()
        self.run("memory", "progress", "--content", json.dumps(fields), *base)

    def document(self) -> Any:
        """Return the progress document."""
        return json.loads(self.run("memory", "progress", "--json"))["content"]

    def remembered(self) -> set[str]:
        """Return the titles of all live observations, each of which is there once."""
        rows = self.rows("SELECT title FROM observations WHERE deleted_at IS NULL AND type <> 'progress'")
        assert len({row[0] for row in rows}) == len(rows)
        return {row[0] for row in rows}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return rows of the memory database; none if there is no database."""
        for path in (self.home / ".local/share").rglob("*.db"):
            with closing(sqlite3.connect(path)) as connection:
                return connection.execute(statement).fetchall()
        return []


def member(place: Path, name: str, database: Database | str) -> Member:
    """Return a clone of the project on a machine of its own, of the team with this server."""
    url = database if isinstance(database, str) else database.url
    clone = Member(place / name, place / f"home-of-{name}", url)
    clone.root.mkdir(parents=True)
    clone.git("init", "-q", "-b", "main")
    clone.git("remote", "add", "origin", REMOTE)
    return clone


def joined(place: Path, name: str, database: Database, text: str, story: str) -> Member:
    """Return a clone that takes part, with an entry about a story."""
    clone = member(place, name, database)
    clone.log(text, task=story)
    clone.sync_here()
    return clone


def agreed(*clones: Member) -> None:
    """Sync until every clone has all entries."""
    for _ in range(2):
        for each in clones:
            each.sync_here()


@contextmanager
def here(clone: Clone) -> Iterator[None]:
    """Run as a process on the machine of a clone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(clone.home))
        patch.setenv("AGENT_PROGRESS_NO_INSTALL", "1")
        yield


def waited_for(clone: Member) -> None:
    """Return when no process syncs in the background of this clone any more."""
    wait_for_processes(clone.root, "sync")


def require_tracer() -> None:
    """Skip loudly where no tracer can kill a process at a given system call."""
    tried = shutil.which("strace") and subprocess.run(
        ["strace", "-f", "-o", "/dev/null", "-e", "inject=sendto:signal=KILL:when=9999", "true"],
        capture_output=True,
        check=False,
    )
    if not tried or tried.returncode:
        skip_loudly(
            "NO STRACE IS HERE THAT MAY TRACE: apt-get install strace; no kill within a sync was tried"
        )
