"""Where errors become one line and an exit code, for every command (S13)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from progress_plugin.core import swallowed
from progress_plugin.core.errors import AgentProgressError


def bounded(run: Callable[[], int]) -> int:
    """Run a command and return its exit code, whatever it raises."""
    try:
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where somebody hears of it if that fails
    except KeyboardInterrupt:
        return 130
    except AgentProgressError as error:
        return said(str(error), error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the one boundary: a person gets a line, never a traceback (S13)
        swallowed.note("command", error)
        kind = type(error).__name__
        return said(f"internal error, {kind}: {error}; {swallowed.place()} says where", 3)
    return code


def said(message: str, code: int) -> int:
    """Print a line about what went wrong, with what stood in files, and return the exit code."""
    from progress_plugin.text.shown import clean  # noqa: PLC0415 - patterns that only a failure needs

    sys.stderr.write(f"agent-progress: {clean(message)}\n")
    return code
