"""Check the hooks: the settings that start them, one real start, a rehearsal, and errors they survived."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, as_claude_code, current_client
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.files import read_inside, read_range
from progress_plugin.core.known_paths import DATA_DIRECTORY
from progress_plugin.core.paths import user_cache
from progress_plugin.core.programs import find_program
from progress_plugin.core.project import Project, has_sources
from progress_plugin.log.store import LOG_FILE
from progress_plugin.summary.start_context import CAP
from progress_plugin.text.bounds import counted, utf16_length
from progress_plugin.usecases.demo import EXAMPLE, EXAMPLE_FILES
from progress_plugin.usecases.doctor.findings import Finding, note, ok, wrong
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call

LAUNCHER = os.path.join(environment.PLUGIN_ROOT, "bin", "agent-progress")
_TIMEOUT_S = 30.0
_BACKGROUND_TIMEOUT_S = 30.0
_MAX_ERROR_LOG_BYTES = 1024 * 1024
_RECENT_ERROR = timedelta(days=1)
_REHEARSED_STORY = "US-013"
_SETTINGS = ("XDG_", "AGENT_PROGRESS_", "CLAUDE")  # variables that the rehearsal does not inherit
_RETRY = "run `agent-progress setup`, then this again"


class HookFailed(Exception):
    """A hook did not end with exit code 0 and empty standard error."""


def check_hooks(root: str | None, now: datetime) -> Iterator[Finding]:
    """Check everything that does not depend on the project's content. `now` carries its time zone."""
    client = current_client(None, set(os.environ))
    if client.title:
        yield ok("client", f"{client.title}; finished work is noticed by {client.work_signals}")
    yield from check_settings(root)
    yield check_error_log(now)
    yield rehearse()


def check_settings(root: str | None) -> Iterator[Finding]:
    """Check Claude Code's settings of the user and of the project: they must start the hooks once."""
    plugins: set[str] = set()
    events: list[tuple[str, str]] = []
    for path, inside in _settings_files(root):
        try:
            settings = json.loads(read_inside(inside, path) or b"null")
        except (AgentProgressError, ValueError, RecursionError) as error:
            yield wrong(
                "hooks", f"{path} cannot be read: {error}", "correct it: the client ignores all of it"
            )
            continue
        if not isinstance(settings, dict):
            continue
        if settings.get("disableAllHooks") is True:
            yield wrong("hooks", f"{path} disables all hooks", "remove disableAllHooks from it")
        plugins.update(_enabled_plugins(settings))
        events += [(event, path) for event in _events_of_our_hooks(settings)]
    yield _judge_settings(sorted(plugins), events)


def _judge_settings(plugins: list[str], events: list[tuple[str, str]]) -> Finding:
    files = ", ".join(sorted({path for _, path in events}))
    doubled = sorted(event for event, number in Counter(event for event, _ in events).items() if number > 1)
    if len(plugins) > 1:
        names = ", ".join(plugins)
        return wrong(
            "hooks", f"the plugin is enabled more than once: {names}", "`claude plugin disable NAME` for one"
        )
    if plugins and events:
        return wrong(
            "hooks", f"the plugin {plugins[0]} and {files} both start them", f"remove ours from {files}"
        )
    if doubled:
        return wrong(
            "hooks", f"started more than once for {', '.join(doubled)}", "keep one entry for each event"
        )
    if plugins or events:
        return ok("hooks", f"started by {f'the plugin {plugins[0]}' if plugins else files} in Claude Code")
    return note(
        "hooks",
        "the settings of Claude Code do not name the plugin",
        "`agent-progress install claude` registers it; not needed with --plugin-dir or another client",
    )


def _settings_files(root: str | None) -> list[tuple[str, str | None]]:
    """Return the settings files, each with the directory that it must not lead out of."""
    names = ("settings.json", "settings.local.json")
    home = os.environ.get(CLAUDE_CONFIG_DIR) or os.path.expanduser("~/.claude")
    of_user = sorted({os.path.realpath(os.path.join(home, name)) for name in names})
    of_project = [os.path.join(root, ".claude", name) for name in names] if root else []
    more = [(path, root) for path in of_project if os.path.realpath(path) not in of_user]
    return [*((path, None) for path in of_user), *more]


def _enabled_plugins(settings: dict[str, Any]) -> list[str]:
    enabled = settings.get("enabledPlugins")
    found = enabled.items() if isinstance(enabled, dict) else ()
    return [name for name, is_on in found if is_on is True and name.partition("@")[0] == "progress"]


def _events_of_our_hooks(settings: dict[str, Any]) -> Iterator[str]:
    """Yield the event, with its matcher or condition, of each hook that starts ours."""
    hooks = settings.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            entries = group.get("hooks") if isinstance(group, dict) else None
            for entry in entries if isinstance(entries, list) else ():
                words = json.dumps(entry)
                if "agent-progress" in words and "hook" in words:
                    condition = (entry.get("if") if isinstance(entry, dict) else "") or group.get("matcher")
                    yield f"{event}({condition})" if condition else str(event)


def check_error_log(now: datetime) -> Finding:
    """Check the log of errors that hooks survived: an error of the last day counts as wrong."""
    path = error_log.place()
    lines = read_range(None, path, 0, _MAX_ERROR_LOG_BYTES).decode("utf-8", "replace").splitlines()
    if not lines:
        return ok("errors", "no hook failed")
    what = f"hooks survived {counted(len(lines), 'error')}, the last: {lines[-1]}"
    try:
        last = datetime.fromisoformat(lines[-1].partition(" ")[0]).astimezone(UTC)
    except ValueError:
        last = datetime.min.replace(tzinfo=UTC)
    finding = wrong if last > now - _RECENT_ERROR else note
    return finding("errors", what, f"see {path}; remove it when the cause is gone")


def rehearse() -> Finding:
    """Finish a story in a copy of the example, with a home of its own, and check that it is recorded once."""
    with tempfile.TemporaryDirectory(prefix="agent-progress-doctor-") as scratch:
        root, home = os.path.join(scratch, "harbour"), os.path.join(scratch, "home")
        os.mkdir(root)
        os.mkdir(home)
        for name in EXAMPLE_FILES:
            shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
        plan = os.path.join(root, "prd.json")
        variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("XDG_", "AGENT_PROGRESS_", "CLAUDE"))
        }
        variables |= {"HOME": home, "LOCALAPPDATA": home}
        session = {"session_id": "doctor"}
        edit = {"tool_name": "Write", "tool_input": {"file_path": plan}}
        try:
            _run_hook("SessionStart", root, {**session, "source": "startup"}, variables)
            # A first start may be too late to record what is finished: Python still compiles the modules.
            _run_hook("PostToolUse", root, {**session, **edit}, variables)
            _finish_story(plan)
            _run_hook("PostToolUse", root, {**session, **edit}, variables)
            _run_hook("Stop", root, session, variables)
        except HookFailed as error:
            return wrong("rehearsal", f"in a copy of the example: {error}", _RETRY)
        recorded = _wait_for_completed_tasks(os.path.join(root, DATA_DIRECTORY, LOG_FILE))
    if recorded != [_REHEARSED_STORY]:
        number = counted(len(recorded), "entry")
        return wrong(
            "rehearsal", f"in a copy of the example: a finished story made {number} instead of one", _RETRY
        )
    return ok("rehearsal", "in a copy of the example: a story finished in a plan is recorded, once")


def _finish_story(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    for story in plan["userStories"]:
        story["passes"] = story["passes"] or story["id"] == _REHEARSED_STORY
    with open(path, "w", encoding="utf-8") as file:
        json.dump(plan, file)


def _wait_for_completed_tasks(path: str) -> list[str | None]:
    """Return the stories that the log calls done; a slow hook leaves the work to a background process."""
    deadline = time.monotonic() + _BACKGROUND_TIMEOUT_S
    while not (found := _completed_tasks(path)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def _completed_tasks(path: str) -> list[str | None]:
    try:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)["entries"]
    except (OSError, ValueError, KeyError):
        return []
    return [entry.get("task_id") for entry in entries if entry["type"] == "task_completed"]


def check_start(project: Project) -> tuple[list[Finding], str]:
    """Run a real session start that writes nothing; return its findings and the context an agent receives."""
    variables = {**os.environ, "AGENT_PROGRESS_READ_ONLY": "1"}
    for _ in range(2):  # a first start may be late: Python still compiles the modules
        size = _error_log_size()
        try:
            output = _run_hook("SessionStart", project.root, {"source": "startup"}, variables)
            context = _context_of(output)
        except HookFailed as error:
            return [wrong("session start", str(error), _RETRY)], ""
        if _error_log_size() == size:
            break
    else:
        path = error_log.place()
        last = read_range(None, path, -_MAX_ERROR_LOG_BYTES, _MAX_ERROR_LOG_BYTES).decode("utf-8", "replace")
        what = f"the start survived an error: {last.splitlines()[-1]}"
        return [wrong("session start", what, f"see {path}; the summary may be an older one")], context
    if not context:
        return [_explain_silence(project)], ""
    length = utf16_length(output.decode("utf-8", "replace"))
    return [ok("session start", f"an agent receives {length:,} of at most {CAP:,} characters")], context


def _run_hook(event: str, root: str, fields: Mapping[str, Any], variables: Mapping[str, str]) -> bytes:
    """Run a hook as Claude Code does and return its output. Raises HookFailed."""
    event_input = json.dumps({"cwd": root, "hook_event_name": event, **fields})
    added = {"AGENT_PROGRESS_NO_INSTALL": "1"}
    try:
        done = subprocess.run(
            _hook_command(event),
            input=event_input.encode(),
            capture_output=True,
            cwd=root,
            env={**variables, **as_claude_code(root), **added},
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HookFailed(f"{event} failed: {error}") from error
    if done.returncode or done.stderr:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise HookFailed(f"{event} failed: {errors[-1] if errors else f'exit code {done.returncode}'}")
    return done.stdout


def _hook_command(event: str) -> list[str]:
    """Return the launcher's command if the packages are installed, else the one that the launcher ends in."""
    shell = find_program("sh")
    if shell and environment.python() and not environment.IS_INSTALLED:
        return [shell, LAUNCHER, "hook", event]
    main = os.path.join(environment.PACKAGE, "__main__.py")
    cache = user_cache()
    compiled = ["-X", f"pycache_prefix={os.path.join(cache, 'pycache')}"] if cache else ["-B"]
    return [sys.executable, "-I", "-S", "-X", "utf8", *compiled, main, "hook", event]


def _context_of(output: bytes) -> str:
    """Return the context in the output of a session start. Raises HookFailed if a client would refuse it."""
    if not output:
        return ""
    try:
        value = json.loads(output)
        inner = value.get("hookSpecificOutput", {"hookEventName": "SessionStart", "additionalContext": ""})
        context = inner["additionalContext"]
        is_valid = set(value) <= {"hookSpecificOutput", "systemMessage"} and isinstance(context, str)
        is_valid = is_valid and inner["hookEventName"] == "SessionStart"
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise HookFailed(f"the output of the session start is not what a client expects: {error}") from error
    if not is_valid:
        raise HookFailed("the output of the session start is not what a client expects")
    if utf16_length(output.decode("utf-8")) > CAP:
        raise HookFailed(f"the output has more than {CAP:,} characters: the client would cut it")
    return str(context)


def _explain_silence(project: Project) -> Finding:
    if os.environ.get("AGENT_PROGRESS_DISABLED", "") not in ("", "0"):
        return note("session start", "disabled by AGENT_PROGRESS_DISABLED", "unset it")
    if not project.has_directory and not has_sources(project.root):
        what, remedy = "nothing is shown: no log and no plan", "`agent-progress init` begins a log"
    elif compose_for_this_call(project).sources.is_empty:
        what = "nothing is shown: no plan, and nothing is recorded yet"
        remedy = "the first entry or a plan changes that"
    else:
        what, remedy = "nothing is shown: it is switched off", "`agent-progress config set inject true`"
    return note("session start", what, remedy)


def _error_log_size() -> int:
    try:
        return os.path.getsize(error_log.place())
    except OSError:
        return 0
