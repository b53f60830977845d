"""What is fuzzed: each takes any bytes and checks what must hold whatever they are."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from progress_plugin.core import data_directory, error_log
from progress_plugin.core.clients import CLIENTS, HookEvent, session_start_output
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import FileLock
from progress_plugin.core.looked_at import BASELINE_FILE
from progress_plugin.core.paths import state_file
from progress_plugin.core.project import Project
from progress_plugin.hooks.entry import HookRun, parse_object
from progress_plugin.hooks.recording import record
from progress_plugin.hooks.session_start import answer
from progress_plugin.log import store
from progress_plugin.log.document import parse
from progress_plugin.log.entry import EntryDraft, canonical
from progress_plugin.usecases.composing import compose_for_this_call
from progress_plugin.usecases.memory.answer_text import compact_text, search_text
from progress_plugin.usecases.memory.location import MemoryLocation
from progress_plugin.usecases.memory.mem_compact import mem_compact
from progress_plugin.usecases.memory.mem_save import mem_save
from progress_plugin.usecases.memory.mem_search import mem_search
from tests.fuzz.readers import Journey, holds_no_secret, is_a_line
from tests.torture.client import acting, told

NOW = datetime(2026, 3, 14, tzinfo=UTC)
CLAUDE = CLIENTS["claude"]
PLAN = b'{"userStories": [{"id": "US-1", "title": "Light", "passes": true}, {"id": "US-2", "title": "Trim"}]}'
_OLD = datetime(2026, 1, 1, tzinfo=UTC)
_MOST_SAVED = 200
"""Observations, until a database is begun anew."""


class Arena:
    """One project that every journey starts from anew: a plan, and our directory with nothing in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        (root / ".git").mkdir()
        self.ours = Path(data_directory.prepare(str(root / ".agent-os/progress")))
        self.project = Project(str(root), None)
        self.place = MemoryLocation(database=str(root / "memory.db"), root=str(root), name="arena")
        self._saved = 0
        os.environ |= {"CLAUDE_PROJECT_DIR": str(root), "AGENT_PROGRESS_NO_INSTALL": "1"}

    def journeys(self) -> dict[str, Journey]:
        """Return every journey by its name."""
        files = ("prd.json", "progress.md", "task_plan.md", ".beads/issues.jsonl", ".taskmaster/tasks/tasks.json",
                 ".agent-os/specs/x/tasks.md", ".agent-os/progress/config.toml", ".agent-os/progress/progress.json",
                 ".agent-os/progress/archive/index.json", BASELINE_FILE, ".git/HEAD")  # fmt: skip
        shown: dict[str, Journey] = {name: self.shown(name) for name in files}
        return shown | {
            "hook input": self.hook_input,
            "append": self.append,
            "compact_ids": self.compact_ids,
            "search": self.search,
        }

    def shown(self, name: str) -> Journey:
        """Return the journey that puts bytes in the place of a file and shows what a start makes of it."""

        def journey(data: bytes) -> None:
            path = Path(state_file(str(self.root), name)) if name == BASELINE_FILE else self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            (self.root / "prd.json").write_bytes(PLAN)
            path.write_bytes(data)
            try:
                composed = compose_for_this_call(self.project)
                output = session_start_output(CLAUDE, composed.context, composed.user_line)
            finally:
                path.unlink()
            told(output)
            assert not acting(composed.text), acting(composed.text)
            holds_no_secret(output.decode(), composed.text)

        return journey

    def hook_input(self, raw: bytes) -> None:
        """Give bytes to both doors: what comes out is valid, and nothing but our own errors comes up, or is hidden."""
        (self.root / "prd.json").write_bytes(PLAN)
        run = HookRun("SessionStart", 60.0)
        try:
            fields = parse_object(raw) or {}
            for name in ("PostToolUse", "TaskCompleted", "Stop", "SessionEnd"):
                event = HookEvent(name, CLAUDE, fields)
                with suppress(AgentProgressError):
                    record(event, run)
            output = answer(HookEvent("SessionStart", CLAUDE, fields), run)
            hidden = Path(error_log.place())
            assert not hidden.exists(), hidden.read_text("utf-8")
            kept = [path.read_text("utf-8") for path in self.ours.rglob("*") if path.is_file()]
        finally:
            self._emptied()
        told(output)
        holds_no_secret(output.decode(), *kept)

    def _emptied(self) -> None:
        """Leave nothing of ours for the next input: each is tried alone, and found again alone."""
        shutil.rmtree(self.ours)
        shutil.rmtree(os.environ["HOME"], ignore_errors=True)
        data_directory.prepare(str(self.ours))

    def append(self, data: bytes) -> None:
        """Append to a log of any bytes: what could be read of it is there afterwards, and so is the entry."""
        log = self.ours / "progress.json"
        log.write_bytes(data)
        try:
            self._append(log, data)
        finally:
            for path in self.ours.glob("progress.*"):
                path.unlink()

    def _append(self, log: Path, data: bytes) -> None:
        before = parse(data)
        expected = [canonical(item) for item in before.items]
        try:
            with FileLock(str(self.ours / store.LOCK_FILE), 0):
                new = store.append(
                    str(self.ours), [EntryDraft("task_completed", {})], now=NOW, project_name="x"
                ).entries[0]
        except AgentProgressError as fault:
            is_a_line(fault)
            assert log.read_bytes() == data
            return
        after = [canonical(item) for item in json.loads(log.read_bytes())["entries"]]
        assert canonical(new) in after
        assert not [item for item in expected if item not in after]
        if before.damage:
            assert data in [copy.read_bytes() for copy in self.ours.glob("progress.json.corrupt-*")]

    def compact_ids(self, data: bytes) -> None:
        """Give a text, and the JSON it may hold, as ids to compact: they are taken, or refused in one line."""
        text = data.decode("utf-8", "replace")
        values: list[Any] = [text]
        with suppress(ValueError, RecursionError):
            values.append(json.loads(text))
        for value in values:
            before = self._stored()
            try:
                told = mem_compact(
                    self.place, 1, compact_ids=value, summary_title="t", summary_content="c", now=NOW
                )
            except AgentProgressError as fault:
                is_a_line(fault)
                assert self._stored() == before
                continue
            assert not acting(compact_text(told))
            json.dumps(told)
            Path(self.place.database).unlink(missing_ok=True)

    def _stored(self) -> list[tuple[int]]:
        """Return the ids of the observations that are not compacted, of which there are five at first."""
        if not os.path.exists(self.place.database):
            for number in range(5):
                mem_save(self.place, f"light {number}", "x", "note", now=_OLD)
        with closing(sqlite3.connect(self.place.database)) as database:
            return database.execute("SELECT id FROM observations WHERE deleted_at IS NULL").fetchall()

    def search(self, data: bytes) -> None:
        """Save any text, and search for it: what is told is JSON, and holds no secret."""
        self._saved += 1
        if self._saved % _MOST_SAVED == 0:
            Path(self.place.database).unlink(missing_ok=True)
        try:
            mem_save(self.place, "light", data.decode("utf-8", "replace"), "note", now=NOW)
            found = mem_search(self.place, data.decode("utf-8", "surrogateescape"))
        except AgentProgressError as fault:
            is_a_line(fault)
            return
        text = search_text(found)
        assert not acting(text), acting(text)
        found.pop("query")  # as it was asked
        holds_no_secret(text, json.dumps(found, ensure_ascii=False))
