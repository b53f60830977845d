"""`install` and `uninstall`: register the plugin in the clients of this machine, and take it out again.

`install.toml` says how, as it was observed with the real clients (docs/clients.md). Every change is made by
the client's own command if it has one, and verified afterwards. Clients remember the plugin's path, and that
of an installed package vanishes with its environment: they get a copy in the user's data directory. A
checkout is registered in place.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from progress_plugin import VERSION
from progress_plugin.core import environment
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, CLIENTS, COPILOT_HOME
from progress_plugin.core.environment import NAME
from progress_plugin.core.errors import AgentProgressError, BadInput, DiskRefused
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import is_outside, user_cache, user_config, user_data, user_state
from progress_plugin.core.processes import child_variables, find_program
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.text.bounds import some_of
from progress_plugin.text.safe_output import one_line

FAILED = "failed"
MAX_LINE_CHARS = 120  # of a line in a client's settings
_TIMEOUT_S = 180.0  # of one command of a client
_QUIET = {"NO_COLOR": "1", "TERM": "dumb", "CI": "1"}
Step = tuple[str, Callable[[], object]]
"""A command of the client, or a change of its files: a line for people, and the function to call."""


@dataclass(frozen=True)
class Registrar:
    """Registration of the plugin in one client: by commands and a listing, or by a link."""

    name: str
    register: Sequence[str] = ()  # commands; the word DIRECTORY means the plugin's directory
    remove: Sequence[str] = ()  # commands; they may fail, since there may be nothing to remove
    variables: Mapping[str, str] = field(default_factory=dict)  # that the commands need
    listing: str = ""  # command that prints the plugins as JSON
    listed_as: Mapping[str, object] = field(default_factory=dict)  # members that the plugin has in this JSON
    folder: str = ""  # member with the plugin's directory, if the client makes no copy of it
    link: Sequence[str] = ()  # variable that names a folder, its default, and the path of the link in it
    link_target: str = ""  # path below the plugin's directory that the link leads to, with its first slash
    next_steps: Sequence[str] = ("open sessions do not have it: start new ones",)  # for the user

    def is_here(self) -> bool:
        """Return whether this machine has the client: its program, or for a link `~/.NAME`."""
        has_folder = bool(self.link) and os.path.isdir(os.path.expanduser(f"~/.{self.name}"))
        return has_folder or find_program(self.name) is not None

    def is_settled(self, directory: str, *, wanted: bool) -> bool:
        """Return whether the client is as it should be: with this plugin if `wanted`, else without."""
        found = self.registered()
        return found in {VERSION, os.path.realpath(directory)} if wanted else not found

    def registered(self) -> str:
        """Return the directory of the registered plugin, or the version of a copy; empty if there is none."""
        if self.link:
            link = self._link()
            return os.path.realpath(link).removesuffix(self.link_target) if os.path.lexists(link) else ""
        listed = _query([self.name, *self.listing.split()], self.variables)
        plugin = next((each for each in listed if self.listed_as.items() <= each.items()), None)
        if plugin is None:
            return ""
        folder = plugin.get(self.folder)
        return os.path.realpath(folder) if folder else str(plugin.get("version"))

    def steps(self, directory: str, *, wanted: bool) -> Iterator[Step]:
        """Yield the steps to the wanted state; each is run before the next one is asked for."""
        for command in self.remove:
            yield self._step(command.split(), may_fail=True)
        for command in self.register if wanted else ():
            yield self._step([directory if word == "DIRECTORY" else word for word in command.split()])
        if not self.link:
            return
        link, target = self._link(), directory + self.link_target
        if os.path.lexists(link):
            if not os.path.islink(link) or not is_plugin(self.registered()):
                raise AgentProgressError(f"{link} is not a link to this plugin; move it away, then try again")
            yield f"remove {link}", partial(os.unlink, link)
        if wanted:
            yield f"link {link} to {target}", partial(_make_link, link, target)

    def _link(self) -> str:
        variable, default, path = self.link
        return os.path.join(settings_path(variable, default), path)

    def _step(self, words: list[str], *, may_fail: bool = False) -> Step:
        command = [self.name, *words]
        run = partial(_run, command, self.variables, may_fail=may_fail)
        return _command_line(command, self.variables) + " (if it is there)" * may_fail, run


def _command_line(words: Sequence[str], variables: Mapping[str, str]) -> str:
    return shlex.join([*(f"{name}={value}" for name, value in variables.items()), *words])


def _run(words: Sequence[str], variables: Mapping[str, str], *, may_fail: bool = False) -> str:
    """Return the output of a command in the user's home, where a client reads no project's settings."""
    line = _command_line(words, variables)
    try:
        done = subprocess.run(
            [find_program(words[0]) or words[0], *words[1:]], cwd=os.path.expanduser("~"),
            env={**child_variables(), **_QUIET, **variables}, timeout=_TIMEOUT_S, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AgentProgressError(f"{line}: {error}") from error
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode and not may_fail:
        raise AgentProgressError(f"{line}: {_error_line(output) or f'exit code {done.returncode}'}")
    return output


def _query(words: Sequence[str], variables: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the objects in the JSON list that a command prints, or in the lists of its JSON object."""
    answer = _first_json(_run(words, variables, may_fail=True))
    lists = answer.values() if isinstance(answer, dict) else [answer]
    items = [each for found in lists if isinstance(found, list) for each in found]
    return [each for each in items if isinstance(each, dict)]


def settings_path(variable: str, default: str) -> str:
    """Return the path in a variable of the client if it is outside the project, else the default path."""
    named = os.environ.get(variable, "")
    return named if is_outside(named) else os.path.expanduser(default)


def _error_line(output: str) -> str:
    """Return the first line that reports an error, else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "failed", "✘"))]
    return next(iter(errors or lines[::-1]), "")


def _first_json(output: str) -> Any:
    """Return the first JSON list or object that begins a line: warnings may precede it."""
    for start in re.finditer(r"^[ \t]*(?=[\[{])", output, re.MULTILINE):
        try:
            return json.JSONDecoder().raw_decode(output, start.end())[0]
        except (ValueError, RecursionError):
            continue
    return None


def _make_link(link: str, target: str) -> None:
    os.makedirs(os.path.dirname(link), exist_ok=True)
    os.symlink(target, link, target_is_directory=os.path.isdir(target))


def is_plugin(directory: str) -> bool:
    """Return whether a directory holds this plugin, in any version."""
    try:
        manifest = json.loads(read_inside(None, os.path.join(directory, "plugin.json")) or b"null")
    except (AgentProgressError, ValueError, RecursionError):
        return False
    is_named_progress = isinstance(manifest, dict) and manifest.get("name") == "progress"
    return is_named_progress and os.path.isfile(os.path.join(directory, "bin", "agent-progress"))


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
REGISTRARS = {name: Registrar(name, **members) for name, members in _TABLE.items()}
"""The registrars by the client's name."""


def register(names: Sequence[str], *, wanted: bool, dry_run: bool) -> list[dict[str, Any]]:
    """Register the plugin in these clients, or remove it; in all that are found if no client is named.

    A registration that is current is left alone. Return for each `client` its `title`, the `verdict` in
    words, the steps we `did` or would do, what is left `todo` for the user, and the `problem` if it `failed`.
    Raises BadInput for a client that is not found, AgentProgressError if our directory cannot be written.
    """
    directory, registrars = plugin_directory(), [REGISTRARS[name] for name in names or find_clients()]
    if missing := [CLIENTS[each.name].title for each in registrars if not each.is_here()]:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    if wanted and not dry_run:
        write_copy()
    return [_outcome(each, directory, wanted=wanted, dry_run=dry_run) for each in registrars]


def find_clients() -> list[str]:
    return [name for name, registrar in REGISTRARS.items() if registrar.is_here()]


def find_leftovers(project: Project | None) -> Iterator[tuple[str, str]]:
    """Yield what `uninstall` leaves, and how to remove it: log, status line, user directories."""
    if project is not None and os.path.isdir(project.log_directory):
        log = project.log_directory
        is_shared = os.path.isdir(os.path.join(log, SHARED_FOLDER))
        shared = f"; {SHARED_FOLDER}/ is in git: a commit without it removes it for everyone"
        what = f"{log}: the log of this project{shared if is_shared else ''}"
        yield what, f"rm -r {shlex.quote(log)}"
    for variable, default in ((CLAUDE_CONFIG_DIR, "~/.claude"), (COPILOT_HOME, "~/.copilot")):
        settings = os.path.join(settings_path(variable, default), "settings.json")
        text = (
            (read_inside(None, settings) or b"").decode("utf-8", "replace")
            if os.path.isfile(settings)
            else ""
        )
        if lines := [one_line(line, MAX_LINE_CHARS) for line in text.split("\n") if NAME in line]:
            yield (
                f"{settings}: {some_of(lines)}",
                "remove it; if it belongs to a status line, the whole object",
            )
    kinds = {
        "memory, copies of the logs, packages": user_data(),
        "caches and session records": user_state(),
        "your settings": user_config(),
        "compiled code, search index": user_cache(),
    }
    for place in dict.fromkeys(kinds.values()):
        if os.path.isdir(place):
            what = ", ".join(kind for kind, of_kind in kinds.items() if of_kind == place)
            yield f"{place}: {what} for all projects", f"rm -r {shlex.quote(place)}"


def _outcome(registrar: Registrar, directory: str, *, wanted: bool, dry_run: bool) -> dict[str, Any]:
    """Register or remove the plugin in one client; its failure does not stop the work for the others."""
    title = CLIENTS[registrar.name].title
    did: list[str] = []
    problem = ""
    try:
        is_known = bool(registrar.link) or not dry_run  # a dry run starts no client to ask for its state
        if is_known and registrar.is_settled(directory, wanted=wanted):
            verdict = "registered already" if wanted else "not registered"
        else:
            for line, run in registrar.steps(directory, wanted=wanted):
                if not dry_run:
                    run()
                did.append(line)
            verdict = "registered" if wanted else "taken out"
            if dry_run:
                verdict = f"dry run: would run{', if not registered already' * (wanted and not is_known)}"
            elif not registrar.is_settled(directory, wanted=wanted):
                state = "does not list" if wanted else "still lists"
                verdict, problem = FAILED, f"{title} {state} the plugin after: {'; '.join(did)}"
    except (AgentProgressError, OSError, ValueError) as error:
        verdict, problem = FAILED, str(error)
    return {
        "client": registrar.name,
        "title": title,
        "verdict": verdict,
        "did": [] if problem else did,
        "todo": registrar.next_steps if verdict == "registered" else (),
        "problem": problem,
    }


def plugin_directory() -> str:
    """Return the directory to register."""
    if not environment.IS_INSTALLED:
        return environment.PLUGIN_ROOT
    return os.path.join(user_data(), "plugin")


def write_copy() -> None:
    """Copy an installed plugin to its directory. Raises AgentProgressError."""
    if not environment.IS_INSTALLED:
        return
    place = plugin_directory()
    temporary = f"{place}.{os.getpid()}"
    package = os.path.join(temporary, "progress_plugin")
    try:
        shutil.copytree(environment.PLUGIN_ROOT, temporary)
        skipped = shutil.ignore_patterns("__pycache__", "plugin")  # the rest of a wheel
        shutil.copytree(environment.PACKAGE, package, ignore=skipped)
        if os.path.lexists(place) and not remove_copy():
            raise AgentProgressError(f"{place} is not a copy of this plugin; move it away, then try again")
        os.rename(temporary, place)
    except OSError as error:
        raise DiskRefused(f"cannot write {place}", error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def remove_copy() -> str | None:
    """Remove the copy and return its path, None if there is none."""
    place = os.path.join(user_data(), "plugin")
    if os.path.islink(place) or not is_plugin(place):
        return None
    # A client that starts meanwhile finds the whole copy or none.
    temporary = f"{place}.old-{os.getpid()}"
    os.rename(place, temporary)
    shutil.rmtree(temporary, ignore_errors=True)
    return place
