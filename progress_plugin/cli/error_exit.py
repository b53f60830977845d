"""Where errors become one line and an exit code, for every command."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError, as_refusal
from progress_plugin.core.standard_streams import complain, is_lost, output_fault, stand_in


def bounded(run: Callable[[], int]) -> int:
    """Run a command and return its exit code, whatever it raises."""
    stand_in()
    try:
        code = run()
        sys.stdout.flush()  # here, where somebody hears of it if that fails
    except KeyboardInterrupt:
        return 130
    except AgentProgressError as error:
        return said(str(error), error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the one boundary: a person gets a line, never a traceback
        return _explain(error)
    return code


def said(message: str, code: int) -> int:
    """Print a line about what went wrong, with what files held, and return the exit code."""
    from progress_plugin.text.safe_output import clean  # noqa: PLC0415 - patterns that only a failure needs

    complain(clean(message))
    return code


def _explain(error: Exception) -> int:
    """Say in a line what went wrong outside the program, else that it is its own fault; return the code."""
    if isinstance(error, OSError) and (fault := output_fault()) is not None:
        return said(f"the output could not be written ({fault}); what the command did is done", 3)
    if isinstance(error, FileNotFoundError) and is_lost():
        lost = "the working directory is gone; go into one that exists, or name the project with -C DIR"
        return said(lost, 2)
    if (refusal := as_refusal(error)) is not None:
        return said(str(refusal), refusal.exit_code)
    from progress_plugin.core.packages.damaged_packages import given_up  # noqa: PLC0415 - after a failure

    if (damage := given_up(error)) is not None:
        return said(damage, 3)
    error_log.note("command", error)
    kind = type(error).__name__
    return said(f"internal error, {kind}: {error}; {error_log.place()} says where", 3)
