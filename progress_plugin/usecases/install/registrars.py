"""How each client registers a plugin: one table, as it was seen with the real clients (docs/clients.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from progress_plugin.core.clients import (
    CLIENTS,
    CODEX_HOME,
    COPILOT_HOME,
    GEMINI_TRUST_VARIABLE,
    OPENCODE_CONFIG,
    OPENCODE_CONFIG_DIR,
)
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside, write_atomic
from progress_plugin.text import jsonc
from progress_plugin.text.decode import decode, encoded_like
from progress_plugin.usecases.install.client_program import ClientProgram, settings_path
from progress_plugin.usecases.install.plugin_copy import is_plugin, is_up_to_date

PLUGIN, MARKETPLACE = "progress", "agent-progress"
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"
_RESTART = "open sessions do not have it: start new ones"


class State(Enum):
    """What a client says about the plugin."""

    MISSING = 0
    OUTDATED = 1  # registered from another place, or with other content
    CURRENT = 2


class Step(NamedTuple):
    """A command of the client, or a change of its files if it has no command."""

    line: str  # in words, or as a person types it
    run: Callable[[], object]  # raises AgentProgressError or OSError


@dataclass(frozen=True)
class Registrar:
    """How one client registers the plugin: by commands and a listing, by its settings, or by a link."""

    name: str
    register: tuple[str, ...] = ()  # commands; the word DIRECTORY stands for the plugin's directory
    remove: tuple[str, ...] = ()  # commands; they may fail, since there may be nothing to remove
    variables: Mapping[str, str] = field(default_factory=dict)  # that the commands need
    listing: str = ""  # command that prints the plugins as JSON
    listed_as: Mapping[str, object] = field(default_factory=dict)  # members of the plugin in this list
    folder: str = ""  # member with the plugin's directory, if the client reads it in place
    copy: Callable[[dict[str, Any]], object] = lambda _plugin: None  # the path of the client's own copy
    settings: Callable[[], list[str]] = list  # paths of settings files that may name the plugin
    section: str = ""  # the member of the settings that names plugins
    link: str = ""  # path of the link that registers the plugin, with `~`
    next_steps: tuple[str, ...] = (_RESTART,)  # what the user must do after a registration

    @property
    def title(self) -> str:
        """The client's name for people."""
        return CLIENTS[self.name].title

    @property
    def program(self) -> ClientProgram:
        """The client's own program."""
        return ClientProgram(self.name, self.variables)

    def is_here(self) -> bool:
        """Return whether this machine has the client: its program, or the folder that its link lies in."""
        if self.link:
            return os.path.isdir(os.path.expanduser(f"~/.{self.name}"))
        return self.program.path is not None

    def state(self, directory: str) -> State:
        """Return whether the client runs this directory, or a copy of what it holds now."""
        if not self.listing:
            source = self._linked() if self.link else self._named_in_settings()
            return _state_of(source, directory) if source else State.MISSING
        listed = self.program.query(*self.listing.split())
        plugin = next((each for each in listed if self.listed_as.items() <= each.items()), None)
        if plugin is None:
            return State.MISSING
        if folder := plugin.get(self.folder):
            return _state_of(str(folder), directory)
        return State.CURRENT if is_up_to_date(str(self.copy(plugin))) else State.OUTDATED

    def _linked(self) -> str:
        link = os.path.expanduser(self.link)
        return link if os.path.lexists(link) else ""

    def _named_in_settings(self) -> str:
        named = [entry for path in self.settings() for _, entry in _entries(path, self.section)]
        return next((_path_of(entry) for entry in named if _is_ours(entry)), "")

    def register_steps(self, directory: str) -> Iterator[Step]:
        """Yield the steps that register a directory in a client without the plugin."""
        for command in self.register:
            yield self._step([directory if word == "DIRECTORY" else word for word in command.split()])
        if self.link:
            link = os.path.expanduser(self.link)
            yield Step(f"link {link} to {directory}", partial(_make_link, link, directory))

    def remove_steps(self) -> Iterator[Step]:
        """Yield the steps that remove a registration; each is run before the next one is asked for."""
        for command in self.remove:
            yield self._step(command.split(), may_fail=True)
        for path in self.settings():
            if any(_is_ours(entry) for _, entry in _entries(path, self.section)):
                yield Step(f"remove the plugin from {path}", partial(_remove_entries, path, self.section))
        link = os.path.expanduser(self.link)
        if os.path.islink(link) and is_plugin(os.path.realpath(link)):  # anything else is the user's
            yield Step(f"remove {link}", partial(os.unlink, link))

    def _step(self, words: list[str], *, may_fail: bool = False) -> Step:
        return Step(self.program.command_line(*words), partial(self.program.run, *words, may_fail=may_fail))


def _state_of(source: str, directory: str) -> State:
    """Return the state of a client that reads a directory in place."""
    is_same = os.path.realpath(source) == os.path.realpath(directory)
    return State.CURRENT if is_same else State.OUTDATED


def _make_link(link: str, directory: str) -> None:
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.symlink(directory, link, target_is_directory=True)


def _is_ours(entry: Any) -> bool:
    """Return whether an entry in a client's settings names this plugin, by its id or by its directory."""
    return entry == PLUGIN_ID or is_plugin(_path_of(entry))


def _path_of(entry: Any) -> str:
    return entry.removeprefix("file://").rstrip("/") if isinstance(entry, str) else ""


def _entries(path: str, section: str) -> list[tuple[str | int, Any]]:
    """Return the names or items in a section of a settings file (JSON with comments), each with its key.

    Raises BadInput for a damaged file.
    """
    try:
        return _parse(decode(read_inside(None, path) or b"{}", path), section)
    except ValueError as error:
        raise BadInput(f"{path} cannot be read: {error}; correct it, then try again") from error


def _remove_entries(path: str, section: str) -> None:
    """Remove our entries from a section, and change nothing else in the file.

    Raises BadInput, and leaves the file as it is, if that cannot be done safely.
    """
    data = read_inside(None, path) or b"{}"
    text = decode(data, path)
    try:
        while keys := [key for key, entry in _parse(text, section) if _is_ours(entry)]:
            text = jsonc.without(text, (section, keys[0]))
    except (ValueError, AgentProgressError) as error:
        raise BadInput(f"{path}: {error}; remove the lines that name agent-progress by hand") from error
    write_atomic(path, encoded_like(text, data))


def _parse(text: str, section: str) -> list[tuple[str | int, Any]]:
    settings = jsonc.parse(text)
    found = settings.get(section) if isinstance(settings, dict) else None
    if isinstance(found, dict):
        return [(name, name) for name in found]
    return list(enumerate(found)) if isinstance(found, list) else []


def _codex_copy(plugin: dict[str, Any]) -> str:
    cache = os.path.join(settings_path(CODEX_HOME, "~/.codex"), "plugins", "cache")
    return os.path.join(cache, MARKETPLACE, PLUGIN, str(plugin.get("version")))


def _copilot_settings() -> list[str]:
    return [os.path.join(settings_path(COPILOT_HOME, "~/.copilot"), "settings.json")]


def _opencode_settings() -> list[str]:
    """Return every settings file of the user that OpenCode reads."""
    usual = os.path.join(settings_path("XDG_CONFIG_HOME", "~/.config"), "opencode")
    folders = (usual, settings_path(OPENCODE_CONFIG_DIR, usual))
    names = ("opencode.jsonc", "opencode.json", "config.json")
    paths = [os.path.join(folder, name) for folder in folders for name in names]
    return list(dict.fromkeys([*paths, settings_path(OPENCODE_CONFIG, paths[0])]))


_TABLE = (
    Registrar(
        "claude",
        register=("plugin marketplace add DIRECTORY", f"plugin install {PLUGIN_ID}"),
        remove=(f"plugin uninstall {PLUGIN_ID}", f"plugin marketplace remove {MARKETPLACE}"),
        listing="plugin list --json",
        listed_as={"id": PLUGIN_ID, "scope": "user"},
        folder="readFromFolder",  # by newer versions; older ones copy the directory
        copy=lambda plugin: plugin.get("installPath"),
    ),
    Registrar(
        "codex",
        register=("plugin marketplace add DIRECTORY", f"plugin add {PLUGIN_ID}"),
        remove=(f"plugin remove {PLUGIN_ID}", f"plugin marketplace remove {MARKETPLACE}"),
        listing="plugin list --json",
        listed_as={"pluginId": PLUGIN_ID, "installed": True},
        copy=_codex_copy,
        next_steps=(
            "review the hooks in `/hooks`: Codex runs none before that, and does not say so",
            _RESTART,
        ),
    ),
    Registrar(
        "copilot",
        register=("plugin marketplace add DIRECTORY", f"plugin install {PLUGIN_ID}"),
        remove=(f"plugin uninstall {PLUGIN_ID}", f"plugin marketplace remove {MARKETPLACE} --force"),
        # A disabled plugin counts as not registered.
        listing="plugin list --json",
        listed_as={"name": PLUGIN, "marketplace": MARKETPLACE, "enabled": True},
        folder="installedFrom",
        settings=_copilot_settings,  # an uninstallation leaves the plugin there
        section="enabledPlugins",
    ),
    Registrar(
        "gemini",
        register=("extensions install DIRECTORY --consent",),
        remove=(f"extensions uninstall {PLUGIN}",),
        # Gemini asks whether the directory is trusted. The user answered that with `install`.
        variables={GEMINI_TRUST_VARIABLE: "true"},
        listing="extensions list -o json",
        listed_as={"name": PLUGIN},
        copy=lambda plugin: plugin.get("path"),
    ),
    Registrar(
        "opencode",  # has a command that adds a directory to the settings, and none that removes it
        register=("plugin DIRECTORY --global",),
        settings=_opencode_settings,
        section="plugin",
    ),
    Registrar(
        "cursor",  # loads plugins from a folder, according to its documentation; there is no command
        link=f"~/.cursor/plugins/local/{PLUGIN}",
        next_steps=("restart Cursor; this follows its documentation and was never tried",),
    ),
)
REGISTRARS = {registrar.name: registrar for registrar in _TABLE}
"""The registrars by the client's name."""
