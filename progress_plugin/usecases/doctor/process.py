"""The plugin's own entry points, started as a client starts them."""

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from progress_plugin.core.clients import as_claude_code
from progress_plugin.core.packages import environment
from progress_plugin.core.paths import user_cache
from progress_plugin.core.programs import find_program

LAUNCHER = os.path.join(environment.PLUGIN_ROOT, "bin", "agent-progress")
_LONGEST = 30.0


class Ran(NamedTuple):
    """The result of a process."""

    code: int
    output: bytes
    errors: str
    seconds: float
    """Wall time."""


def site_packages() -> str | None:
    """Return where our packages are: in the environment, else where this Python has them."""
    standing = environment.installed_site()
    found = None if standing else find_spec("jinja2")
    return standing or (os.path.dirname(os.path.dirname(found.origin)) if found and found.origin else None)


def by_launcher(*words: str) -> list[str] | None:
    """Return the command as the hooks file has it; None where there is no environment, or no `sh`."""
    shell = find_program("sh")
    return [shell, LAUNCHER, *words] if shell and environment.installed_site() else None


def by_script(event: str) -> list[str]:
    """Return the command that the launcher ends in, for the Python that runs now."""
    script = os.path.join(environment.PLUGIN_ROOT, "progress_plugin", "__main__.py")
    cache = user_cache()
    keep = ["-X", f"pycache_prefix={os.path.join(cache, 'pycache')}"] if cache else []
    return [environment.interpreter(), "-I", "-S", "-X", "utf8", *keep, script, "hook", event]


def run_hook(event: str, root: str, told: Mapping[str, Any], variables: Mapping[str, str]) -> Ran:
    """Start the hook of an event for a project as Claude Code does, with further variables."""
    fields = {"cwd": root, "hook_event_name": event, **told}
    given = {**as_claude_code(root), environment.SITE_VARIABLE: site_packages() or ""}
    command = by_launcher("hook", event) or by_script(event)
    return run(command, root, json.dumps(fields).encode(), {**os.environ, **given, **variables})


def run(command: Sequence[str], root: str, told: bytes, variables: Mapping[str, str]) -> Ran:
    """Run a command with this standard input; one that takes longer than 30 s is ended, code -1."""
    started = time.perf_counter()
    try:
        done = subprocess.run(
            command, input=told, capture_output=True, cwd=root, env=variables, timeout=_LONGEST, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ran(-1, b"", str(error), time.perf_counter() - started)
    errors = done.stderr.decode("utf-8", "replace")
    return Ran(done.returncode, done.stdout, errors, time.perf_counter() - started)
