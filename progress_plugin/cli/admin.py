"""Commands that set a project up or run a part of the plugin: init, config, setup, watch, mcp."""

from __future__ import annotations

import json
import os
import shlex
from datetime import datetime
from typing import Any

import click

from progress_plugin.bootstrap import build
from progress_plugin.cli.output import json_option, pass_project, print_json, progress_note, say
from progress_plugin.config.load import Loaded
from progress_plugin.config.settings import SETTINGS, Setting
from progress_plugin.core import own_command
from progress_plugin.core.errors import AgentProgressError, notify
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.config import Change, change_config, config_path, find_setting, read_config
from progress_plugin.usecases.init import init as begin_log
from progress_plugin.usecases.team.project_key import team_url
from progress_plugin.usecases.team.psycopg import provide_psycopg

MAX_PATH_CHARS = 120
MAX_FILES = 12
_WATCH_HELP = """Keep the summary current while files change; one line per change, Ctrl-C ends it.

It looks at what a session start looks at: plans, logs, settings, the branch, the progress document.
Nothing is recorded: entries come from an agent's own session, or from `agent-progress log`.

Example: agent-progress -C ~/harbour watch
"""
_FIRST_PLAN = (
    "A plan is optional. The smallest one is a file prd.json in the project's root:",
    '  {"name": "My project", "userStories": [{"id": "US-001", "title": "First story", "passes": false}]}',
    "Set `passes` to true when a story is finished: a hook notices it and logs it.",
)
"""Shown if no story is known."""


@click.command(
    help="Begin to keep a log here: makes .agent-os/progress/, which ignores itself in git.",
    epilog="Example: agent-progress init --statusline",
)
@click.option(
    "--statusline",
    "show_statusline",
    is_flag=True,
    help="Print the entry for Claude Code's settings instead; edits nothing.",
)
@json_option
def init(show_statusline: bool, as_json: bool) -> None:
    """Begin a log, or show how to switch on the status line."""
    if show_statusline:
        print_json(status_line_entry())
        say("Put this into ~/.claude/settings.json, or .claude/settings.json of a project.", err=True)
        return
    answer = begin_log(find_project(click.get_current_context().obj))
    if as_json:
        print_json(answer)
        return
    verb = "Made" if answer["created"] else "Kept"
    read = [one_line(path, MAX_PATH_CHARS) for path in answer["sources"]]
    found = some_of(read, MAX_FILES) or "no plan or log yet; the first `agent-progress log` begins one"
    say(f"{verb} {answer['directory']} for the project {answer['project']}.")
    say(f"Read: {found}.")
    if answer["passed_over"]:
        say(f"Passed over: {some_of(answer['passed_over'], MAX_FILES)}; all: agent-progress status")
    if not answer["stories"]:
        for line in _FIRST_PLAN:
            say(line)
    if answer["proposed_summary_path"]:
        path = shlex.quote(answer["proposed_summary_path"])
        say("Not needed for this plugin: agents that follow the autonomous-dev workflow read a file")
        say(f"{path} beside their plan. Only if you use them, have a copy of the summary written there,")
        say("in every project of yours:")
        say(f"  agent-progress config set --user summary_path {path}")


def status_line_entry() -> dict[str, Any]:
    """Return the entry that switches the status line on, as Claude Code's settings have it."""
    return {"statusLine": {"type": "command", "command": f"{own_command.launcher()} statusline"}}


@click.command(epilog="Example: agent-progress setup --wheelhouse /media/stick/wheels")
@click.option(
    "--wheelhouse", metavar="DIR", help="Take the packages from this directory of wheels, no index."
)
def setup(wheelhouse: str | None) -> None:
    """Install the packages, or install them again if they no longer work."""
    place = build(notify, wheelhouse)
    if team_url() is not None:
        provide_psycopg(notify, wheelhouse, is_asked=True)
    say(f"ready: {place}")


@click.command(help=_WATCH_HELP)
@pass_project
def watch(project: Project, /) -> None:
    """Print a line per change until interrupted; Ctrl-C is the way to end it, so it is no failure."""
    from progress_plugin.watch import watch as watch_folders  # noqa: PLC0415 - watchdog, for this command

    say(f"Watching {project.root}; Ctrl-C ends it.")
    try:
        watch_folders(project.root, _say_change, lambda: progress_note("making the summary"))
    except KeyboardInterrupt:
        say("Ended.")


def _say_change(line: str) -> None:
    say(f"{datetime.now().astimezone():%H:%M:%S}  {one_line(line)}")


@click.command(epilog="Example: agent-progress mcp")
def mcp() -> int:
    """Serve the memory tools over MCP until the client closes the connection."""
    from progress_plugin.mcp.tools import main  # noqa: PLC0415 - pydantic, for this command

    return main()


_USER = click.option("--user", is_flag=True, help="Your own file instead of the project's.")
_VALUES = {"ignore_unknown_options": True}
"""So that `set max_learnings -1` is answered by what is allowed, not by what options there are."""


@click.group(epilog="Example: agent-progress config list")
def config() -> None:
    """Show or change settings; each comes from the strongest source that has it."""


@config.command("list", epilog="Example: agent-progress config list --json")
@json_option
@pass_project
def list_settings(project: Project, /, as_json: bool) -> int:
    """List every setting with its value and where that comes from."""
    loaded = read_config(project, os.environ)
    if as_json:
        print_json(
            {
                "settings": [_described(loaded, setting) for setting in SETTINGS.values()],
                "faults": list(loaded.faults),
            }
        )
        return 0
    width = max(len(setting.key) for setting in SETTINGS.values())
    for setting in SETTINGS.values():
        value = _as_text(getattr(loaded.effective, setting.name)) or "(none)"
        say(f"{setting.key:<{width}}  {value}  ({loaded.origin[setting.name]})")
    for fault in loaded.faults:
        say(fault, err=True)
    return 0


@config.command(epilog="Example: agent-progress config get max_learnings")
@click.argument("key")
@json_option
@pass_project
def get(project: Project, /, key: str, as_json: bool) -> int:
    """Print the value of one setting; nothing where it has none."""
    setting = find_setting(key)
    loaded = read_config(project, os.environ)
    if as_json:
        print_json(_described(loaded, setting))
    else:
        say(_as_text(getattr(loaded.effective, setting.name)))
    return 0


@config.command(
    "set", context_settings=_VALUES, epilog="Example: agent-progress config set recent_stories_count 5"
)
@click.argument("key")
@click.argument("value")
@_USER
@json_option
@pass_project
def set_value(project: Project, /, key: str, value: str, user: bool, as_json: bool) -> int:
    """Set one key; a list is written with commas."""
    change = change_config(project, key, value, os.environ, user=user)
    code = _print_change(change, as_json)
    if change.key == SETTINGS["team_url"].key:
        _provide_psycopg()
    return code


def _provide_psycopg() -> None:
    """Install psycopg now; if that fails, the setting is made all the same."""
    try:
        provide_psycopg(notify)
    except AgentProgressError as error:
        say(f"{error}; the setting is made, and `agent-progress setup` tries this again", err=True)


@config.command(epilog="Example: agent-progress config unset max_learnings")
@click.argument("key")
@_USER
@json_option
@pass_project
def unset(project: Project, /, key: str, user: bool, as_json: bool) -> int:
    """Take one key out, so that the next source decides."""
    return _print_change(change_config(project, key, None, os.environ, user=user), as_json)


@config.command(epilog="Example: agent-progress config path --user")
@_USER
@pass_project
def path(project: Project, /, user: bool) -> int:
    """Print where the file is, or would be."""
    say(config_path(project, user=user))
    return 0


def _print_change(change: Change, as_json: bool) -> int:
    if as_json:
        print_json({slot: getattr(change, slot) for slot in change.__slots__})
        return 0
    say(f"{change.key} is now {_as_text(change.value) or '(none)'}  ({change.origin})")
    if change.hidden_by:
        say(f"{change.path} was changed, but {change.hidden_by} is stronger", err=True)
    if change.lost_comments:
        say(f"{change.path} was written anew because of its layout, without comments", err=True)
    for note in change.notes:
        say(note)
    return 0


def _described(loaded: Loaded, setting: Setting) -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": getattr(loaded.effective, setting.name),
        "origin": loaded.origin[setting.name],
        "default": setting.default,
        "allowed": setting.allowed,
        "help": setting.help,
    }


def _as_text(value: Any) -> str:
    if value is None or value == ():
        return ""
    return one_line(
        ",".join(value)
        if isinstance(value, tuple)
        else value
        if isinstance(value, str)
        else json.dumps(value)
    )
