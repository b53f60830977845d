"""Each client's own way to register a plugin, as it was seen with the real client (docs/clients.md)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar, NamedTuple

from progress_plugin.core.clients import (
    CLIENTS,
    CODEX_HOME,
    COPILOT_HOME,
    GEMINI_TRUST_VARIABLE,
    OPENCODE_CONFIG,
    OPENCODE_CONFIG_DIR,
)
from progress_plugin.usecases.install.client_program import ClientProgram, settings_path
from progress_plugin.usecases.install.plugin_copy import is_plugin
from progress_plugin.usecases.install.settings_file import entries, member, remove_entries

PLUGIN, MARKETPLACE = "progress", "agent-progress"
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"
_ELSEWHERE = "another place"
_RESTART = "open sessions do not have it: start new ones"


class Registration(NamedTuple):
    """What a client says about the plugin."""

    source: str | None = None
    """The directory or address that it was registered from; None if it is not registered."""
    copy: str | None = None
    """The client's own copy of the plugin, if it runs that."""


class Step(NamedTuple):
    """A command of the client, or a change of its files if it has no command."""

    line: str
    """In words, or as a person types it."""
    run: Callable[[], object]
    """Raises AgentProgressError or OSError."""


class Registrar:
    """One client: how it is found, asked, and registered in."""

    name: ClassVar[str]
    register: ClassVar[tuple[str, ...]] = ()
    """Commands that register the plugin; the word DIRECTORY stands for its directory."""
    remove: ClassVar[tuple[str, ...]] = ()
    """Commands that remove it; they may fail, since there may be nothing to remove."""
    variables: ClassVar[dict[str, str]] = {}
    """Variables that the commands need."""
    next_steps: ClassVar[tuple[str, ...]] = (_RESTART,)
    """What the user must do after a registration."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.title = CLIENTS[self.name].title
        self.program = ClientProgram(self.name, self.variables)

    @property
    def is_here(self) -> bool:
        """Return whether this machine has the client."""
        return self.program.path is not None

    def registration(self) -> Registration:
        """Read how the plugin is registered."""
        raise NotImplementedError

    def register_steps(self) -> Iterator[Step]:
        """Yield the steps that register the directory in a client without the plugin."""
        for command in self.register:
            yield self._step(command)

    def remove_steps(self) -> Iterator[Step]:
        """Yield the steps that remove a registration; each is run before the next one is asked for."""
        for command in self.remove:
            yield self._step(command, may_fail=True)

    def _step(self, command: str, *, may_fail: bool = False) -> Step:
        words = [self.directory if word == "DIRECTORY" else word for word in command.split()]
        run = partial(self.program.run, *words, may_fail=may_fail)
        return Step(self.program.command_line(*words), run)


class Claude(Registrar):
    """Claude Code: newer versions read the directory in place, older ones copy it."""

    name = "claude"
    register = ("plugin marketplace add DIRECTORY", f"plugin install {PLUGIN_ID}")
    remove = (f"plugin uninstall {PLUGIN_ID}", f"plugin marketplace remove {MARKETPLACE}")

    def registration(self) -> Registration:
        """Ask for the plugins of the user and for the source of the marketplace."""
        plugin = _first(self.program.query("plugin", "list", "--json"), id=PLUGIN_ID, scope="user")
        if plugin is None:
            return Registration()
        markets = self.program.query("plugin", "marketplace", "list", "--json")
        source = member(_first(markets, name=MARKETPLACE), "path") or _ELSEWHERE
        path = plugin.get("installPath")
        return Registration(str(source), None if plugin.get("readFromFolder") or not path else str(path))


class Codex(Registrar):
    """Codex CLI: copies the directory."""

    name = "codex"
    register = ("plugin marketplace add DIRECTORY", f"plugin add {PLUGIN_ID}")
    remove = (f"plugin remove {PLUGIN_ID}", f"plugin marketplace remove {MARKETPLACE}")
    next_steps = (
        "review the hooks in `/hooks`: Codex runs none before that, and does not say so",
        _RESTART,
    )

    def registration(self) -> Registration:
        """Ask for the list of plugins."""
        listed = self.program.query("plugin", "list", "--json")
        plugin = _first(listed, pluginId=PLUGIN_ID, installed=True)
        if plugin is None:
            return Registration()
        source = member(plugin, "marketplaceSource", "source") or _ELSEWHERE
        cache = os.path.join(settings_path(CODEX_HOME, "~/.codex"), "plugins", "cache")
        return Registration(str(source), os.path.join(cache, MARKETPLACE, PLUGIN, str(plugin.get("version"))))


class Copilot(Registrar):
    """Copilot CLI: reads the directory in place."""

    name = "copilot"
    register = ("plugin marketplace add DIRECTORY", f"plugin install {PLUGIN_ID}")
    remove = (f"plugin uninstall {PLUGIN_ID}", f"plugin marketplace remove {MARKETPLACE} --force")

    def registration(self) -> Registration:
        """Ask for the list of plugins; a disabled plugin counts as not registered."""
        listed = self.program.query("plugin", "list", "--json")
        plugin = _first(listed, name=PLUGIN, marketplace=MARKETPLACE, enabled=True)
        return Registration(str(plugin.get("installedFrom") or _ELSEWHERE)) if plugin else Registration()

    def remove_steps(self) -> Iterator[Step]:
        """Remove the plugin, then its entry in the settings, which an uninstallation leaves."""
        yield from super().remove_steps()
        path = os.path.join(settings_path(COPILOT_HOME, "~/.copilot"), "settings.json")
        yield from _removal(path, "enabledPlugins", PLUGIN_ID.__eq__)


class Gemini(Registrar):
    """Gemini CLI: copies the directory."""

    name = "gemini"
    register = ("extensions install DIRECTORY --consent",)
    remove = (f"extensions uninstall {PLUGIN}",)
    # Gemini asks whether the directory is trusted. The user answered that with `install`.
    variables: ClassVar[dict[str, str]] = {GEMINI_TRUST_VARIABLE: "true"}

    def registration(self) -> Registration:
        """Ask for the list of extensions."""
        extension = _first(self.program.query("extensions", "list", "-o", "json"), name=PLUGIN)
        if extension is None:
            return Registration()
        source = member(extension, "installMetadata", "source") or _ELSEWHERE
        return Registration(str(source), str(extension.get("path")))


class OpenCode(Registrar):
    """OpenCode: has a command that adds a directory to the settings, and none that removes it."""

    name = "opencode"
    register = ("plugin DIRECTORY --global",)

    def registration(self) -> Registration:
        """Read the settings: OpenCode lists plugins nowhere else."""
        plugins = [plugin for path in self._settings() for _, plugin in entries(path, "plugin")]
        return Registration(next((_path_of(plugin) for plugin in plugins if self._is_ours(plugin)), None))

    def remove_steps(self) -> Iterator[Step]:
        """Remove the directory from every settings file."""
        for path in self._settings():
            yield from _removal(path, "plugin", self._is_ours)

    def _is_ours(self, plugin: Any) -> bool:
        path = _path_of(plugin)
        return path == self.directory or is_plugin(path)

    @staticmethod
    def _settings() -> list[str]:
        """Return every settings file of the user that OpenCode reads."""
        usual = os.path.join(settings_path("XDG_CONFIG_HOME", "~/.config"), "opencode")
        folders = (usual, settings_path(OPENCODE_CONFIG_DIR, usual))
        names = ("opencode.jsonc", "opencode.json", "config.json")
        paths = [os.path.join(folder, name) for folder in folders for name in names]
        return list(dict.fromkeys([*paths, settings_path(OPENCODE_CONFIG, paths[0])]))


def _path_of(plugin: Any) -> str:
    """Return the path or name of a plugin in OpenCode's settings, empty if it is something else."""
    return plugin.removeprefix("file://").rstrip("/") if isinstance(plugin, str) else ""


class Cursor(Registrar):
    """Cursor: loads plugins from a folder, according to its documentation; there is no command."""

    name = "cursor"
    next_steps = ("restart Cursor; this follows its documentation and was never tried",)

    @property
    def is_here(self) -> bool:
        """Return whether Cursor has a folder in the user's home."""
        return os.path.isdir(os.path.expanduser("~/.cursor"))

    @property
    def _link(self) -> str:
        return os.path.join(os.path.expanduser("~/.cursor"), "plugins", "local", PLUGIN)

    def registration(self) -> Registration:
        """Read the link, or find the copy that was made instead."""
        return Registration(os.path.realpath(self._link) if os.path.lexists(self._link) else None)

    def register_steps(self) -> Iterator[Step]:
        """Link the directory into Cursor's folder of plugins."""
        yield Step(f"link {self._link} to {self.directory}", self._make_link)

    def remove_steps(self) -> Iterator[Step]:
        """Remove the link; anything else there belongs to the user."""
        if os.path.islink(self._link) and is_plugin(os.path.realpath(self._link)):
            yield Step(f"remove {self._link}", partial(os.unlink, self._link))

    def _make_link(self) -> None:
        os.makedirs(os.path.dirname(self._link), exist_ok=True)
        os.symlink(self.directory, self._link, target_is_directory=True)


def _first(found: list[dict[str, Any]], **wanted: object) -> dict[str, Any] | None:
    """Return the first object that has all these members."""
    return next((each for each in found if wanted.items() <= each.items()), None)


def _removal(path: str, section: str, is_ours: Callable[[Any], bool]) -> Iterator[Step]:
    """Yield the step that removes the plugin from a settings file, if the file names it."""
    if any(is_ours(entry) for _, entry in entries(path, section)):
        remove = partial(remove_entries, path, section, is_ours)
        yield Step(f"remove the plugin from {path}", remove)


REGISTRARS: dict[str, type[Registrar]] = {
    each.name: each for each in (Claude, Codex, Copilot, Gemini, OpenCode, Cursor)
}
"""The registrars by the client's name."""
