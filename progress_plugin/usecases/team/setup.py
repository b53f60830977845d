"""Set up a team: its driver psycopg, the URL of its server, and the name of this project there.

Only the user names the server: a repository that could name one would get the history of all who clone it.
The name of the project comes from its git remote, so that all clones agree without a setting.
"""

from __future__ import annotations

import os
import re
from importlib import invalidate_caches
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from progress_plugin import bootstrap
from progress_plugin.config.settings import SETTINGS, Loaded, load
from progress_plugin.core import environment
from progress_plugin.core.errors import BadInput, DiskRefused
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import PREFIX, is_set, user_config
from progress_plugin.core.project import Project
from progress_plugin.team.connection import connected, import_psycopg
from progress_plugin.team.server import SCHEMA, WRITER_ROLE, make_tables
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import CONFIG_FILE

MAX_URL_CHARS = 300
MAX_ADDRESS_CHARS = 120
_PSYCOPG = "psycopg"
_USUAL_PORTS = {"ssh": 22, "git+ssh": 22, "http": 80, "https": 443, "git": 9418}
_PASSWORD = re.compile(r"://[^/?#:]*:[^/?#]*@|[?&](?:ssl)?password=|://[^?]*@[^?]*@")


def provide_psycopg(
    notify: bootstrap.Notify, wheelhouse: str | None = None, *, is_setup: bool = False
) -> None:
    """Install psycopg if it is missing from the environment that we made, and mark that later ones need it.

    With `AGENT_PROGRESS_NO_INSTALL` only `setup` installs it. Raises AgentProgressError if it cannot be
    installed, or is missing from an environment that we did not make.
    """
    place, home = environment.directory(), environment.environments_directory()
    may_install = environment.is_running() and (is_setup or not is_set("NO_INSTALL"))
    if may_install and not (bootstrap.works(place, _PSYCOPG) if is_setup else find_spec(_PSYCOPG)):
        try:
            with bootstrap.lock(home):
                open(os.path.join(home, bootstrap.TEAM_MARK), "w", encoding="utf-8").close()
                notify("installing psycopg for your team's server")
                bootstrap.install_locked(environment.TEAM_LOCK_FILE, place, wheelhouse)
        except OSError as error:
            raise DiskRefused(f"psycopg cannot be installed in {place}", error) from error
        invalidate_caches()
    import_psycopg()


def prepare_server(notify: bootstrap.Notify) -> dict[str, Any]:
    """Make the tables on the team's server unless it has them; return its schema before and now."""
    url = required_url()
    provide_psycopg(notify)
    with connected(url) as connection:
        before = make_tables(connection)
    role = f"`create role NAME login in role {WRITER_ROLE}`, or `grant {WRITER_ROLE} to NAME`"
    return {"before": before, "now": SCHEMA, "notes": [f"give people roles of their own: {role}"]}


def team_url() -> str | None:
    return _load_users_settings().effective.team_url


def required_url() -> str:
    """Return the URL of the team's server. Raises BadInput without one, and if it or the key is faulty.

    A faulty URL is not replaced by that of a weaker source: the history would go to another server.
    """
    loaded = _load_users_settings()
    for name in loaded.faulty_sources.keys() & {"team_url", "team_project_key"}:
        source = loaded.faulty_sources[name]
        what = source if source.startswith(PREFIX) else f"{SETTINGS[name].key} in {source}"
        raise BadInput(f"{what} has an invalid value; allowed is {SETTINGS[name].allowed}")
    if loaded.effective.team_url is None:
        raise BadInput(
            "no team is configured; name its server in your own configuration: "
            "agent-progress config set --user team.url postgresql://HOST/DATABASE; "
            "to go on without a team: agent-progress team leave"
        )
    return loaded.effective.team_url


def _load_users_settings() -> Loaded:
    return load(None, {}, read_inside(None, os.path.join(user_config(), CONFIG_FILE)), os.environ)


def server_address(url: str) -> str:
    """Return hosts and database of a URL for people, such as `db.example.org/team`."""
    place = url.partition("?")[0].partition("://")[2].rpartition("@")[2]
    return one_line(place, MAX_ADDRESS_CHARS)


def has_password(url: object) -> bool:
    return isinstance(url, str) and _PASSWORD.search(url) is not None


def project_key(project: Project) -> str:
    """Return the name of the project on the server: the user's setting, else `host/path//folder` of `origin`.

    Raises BadInput if there is neither.
    """
    named = _load_users_settings().effective.team_project_key
    if named is not None:
        return named
    repository = project.repository
    output = (repository.run(["remote", "get-url", "origin"], project.root) if repository else None) or b""
    key = key_of_remote(output.decode("utf-8", "replace").strip())
    if repository is None or key is None:
        raise BadInput(
            "no name is known for this project on the team's server: git has no remote `origin`, or it "
            "is on this machine, or its path may hold a secret; choose one name for all clones of the "
            "project: agent-progress team join --key NAME"
        )
    inside = os.path.relpath(project.root, repository.top).replace(os.sep, "/")
    return key if inside == "." else f"{key}//{inside}"


def key_of_remote(url: str) -> str | None:
    """Return `host/path` of a git remote in any spelling; None for a path on this machine.

    `git@example.org:acme/harbour.git` and `https://example.org/acme/harbour` are one project. Users and
    passwords are left out; None also if a secret cannot be distinguished from the path.
    """
    if len(url) > MAX_URL_CHARS or any(character < " " for character in url):
        return None
    if "://" not in url.partition("@")[0]:  # as scp has it
        user, _, place = url.rpartition("@")
        url = "ssh://" + place.replace(":", "/", 1) if ":" in place and not set("/?#") & set(user) else ""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    path = parts.path.strip("/").removesuffix(".git").strip("/")
    # A host of one letter is a drive of Windows. A path has an `@` if the password holds a slash.
    if parts.scheme == "file" or not (parts.hostname or "")[1:] or not path or "@" in path:
        return None
    is_usual = port in (None, _USUAL_PORTS.get(parts.scheme))
    key = f"{parts.hostname}{'' if is_usual else f':{port}'}/{path}"
    return None if redact(key)[1] else key
