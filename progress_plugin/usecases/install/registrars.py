"""Each client's own way to register a plugin, as it was seen with the real client (docs/clients.md)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

from progress_plugin.core.clients import (
    CLAUDE_CONFIG_DIR,
    CLIENTS,
    CODEX_HOME,
    COPILOT_HOME,
    GEMINI_TRUST_VARIABLE,
    OPENCODE_CONFIG,
    OPENCODE_CONFIG_DIR,
)
from progress_plugin.core.errors import BadInput, DiskRefused, Refused
from progress_plugin.text import jsonc
from progress_plugin.usecases.install.client_program import find_program, settings_path
from progress_plugin.usecases.install.plugin_copy import is_plugin
from progress_plugin.usecases.install.settings_file import Selector, member, read_settings, remove_value

PLUGIN, MARKETPLACE = "progress", "agent-progress"
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"
DIRECTORY = "{directory}"
_ELSEWHERE = "another place"
_STATUS_LINE = re.compile(r"(?:sh )?(?:(?:[\w/.@%+:,-]*/)?agent-progress|'[^']*/agent-progress') statusline")
"""The commands that `init --statusline` prints, for any directory of the plugin."""
_RESTART = "open sessions do not have it: start new ones"


class Registration(NamedTuple):
    """What a client says about the plugin."""

    source: str | None = None
    """The directory or address that it was registered from; None if it is not registered."""
    copy: str | None = None
    """The client's own copy of the plugin, if it runs that."""
    is_enabled: bool = True


class Command(NamedTuple):
    """A step: a command of the client's program."""

    words: tuple[str, ...]
    may_fail: bool = False
    """The command fails if there is nothing to do."""


class Edit(NamedTuple):
    """A step: a change of a file, for which the client has no command."""

    description: str
    apply: Callable[[], None]


Step = Command | Edit


class Registrar:
    """One client: how it is found, asked, and registered in."""

    name: ClassVar[str]
    register: ClassVar[tuple[Command, ...]] = ()
    """What registers the plugin; `DIRECTORY` is replaced by the plugin's directory."""
    remove: ClassVar[tuple[Command, ...]] = ()
    variables: ClassVar[dict[str, str]] = {}
    """Variables that the client's commands need."""
    is_queried: ClassVar[bool] = True
    """The client must be started to read the registration; that may write into the user's home."""
    next_steps: ClassVar[tuple[str, ...]] = (_RESTART,)
    """What the user must do after a registration."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.title = CLIENTS[self.name].title
        self.program = find_program(self.name, self.variables)

    @property
    def is_here(self) -> bool:
        """Return whether this machine has the client."""
        return self.program is not None

    def query(self, *words: str) -> list[dict[str, Any]]:
        """Return the objects that a command of the client lists."""
        return self.program.query(*words) if self.program else []

    def registration(self) -> Registration:
        """Read how the plugin is registered."""
        raise NotImplementedError

    def register_steps(self) -> list[Step]:
        """Return the steps that register the directory in a client without the plugin."""
        return [
            Command(tuple(self.directory if word == DIRECTORY else word for word in words), may_fail)
            for words, may_fail in self.register
        ]

    def remove_steps(self) -> list[Step]:
        """Return the steps that remove a registration."""
        return list(self.remove)

    def cleanup_steps(self) -> list[Step]:
        """Return the steps that remove leftover entries from the client's settings."""
        return []

    def kept(self) -> tuple[str, ...]:
        """Return a line for each setting that names the plugin and is left to the user."""
        return ()


class Claude(Registrar):
    """Claude Code: newer versions read the directory in place, older ones copy it."""

    name = "claude"
    register = (
        Command(("plugin", "marketplace", "add", DIRECTORY)),
        Command(("plugin", "install", PLUGIN_ID)),
    )
    remove = (
        Command(("plugin", "uninstall", PLUGIN_ID), may_fail=True),
        Command(("plugin", "marketplace", "remove", MARKETPLACE), may_fail=True),
    )

    def registration(self) -> Registration:
        """Ask for the plugins of the user and for the source of the marketplace."""
        plugin = _first(self.query("plugin", "list", "--json"), id=PLUGIN_ID, scope="user")
        if plugin is None:
            return Registration()
        market = _first(self.query("plugin", "marketplace", "list", "--json"), name=MARKETPLACE) or {}
        source = market.get("path") or market.get("repo") or market.get("url") or _ELSEWHERE
        path = plugin.get("installPath")
        copy = None if plugin.get("readFromFolder") or not path else str(path)
        return Registration(str(source), copy, plugin.get("enabled") is not False)

    def cleanup_steps(self) -> list[Step]:
        """Remove the status line that `init --statusline` had the user add."""
        return _removal(self._settings, "the status line", _select_status_line)

    def kept(self) -> tuple[str, ...]:
        """Return a line for a status line that the user wrote and that runs ours."""
        settings = read_settings(self._settings)
        command = str(member(settings, "statusLine", "command"))
        if MARKETPLACE not in command or _select_status_line(settings):
            return ()
        return (f"the status line in {self._settings} stays, because `init` did not print it: {command}",)

    @property
    def _settings(self) -> str:
        return os.path.join(settings_path(CLAUDE_CONFIG_DIR, "~/.claude"), "settings.json")


def _select_status_line(settings: Any) -> jsonc.Path | None:
    command = member(settings, "statusLine", "command")
    return ("statusLine",) if isinstance(command, str) and _STATUS_LINE.fullmatch(command) else None


class Codex(Registrar):
    """Codex CLI: copies the directory."""

    name = "codex"
    register = (
        Command(("plugin", "marketplace", "add", DIRECTORY)),
        Command(("plugin", "add", PLUGIN_ID)),
    )
    remove = (
        Command(("plugin", "remove", PLUGIN_ID), may_fail=True),
        Command(("plugin", "marketplace", "remove", MARKETPLACE), may_fail=True),
    )
    next_steps = (
        "review the hooks in `/hooks`: Codex runs none before that, and does not say so",
        _RESTART,
    )

    def registration(self) -> Registration:
        """Ask for the list of plugins."""
        plugin = _first(self.query("plugin", "list", "--json"), pluginId=PLUGIN_ID, installed=True)
        if plugin is None:
            return Registration()
        source = member(plugin, "marketplaceSource", "source") or _ELSEWHERE
        cache = os.path.join(settings_path(CODEX_HOME, "~/.codex"), "plugins", "cache")
        copy = os.path.join(cache, MARKETPLACE, PLUGIN, str(plugin.get("version")))
        return Registration(str(source), copy, plugin.get("enabled") is not False)


class Copilot(Registrar):
    """Copilot CLI: reads the directory in place."""

    name = "copilot"
    _forget = Command(("plugin", "marketplace", "remove", MARKETPLACE, "--force"), may_fail=True)
    register = (
        _forget,  # Copilot refuses a second marketplace of the same name
        Command(("plugin", "marketplace", "add", DIRECTORY)),
        Command(("plugin", "install", PLUGIN_ID)),
    )
    remove = (Command(("plugin", "uninstall", PLUGIN_ID), may_fail=True), _forget)

    def registration(self) -> Registration:
        """Ask for the list of plugins; a disabled plugin counts as not registered."""
        listed = self.query("plugin", "list", "--json")
        plugin = _first(listed, name=PLUGIN, marketplace=MARKETPLACE, enabled=True)
        return Registration(str(plugin.get("installedFrom") or _ELSEWHERE)) if plugin else Registration()

    def cleanup_steps(self) -> list[Step]:
        """Remove the note that the plugin is disabled, which an uninstallation leaves."""
        path = os.path.join(settings_path(COPILOT_HOME, "~/.copilot"), "settings.json")
        return _removal(path, f'"{PLUGIN_ID}"', _select_enabled_plugin)


def _select_enabled_plugin(settings: Any) -> jsonc.Path | None:
    enabled = member(settings, "enabledPlugins")
    return ("enabledPlugins", PLUGIN_ID) if isinstance(enabled, dict) and PLUGIN_ID in enabled else None


class Gemini(Registrar):
    """Gemini CLI: copies the directory."""

    name = "gemini"
    register = (Command(("extensions", "install", DIRECTORY, "--consent")),)
    remove = (Command(("extensions", "uninstall", PLUGIN)),)
    # Gemini asks whether the directory is trusted. The user answered that with `install`.
    variables: ClassVar[dict[str, str]] = {GEMINI_TRUST_VARIABLE: "true"}

    def registration(self) -> Registration:
        """Ask for the list of extensions."""
        extension = _first(self.query("extensions", "list", "-o", "json"), name=PLUGIN)
        if extension is None:
            return Registration()
        source = member(extension, "installMetadata", "source") or _ELSEWHERE
        return Registration(str(source), str(extension.get("path")))


class OpenCode(Registrar):
    """OpenCode: has a command that adds a directory to the settings, and none that removes it."""

    name = "opencode"
    register = (Command(("plugin", DIRECTORY, "--global")),)
    is_queried = False

    def registration(self) -> Registration:
        """Read the settings: OpenCode lists plugins nowhere else."""
        for path in self._settings():
            for plugin in _listed_plugins(read_settings(path), path):
                if self._is_ours(plugin):
                    return Registration(plugin)
        return Registration()

    def remove_steps(self) -> list[Step]:
        """Remove the directory from every settings file."""
        removals = (
            _removal(path, "the plugin's directory", self._selector(path)) for path in self._settings()
        )
        return [step for steps in removals for step in steps]

    def _is_ours(self, plugin: str) -> bool:
        return plugin == self.directory or is_plugin(plugin)

    def _selector(self, path: str) -> Selector:
        def select(settings: Any) -> jsonc.Path | None:
            plugins = _listed_plugins(settings, path)
            ours = [index for index, plugin in enumerate(plugins) if self._is_ours(plugin)]
            if not ours:
                return None
            return ("plugin", ours[0]) if len(plugins) > 1 else ("plugin",)

        return select

    @staticmethod
    def _settings() -> list[str]:
        """Return every settings file of the user that OpenCode reads."""
        folders = [os.path.join(settings_path("XDG_CONFIG_HOME", "~/.config"), "opencode")]
        folders += [path for path in [settings_path(OPENCODE_CONFIG_DIR, "")] if path]
        names = ("opencode.jsonc", "opencode.json", "config.json")
        files = [os.path.join(folder, name) for folder in folders for name in names]
        return [*files, *(path for path in [settings_path(OPENCODE_CONFIG, "")] if path)]


def _listed_plugins(settings: Any, path: str) -> list[str]:
    """Return the plugins in OpenCode's settings by path or name; a plugin with options is a pair."""
    listed = member(settings, "plugin")
    if listed is not None and not isinstance(listed, list):
        raise BadInput(f'{path}: "plugin" is not a list; correct it, then try again')
    names = [each[0] if isinstance(each, list) and each else each for each in listed or []]
    return [str(name).removeprefix("file://").rstrip("/") for name in names]


class Cursor(Registrar):
    """Cursor: loads plugins from a folder, according to its documentation; there is no command."""

    name = "cursor"
    is_queried = False
    next_steps = ("restart Cursor; this follows its documentation and was never tried",)

    @property
    def is_here(self) -> bool:
        """Return whether Cursor has a folder in the user's home."""
        return os.path.isdir(os.path.expanduser("~/.cursor"))

    @property
    def _link(self) -> str:
        return os.path.join(os.path.expanduser("~/.cursor"), "plugins", "local", PLUGIN)

    def registration(self) -> Registration:
        """Read the link."""
        if os.path.islink(self._link):
            return Registration(os.path.realpath(self._link))
        return Registration(self._link) if os.path.lexists(self._link) else Registration()

    def register_steps(self) -> list[Step]:
        """Link the directory into Cursor's folder of plugins."""
        return [Edit(f"link {self._link} to {self.directory}", self._make_link)]

    def remove_steps(self) -> list[Step]:
        """Remove the link; anything else there belongs to the user."""
        if not os.path.lexists(self._link):
            return []
        if not os.path.islink(self._link):
            raise Refused(f"{self._link} is a copy that was made by hand; remove it by hand")
        target = os.path.realpath(self._link)
        if target != os.path.realpath(self.directory) and not is_plugin(target):
            raise Refused(f"{self._link} is a link to {target}, which is not this plugin; remove it by hand")
        return [Edit(f"remove {self._link}", partial(os.unlink, self._link))]

    def _make_link(self) -> None:
        try:
            os.makedirs(os.path.dirname(self._link), exist_ok=True)
            os.symlink(self.directory, self._link, target_is_directory=True)
        except OSError as error:
            remedy = f"copy {self.directory} there instead"
            raise DiskRefused(f"cannot make {self._link}", error, remedy) from error


def _first(found: list[dict[str, Any]], **wanted: object) -> dict[str, Any] | None:
    """Return the first object that has all these members."""
    return next((each for each in found if wanted.items() <= each.items()), None)


def _removal(path: str, what: str, select: Selector) -> list[Step]:
    """Return the step that removes a value from a settings file; none if the value is not there."""
    if select(read_settings(path)) is None:
        return []
    return [Edit(f"remove {what} from {path}", partial(remove_value, path, select))]


REGISTRARS: dict[str, type[Registrar]] = {
    each.name: each for each in (Claude, Codex, Copilot, Gemini, OpenCode, Cursor)
}
"""The registrars by the client's name."""
