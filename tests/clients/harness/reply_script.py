"""Scripts that make the model act: which reply comes next, and which tools it calls.

A script is a JSON object, or just the list that would be its `turns`:

    {"turns": [REPLY, ...],                                    consumed in order by agent turns
     "rules": [{"match": REGEX, "reply": REPLY, "times": N}],  tried first, against what came last
     "default": REPLY}                                         when turns are exhausted; else the text "ok"

A REPLY:

    {"text": "hello"}                                 plain answer, ends the turn
    {"tool_use": [{"name": "Bash", "input": {...}}]}  call a tool by its exact name
    {"tool_use": [{"match": "mem_progress$", ...}]}   first offered tool matching REGEX
    {"shell": "echo hi"}                              call the client's own shell tool
    {"usage": {"input_tokens": 190000}}               overrides the reported usage
    {"delay": 1.5}                                    wait before answering
    {"tool_use": [...], "meanwhile": REPLY}           REPLY, until a tool that matches is offered: servers may
                                                      come later than the first request
    {"error": {"status": 529, "type": "overloaded_error", "message": "..."}}

Strings in a tool's input may hold `{{LAST:REGEX}}`: group 1 of the first match in what came last. Requests
that offer no tools (titles, summaries, routing) are side requests: they consume no turns.
"""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable
from typing import Any

from tests.clients.harness.request_text import Json, last_text, tool_names

SIDE_TEXT = "stub side reply"

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
        self._rules = [dict(rule) for rule in spec.get("rules") or []]
        self._default = spec.get("default") or {"text": "ok"}
        self._lock = threading.Lock()

    def next_reply(self, body: Json, kind: str) -> Json:
        """Choose the reply for one request: a rule, the next turn, or the default."""
        text = last_text(body)
        with self._lock:
            for rule in self._rules:
                if rule.get("times", 1) <= 0 or not re.search(rule["match"], text, re.DOTALL):
                    continue
                if "times" in rule:
                    rule["times"] -= 1
                reply: Json = rule["reply"]
                return reply
            if kind != "main":
                return {"text": SIDE_TEXT}
            if self._turns and "meanwhile" in self._turns[0] and not _all_offered(self._turns[0], body):
                meanwhile: Json = self._turns[0]["meanwhile"]
                return meanwhile
            return self._turns.pop(0) if self._turns else self._default

    @property
    def turns_left(self) -> int:
        """How many scripted turns were never asked for."""
        return len(self._turns)


def _all_offered(reply: Json, body: Json) -> bool:
    """Whether every tool that a reply calls by a pattern is offered."""
    offered = tool_names(body)
    wanted = [call["match"] for call in reply.get("tool_use") or [] if "match" in call]
    return all(any(re.search(pattern, name) for name in offered) for pattern in wanted)


def fill(value: Any, text: str) -> Any:
    """Expand `{{LAST:REGEX}}` placeholders anywhere inside a JSON value."""
    if isinstance(value, str):

        def expand(match: re.Match[str]) -> str:
            hit = re.search(match.group(1), text, re.DOTALL)
            return (hit.group(1) if hit.groups() else hit.group(0)) if hit else ""

        return re.sub(r"\{\{LAST:(.+?)\}\}", expand, value)
    if isinstance(value, list):
        return [fill(item, text) for item in value]
    if isinstance(value, dict):
        return {key: fill(item, text) for key, item in value.items()}
    return value


def _tool_name(call: Json, offered: list[str]) -> str:
    """The name to call: exact, or the first offered tool matching `call["match"]`."""
    if "name" in call:
        return str(call["name"])
    hits = [name for name in offered if re.search(call["match"], name)]
    return hits[0] if hits else "no_tool_matches_" + re.sub(r"\W+", "_", call["match"])


def resolve_calls(reply: Json, body: Json) -> list[Json]:
    """The tool calls of a reply as `{"id", "name", "input"}`, placeholders filled."""
    offered, text = tool_names(body), last_text(body)
    calls = [(_tool_name(call, offered), call.get("input", {})) for call in reply.get("tool_use") or []]
    if "shell" in reply:
        shell = next((name for name in SHELL_TOOLS if name in offered), "Bash")
        calls.append((shell, SHELL_TOOLS[shell](reply["shell"])))
    return [
        {"id": "call_" + uuid.uuid4().hex[:20], "name": name, "input": fill(arguments, text)}
        for name, arguments in calls
    ]
