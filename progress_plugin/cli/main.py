"""The command line: finds a command's module only when it is called (S13)."""

from __future__ import annotations

import importlib
import os
import sys

import click

from progress_plugin.core import swallowed
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.version import VERSION

COMMANDS = {
    "status": "Completion, current, blocked and next stories; `summarize` and `why`.",
    "context": "Print exactly what an agent gets at a session start.",
    "log": "Append an entry to the progress log.",
    "recent": "The newest entries and the open blockers.",
    "report": "One HTML file that shows where the work stands.",
    "watch": "Keep the summary current while files change.",
    "extract": "Stories and learnings of one log, with line numbers.",
    "archive": "Move old entries to the archive.",
    "verify": "Check log and archive; change nothing.",
    "repair": "Mend what verify finds; keep a copy of the original.",
    "retract": "Take back an entry; it stays in the log.",
    "erase": "Take something out of every copy of the log.",
    "mute": "Show a learning no more.",
    "promote": "Learnings that proved themselves, into AGENTS.md.",
    "init": "Begin to keep a log in this project.",
    "config": "Settings: list, get, set, unset, path.",
    "doctor": "Whether everything works here, and what to do.",
    "setup": "Build the environment the plugin runs in.",
    "statusline": "One line for Claude Code's status line.",
    "hook": "What the clients' hooks call.",
    "demo": "Show on an example what an agent gets, and what it saves.",
    "memory": "Progress documents and observations.",
    "mcp": "Serve the memory tools over MCP on stdio.",
}
"""One line of help each. The module is `progress_plugin.cli.<name>`, its click command `command`."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed: click alone costs enough."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `COMMANDS`, which is the order of use."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command; None for a name that does not exist."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"progress_plugin.cli.{cmd_name}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module.__name__}.command is not a click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: agent-progress -C ~/harbour status. Completion for your shell: docs/commands.md.",
)
@click.option("-C", "--project-dir", metavar="DIR", help="The project; default: found upward from here.")
@click.version_option(VERSION, prog_name="agent-progress")
@click.pass_context
def cli(ctx: click.Context, project_dir: str | None) -> None:
    """Keep a coding agent's place: log, summary, memory."""
    ctx.obj = project_dir


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code; the boundary where errors become one line."""
    try:
        result = cli.main(args=argv, prog_name="agent-progress", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where somebody hears of it if that fails
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        _complain(error.format_message())
        return 2
    except (click.Abort, KeyboardInterrupt):
        return 130
    except AgentProgressError as error:
        _complain(str(error))
        return error.exit_code
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the one boundary: a person gets a line, never a traceback (S13)
        swallowed.note("command", error)
        kind = type(error).__name__
        _complain(f"internal error, {kind}: {error}; {swallowed.place()} says where")
        return 3
    return result if isinstance(result, int) else 0


def _complain(message: str) -> None:
    """Say what went wrong; names and values out of files are part of it."""
    from progress_plugin.text.shown import clean  # noqa: PLC0415 - patterns that only a failure needs

    sys.stderr.write(f"agent-progress: {clean(message)}\n")


if __name__ == "__main__":
    raise SystemExit(main())
