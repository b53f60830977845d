"""Which server a team shares its history through, and the name of this project there.

Only the user names the server: a repository that could name one would get the history of all who clone it.
The name of the project comes from its git remote, so that all clones agree without a setting.
"""

from __future__ import annotations

import os
import re

from progress_plugin.config.load import PREFIX, Loaded, load
from progress_plugin.config.settings import SETTINGS
from progress_plugin.core.errors import BadInput
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import CONFIG_FILE

MAX_URL_CHARS = 300
MAX_ADDRESS_CHARS = 120
_USUAL_PORTS = {"ssh": "22", "git+ssh": "22", "http": "80", "https": "443", "git": "9418"}
_PASSWORD = re.compile(r"://[^/?#:]*:[^/?#]*@|[?&](?:ssl)?password=|://[^?]*@[^?]*@")
_HOST = r"(?P<host>[^/:?#@\s\[\]]+|\[[^\[\]]*\])"
_URL = re.compile(
    rf"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?:[^/?#]*@)?{_HOST}(?::(?P<port>[0-9]+))?/(?P<path>[^?#]*)(?:[?#].*)?"
)
_SCP = re.compile(rf"(?P<scheme>)(?P<port>)(?:[^/?#]*@)?{_HOST}:(?P<path>[^/?#:][^?#]*)(?:[?#][^@]*)?")


def team_url() -> str | None:
    """Return the URL of the team's server; None if the user has configured none."""
    return _load_users_settings().effective.team_url


def required_url() -> str:
    """Return the URL of the team's server. Raises BadInput if none is configured, or it is faulty.

    The server of another source does not replace a faulty one: the history would go elsewhere.
    """
    loaded = _load_users_settings()
    for name in loaded.passed_over.keys() & {"team_url", "team_project_key"}:
        source = loaded.passed_over[name]
        what = source if source.startswith(PREFIX) else f"{SETTINGS[name].key} in {source}"
        raise BadInput(f"{what} has no value that can be one; allowed is {SETTINGS[name].allowed}")
    if loaded.effective.team_url is None:
        raise BadInput(
            "no team is configured; name its server in your own configuration: "
            "agent-progress config set --user team.url postgresql://HOST/DATABASE; "
            "a clone that took part in one goes on without it after: agent-progress team leave"
        )
    return loaded.effective.team_url


def _load_users_settings() -> Loaded:
    folder = user_config()
    data = read_inside(None, os.path.join(folder, CONFIG_FILE)) if folder else None
    return load(None, {}, data, os.environ)


def server_address(url: str) -> str:
    """Return hosts and database of a URL for people, such as `db.example.org/team`."""
    place = url.partition("?")[0].partition("://")[2].rpartition("@")[2]
    return one_line(place, MAX_ADDRESS_CHARS)


def holds_password(url: object) -> bool:
    """Return whether a setting is a URL with a password in it."""
    return isinstance(url, str) and _PASSWORD.search(url) is not None


def named_key(text: str) -> str:
    """Return a name that a user gives to a project on the server. Raises BadInput if it cannot be one."""
    setting = SETTINGS["team_project_key"]
    try:
        setting.validate(text)
    except ValueError as error:
        shown = one_line(text, 40) or "an empty text"
        raise BadInput(f"{shown} is no name for a project; allowed is {setting.allowed}") from error
    return text


def project_key(project: Project) -> str:
    """Return the name of the project on the server: the user's setting, else the path of its remote.

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
            "no name is known for this project on the team's server: git has no remote `origin` on "
            "another machine, or its path may hold a secret; name it, the same in each of its "
            "clones: agent-progress team join --key NAME"
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
    found = (_URL if "://" in url.partition("@")[0] else _SCP).fullmatch(url)
    if found is None or (found["scheme"] or "").lower() == "file":
        return None
    path = found["path"].strip("/").removesuffix(".git").strip("/")
    # A host of one letter is a drive of Windows; an `@` is the rest of a password that holds a slash.
    if len(found["host"]) == 1 or not path or "@" in path:
        return None
    port, usual = found["port"], _USUAL_PORTS.get((found["scheme"] or "").lower())
    key = f"{found['host'].lower()}{f':{port}' if port and port != usual else ''}/{path}"
    return None if redact(key)[1] else key
