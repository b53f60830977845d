"""Rendering of a project's own template, which may have come with a cloned repository.

Jinja's sandbox keeps a template from reaching Python objects and files. It cannot end a loop or refuse a
string of gigabytes, so the template is rendered in a process with limits of time and memory.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from typing import Any

from progress_plugin.core.errors import BadInput, reason_of
from progress_plugin.text.safe_output import clean, one_line

CPU_S = 3
TIMEOUT_S = 5.0  # longer than the processor time, since other processes may be busy
MEMORY_BYTES = 1 << 29
MAX_OUTPUT_CHARS = 400_000
FAULT_EXIT_CODE = 3  # the template does not work; standard output holds the reason
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; import progress_plugin.summary.custom_template as c; c.main()"
)
_PACKAGE_PARENT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def render_custom_template(template: str, values: dict[str, Any]) -> str:
    """Render the values of a summary by a project's template, redacted and escaped as a whole.

    Raises BadInput with a reason of one line if the template is faulty, or takes too much time or memory.
    """
    import subprocess  # noqa: PLC0415 - few projects have a template of their own

    # Absolute folders only: a relative one would be searched in the project.
    path = [_PACKAGE_PARENT, *(folder for folder in sys.path if os.path.isabs(folder))]
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _PROGRAM, *path]
    try:
        done = subprocess.run(
            command,
            input=pickle.dumps((template, values)),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BadInput(f"it takes longer than {TIMEOUT_S:g} seconds") from None
    except OSError as error:
        raise BadInput(f"no process for it can be started: {reason_of(error)}") from error
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode == FAULT_EXIT_CODE:
        raise BadInput(one_line(output, 300))
    if done.returncode:
        raise BadInput("it takes more time or memory than a template may")
    return clean(output)


def main() -> None:
    """Render the template and values on standard input to standard output, within limits."""
    template, values = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - written by our parent process
    from jinja2 import StrictUndefined  # noqa: PLC0415 - only this process needs the sandbox
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    _limit_resources()
    try:
        text = environment.from_string(template).render(values)
    except Exception as error:  # noqa: BLE001 - a template can raise any exception
        line = getattr(error, "lineno", None)
        _finish(f"{f'line {line}: ' if line else ''}{type(error).__name__}: {error}", FAULT_EXIT_CODE)
    if len(text) > MAX_OUTPUT_CHARS:
        _finish(f"it makes more than {MAX_OUTPUT_CHARS:,} characters", FAULT_EXIT_CODE)
    _finish(text, 0)


def _finish(output: str, exit_code: int) -> None:
    sys.stdout.buffer.write(output.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    sys.exit(exit_code)


def _limit_resources() -> None:
    """Limit memory and processor time and forbid writing to files, if the platform has such limits."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    limits = {
        resource.RLIMIT_AS: MEMORY_BYTES,
        resource.RLIMIT_CPU: CPU_S,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in limits.items():
        with suppress(OSError, ValueError):  # macOS knows RLIMIT_AS but refuses to set it
            resource.setrlimit(kind, (limit, limit))
