"""Read and change the configuration as a person does: by key, one value at a time."""

from __future__ import annotations

import os
import tomllib
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

import tomlkit

from progress_plugin.config import settings
from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError, BadInput, Refused
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot, load_start_cache
from progress_plugin.sources.find import describe_missing
from progress_plugin.transcripts.session_store import readable_since, switch_off
from progress_plugin.usecases.last_session import reads_transcripts
from progress_plugin.usecases.reading import CONFIG_FILE, read_project, read_settings
from progress_plugin.usecases.sharing import start_sharing
from progress_plugin.usecases.summaries import write_summary
from progress_plugin.usecases.team.setup import has_password

LOCK_TIMEOUT_S = 1.0  # to renew the summary
_URL_NOTE = (
    "team.url holds a password. Only you can read the file, but set a URL without the password, and put "
    "the password into ~/.pgpass, a file that PGPASSFILE names, or a service file"
)


def read_config(project: Project) -> settings.Loaded:
    """Return the settings in force, with those of the leading plan and of this call's environment."""
    return read_project(project, None, os.environ).config


def config_path(project: Project, *, user: bool) -> str:
    return os.path.join(user_config() if user else project.directory, CONFIG_FILE)


def find_setting(key: str) -> settings.Setting:
    """Return the setting with this key (`team.url`) or name (`team_url`). Raises BadInput for another key."""
    setting = settings.BY_KEY.get(key) or settings.SETTINGS.get(key)
    if setting is None:
        raise BadInput(f"{key} is not a setting{settings.nearest(key)}")
    return setting


def parse_value(setting: settings.Setting, text: str) -> Any:
    """Parse the value of a setting. Raises BadInput if it is not allowed."""
    try:
        return setting.validate(setting.parse(text))
    except ValueError as error:
        raise BadInput(f"{setting.key} = {text} is not allowed; allowed is {setting.allowed}") from error


def change_config(project: Project, key: str, text: str | None, *, user: bool) -> dict[str, Any]:
    """Set one key of the project's or the user's own file to the value in `text`; None removes the key.

    Return the value that is now in force, its origin, the stronger source that hides a new value (None if it
    is in force), and notes of one sentence each.
    Raises BadInput for an unknown key, a value that is not allowed, or a file that is not valid TOML, and
    Refused for a key that only the user's own file may hold; nothing is changed then.
    """
    setting = find_setting(key)
    value = None if text is None else parse_value(setting, text)
    if text is not None and setting.user_only and not user:
        raise Refused(f"{setting.key} counts only in your own configuration; set it there with --user")
    path = config_path(project, user=user)
    data = read_inside(None if user else project.root, path) or b""
    try:
        toml_value = list(value) if isinstance(value, tuple) else value
        before = data.decode("utf-8-sig").replace("\r\n", "\n")
        changed = set_key(before, tuple(setting.key.split(".")), toml_value)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: {error}; mend it by hand, nothing was changed") from error
    _write(project, path, changed, user=user)
    notes = _apply(project, setting.name, value, user=user)
    loaded = read_config(project)
    if load_start_cache(project.root) is not None:  # else there is no summary to renew
        with suppress(AgentProgressError):  # the next start tries again
            write_summary(project, LOCK_TIMEOUT_S)
    origin = loaded.origin[setting.name]
    is_hidden = text is not None and origin != (settings.USER_FILE if user else settings.PROJECT_FILE)
    return {
        "path": path,
        "key": setting.key,
        "value": getattr(loaded.effective, setting.name),
        "origin": origin,
        "hidden_by": origin if is_hidden else None,
        "notes": notes,
    }


def _apply(project: Project, name: str, value: Any, *, user: bool) -> tuple[str, ...]:
    """Apply the side effects of a setting. Return notes for the user."""
    if name == "transcripts":  # note the time of the switch now, before a hook runs
        if reads_transcripts(project):
            readable_since(project)
        else:
            switch_off(project, for_user=user)
    if name == "share" and value is True and project.has_directory:
        return tuple(start_sharing(project))
    if name == "team_url" and has_password(value):
        return (_URL_NOTE,)
    if name in {"plan", "log_files"}:
        return tuple(describe_missing(InputSnapshot(project.root), read_settings(project).stored))
    return ()


def _write(project: Project, path: str, text: str, *, user: bool) -> None:
    if user:
        with suppress(OSError):  # the write below reports the fault
            os.makedirs(os.path.dirname(path), exist_ok=True)
        write_atomic(path, text.encode(), private=True)  # a URL in it may hold a password
    else:
        data_directory.prepare(project.directory, share=tomllib.loads(text).get("share") is True)
        write_atomic(path, text.encode(), root=project.root)


def set_key(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Return TOML text with only a key set to this value, or removed for None; a table left empty goes, too.

    Raises ValueError if `text` is not TOML, or has a layout in which that is impossible.
    """
    wanted, document = tomllib.loads(text), tomlkit.parse(text)
    _set_in_table(document, keys, value)
    _set_in_table(wanted, keys, value)
    edited = tomlkit.dumps(document)
    if tomllib.loads(edited) != wanted:
        raise ValueError(f"{'.'.join(keys)} has an unusual layout")
    return edited


def _set_in_table(table: MutableMapping[str, Any], keys: tuple[str, ...], value: Any) -> None:
    """Set a key, or remove it for None. Inner tables that become empty are removed too."""
    key, *below = keys
    if not below and value is None:
        table.pop(key, None)
    elif not below:
        table[key] = value
    else:
        inner = table.setdefault(key, {})
        if not isinstance(inner, MutableMapping):
            raise ValueError(f"{key} must be a table")
        _set_in_table(inner, tuple(below), value)
        if not inner:
            table.pop(key)
