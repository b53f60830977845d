"""What a session start prints here, for each way a session can begin."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from progress_plugin.core import error_log
from progress_plugin.core.files import read_range
from progress_plugin.core.project import Project, has_sources
from progress_plugin.summary.start_context import CAP
from progress_plugin.text.bounds import utf16_length
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong
from progress_plugin.usecases.doctor.process import Ran, run_hook
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call

START_SOURCES = ("startup", "resume", "clear", "compact", "fork")
_AREA = "session start"
_SLOWEST = 5.0
_LOOKING_ONLY = {"AGENT_PROGRESS_READ_ONLY": "1", "AGENT_PROGRESS_NO_INSTALL": "1"}
"""What keeps a hook from writing: neither summary nor cache nor what was seen of plans changes."""
_CONTEXT = "`agent-progress doctor --context` shows it"


def look_at_starts(project: Project) -> tuple[list[Finding], str]:
    """Return the findings of a real start of each kind, and the context that an agent gets at startup.

    No session is named, so nothing is kept of it; the log and everything else stay as they are.
    """
    before = _swallowed_size()
    ran = {
        source: run_hook("SessionStart", project.root, {"source": source}, _LOOKING_ONLY)
        for source in START_SOURCES
    }
    findings = [finding for source, each in ran.items() for finding in _faults(source, each)]
    new = _swallowed_since(before)
    findings += [wrong(_AREA, f"a session start survived an error: {line}", "the summary may be an older one")
                 for line in new]  # fmt: skip
    context = _context_of(ran["startup"].output)
    return findings or [_good(project, ran, context)], context


def _good(project: Project, ran: dict[str, Ran], context: str) -> Finding:
    slowest = max(each.seconds for each in ran.values())
    if not context:
        return _silence(project)
    length = max(_length(each.output) for each in ran.values())
    size = f"at most {length:,} of {CAP:,} characters, at most {slowest * 1000:.0f} ms"
    return ok(_AREA, f"valid output for {', '.join(START_SOURCES)}: {size}")


def _silence(project: Project) -> Finding:
    if os.environ.get("AGENT_PROGRESS_DISABLED", "") not in ("", "0"):
        return note(_AREA, "switched off by AGENT_PROGRESS_DISABLED", "unset it")
    if not project.has_directory and not has_sources(project.root):
        return note(
            _AREA, "nothing is shown: neither log nor plan here", "`agent-progress init` begins a log"
        )
    if compose_for_this_call(project).sources.is_empty:
        return note(_AREA, "nothing is shown: no plan, and nothing is recorded yet",
                    "the first entry or a plan changes that")  # fmt: skip
    return note(
        _AREA, "nothing is shown", "`agent-progress config get inject` says whether it is switched off"
    )


def _faults(source: str, ran: Ran) -> Iterator[Finding]:
    if ran.code or ran.errors:
        last = (ran.errors.strip().splitlines() or [f"exit code {ran.code}"])[-1]
        yield wrong(
            _AREA, f"{source}: the hook failed: {last}", "run `agent-progress setup`, then this again"
        )
    if ran.seconds > _SLOWEST:
        yield wrong(
            _AREA,
            f"{source}: took {ran.seconds:.1f} s, more than {_SLOWEST:g}",
            "close other programs, and run `agent-progress doctor` again",
        )
    if ran.output:
        fault = _shape_fault(ran.output)
        if fault:
            yield wrong(_AREA, f"{source}: {fault}", _CONTEXT)


def _shape_fault(output: bytes) -> str | None:
    """Return what is wrong with a hook's output, None where the client takes it."""
    try:
        text = output.decode("utf-8")
        value = json.loads(text)
    except ValueError as error:
        return f"the output is no JSON in UTF-8: {error}"
    if not isinstance(value, dict) or not set(value) <= {"hookSpecificOutput", "systemMessage"}:
        return "the output has members that the client refuses"
    inner = value.get("hookSpecificOutput", {"hookEventName": "SessionStart", "additionalContext": ""})
    if not isinstance(inner, dict) or inner.get("hookEventName") != "SessionStart":
        return "the output names another event"
    if not isinstance(inner.get("additionalContext"), str):
        return "the context is no text"
    if utf16_length(text) > CAP:
        return f"{utf16_length(text):,} characters, more than {CAP:,}: the client would cut them to a preview"
    return None


def _context_of(output: bytes) -> str:
    try:
        value: Any = json.loads(output) if output else {}
    except ValueError:
        return ""
    inner = value.get("hookSpecificOutput") if isinstance(value, dict) else None
    return str(inner.get("additionalContext", "")) if isinstance(inner, dict) else ""


def _length(output: bytes) -> int:
    return utf16_length(output.decode("utf-8", "replace"))


def _swallowed_size() -> int:
    try:
        return os.path.getsize(error_log.place())
    except OSError:
        return 0


def _swallowed_since(size: int) -> list[str]:
    more = _swallowed_size() - size
    if more <= 0:
        return []
    new = read_range(None, error_log.place(), -more, more)
    return new.decode("utf-8", "replace").splitlines()
