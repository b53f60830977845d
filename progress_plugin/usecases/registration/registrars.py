"""Each client's own way to register a plugin, as it was seen with the real one (docs/clients.md)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, ClassVar

from progress_plugin.core import untrusted_paths
from progress_plugin.core.clients import (
    CLAUDE_CONFIG_DIR,
    CLIENTS,
    CODEX_HOME,
    COPILOT_HOME,
    GEMINI_TRUST_VARIABLE,
    HOME_VARIABLES,
)
from progress_plugin.core.errors import DiskRefused, Refused
from progress_plugin.text import jsonc
from progress_plugin.usecases.registration import client_files, client_program, client_variables
from progress_plugin.usecases.registration.client_program import ClientProgram
from progress_plugin.usecases.registration.plugin_directory import is_ours
from progress_plugin.usecases.registration.plugin_state import (
    ID,
    MARKET,
    PLUGIN,
    ClientState,
    Command,
    Edit,
    Step,
)

_RESTART = "sessions that are open now do not have it: start new ones"


class Registrar:
    """One client: how it is found, asked, and registered in."""

    name: ClassVar[str]
    variables: ClassVar[dict[str, str]] = {}
    is_asked: ClassVar[bool] = True
    """Whether its program has to be started to know how the plugin stands there."""
    afterwards: ClassVar[tuple[str, ...]] = (_RESTART,)
    """What the user must still do."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.program: ClientProgram | None = client_program.find(self.name, self.variables)

    @property
    def title(self) -> str:
        """Return what people call it."""
        return CLIENTS[self.name].title

    @property
    def not_followed(self) -> tuple[str, ...]:
        """Return a line for each variable of the client's that leads into the project, and is not used."""
        return client_variables.not_followed(
            variable for variable, client in HOME_VARIABLES.items() if client == self.name
        )

    @property
    def is_here(self) -> bool:
        """Return whether this machine has the client."""
        return self.program is not None

    def ask(self, *words: str) -> list[dict[str, Any]]:
        """Return the objects that a command of the client lists, at any depth of plain lists."""
        told = self.program.ask(*words) if self.program else None
        lists = told.values() if isinstance(told, dict) else [told]
        return [
            each for items in lists if isinstance(items, list) for each in items if isinstance(each, dict)
        ]

    def look(self) -> ClientState:
        """Ask the client for the state of the plugin."""
        raise NotImplementedError

    def add(self) -> Iterator[Step]:
        """Yield what registers the directory where nothing is registered."""
        raise NotImplementedError

    def remove(self) -> Iterator[Step]:
        """Yield what takes back a registration."""
        raise NotImplementedError

    def leavings(self) -> Iterator[Step]:
        """Yield what takes out what the client, or the user on our word, left in its settings."""
        return iter(())

    def left(self) -> tuple[str, ...]:
        """Return a line for what names the plugin and stays, since it is not what we had the user write."""
        return ()


class MarketRegistrar(Registrar):
    """A client that takes plugins from a marketplace, which a directory can be; each has verbs of its own."""

    adding: ClassVar[str]
    removing: ClassVar[str]

    def add(self) -> Iterator[Step]:
        """Name the directory as a marketplace, and add the plugin from it."""
        yield Command(("plugin", "marketplace", "add", self.directory))
        yield Command(("plugin", self.adding, ID))

    def remove(self) -> Iterator[Step]:
        """Remove the plugin, with a copy that the client keeps, and forget the marketplace."""
        yield Command(("plugin", self.removing, ID), may_fail=True)
        yield Command(("plugin", "marketplace", "remove", MARKET), may_fail=True)


class Claude(MarketRegistrar):
    """Claude Code: newer versions read the directory in place, older ones copy it."""

    name = "claude"
    adding, removing = "install", "uninstall"

    def look(self) -> ClientState:
        """Ask for its list of plugins, and for that of marketplaces."""
        listed = [each for each in self.ask("plugin", "list", "--json") if each.get("id") == ID]
        mine = next((each for each in listed if each.get("scope") == "user"), None)
        if mine is None:
            return ClientState()
        markets = self.ask("plugin", "marketplace", "list", "--json")
        market = next((each for each in markets if each.get("name") == MARKET), {})
        source = market.get("path") or market.get("repo") or market.get("url") or "another place"
        path = mine.get("installPath")
        copy = None if mine.get("readFromFolder") or not path else str(path)
        return ClientState(str(source), copy, mine.get("enabled") is not False)

    def leavings(self) -> Iterator[Step]:
        """Take out the status line, which the user put there as `init --statusline` says."""
        yield from _taking_out(self._settings, "the status line", _status_line)

    def left(self) -> tuple[str, ...]:
        """Return a line for a status line of the user's own that runs ours, too, or has its name."""
        command = client_files.member(client_files.value(self._settings), "statusLine", "command")
        if not isinstance(command, str) or MARKET not in command or _is_our_status_line(command):
            return ()
        reason = "since `init --statusline` did not print it"
        return (f"the status line in {self._settings} stays, {reason}: {command}",)

    @property
    def _settings(self) -> str:
        return os.path.join(client_variables.folder(CLAUDE_CONFIG_DIR, "~/.claude"), "settings.json")


def _status_line(settings: Any) -> jsonc.Path | None:
    command = client_files.member(settings, "statusLine", "command")
    return ("statusLine",) if isinstance(command, str) and _is_our_status_line(command) else None


def _is_our_status_line(command: str) -> bool:
    """Return whether a command is what `init --statusline` prints, to the letter, or the installed command.

    A launcher that is gone counts as ours: what `claude plugin uninstall` removed may have been the directory
    that the status line was printed for.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    if shlex.join(words) != command or words[-1:] != ["statusline"]:
        return False
    if words[:-1] in ([MARKET], [untrusted_paths.program(MARKET)]):
        return True
    if len(words) != len(("sh", "launcher", "statusline")) or words[0] != "sh":
        return False
    folder, name = os.path.split(words[1])
    top, binaries = os.path.split(folder)
    is_launcher = os.path.isabs(top) and (binaries, name) == ("bin", MARKET)
    return is_launcher and (is_ours(top) or not os.path.lexists(words[1]))


class Codex(MarketRegistrar):
    """Codex CLI: copies the directory."""

    name = "codex"
    adding, removing = "add", "remove"
    afterwards = (
        "review the hooks in `/hooks`: Codex runs none before that, and says nothing about it",
        _RESTART,
    )

    def look(self) -> ClientState:
        """Ask for its list of plugins."""
        listed = [each for each in self.ask("plugin", "list", "--json") if each.get("pluginId") == ID]
        mine = next((each for each in listed if each.get("installed")), None)
        if mine is None:
            return ClientState()
        source = client_files.member(mine, "marketplaceSource", "source") or "another place"
        home = client_variables.folder(CODEX_HOME, "~/.codex")
        copy = os.path.join(home, "plugins", "cache", MARKET, PLUGIN, str(mine.get("version")))
        return ClientState(str(source), copy, mine.get("enabled") is not False)


class Copilot(Registrar):
    """Copilot CLI: reads the directory in place."""

    name = "copilot"

    def look(self) -> ClientState:
        """Ask for its list of plugins; what it has disabled counts as not registered."""
        for each in self.ask("plugin", "list", "--json"):
            if each.get("name") == PLUGIN and each.get("marketplace") == MARKET and each.get("enabled"):
                return ClientState(str(each.get("installedFrom") or "another place"))
        return ClientState()

    def add(self) -> Iterator[Step]:
        """Name the directory as a marketplace, in place of another of that name, and install from it."""
        yield Command(("plugin", "marketplace", "remove", MARKET, "--force"), may_fail=True)
        yield Command(("plugin", "marketplace", "add", self.directory))
        yield Command(("plugin", "install", ID))

    def remove(self) -> Iterator[Step]:
        """Uninstall the plugin, and forget the marketplace."""
        yield Command(("plugin", "uninstall", ID), may_fail=True)
        yield Command(("plugin", "marketplace", "remove", MARKET, "--force"), may_fail=True)

    def leavings(self) -> Iterator[Step]:
        """Take out the note that the plugin is switched off, which an uninstallation leaves for ever."""
        folder = client_variables.folder(COPILOT_HOME, "~/.copilot")
        yield from _taking_out(os.path.join(folder, "settings.json"), f'"{ID}"', _switched_off)


def _switched_off(settings: Any) -> jsonc.Path | None:
    enabled = client_files.member(settings, "enabledPlugins")
    return ("enabledPlugins", ID) if isinstance(enabled, dict) and ID in enabled else None


class Gemini(Registrar):
    """Gemini CLI: copies the directory."""

    name = "gemini"
    # It asks whether the directory is trusted, and cannot be answered; to install it is the answer.
    variables: ClassVar[dict[str, str]] = {GEMINI_TRUST_VARIABLE: "true"}

    def look(self) -> ClientState:
        """Ask for its list of extensions."""
        for each in self.ask("extensions", "list", "-o", "json"):
            if each.get("name") == PLUGIN:
                source = client_files.member(each, "installMetadata", "source") or "another place"
                return ClientState(str(source), str(each.get("path")))
        return ClientState()

    def add(self) -> Iterator[Step]:
        """Install the directory as an extension."""
        yield Command(("extensions", "install", self.directory, "--consent"))

    def remove(self) -> Iterator[Step]:
        """Uninstall the extension with its copy."""
        yield Command(("extensions", "uninstall", PLUGIN))


class OpenCode(Registrar):
    """OpenCode: has a command that adds a directory to its settings, and none that takes it out."""

    name = "opencode"
    is_asked = False

    def look(self) -> ClientState:
        """Read its settings; it lists plugins nowhere else."""
        for path in self._files():
            for plugin in _plugins(client_files.value(path), path):
                if is_ours(plugin) or plugin == self.directory:
                    return ClientState(plugin)
        return ClientState()

    def add(self) -> Iterator[Step]:
        """Have it add the directory to the user's settings."""
        yield Command(("plugin", self.directory, "--global"))

    def remove(self) -> Iterator[Step]:
        """Take the directory out of every file of its settings."""
        for path in self._files():
            yield from _taking_out(path, "the plugin's directory", partial(self._ours, path))

    def _ours(self, path: str, settings: Any) -> jsonc.Path | None:
        plugins = _plugins(settings, path)
        for number, plugin in enumerate(plugins):
            if is_ours(plugin) or plugin == self.directory:
                return ("plugin", number) if len(plugins) > 1 else ("plugin",)
        return None

    @staticmethod
    def _files() -> list[str]:
        base = client_variables.folder("XDG_CONFIG_HOME", "~/.config")
        return [
            os.path.join(base, "opencode", name)
            for name in ("opencode.jsonc", "opencode.json", "config.json")
        ]


def _plugins(settings: Any, path: str) -> list[str]:
    """Return the plugins of OpenCode's settings by their paths or names; one with options is a pair."""
    listed = client_files.items(settings, "plugin", path)
    named = [each[0] if isinstance(each, list) and each else each for each in listed]
    return [str(each).removeprefix("file://").rstrip("/") for each in named]


class Cursor(Registrar):
    """Cursor: takes plugins from a folder, by its documentation; there is no command."""

    name = "cursor"
    is_asked = False
    afterwards = ("restart Cursor; this follows its documentation and was never tried",)

    @property
    def is_here(self) -> bool:
        """Return whether it has a folder in the home."""
        return os.path.isdir(os.path.expanduser("~/.cursor"))

    @property
    def _place(self) -> str:
        return os.path.join(os.path.expanduser("~/.cursor"), "plugins", "local", PLUGIN)

    def look(self) -> ClientState:
        """Look where it takes plugins from."""
        if os.path.islink(self._place):
            return ClientState(os.path.realpath(self._place))
        return ClientState(self._place) if os.path.lexists(self._place) else ClientState()

    def add(self) -> Iterator[Step]:
        """Link the directory to where Cursor takes plugins from."""
        yield Edit(f"link {self._place} to {self.directory}", self._link)

    def remove(self) -> Iterator[Step]:
        """Remove the link; a copy, a link to something else, and the folders around it may be somebody's."""
        if os.path.lexists(self._place):
            self._refuse_what_is_not_ours()
            yield Edit(f"remove {self._place}", self._unlink)

    def _link(self) -> None:
        try:
            os.makedirs(os.path.dirname(self._place), exist_ok=True)
            os.symlink(self.directory, self._place, target_is_directory=True)
        except OSError as error:
            raise DiskRefused(
                f"cannot make {self._place}", error, f"copy {self.directory} there instead"
            ) from error

    def _unlink(self) -> None:
        self._refuse_what_is_not_ours()
        os.unlink(self._place)

    def _refuse_what_is_not_ours(self) -> None:
        if not os.path.islink(self._place):
            raise Refused(f"{self._place} is a copy that somebody made; remove it by hand")
        target = os.path.realpath(self._place)
        if target != os.path.realpath(self.directory) and not is_ours(target):
            raise Refused(f"{self._place} is a link to {target}, which is not this plugin; remove it by hand")


def _taking_out(path: str, what: str, choose: Any) -> Iterable[Step]:
    if choose(client_files.value(path)) is not None:
        yield Edit(f"take {what} out of {path}", lambda: client_files.take_out(path, choose))


REGISTRARS: dict[str, type[Registrar]] = {
    each.name: each for each in (Claude, Codex, Copilot, Gemini, OpenCode, Cursor)
}
"""By the name that commands take."""
