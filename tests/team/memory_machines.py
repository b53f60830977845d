"""Clones of a team whose agents keep a memory, too."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from progress_plugin.core.project import find_project
from progress_plugin.usecases.team.sync import sync
from tests.team.members import Member, here, member, waited_for
from tests.team.postgres import Database


class Machine(Member):
    """A clone whose agent keeps a memory, too."""

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
        found = json.loads(self.run("memory", "progress", "--json", status=self.answers()))
        base = ("--base-revision", str(found["revision"])) if found["found"] else ()
        self.run("memory", "progress", "--content", json.dumps(fields), *base)

    def answers(self) -> int:
        """Return what a read of the progress document ends with: 1 where there is none."""
        live = "SELECT count(*) FROM observations WHERE type = 'progress' AND deleted_at IS NULL"
        paths = list((self.home / ".local/share").rglob("*.db"))
        return 0 if paths and self.rows(live) != [(0,)] else 1

    def document(self) -> Any:
        """Return the progress document."""
        return json.loads(self.run("memory", "progress", "--json"))["content"]

    def remembered(self) -> set[str]:
        """Return the titles of all live observations, each of which is there once."""
        rows = self.rows("SELECT title FROM observations WHERE deleted_at IS NULL AND type <> 'progress'")
        assert len({row[0] for row in rows}) == len(rows)
        return {row[0] for row in rows}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return rows of the memory database."""
        [path] = (self.home / ".local/share").rglob("*.db")
        # Left to the collector of garbage, it would keep its files beside the database until some later moment.
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(statement).fetchall()

    def together(self) -> None:
        """Sync until nothing of this machine is under way any more.

        In this process, since most of what these tests cost was the start of a command: what that adds is held by
        the tests of `sync`.
        """
        waited_for(self)
        with here(self):
            sync(find_project(str(self.root)), joins=True)


def machine(place: Path, name: str, database: Database | str) -> Machine:
    """Return a clone that takes part, on a machine with a memory of its own."""
    made = member(place, name, database)
    made.__class__ = Machine
    assert isinstance(made, Machine)
    made.log(f"{name} begins")
    made.together()
    return made


def agreed(*machines: Machine) -> None:
    """Sync until everybody has heard of everything."""
    for _ in range(2):
        for each in machines:
            each.together()
