"""An OpenCode database made by hand: its tables and rows have the client's shape and no more."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

_TABLES = """
pragma journal_mode = wal;
create table session (id text primary key, project_id text, parent_id text, directory text, title text,
    version text, revert text, time_created integer, time_updated integer);
create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
create table part (id text primary key, message_id text, session_id text, time_created integer,
    time_updated integer, data text);
create table account (id text, token text);
"""
_BEGIN = 1_795_332_171_000


class OpenCodeDatabase:
    """The client's database, held open as the client holds it; every method adds rows."""

    def __init__(self, path: Path, root: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.root, self.now = path, root, _BEGIN
        self._numbers = 0
        self.store = sqlite3.connect(path, isolation_level=None)
        self.store.executescript(_TABLES)

    def begins(self, session: str, parent: str | None = None, title: str = "a title") -> None:
        """Add a session."""
        row = (session, "p", parent, str(self.root), title, "1.18.33", None, self._tick(), self.now)
        self.store.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def asks(self, session: str, said: str, *more: dict[str, Any]) -> str:
        """Add a request; return the id of its message."""
        message = self.message(session, {"role": "user", "agent": "build"})
        self.part(session, message, {"type": "text", "text": said})
        for part in more:
            self.part(session, message, part)
        return message

    def says(self, session: str, said: str, **fields: Any) -> None:
        """Add a text of the agent's."""
        message = self.answers(session, **fields)
        self.part(session, message, {"type": "text", "text": said, "time": {"start": 1, "end": 2}})

    def answers(self, session: str, **fields: Any) -> str:
        """Add a message of the agent's without parts; return its id."""
        where = {"cwd": str(self.root), "root": str(self.root)}
        return self.message(session, {"role": "assistant", "path": where, "modelID": "large-1", **fields})

    def calls(self, session: str, tool: str, given: dict[str, Any], **state: Any) -> str:
        """Add a call that has ended; return the id of its part."""
        message = self.answers(session)
        told = {"status": "completed", "input": given, "output": "", "metadata": {}, **state}
        told["time"] = {"start": self.now, "end": self._tick()}
        return self.part(session, message, {"type": "tool", "tool": tool, "state": told})

    def runs(self, session: str, command: str, code: int = 0, output: str = "") -> str:
        """Add a command that has ended."""
        told = {"exit": code, "output": output}
        return self.calls(session, "bash", {"command": command}, output=output, metadata=told)

    def writes(self, session: str, path: str, *, new: bool = False) -> str:
        """Add a file that was written."""
        if new:
            return self.calls(session, "write", {"filePath": path}, metadata={"exists": False})
        return self.calls(session, "edit", {"filePath": path})

    def message(self, session: str, data: Any) -> str:
        """Add a message."""
        name = self._name("msg")
        row = (name, session, self._tick(), self.now, json.dumps(data))
        self.store.execute("insert into message values (?, ?, ?, ?, ?)", row)
        return name

    def part(self, session: str, message: str, data: Any) -> str:
        """Add a part of a message."""
        name = self._name("prt")
        row = (name, message, session, self._tick(), self.now, json.dumps(data))
        self.store.execute("insert into part values (?, ?, ?, ?, ?, ?)", row)
        return name

    def changes(self, part: str, data: Any) -> None:
        """Write a part again, as the client does when it knows more of it."""
        row = (json.dumps(data), self._tick(), part)
        self.store.execute("update part set data = ?, time_updated = ? where id = ?", row)

    def is_forked(self, session: str, fork: str) -> None:
        """Copy a session as the client does: new ids, the messages with their old times."""
        self.begins(fork, title="a title (fork #1)")
        rows = self.store.execute(
            "select id, time_created, data from message where session_id = ?", (session,)
        )
        for message, created, data in rows.fetchall():
            name = self._name("msg")
            copied = (name, fork, created, self._tick(), data)
            self.store.execute("insert into message values (?, ?, ?, ?, ?)", copied)
            parts = self.store.execute("select data from part where message_id = ?", (message,)).fetchall()
            for (part,) in parts:
                self.part(fork, name, json.loads(part))

    def close(self) -> None:
        """End the client: SQLite moves the write-ahead log into the file, and removes it."""
        self.store.close()

    def _name(self, kind: str) -> str:
        self._numbers += 1
        return f"{kind}_{self._numbers:09}"

    def _tick(self) -> int:
        self.now += 1000
        return self.now
