"""The command line: a table of commands, and the one place where errors become a line and an exit code.

A command's module is imported only when the command is called.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from progress_plugin import VERSION
from progress_plugin.cli.output import activity, example_line, output_errors, prepare_streams
from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError, as_refusal, notify
from progress_plugin.text.safe_output import clean

MODULES = {
    "status": "status context recent sessions extract demo",
    "log": "log",
    "recall": "recall",
    "report": "report",
    "admin": "init config doctor install uninstall setup watch mcp",
    "upkeep": "archive verify repair retract erase mute promote",
    "team": "claim release sync team",
    "memory": "memory",
}
COMMANDS = {name: module for module, names in MODULES.items() for name in names.split()}
"""The module of each command. A command is the object of that name there."""


def load_command(name: str) -> click.Command:
    """Import and return one command of the table."""
    found: click.Command = getattr(importlib.import_module(f"progress_plugin.cli.{COMMANDS[name]}"), name)
    return found


class LazyGroup(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is called; on a terminal show a spinner meanwhile."""
        with activity():
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    commands=dict.fromkeys(COMMANDS),  # the names that click suggests for an unknown one
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example_line("-C ~/harbour status. Completion for your shell: docs/commands.md."),
)
@click.option("-C", "--project-dir", metavar="DIR", help="The project; default: found upward from here.")
@click.version_option(VERSION, prog_name="agent-progress")
@click.pass_context
def cli(ctx: click.Context, project_dir: str | None) -> None:
    """Keep a progress log, a current summary and a memory for coding agents."""
    ctx.obj = project_dir


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code, even after an exception."""
    prepare_streams()
    try:
        code = cli.main(args=argv, prog_name="agent-progress", standalone_mode=False)
        with output_errors():
            sys.stdout.flush()  # now, so that `output_errors` reports an error
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130  # the exit code of a program that Ctrl-C ended
    except click.ClickException as error:
        return print_error(error.format_message(), 2)
    except AgentProgressError as error:
        return print_error(str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - the one boundary: a person gets a line, never a traceback
        if (refusal := as_refusal(error)) is not None:
            return print_error(str(refusal), refusal.exit_code)
        error_log.note("command", error)
        kind = type(error).__name__
        return print_error(f"internal error, {kind}: {error}; details are in {error_log.log_path()}", 3)
    return code if isinstance(code, int) else 0


def print_error(message: str, code: int) -> int:
    """Print one line about the fault and return the exit code."""
    notify(clean(message))
    return code
