"""A template that came with a repository, rendered in a process of its own.

Jinja's sandbox keeps it from reaching anything. What no sandbox inside a process can do is end it: a
template may loop for hours in one expression, or multiply a string until the memory is gone.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

from progress_plugin.core.errors import BadInput, reason_of
from progress_plugin.core.packages.environment import PLUGIN_ROOT
from progress_plugin.text.safe_output import clean, one_line

SECONDS = 2.0
"""What a template may take, the start of its process included."""
_MEMORY = 1 << 29
_LONGEST = 400_000
"""Characters of the rendered text: what the largest budget allows; some 9,000 of it are shown."""
_FAULTY = 3
"""Exit code of the process where it is the template that does not work."""
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; from progress_plugin.summary import sandbox; sandbox.serve()"
)


def render(template: str, values: dict[str, Any]) -> str:
    """Return what a project's own template makes of the values of a summary, made harmless as a whole.

    Raises BadInput, one line with the place where there is one, for a template that does not work or takes
    more than `SECONDS` or half a gibibyte.
    """
    import subprocess  # noqa: PLC0415 - few projects have a template of their own

    # A relative folder would be looked for in the project.
    path = [PLUGIN_ROOT, *(folder for folder in sys.path if os.path.isabs(folder))]
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _PROGRAM, *path]
    given = pickle.dumps((template, values))
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise BadInput(f"it takes longer than {SECONDS:g} seconds") from None
    except OSError as error:
        raise BadInput(f"it cannot be rendered apart: {reason_of(error)}") from error
    if done.returncode == _FAULTY:
        raise BadInput(one_line(done.stdout.decode("utf-8", "replace"), 300))
    if done.returncode:
        raise BadInput("it takes more time or memory than a template may")
    return clean(done.stdout.decode("utf-8", "replace"))


def serve() -> None:
    """Render what standard input holds and end: the other side of `render`, within narrow bounds."""
    template, values = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - our own parent wrote it
    try:
        render_here = _sandbox()
        _bound()
        text, code = render_here(template, values), 0
    except ImportError:
        text, code = "it waits for the packages (agent-progress setup)", _FAULTY
    except BadInput as error:
        text, code = str(error), _FAULTY
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    os._exit(code)


def _sandbox() -> Any:
    """Return the rendering function, with all that it imports: later nothing can be opened."""
    from jinja2 import StrictUndefined, TemplateError  # noqa: PLC0415
    from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    mistakes = (TemplateError, ArithmeticError, TypeError, ValueError, LookupError, AttributeError)

    def rendered(template: str, values: dict[str, Any]) -> str:
        try:
            text = environment.from_string(template).render(values)
        except (*mistakes, MemoryError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            place = f"line {line}: " if line else ""
            raise BadInput(f"{place}{type(error).__name__}: {error}") from error
        if len(text) > _LONGEST:
            raise BadInput(f"it makes more than {_LONGEST:,} characters")
        return text

    return rendered


def _bound() -> None:
    """Take from this process what a template has no use for, where the platform can."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415
    from contextlib import suppress  # noqa: PLC0415

    seconds = int(SECONDS) + 1
    for kind, most in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):  # some systems know a bound and do not take it
            resource.setrlimit(kind, (most, most))
