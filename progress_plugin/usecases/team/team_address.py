"""What is said of a team's server to people: where it is and who one is there, never a password."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from progress_plugin.text.safe_output import one_line

_LONGEST = 120
_SECRETS = ("password", "sslpassword")


class TeamAddress(NamedTuple):
    """A URL of libpq's, taken apart."""

    server: str
    """Hosts and database, as `db.example.org/team`; a host that libpq has to find is left out."""
    role: str
    """Empty where libpq has to find it."""
    has_password: bool

    def shown(self) -> str:
        """Return it for a person."""
        return self.server + (f" as {self.role}" if self.role else "")


def address_of(url: str) -> TeamAddress:
    """Return what a URL names; what cannot be read in it is left out."""
    try:
        parts = urlsplit(url)
        options = parse_qs(parts.query)
    except ValueError:
        return TeamAddress("a server whose URL cannot be read", "", has_password="@" in url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    named = hosts or ",".join(options.get("host", []))
    database = parts.path.strip("/") or "".join(options.get("dbname", [])[-1:])
    role = unquote(user) or "".join(options.get("user", [])[-1:])
    return TeamAddress(
        one_line(f"{named}/{unquote(database)}", _LONGEST),
        one_line(role, _LONGEST),
        has_password=bool(password) or any(options.get(name) for name in _SECRETS),
    )


def holds_password(url: object) -> bool:
    """Return whether a setting is a URL with a password in it."""
    return isinstance(url, str) and address_of(url).has_password
