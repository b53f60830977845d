"""Claude Code's transcripts: one JSON Lines file per session, and one per sub-agent next to it.

They are read in file order, not along `parentUuid`, which branches at parallel calls.
"""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts import events
from progress_plugin.transcripts.clients import get_list, get_text, get_value, join_texts, task_list

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


def read_events(lines: Iterable[dict[str, Any]]) -> Iterator[events.Event]:
    """Yield the events of a session or of a sub-agent."""
    calls, place = events.Calls(), events.SessionPlace("")
    for line in lines:
        when = get_text(line, "timestamp")
        if line.get("isSidechain"):
            yield from events.only_work(_line_events(line, when, calls))
            continue
        branch = get_text(line, "gitBranch")
        branch = branch if branch and branch != "HEAD" else place.branch
        new = events.SessionPlace("", get_text(line, "cwd") or place.directory, branch)
        if new != place:
            yield new._replace(when=when)
        place = new
        yield from _line_events(line, when, calls)


def _line_events(line: dict[str, Any], when: str, calls: events.Calls) -> Iterator[events.Event]:
    kind = get_text(line, "type")
    if kind == "user":
        yield from _user_events(line, when, calls)
    elif kind == "assistant" and not line.get("isApiErrorMessage"):
        yield from _agent_events(line, when, calls)
    elif kind == "attachment":
        queued = line.get("attachment")
        if get_text(queued, "type") == "queued_command" and get_text(queued, "commandMode") in ("", "prompt"):
            prompt = join_texts(get_value(queued, "prompt"))
            yield from _request_events(prompt, get_text(queued, "timestamp") or when)


def _user_events(line: dict[str, Any], when: str, calls: events.Calls) -> Iterator[events.Event]:
    content = get_list(line, "message", "content")
    results = [each for each in content if get_text(each, "type") == "tool_result"]
    for result in results:
        yield from _result_events(result, line.get("toolUseResult"), when, calls)
    if results or line.get("isMeta") or line.get("isCompactSummary"):
        return
    prompt = join_texts(get_value(line, "message", "content"))
    if prompt.startswith("<task-notification>"):
        found = _NOTIFICATION.search(prompt)
        call = calls.end(found[1], when) if found else None
        if found and call:
            yield events.CommandRun(when, call.command, int(found[2]), "", (), call.directory, call.began)
    elif prompt.startswith(_INTERRUPTED):
        yield events.Interruption(when)
    elif get_text(line, "promptSource") != "system" and get_text(line, "origin", "kind") in ("", "human"):
        yield from _request_events(prompt, when)


def _request_events(prompt: str, when: str) -> Iterator[events.Event]:
    """Yield a request. A slash command becomes the text that the user typed."""
    command = _COMMAND.search(prompt) if "<command-name>" in prompt else None
    if command is not None:
        arguments = _ARGUMENTS.search(prompt)
        prompt = f"{command[1]} {arguments[1].strip() if arguments else ''}".strip()
    if not prompt.lstrip().startswith(_NOT_TYPED):
        yield events.UserRequest(when, prompt)


def _agent_events(line: dict[str, Any], when: str, calls: events.Calls) -> Iterator[events.Event]:
    directory = get_text(line, "cwd")
    for block in get_list(line, "message", "content"):
        given = get_value(block, "input")
        if get_text(block, "type") == "text":
            yield events.AgentReply(when, get_text(block, "text"))
        elif get_text(block, "type") == "tool_use":
            named = (get_text(given, name) for name in ("file_path", "notebook_path", "path"))
            path = next(filter(None, named), "")
            path = os.path.join(directory, path) if path else ""
            tool, command = get_text(block, "name"), get_text(given, "command")
            calls[get_text(block, "id")] = events.Call(tool, when, command, path, directory, given)


def _result_events(result: Any, details: Any, when: str, calls: events.Calls) -> Iterator[events.Event]:
    is_over = not get_text(details, "backgroundTaskId")  # a background task ends with a notification
    call = calls.end(get_text(result, "tool_use_id"), when, is_over=is_over)
    printed, failed = join_texts(get_value(result, "content")), get_value(result, "is_error") is True
    if call is None or not is_over or (failed and printed.startswith(_REFUSED)):
        return
    if call.tool in _SHELL_TOOLS and not (failed and printed.startswith("PreToolUse:")):
        yield _run_of(call, printed, details, when, failed=failed)
    elif failed:
        return
    elif call.tool in _WRITING_TOOLS and call.path:
        yield events.FileEdit(when, call.path, get_text(details, "type") == "create")
    elif call.tool == "TaskCreate":
        subject = get_text(details, "task", "subject") or get_text(call.given, "subject")
        yield events.TaskUpdate(when, get_text(details, "task", "id"), subject, "pending")
    elif call.tool == "TaskUpdate":
        number = get_text(details, "taskId") or get_text(call.given, "taskId")
        status = get_text(details, "statusChange", "to") or get_text(call.given, "status")
        yield events.TaskUpdate(when, number, get_text(call.given, "subject"), status)
    elif call.tool == "TodoWrite":
        yield task_list(when, get_list(details, "newTodos"), "content")


def _run_of(call: events.Call, printed: str, details: Any, when: str, *, failed: bool) -> events.CommandRun:
    code = _EXIT_CODE.match(printed) if failed else None
    exit_code = None if failed or get_value(details, "interrupted") is True else 0
    if code is not None:
        exit_code, printed = int(code[1]), printed[code.end() :]
    streams = (get_text(details, name) for name in ("stdout", "stderr"))
    output = "\n".join(filter(None, streams)) or printed
    wrote = tuple(path for path in get_list(details, "bashEditDiff", "changedFiles") if isinstance(path, str))
    return events.CommandRun(when, call.command, exit_code, output, wrote, call.directory, call.began)
