"""Gemini CLI's chats: one JSON Lines file per session. A message can occur again: its last form counts.

A resume and a compression write the history once more (`$set`), which is ignored.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients import get_list, get_text, get_value, join_texts, task_list

_EXIT_CODE = LazyPattern(r"^Exit Code: (\d{1,5})$", re.MULTILINE)
_OUTPUT = LazyPattern(r"^(?:Output|Stdout): ?", re.MULTILINE)


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session. The file does not name the session's directory."""
    messages: dict[str, list[events.Event]] = {}
    for line in lines:
        kind, when, key = get_text(line, "type"), get_text(line, "timestamp"), get_text(line, "id")
        if kind == "user":
            prompt = join_texts(line.get("content"))
            is_typed = not prompt.lstrip().startswith("<session_context>")
            messages[key] = [events.UserRequest(when, prompt)] if is_typed else []
        elif kind == "gemini":
            calls = ((call, get_text(call, "timestamp") or when) for call in get_list(line, "toolCalls"))
            called = (event for call, moment in calls for event in _call_events(call, moment))
            messages[key] = [events.AgentReply(when, get_text(line, "content")), *called]
    return (event for message in messages.values() for event in message)


def _call_events(call: Any, when: str) -> Iterator[events.Event]:
    tool, given, shown = get_text(call, "name"), get_value(call, "args"), get_value(call, "resultDisplay")
    if get_text(call, "status") == "error":
        return
    if tool == "run_shell_command":
        result = next(iter(get_list(call, "result")), None)
        output = get_text(result, "functionResponse", "response", "output")
        code = _EXIT_CODE.search(output)
        # The client leaves the exit code out if it is 0, but also if it has cut or summarised the output.
        exit_code = int(code[1]) if code else 0 if _OUTPUT.search(output) else None
        printed = get_text(call, "resultDisplay") or _OUTPUT.sub("", output)
        directory = get_text(given, "dir_path") or get_text(given, "directory")
        yield events.CommandRun(when, get_text(given, "command"), exit_code, printed, directory=directory)
    elif tool in ("write_file", "replace"):
        path = get_text(shown, "filePath") or get_text(given, "file_path")
        yield events.FileEdit(when, path, get_value(shown, "isNewFile") is True)
    elif tool == "write_todos":
        yield task_list(when, get_list(given, "todos"), "description")
