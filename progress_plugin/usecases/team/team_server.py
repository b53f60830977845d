"""Which server a team shares its history through, and what this project is called there.

The server is named by the user alone: a repository that could name one would have everybody's history sent to
it. The name of the project comes from its git remote, so that all clones agree without being told; one that
the user gives it in a clone (`team join --key`) is kept where no repository can bring it (`log.team_state`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from progress_plugin.config.load import Loaded, load
from progress_plugin.config.settings import SETTINGS, Settings
from progress_plugin.config.sources import ENVIRONMENT
from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import read_inside
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.log.team_state import TeamState
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.reading import CONFIG_FILE

_SCHEME = LazyPattern(r"[a-z][a-z0-9+.-]*")
_SERVER = LazyPattern(r"(?P<host>[^/:?#\s\[\]]+|\[[^\[\]]*\])(?::(?P<port>[0-9]+))?")
_BEHIND_PATH = LazyPattern(r"[?#]")
_USUAL_PORTS = {"ssh": "22", "git+ssh": "22", "http": "80", "https": "443", "git": "9418"}
_LONGEST = 300


def team_url(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return the URL of the team's server; None where the user has configured none."""
    return _users_settings(environ).team_url


def required_url() -> str:
    """Return the URL of the team's server. Raises BadInput where none is configured, or what is, is none.

    Another source's server, or another name, is no remedy for a faulty one: the history would go elsewhere.
    """
    loaded = _users_sources(os.environ)
    for name, where in loaded.passed_over.items():
        if name in ("team_url", "team_project_key"):
            what = where if where.startswith(ENVIRONMENT) else f"{SETTINGS[name].key} in {where}"
            raise BadInput(f"{what} has no value that can be one; allowed is {SETTINGS[name].allowed}")
    url = loaded.effective.team_url
    if url is None:
        raise BadInput(
            "no team is configured; name its server in your own configuration: "
            "agent-progress config set --user team.url postgresql://HOST/DATABASE; "
            "a clone that took part in one goes on without it after: agent-progress team leave"
        )
    return url


def project_key(project: Project, environ: Mapping[str, str] = os.environ) -> str:
    """Return what the project is called on the team's server, if nobody has named it for this clone.

    Raises BadInput where nothing tells: no git remote that other clones have, and no name by the user.
    """
    named = _users_settings(environ).team_project_key
    if named is not None:
        return named
    asked = ["remote", "get-url", "origin"]
    told = (project.repository.run(asked, project.root) if project.repository else None) or b""
    key = key_of_remote(told.decode("utf-8", "replace").strip())
    if key is None:
        raise BadInput(
            "nothing tells what this project is called on the team's server: git has no remote `origin` on "
            "another machine, or a secret cannot be told from its path; name it, the same in each of its "
            "clones: agent-progress team join --key NAME"
        )
    top = project.repository.top if project.repository else project.root
    inside = os.path.relpath(project.root, top).replace(os.sep, "/")
    return key if inside == "." else f"{key}//{inside}"


def agreed_key(project: Project, state: TeamState) -> str:
    """Return what the project is called for whoever takes part, where nobody is there to see it change.

    Raises AgentProgressError where its remote has another name by now, BadInput as `project_key`.
    """
    if state.named:
        return state.project
    key = project_key(project)
    if state.project and state.project != key:
        raise AgentProgressError(
            f"this clone takes part as {state.project}, and its remote says {key} now; "
            "`agent-progress sync` goes on as that"
        )
    return key


def named_key(text: str) -> str:
    """Return a name that a user gives to a project on the team's server. Raises BadInput for none."""
    setting = SETTINGS["team_project_key"]
    try:
        setting.validate(text)
    except ValueError as error:
        shown = one_line(text, 40) or "an empty text"
        raise BadInput(f"{shown} is no name for a project; allowed is {setting.allowed}") from error
    return text


def key_of_remote(url: str) -> str | None:
    """Return `host/path` of a git remote, however it is spelt; None for a path on this machine.

    `git@example.org:acme/harbour.git`, `https://example.org/acme/harbour` and
    `ssh://git@example.org:22/acme/harbour/` are one project. Users, passwords and queries are no part of it:
    whoever may read the server sees the name. None, too, where a secret cannot be told from the path.
    """
    if len(url) > _LONGEST or any(character < " " for character in url):
        return None
    parts = _with_scheme(url) if "://" in url.partition("@")[0] else _like_scp(url)
    if parts is None:
        return None
    scheme, server, path = parts
    found = _SERVER.fullmatch(server)
    place = path.strip("/").removesuffix(".git").strip("/")
    # A host of one letter is a drive of Windows; an `@` here, what is left of a password that holds a slash.
    if found is None or len(found["host"]) == 1 or not place or "@" in place:
        return None
    port = found["port"]
    shown = f":{port}" if port and port != _USUAL_PORTS.get(scheme) else ""
    key = f"{found['host'].lower()}{shown}/{place}"
    return None if redact(key)[1] else key


def _with_scheme(url: str) -> tuple[str, str, str] | None:
    """Return scheme, server and path of `https://user:password@host:port/path?query`; None for a file."""
    address = _BEHIND_PATH.split(url, maxsplit=1)[0]
    scheme, _, rest = address.partition("://")
    authority, _, path = rest.partition("/")
    scheme = scheme.lower()
    if scheme == "file" or not _SCHEME.fullmatch(scheme):
        return None
    return scheme, authority.rpartition("@")[2], path


def _like_scp(url: str) -> tuple[str, str, str] | None:
    """Return scheme, server and path of `user@host:path`; None where a slash makes it a path, as for git."""
    user, _, address = url.rpartition("@")
    server, _, path = address.rpartition("]:") if address.startswith("[") else address.partition(":")
    if _BEHIND_PATH.search(user) or "/" in user or path.startswith(("/", ":")):
        return None
    server += "]" if address.startswith("[") else ""
    return "ssh", server, _BEHIND_PATH.split(path, maxsplit=1)[0]


def _users_settings(environ: Mapping[str, str]) -> Settings:
    return _users_sources(environ).effective


def _users_sources(environ: Mapping[str, str]) -> Loaded:
    users = user_config()
    data = read_inside(None, os.path.join(users, CONFIG_FILE)) if users else None
    return load(None, {}, data, environ)
