"""The command line: a table of commands, and the one place where errors become a line and an exit code.

A command's module is imported only when the command is called.
"""

from __future__ import annotations

import importlib
import os
import sys

import click

from progress_plugin import VERSION
from progress_plugin.cli.output import example_line, output_errors, prepare_streams
from progress_plugin.core import error_log
from progress_plugin.core.errors import AgentProgressError, as_refusal, notify
from progress_plugin.text.safe_output import clean

INTERRUPTED = 130  # the exit code of a program that Ctrl-C ended


COMMANDS = {
    "status": ("status", "Completion, current, blocked and next stories; `summarize` and `why`."),
    "context": ("status", "Print exactly what an agent gets at a session start."),
    "log": ("log", "Append an entry to the progress log."),
    "recent": ("status", "The newest entries and the open blockers."),
    "recall": ("recall", "Search the whole history."),
    "sessions": ("status", "What earlier sessions did, from the clients' transcripts."),
    "report": ("report", "One HTML file that shows the state of the work."),
    "watch": ("admin", "Keep the summary current while files change."),
    "extract": ("status", "Stories and learnings of one log, with line numbers."),
    "archive": ("upkeep", "Move old entries to the archive."),
    "verify": ("upkeep", "Check log and archive; change nothing."),
    "repair": ("upkeep", "Repair what verify finds; keep a copy of the original."),
    "retract": ("upkeep", "Take back an entry: it stays in the log, but no longer counts."),
    "erase": ("upkeep", "Remove an entry or a text from every copy of the log."),
    "mute": ("upkeep", "Hide a learning from summaries."),
    "promote": ("upkeep", "Write learnings that were recorded often into AGENTS.md."),
    "claim": ("team", "Reserve a story, so that no other agent takes it."),
    "release": ("team", "Give up a story that was claimed."),
    "sync": ("team", "Sync with the team's PostgreSQL server."),
    "team": ("team", "The team's PostgreSQL server: its tables, join, leave."),
    "init": ("admin", "Start a log in this project."),
    "config": ("admin", "Settings: list, get, set, unset, path."),
    "doctor": ("admin", "Check that everything works, and say what to do."),
    "install": ("admin", "Register the plugin in the coding agents of this machine."),
    "uninstall": ("admin", "Remove the plugin from them."),
    "setup": ("admin", "Build the environment the plugin runs in."),
    "demo": ("status", "Show on an example what an agent gets, and what it saves."),
    "memory": ("memory", "Progress documents and observations."),
    "mcp": ("admin", "Serve the memory tools over MCP on stdio."),
}
"""The module of each command and its line in the help. A command is the object of that name there."""


def load_command(name: str) -> click.Command:
    """Import and return one command of the table."""
    found: click.Command = getattr(importlib.import_module(f"progress_plugin.cli.{COMMANDS[name][0]}"), name)
    return found


class LazyGroup(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command. Raises UsageError, with the nearest name, for an unknown one."""
        if cmd_name in COMMANDS:
            return load_command(cmd_name)
        import difflib  # noqa: PLC0415 - only for a command that does not exist

        close = difflib.get_close_matches(cmd_name, COMMANDS, 1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        return None if ctx.resilient_parsing else ctx.fail(f"No such command {cmd_name!r}.{hint}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


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
    """Run one command and return its exit code, even after an exception."""
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
    except AgentProgressError as error:
        return print_error(str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - the one boundary: a person gets a line, never a traceback
        return _explain(error)
    return code if isinstance(code, int) else 0


def print_error(message: str, code: int) -> int:
    """Print one line about the fault and return the exit code."""
    notify(clean(message))
    return code


def _explain(error: Exception) -> int:
    """Print an error of the environment, or say that it is a bug of ours; return the exit code."""
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
