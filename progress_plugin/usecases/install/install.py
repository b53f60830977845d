"""`install` and `uninstall`: register the plugin in the clients of this machine, and take it out again.

Every change is made by the client's own command if it has one, and verified afterwards. Clients remember a
path, and an installed package disappears when its environment is replaced, so clients get a copy of it in the
user's data directory; a checkout is registered as it is.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from progress_plugin.core import environment
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, CLIENTS, COPILOT_HOME
from progress_plugin.core.errors import AgentProgressError, BadInput, DiskRefused
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_cache, user_config, user_data, user_state
from progress_plugin.core.project import Project
from progress_plugin.log.shared_entries import SHARED_FOLDER
from progress_plugin.usecases.install.registrars import REGISTRARS, Registrar, is_plugin, settings_path

FAILED = "failed"
_COPY = "plugin"  # in the user's data directory


def register(names: Sequence[str], *, wanted: bool, dry_run: bool) -> list[dict[str, Any]]:
    """Register the plugin in these clients, or remove it; in all that are found if no client is named.

    A registration that is current is left alone. Return for each `client` its `title`, the `verdict` in
    words, the steps that we `did`, what is left `todo` for the user, and the `problem` if it `failed`. Raises
    BadInput for a client that is not found, AgentProgressError if the plugin's directory cannot be written.
    """
    directory, registrars = plugin_directory(), [REGISTRARS[name] for name in names or find_clients()]
    if missing := [CLIENTS[each.name].title for each in registrars if not each.is_here()]:
        raise BadInput(f"{', '.join(missing)}: not found here; put the program on PATH, then try again")
    if wanted and not dry_run:
        write_copy()
    return [_outcome(each, directory, wanted=wanted, dry_run=dry_run) for each in registrars]


def find_clients() -> list[str]:
    """Return the names of the clients on this machine."""
    return [name for name, registrar in REGISTRARS.items() if registrar.is_here()]


def find_leftovers(project: Project | None) -> Iterator[tuple[str, str]]:
    """Yield each leftover of an uninstallation with its removal: log, status line, user directories."""
    if project is not None and os.path.isdir(project.log_directory):
        log = project.log_directory
        is_shared = os.path.isdir(os.path.join(log, SHARED_FOLDER))
        shared = f"; {SHARED_FOLDER}/ is in git: a commit without it removes it for everyone"
        what = f"{log}: the log of this project{shared if is_shared else ''}"
        yield what, f"rm -r {shlex.quote(log)}"
    for variable, default in ((CLAUDE_CONFIG_DIR, "~/.claude"), (COPILOT_HOME, "~/.copilot")):
        settings = os.path.join(settings_path(variable, default), "settings.json")
        if os.path.isfile(settings) and b"agent-progress" in (read_inside(None, settings) or b""):
            yield f"{settings}: it names agent-progress", "remove those lines, such as the status line"
    for place in dict.fromkeys((user_data(), user_state(), user_config(), user_cache())):
        if os.path.isdir(place):
            names = ", ".join(sorted(os.listdir(place))) or "empty"
            what = f"{place}: settings and data of all projects ({names})"
            yield what, f"rm -r {shlex.quote(place)}"


def _outcome(registrar: Registrar, directory: str, *, wanted: bool, dry_run: bool) -> dict[str, Any]:
    """Register or remove the plugin in one client; its failure does not stop the work for the others."""
    title = CLIENTS[registrar.name].title
    did: list[str] = []
    problem = ""
    try:
        # A dry run starts no client to ask for its state.
        if not dry_run and registrar.is_settled(directory, wanted=wanted):
            verdict = "registered already" if wanted else "not registered"
        else:
            for line, run in registrar.steps(directory, wanted=wanted):
                if not dry_run:
                    run()
                did.append(line)
            verdict = "registered" if wanted else "taken out"
            if dry_run:
                verdict = "dry run: would run" if did else "not registered"
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
    return os.path.join(user_data(), _COPY)


def write_copy() -> None:
    """Copy an installed plugin to its directory. Raises AgentProgressError."""
    if not environment.IS_INSTALLED:
        return
    place = plugin_directory()
    temporary = f"{place}.{os.getpid()}"
    package = os.path.join(temporary, "progress_plugin")
    try:
        shutil.copytree(environment.PLUGIN_ROOT, temporary)
        skipped = shutil.ignore_patterns("__pycache__", _COPY)
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
    place = os.path.join(user_data(), _COPY)
    if os.path.islink(place) or not is_plugin(place):
        return None
    # A client that starts meanwhile finds the whole copy or none.
    temporary = f"{place}.old-{os.getpid()}"
    os.rename(place, temporary)
    shutil.rmtree(temporary, ignore_errors=True)
    return place
