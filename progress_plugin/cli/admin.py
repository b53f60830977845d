"""Commands that set the plugin up: init, setup, watch, mcp, config, install, uninstall, doctor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import click

from progress_plugin.bootstrap import build
from progress_plugin.cli.output import Answer, command, example_line, named_directory, project_or_none, say
from progress_plugin.config.settings import SETTINGS, Loaded, Setting
from progress_plugin.core.environment import NAME, is_on_path, launcher
from progress_plugin.core.errors import AgentProgressError, notify
from progress_plugin.core.project import Project, find_project
from progress_plugin.mcp import server
from progress_plugin.text.safe_output import json_text, one_line
from progress_plugin.usecases import install as installing
from progress_plugin.usecases.answers import render_answer
from progress_plugin.usecases.config import change_config, config_path, find_setting, read_config
from progress_plugin.usecases.doctor import examine
from progress_plugin.usecases.summaries import init as begin_log
from progress_plugin.usecases.team.setup import provide_psycopg, team_url
from progress_plugin.usecases.watch import watch as keep_current

_STATUSLINE_HELP = "Print the entry for Claude Code's settings instead; edits nothing."


@command("init --statusline", in_project=False)
@click.option("--statusline", is_flag=True, help=_STATUSLINE_HELP)
def init(statusline: bool) -> Answer:
    """Start a log here, in .agent-os/progress/, a directory that git ignores."""
    if statusline:
        entry = {"statusLine": {"type": "command", "command": f"{launcher()} statusline"}}
        note = "Put this into ~/.claude/settings.json, or .claude/settings.json of a project."
        return Answer(entry, notes=[note], lines=[json_text(entry)])
    return Answer(begin_log(find_project(named_directory())), "init")


_FOLDER = click.Path(exists=True, file_okay=False)
_WHEELS_HELP = "Install from this directory of wheels, without a package index."


@click.command(epilog=example_line("setup --wheelhouse /media/stick/wheels"))
@click.option("--wheelhouse", metavar="DIR", type=_FOLDER, help=_WHEELS_HELP)
def setup(wheelhouse: str | None) -> None:
    """Install the packages again if they no longer work."""
    place = build(notify, wheelhouse)
    if team_url() is not None:
        provide_psycopg(notify, wheelhouse, is_setup=True)
    say(f"ready: {place}")


@click.command(epilog=example_line("-C ~/harbour watch"))
def watch() -> None:
    """Keep the summary current while files change. One line per change, Ctrl-C ends it.

    It watches the inputs of a session start: plans, logs, settings, the branch, the progress document.
    Nothing is recorded: entries come from an agent's own session, or from `agent-progress log`.
    """
    project = find_project(named_directory())
    say(f"Watching {project.root}; Ctrl-C ends it.")
    try:
        for line in keep_current(project.root):
            say(f"{datetime.now().astimezone():%H:%M:%S}  {one_line(line)}")
    except KeyboardInterrupt:  # the usual end, not a failure
        say("Ended.")


@click.command(epilog=example_line("mcp"))
def mcp() -> int:
    """Serve the memory tools over MCP on stdio. It ends when the client closes the connection."""
    return server.main()


_USER = click.option("--user", is_flag=True, help="Your own config.toml instead of the project's.")
_VALUES = {"ignore_unknown_options": True}
"""Let `set max_learnings -1` reach the setting, whose error names the allowed values."""


@click.group(epilog=example_line("config list"))
def config() -> None:
    """Show or change settings. Each comes from the strongest source with a valid value."""


@command("config list --json", config, name="list")
def list_settings(project: Project) -> Answer:
    """List every setting with its value and where that comes from."""
    loaded = read_config(project)
    described = [_describe_setting(loaded, setting) for setting in SETTINGS.values()]
    return Answer({"settings": described, "faults": list(loaded.faults)}, "config_list", loaded.faults)


@command("config get max_learnings", config)
@click.argument("key")
def get(project: Project, key: str) -> Answer:
    """Print the value of one setting; nothing if it has none."""
    return Answer(_describe_setting(read_config(project), find_setting(key)), "config_get")


@command("config set recent_stories_count 5", config, name="set", context_settings=_VALUES)
@click.argument("key")
@click.argument("value")
@_USER
def set_value(project: Project, key: str, value: str, user: bool) -> Iterator[Answer]:
    """Set one key; a list is written with commas."""
    change = change_config(project, key, value, user=user)
    yield _answer_change(change)
    if change["key"] == SETTINGS["team_url"].key:
        try:
            provide_psycopg(notify)
        except AgentProgressError as error:
            say(f"the setting is made, but {error}", err=True)


@command("config unset max_learnings", config)
@click.argument("key")
@_USER
def unset(project: Project, key: str, user: bool) -> Answer:
    """Remove one key, so that the value of the next source counts."""
    return _answer_change(change_config(project, key, None, user=user))


@command("config path --user", config)
@_USER
def path(project: Project, user: bool) -> Answer:
    """Print the path of config.toml, even if it does not exist."""
    place = config_path(project, user=user)
    return Answer({"path": place}, lines=[place])


def _answer_change(change: dict[str, Any]) -> Answer:
    hidden = f"{change['path']} was changed, but {change['hidden_by']} is stronger"
    return Answer(change, "config_set", [hidden] if change["hidden_by"] else [])


def _describe_setting(loaded: Loaded, setting: Setting) -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": getattr(loaded.effective, setting.name),
        "origin": loaded.origin[setting.name],
        "default": setting.default,
        "allowed": setting.allowed,
        "help": setting.help,
    }


_CLIENTS = (
    click.Argument(["clients"], nargs=-1, type=click.Choice(list(installing.REGISTRARS))),
    click.Option(["--all", "every"], is_flag=True, help="Every client that is found here."),
    click.Option(["--dry-run"], is_flag=True, help="Show what would be run; change nothing."),
)


@command("install --all --dry-run", in_project=False, params=[*_CLIENTS])
def install(clients: tuple[str, ...], every: bool, dry_run: bool) -> Answer:
    """Register the plugin in these clients by their own commands. It lists the remaining steps.

    An existing registration stays unchanged.
    """
    outcomes = installing.register(_chosen_clients(clients, every=every), wanted=True, dry_run=dry_run)
    directory = installing.plugin_directory()
    own = NAME if is_on_path() else launcher(directory)
    data = {"directory": directory, "command": own, "outcomes": outcomes}
    return Answer(data, "install", code=_exit_code(outcomes))


@command("uninstall --all", in_project=False, params=[*_CLIENTS])
def uninstall(clients: tuple[str, ...], every: bool, dry_run: bool) -> Answer:
    """Remove the plugin from these clients, by their own commands.

    Logs, memory and settings stay; with --all it lists them and says how to remove them.
    """
    outcomes = installing.register(_chosen_clients(clients, every=every), wanted=False, dry_run=dry_run)
    code, left = _exit_code(outcomes), installing.find_leftovers(project_or_none()) if every else ()
    data: dict[str, Any] = {
        "removed": None,
        "outcomes": outcomes,
        "remains": [{"what": what, "remedy": remedy} for what, remedy in left],
    }
    lines = render_answer("install", data).split("\n")
    # Last, because this program may run from the copy that `install` made, and load more of its files.
    data["removed"] = installing.remove_copy() if every and not dry_run and not code else None
    lines += [f"Removed: {data['removed']}"] if data["removed"] else []
    return Answer(data, lines=lines, code=code)


def _chosen_clients(clients: tuple[str, ...], *, every: bool) -> tuple[str, ...]:
    """Return the named clients; none for --all. Raises UsageError if both are given, or neither."""
    if every == bool(clients):
        found = ", ".join(installing.find_clients()) or "none"
        raise click.UsageError(f"Name clients, or say --all. Found here: {found}.")
    return clients


def _exit_code(outcomes: Iterable[dict[str, Any]]) -> int:
    return int(any(each["verdict"] == installing.FAILED for each in outcomes))


_CONTEXT_HELP = "Print exactly what an agent gets at a session start."


@command("doctor --verbose", in_project=False)
@click.option("--context", "show_context", is_flag=True, help=_CONTEXT_HELP)
@click.option("--verbose", is_flag=True, help="Show also what works.")
def doctor(show_context: bool, verbose: bool) -> Answer:
    """Check that everything works, and say what to do.

    It starts a session as a client does, looks at installation, settings, log and database, and names the
    worst problem first. Nothing of yours is changed. Exit 1 if something is wrong, for CI.
    """
    findings, context = examine(project_or_none(), datetime.now(UTC))
    is_good = all(finding.state != "wrong" for finding in findings)
    data = {"ok": is_good, "findings": [each._asdict() for each in findings], "context": context}
    text = context if show_context else None
    return Answer(data, "doctor", code=0 if is_good else 1, values=data | {"verbose": verbose}, text=text)
