"""A transcript as Claude Code writes it, made by hand: every record has the documented shape and no more."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from progress_plugin.transcripts.transcript import claude_folder_name

_BEGIN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


class ClaudeTranscript:
    """One session's file below a home; every method adds records, as the client does."""

    def __init__(self, home: Path, root: Path, session: str, *, begin: datetime = _BEGIN) -> None:
        self.root = root
        self.session = session
        self.path = home / ".claude/projects" / claude_folder_name(str(root.resolve())) / f"{session}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.now = begin
        self.branch = "main"
        self._sidechain = False
        self._parent: str | None = None
        self._before_request: str | None = None
        self._numbers = 0

    @classmethod
    def at(cls, path: Path, root: Path, session: str, *, sidechain: bool) -> ClaudeTranscript:
        """Return a transcript at another place, such as a sub-agent's."""
        made = cls(path.parent, root, session)
        made.path, made._sidechain = path, sidechain
        return made

    def asks(self, text: str, **fields: Any) -> str:
        """Add a request, and return its id."""
        message = {"role": "user", "content": text}
        return self._add({"type": "user", "message": message, "promptSource": "typed", **fields})

    def says(self, text: str) -> None:
        """Add a text of the agent's."""
        self._replies({"type": "text", "text": text})

    def writes(self, path: str, *, new: bool = False) -> None:
        """Add a successful Write or Edit."""
        call = self._calls("Write" if new else "Edit", {"file_path": str(self.root / path)})
        told = {"type": "create", "filePath": path} if new else {"filePath": path, "oldString": "a"}
        self._answers(call, "done", told)

    def runs(
        self,
        command: str,
        code: int = 0,
        output: str = "",
        *,
        changed: Sequence[str] = (),
        cwd: Path | None = None,
    ) -> None:
        """Add a command with its result, and the files that it changed, as newer versions tell them."""
        call = self._calls("Bash", {"command": command, "description": "…"}, cwd)
        if code:
            text = f"Exit code {code}\n{output}"
            self._answers(call, text, f"Error: {text}", is_error=True)
        else:
            told: dict[str, Any] = {"stdout": output, "stderr": "", "interrupted": False}
            if changed:
                told["bashEditDiff"] = {"changedFiles": [str(self.root / path) for path in changed]}
            self._answers(call, output, told, is_error=False)

    def waits(self, command: str) -> None:
        """Add a command that has not ended yet."""
        self._calls("Bash", {"command": command})

    def plans(self, number: str, subject: str, status: str = "pending") -> None:
        """Add a task, or change the status of one."""
        call = self._calls("TaskCreate", {"subject": subject})
        self._answers(call, "created", {"task": {"id": number, "subject": subject}})
        if status != "pending":
            call = self._calls("TaskUpdate", {"taskId": number, "status": status})
            self._answers(
                call, "updated", {"taskId": number, "statusChange": {"from": "pending", "to": status}}
            )

    def injects(self, text: str) -> None:
        """Add what a hook of ours put in front of the agent."""
        self._add(
            {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": [text]}}
        )

    def is_compacted(self) -> None:
        """Add what a compaction leaves."""
        self._parent = None
        self._add({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "manual"}})
        summary = "This session is being continued from a previous conversation that ran out of context."
        self._add({"type": "user", "message": {"role": "user", "content": summary}, "isCompactSummary": True})

    def add_raw(self, line: bytes) -> None:
        """Add bytes as they are."""
        with self.path.open("ab") as file:
            file.write(line)

    def _calls(self, tool: str, given: dict[str, Any], cwd: Path | None = None) -> str:
        self._numbers += 1
        name = f"call_{self.session}_{self._numbers}"
        self._replies({"type": "tool_use", "id": name, "name": tool, "input": given}, cwd)
        return name

    def _answers(self, call: str, text: str, told: Any, **fields: Any) -> None:
        result = {"type": "tool_result", "tool_use_id": call, "content": text, **fields}
        self._add({"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": told})

    def _replies(self, block: dict[str, Any], cwd: Path | None = None) -> None:
        message = {
            "id": f"msg_{self._numbers}",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [block],
        }
        self._add({"type": "assistant", "message": message, **({"cwd": str(cwd)} if cwd else {})})

    def _add(self, record: dict[str, Any]) -> str:
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.path}{self.now}"))
        common = {
            "uuid": name,
            "parentUuid": self._parent,
            "isSidechain": self._sidechain,
            "timestamp": self.now.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "cwd": str(self.root),
            "sessionId": self.session,
            "gitBranch": self.branch,
        }
        self.add_raw(json.dumps({**common, **record}, ensure_ascii=False).encode() + b"\n")
        self.now += timedelta(seconds=7)
        self._parent = name
        return name
