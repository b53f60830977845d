"""The command line: a table of commands, and the one place where errors become a line and an exit code.

A command's module is imported only when the command is called.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any, NamedTuple

import click

from progress_plugin import VERSION
from progress_plugin.cli.output import (
    OutputFault,
    activity,
    discard_output,
    example_line,
    output_errors,
    prepare_streams,
)
from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError, as_refusal, notify
from progress_plugin.text.safe_output import clean

INTERRUPTED = 130  # the exit code of a program that Ctrl-C ended


class Entry(NamedTuple):
    """One row of the table of commands: its module in this package, and its line in the help."""

    module: str
    help: str


COMMANDS = {
    "status": Entry("status", "Completion, current, blocked and next stories; `summarize` and `why`."),
    "context": Entry("status", "Print exactly what an agent gets at a session start."),
    "log": Entry("log", "Append an entry to the progress log."),
    "recent": Entry("history", "The newest entries and the open blockers."),
    "recall": Entry("recall", "Search the whole history."),
    "sessions": Entry("history", "What earlier sessions did, from the clients' transcripts."),
    "report": Entry("report", "One HTML file that shows the state of the work."),
    "watch": Entry("admin", "Keep the summary current while files change."),
    "extract": Entry("history", "Stories and learnings of one log, with line numbers."),
    "archive": Entry("log", "Move old entries to the archive."),
    "verify": Entry("log", "Check log and archive; change nothing."),
    "repair": Entry("log", "Repair what verify finds; keep a copy of the original."),
    "retract": Entry("log", "Take back an entry: it stays in the log, but no longer counts."),
    "erase": Entry("log", "Remove an entry or a text from every copy of the log."),
    "mute": Entry("log", "Hide a learning from summaries."),
    "promote": Entry("log", "Write learnings that were recorded often into AGENTS.md."),
    "claim": Entry("team", "Reserve a story, so that no other agent takes it."),
    "release": Entry("team", "Give up a story that was claimed."),
    "sync": Entry("team", "Sync with the team's PostgreSQL server."),
    "team": Entry("team", "The team's PostgreSQL server: its tables, join, leave."),
    "init": Entry("admin", "Start a log in this project."),
    "config": Entry("admin", "Settings: list, get, set, unset, path."),
    "doctor": Entry("admin", "Check that everything works, and say what to do."),
    "install": Entry("admin", "Register the plugin in the coding agents of this machine."),
    "uninstall": Entry("admin", "Remove the plugin from them."),
    "setup": Entry("admin", "Build the environment the plugin runs in."),
    "demo": Entry("status", "Show on an example what an agent gets, and what it saves."),
    "memory": Entry("memory", "Progress documents and observations."),
    "mcp": Entry("admin", "Serve the memory tools over MCP on stdio."),
}
"""All commands, in the order of the help. A command is the object of that name in its module."""


def load_command(name: str) -> click.Command:
    """Import and return one command of the table."""
    command = getattr(importlib.import_module(f"progress_plugin.cli.{COMMANDS[name].module}"), name)
    if not isinstance(command, click.Command):
        raise TypeError(f"{name} is not a click command")
    return command


class LazyGroup(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        del ctx
        return list(COMMANDS)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that is called, and show on a terminal that it is at work."""
        with activity("working"):
            return super().invoke(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command, or None if there is no such command."""
        del ctx
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is called. Raises UsageError, with the nearest name, for an unknown one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # noqa: PLC0415 - only for a command that does not exist

            close = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"{error.message}{hint}", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
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
    """Run one command and return its exit code, also for what it raises."""
    prepare_streams()
    try:
        code = cli.main(args=argv, prog_name="agent-progress", standalone_mode=False)
        with output_errors():
            sys.stdout.flush()  # an error of the output belongs to this command
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.ClickException as error:
        return print_error(error.format_message(), 2)
    except OutputFault as error:
        discard_output()
        return print_error(str(error), error.exit_code)
    except AgentProgressError as error:
        return print_error(str(error), error.exit_code)
    except (BrokenPipeError, SystemExit) as stop:
        if isinstance(stop, SystemExit) and not isinstance(stop.__context__, BrokenPipeError):
            raise
        discard_output()  # the reader has seen enough, which click answers by an exit of its own
        return 0
    except Exception as error:  # noqa: BLE001 - the one boundary: a person gets a line, never a traceback
        return _explain(error)
    return code if isinstance(code, int) else 0


def print_error(message: str, code: int) -> int:
    """Print one line about what went wrong and return the exit code."""
    notify(clean(message))
    return code


def _explain(error: Exception) -> int:
    """Print what went wrong outside the program, or that it is our own fault; return the exit code."""
    if isinstance(error, FileNotFoundError) and _is_directory_gone():
        lost = "the working directory is gone; go into one that exists, or name the project with -C DIR"
        return print_error(lost, 2)
    if (refusal := as_refusal(error)) is not None:
        return print_error(str(refusal), refusal.exit_code)
    error_log.note("command", error)
    kind = type(error).__name__
    return print_error(f"internal error, {kind}: {error}; {error_log.place()} says where", 3)


def _is_directory_gone() -> bool:
    try:
        os.getcwd()
    except OSError:
        return True
    return False


if __name__ == "__main__":
    raise SystemExit(main())
