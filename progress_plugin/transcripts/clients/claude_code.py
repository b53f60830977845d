"""Claude Code's transcripts: one JSON Lines file per session, and one per sub-agent beside it.

They are read in file order: parallel calls make the chain of `parentUuid` a tree.
"""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.clients.calls import Call, Calls
from progress_plugin.transcripts.clients.json_members import at, items, joined, text
from progress_plugin.transcripts.events import (
    Asked,
    CallFailed,
    Compacted,
    Event,
    Interrupted,
    Planned,
    PlanReplaced,
    Ran,
    Said,
    Setting,
    Wrote,
)

_WRITING_TOOLS = ("Write", "Edit", "MultiEdit", "NotebookEdit")
_SHELL_TOOLS = ("Bash", "PowerShell")
_NOT_TYPED = (
    "<local-command-caveat>", "<local-command-stdout>", "<local-command-stderr>", "<bash-input>",
    "<bash-stdout>", "<bash-stderr>", "<task-notification>", "Caveat: The messages below",
)  # fmt: skip
_INTERRUPTED, _REFUSED = "[Request interrupted by user", "The user doesn't want to proceed"
_EXIT_CODE = LazyPattern(r"(?:Error: )?Exit code (\d{1,5})\b\n?")
_NOTIFICATION = LazyPattern(r"<tool-use-id>([\w-]{1,80})</tool-use-id>.*?exit code (\d{1,5})", re.DOTALL)
_COMMAND = LazyPattern(r"<command-name>(/?[^<]{1,100})</command-name>")
_ARGUMENTS = LazyPattern(r"<command-args>([^<]*+)</command-args>")
_FIRST_REQUEST = "beginning"


def events(lines: Iterable[dict[str, Any]], agent: str = "") -> Iterator[Event]:
    """Yield the events of a session, or of the sub-agent with this name."""
    calls, setting = Calls(), Setting("")
    for line in lines:
        if bool(line.get("isSidechain")) != bool(agent):
            continue
        when, kind = text(line, "timestamp"), text(line, "type")
        new = _setting(line, setting)
        if new != setting and not agent:
            yield new._replace(when=when)
        setting = new
        if kind == "user":
            yield from _of_user(line, when, calls, agent)
        elif kind == "assistant" and not line.get("isApiErrorMessage"):
            yield from _of_agent(line, when, calls, agent)
        elif kind == "attachment" and not agent:
            yield from _queued_request(line, when)
        elif kind == "system" and text(line, "subtype") == "compact_boundary":
            yield Compacted(when, text(line, "uuid"))


def _setting(line: dict[str, Any], before: Setting) -> Setting:
    branch, model = text(line, "gitBranch"), text(line, "message", "model")
    return Setting(
        "",
        text(line, "cwd") or before.directory,
        branch if branch and branch != "HEAD" else before.branch,
        model if model and not model.startswith("<") else before.model,
    )


def _of_user(line: dict[str, Any], when: str, calls: Calls, agent: str) -> Iterator[Event]:
    content = at(line, "message", "content")
    results = [each for each in items(line, "message", "content") if text(each, "type") == "tool_result"]
    for result in results:
        yield from _result(result, line.get("toolUseResult"), when, calls, agent)
    if results or agent or line.get("isMeta") or line.get("isCompactSummary"):
        return
    prompt = joined(content)
    is_typed = text(line, "promptSource") != "system" and text(line, "origin", "kind") in ("", "human")
    if prompt.startswith("<task-notification>"):
        yield from _background_end(prompt, when, calls)
    elif prompt.startswith(_INTERRUPTED):
        yield Interrupted(when)
    elif is_typed and not prompt.lstrip().startswith(_NOT_TYPED):
        is_first = "parentUuid" in line and line["parentUuid"] is None
        parent = _FIRST_REQUEST if is_first else text(line, "parentUuid")
        yield Asked(when, _as_typed(prompt), text(line, "uuid"), parent)


def _queued_request(line: dict[str, Any], when: str) -> Iterator[Event]:
    queued = line.get("attachment")
    if text(queued, "type") == "queued_command" and text(queued, "commandMode") in ("", "prompt"):
        prompt = joined(at(queued, "prompt"))
        if not prompt.lstrip().startswith(_NOT_TYPED):
            yield Asked(text(queued, "timestamp") or when, _as_typed(prompt), text(line, "uuid"))


def _of_agent(line: dict[str, Any], when: str, calls: Calls, agent: str) -> Iterator[Event]:
    directory = text(line, "cwd")
    for block in items(line, "message", "content"):
        given = at(block, "input")
        if text(block, "type") == "text" and not agent and text(block, "text").strip():
            yield Said(when, text(block, "text"))
        elif text(block, "type") == "tool_use":
            named = (text(given, name) for name in ("file_path", "notebook_path", "path"))
            path = next(filter(None, named), "")
            path = os.path.join(directory, path) if path else ""
            command = text(given, "command")
            calls[text(block, "id")] = Call(text(block, "name"), when, command, path, directory, given)


def _result(result: Any, details: Any, when: str, calls: Calls, agent: str) -> Iterator[Event]:
    is_over = not text(details, "backgroundTaskId")  # the end of the others comes in a notification
    call = calls.end(text(result, "tool_use_id"), when, is_over=is_over)
    printed, failed = joined(at(result, "content")), at(result, "is_error") is True
    if call is None or not is_over or (failed and printed.startswith(_REFUSED)):
        return
    if call.tool in _SHELL_TOOLS and failed and printed.startswith("PreToolUse:"):
        yield CallFailed(when, call.tool, call.command)
    elif call.tool in _SHELL_TOOLS:
        yield _ran(call, printed, details, when, failed=failed)._replace(agent=agent)
    elif failed:
        yield CallFailed(when, call.tool, call.path)
    elif call.tool in _WRITING_TOOLS and call.path:
        yield Wrote(when, call.path, text(details, "type") == "create", agent)
    elif not agent:
        yield from _planned(call, details, when)


def _ran(call: Call, printed: str, details: Any, when: str, *, failed: bool) -> Ran:
    code = _EXIT_CODE.match(printed) if failed else None
    exit_code = None if failed or at(details, "interrupted") is True else 0
    if code is not None:
        exit_code, printed = int(code[1]), printed[code.end() :]
    streams = (text(details, name) for name in ("stdout", "stderr"))
    output = "\n".join(filter(None, streams)) or printed
    wrote = tuple(path for path in items(details, "bashEditDiff", "changedFiles") if isinstance(path, str))
    return Ran(when, call.command, exit_code, output, "", wrote, call.directory, call.began)


def _background_end(prompt: str, when: str, calls: Calls) -> Iterator[Event]:
    found = _NOTIFICATION.search(prompt)
    call = calls.end(found[1], when) if found else None
    if found and call:
        yield Ran(when, call.command, int(found[2]), directory=call.directory, began=call.began)


def _as_typed(prompt: str) -> str:
    """Return a slash command as the user typed it, any other request as it is."""
    command = _COMMAND.search(prompt) if "<command-name>" in prompt else None
    if command is None:
        return prompt
    arguments = _ARGUMENTS.search(prompt)
    return f"{command[1]} {arguments[1].strip() if arguments else ''}".strip()


def _planned(call: Call, details: Any, when: str) -> Iterator[Event]:
    if call.tool == "TaskCreate":
        subject = text(details, "task", "subject") or text(call.given, "subject")
        yield Planned(when, text(details, "task", "id"), subject, "pending")
    elif call.tool == "TaskUpdate":
        number = text(details, "taskId") or text(call.given, "taskId")
        status = text(details, "statusChange", "to") or text(call.given, "status")
        yield Planned(when, number, text(call.given, "subject"), status)
    elif call.tool == "TodoWrite":
        yield PlanReplaced(when)
        for todo in items(details, "newTodos"):
            yield Planned(when, "", text(todo, "content"), text(todo, "status"))
