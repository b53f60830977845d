"""How the memory says what came from a colleague's machine (S20.5).

What of a colleague's is believed is decided in `memory.travelling_observation` and
`usecases.team.document_sync`.
"""

OTHER_VERSIONS = "other_versions"
"""Member of a document: what another machine has in a field. Whoever settles it leaves it out."""

TEAM_SESSION = "team "
"""What the session of a colleague's observation begins with; the writer follows."""


def writer_of_session(session_id: str) -> str | None:
    """Return which colleague's clone a row came from; None for one of this machine."""
    return session_id[len(TEAM_SESSION) :] if session_id.startswith(TEAM_SESSION) else None
