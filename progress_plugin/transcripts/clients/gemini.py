"""Gemini CLI's chats: one JSON Lines file per session; a message is written again when more of it is known.

A resume and a compression write the history once more (`$set`), which is ignored.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.json_members import at, items, joined, text
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Event,
    Planned,
    PlanReplaced,
    Ran,
    Rewound,
    Said,
    Setting,
    Wrote,
)

_EXIT_CODE = LazyPattern(r"^Exit Code: (\d{1,5})$", re.MULTILINE)
_OUTPUT = LazyPattern(r"^(?:Output|Stdout): ?", re.MULTILINE)


def events(lines: Iterable[dict[str, Any]], agent: str = "") -> Iterator[Event]:
    """Yield the events of a session. The file names no directory."""
    del agent
    seen: set[str] = set()
    for line in lines:
        kind, when, key = text(line, "type"), text(line, "timestamp"), text(line, "id")
        if text(line, "$rewindTo"):
            yield Rewound("", text(line, "$rewindTo"))
        elif kind == "user":
            prompt = joined(line.get("content"))
            if prompt.strip() and not prompt.lstrip().startswith("<session_context>") and key not in seen:
                seen.add(key)
                yield Asked(when, prompt, key)
        elif kind == "gemini":
            if model := text(line, "model"):
                yield Setting(when, model=model)
            if text(line, "content").strip():
                yield Said(when, text(line, "content"))
            for call in items(line, "toolCalls"):
                if text(call, "id") not in seen:
                    seen.add(text(call, "id"))
                    yield from _called(call, text(call, "timestamp") or when)


def _called(call: Any, when: str) -> Iterator[Event]:
    tool, given, shown = text(call, "name"), at(call, "args"), at(call, "resultDisplay")
    if text(call, "status") == "error":
        yield CallFailed(when, tool, text(given, "file_path") or text(given, "command"))
    elif tool == "run_shell_command":
        result = next(iter(items(call, "result")), None)
        output = text(result, "functionResponse", "response", "output")
        code = _EXIT_CODE.search(output)
        # The client leaves the exit code out if it is 0, but also if it has cut or summarised the output.
        exit_code = int(code[1]) if code else 0 if _OUTPUT.search(output) else None
        printed = text(call, "resultDisplay") or _OUTPUT.sub("", output)
        directory = text(given, "dir_path") or text(given, "directory")
        yield Ran(when, text(given, "command"), exit_code, printed, directory=directory)
    elif tool in ("write_file", "replace"):
        path = text(shown, "filePath") or text(given, "file_path")
        yield Wrote(when, path, at(shown, "isNewFile") is True)
    elif tool == "write_todos":
        yield PlanReplaced(when)
        for todo in items(given, "todos"):
            yield Planned(when, "", text(todo, "description"), text(todo, "status"))
