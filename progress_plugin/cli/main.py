"""The command line: finds a command's module only when it is called."""

from __future__ import annotations

import importlib

import click

from progress_plugin.cli.error_exit import bounded, said
from progress_plugin.core.version import VERSION

COMMANDS = {
    "status": "Completion, current, blocked and next stories; `summarize` and `why`.",
    "context": "Print exactly what an agent gets at a session start.",
    "log": "Append an entry to the progress log.",
    "recent": "The newest entries and the open blockers.",
    "recall": "What the whole history says on a question.",
    "sessions": "What earlier sessions did, from the clients' transcripts.",
    "report": "One HTML file that shows the state of the work.",
    "watch": "Keep the summary current while files change.",
    "extract": "Stories and learnings of one log, with line numbers.",
    "archive": "Move old entries to the archive.",
    "verify": "Check log and archive; change nothing.",
    "repair": "Mend what verify finds; keep a copy of the original.",
    "retract": "Take back an entry; it stays in the log.",
    "erase": "Take something out of every copy of the log.",
    "mute": "Show a learning no more.",
    "promote": "Learnings that proved themselves, into AGENTS.md.",
    "claim": "Say that you work on a story, so that nobody else takes it.",
    "release": "Let go of a story that was claimed.",
    "sync": "Sync with the team's PostgreSQL server.",
    "team": "The team's PostgreSQL server: its tables, join, leave.",
    "init": "Begin to keep a log in this project.",
    "config": "Settings: list, get, set, unset, path.",
    "doctor": "Whether everything works here, and what to do.",
    "install": "Register the plugin in the coding agents of this machine.",
    "uninstall": "Take it out of them again.",
    "setup": "Build the environment the plugin runs in.",
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
    """Run one command and return its exit code."""
    return bounded(lambda: _clicked(argv))


def _clicked(argv: list[str] | None) -> int:
    try:
        result = cli.main(args=argv, prog_name="agent-progress", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return said(error.format_message(), 2)
    except click.Abort:
        return 130
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    raise SystemExit(main())
