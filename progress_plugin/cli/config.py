"""The command config: settings, their values, and where each comes from."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from progress_plugin.cli.output import print_json, say
from progress_plugin.config.load import Loaded
from progress_plugin.config.settings import SETTINGS, Setting
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import find_project
from progress_plugin.core.standard_streams import complain
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.config import Change, change_config, config_path, find_setting, read_config
from progress_plugin.usecases.team.psycopg import provide_psycopg

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_USER = click.option("--user", is_flag=True, help="Your own file instead of the project's.")
_VALUES = {"ignore_unknown_options": True}
"""So that `set max_learnings -1` is answered by what is allowed, not by what options there are."""


@click.group(epilog="Example: agent-progress config list")
def config() -> None:
    """Show or change settings; each comes from the strongest source that has it."""


@config.command("list", epilog="Example: agent-progress config list --json")
@_JSON
@click.pass_obj
def list_settings(directory: str | None, as_json: bool) -> int:
    """List every setting with its value and where that comes from."""
    loaded = read_config(find_project(directory), os.environ)
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
@_JSON
@click.pass_obj
def get(directory: str | None, key: str, as_json: bool) -> int:
    """Print the value of one setting; nothing where it has none."""
    setting = find_setting(key)
    loaded = read_config(find_project(directory), os.environ)
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
@_JSON
@click.pass_obj
def set_value(directory: str | None, key: str, value: str, user: bool, as_json: bool) -> int:
    """Set one key; a list is written with commas."""
    change = change_config(find_project(directory), key, value, os.environ, user=user)
    code = _print_change(change, as_json)
    if change.key == SETTINGS["team_url"].key:
        _provide_psycopg()
    return code


def _provide_psycopg() -> None:
    """Install psycopg now; if that fails, the setting is made all the same."""
    try:
        provide_psycopg(complain)
    except AgentProgressError as error:
        say(f"{error}; the setting is made, and `agent-progress setup` tries this again", err=True)


@config.command(epilog="Example: agent-progress config unset max_learnings")
@click.argument("key")
@_USER
@_JSON
@click.pass_obj
def unset(directory: str | None, key: str, user: bool, as_json: bool) -> int:
    """Take one key out, so that the next source decides."""
    return _print_change(change_config(find_project(directory), key, None, os.environ, user=user), as_json)


@config.command(epilog="Example: agent-progress config path --user")
@_USER
@click.pass_obj
def path(directory: str | None, user: bool) -> int:
    """Print where the file is, or would be."""
    say(config_path(find_project(directory), user=user))
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
