"""Scripts that make the model act: which reply comes next, and which tools it calls.

A script is a JSON object, or just the list that would be its `turns`:

    {"turns": [REPLY, ...],                         consumed in order by agent turns; after them the text "ok"
     "rules": [{"match": REGEX, "reply": REPLY}]}   each used once, tried first, against what came last

A REPLY:

    {"text": "hello"}                                 plain answer, ends the turn
    {"tool_use": [{"match": "mem_progress$", "input": {...}}]}  call the first offered tool that matches REGEX,
                                                      else the tool of that name: Claude Code offers some later
    {"shell": "echo hi"}                              call the client's own shell tool
    {"tool_use": [...], "meanwhile": REPLY}           REPLY, until a tool that matches is offered: servers may
                                                      come later than the first request

Requests that offer no tools (titles, summaries, routing) are side requests: they consume no turns.
"""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable

from tests.clients.harness.request_text import Json, last_text, tool_names

# What the clients call their shell tool, and how it takes a command.
SHELL_TOOLS: dict[str, Callable[[str], Json]] = {
    "Bash": lambda command: {"command": command, "description": "scripted"},
    "bash": lambda command: {"command": command, "description": "scripted"},
    "exec_command": lambda command: {"cmd": command},
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["sh", "-c", command]},
    "run_shell_command": lambda command: {"command": command, "description": "scripted"},
}


class Script:
    """Hands out scripted replies; safe to use from several request threads."""

    def __init__(self, spec: Json | list[Json] | None = None) -> None:
        spec = {"turns": spec} if isinstance(spec, list) else dict(spec or {})
        self._turns = list(spec.get("turns") or [])
        self._rules = list(spec.get("rules") or [])
        self._lock = threading.Lock()

    def next_reply(self, body: Json, kind: str) -> Json:
        """Choose the reply for one request: a rule, the next turn, or the default."""
        text = last_text(body)
        with self._lock:
            for rule in self._rules:
                if re.search(rule["match"], text, re.DOTALL):
                    self._rules.remove(rule)
                    return dict(rule["reply"])
            if kind != "main":
                return {"text": "stub side reply"}
            if self._turns and "meanwhile" in self._turns[0] and not _all_offered(self._turns[0], body):
                return dict(self._turns[0]["meanwhile"])
            return dict(self._turns.pop(0)) if self._turns else {"text": "ok"}


def _find_tool(pattern: str, offered: list[str]) -> str | None:
    return next((name for name in offered if re.search(pattern, name)), None)


def _all_offered(reply: Json, body: Json) -> bool:
    """Return whether every tool that a reply calls is offered."""
    return all(_find_tool(call["match"], tool_names(body)) for call in reply["tool_use"])


def resolve_calls(reply: Json, body: Json) -> list[Json]:
    """Return the tool calls of a reply as `{"id", "name", "input"}`."""
    offered = tool_names(body)
    calls = [
        (_find_tool(call["match"], offered) or call["match"].strip("^$"), call["input"])
        for call in reply.get("tool_use") or []
    ]
    if "shell" in reply:
        shell = next((name for name in SHELL_TOOLS if name in offered), "Bash")
        calls.append((shell, SHELL_TOOLS[shell](reply["shell"])))
    return [{"id": "call_" + uuid.uuid4().hex[:20], "name": name, "input": given} for name, given in calls]
