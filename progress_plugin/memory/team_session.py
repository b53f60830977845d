"""How the memory says what came from a colleague's machine."""

import json
from typing import Any

from progress_plugin.text.bounds import shortened

OTHER_VERSIONS = "other_versions"
"""Member of a document: what another machine has in a field. Whoever settles it leaves it out."""

TEAM_SESSION = "team "
"""What the session of a colleague's observation begins with; the writer follows."""
_JOINED = " joined"
"""What follows where this machine has put its own changes into what the writer had."""
_LONGEST = 200


def session_of(writer: str, *, joined: bool = False) -> str:
    """Return the session of what a sync has put in place; `joined` with changes of this machine."""
    return f"{TEAM_SESSION}{writer}{_JOINED if joined else ''}"


def writer_of_session(session_id: str) -> str | None:
    """Return which colleague's clone a row came from; None for one of this machine."""
    if not session_id.startswith(TEAM_SESSION):
        return None
    return session_id[len(TEAM_SESSION) :].removesuffix(_JOINED)


def told_writer(session_id: str) -> str | None:
    """Return who wrote a row, in words; None where only this machine did."""
    writer = writer_of_session(session_id)
    joined = writer is not None and session_id.endswith(_JOINED)
    return f"this clone, joined with what {writer} wrote" if joined else writer


def unsettled(document: Any) -> list[str]:
    """Return what waits to be settled in a document, a sentence each: the field, and who has what there."""
    told = document.get(OTHER_VERSIONS) if isinstance(document, dict) else None
    return [
        f"{each['field'] or 'the whole document'} is {_shown(each.get('value'))} for {each['by']}"
        for each in (told if isinstance(told, list) else [])
        if isinstance(each, dict) and isinstance(each.get("field"), str) and isinstance(each.get("by"), str)
    ]


def _shown(value: Any) -> str:
    if value is None:
        return "taken out"
    text = json.dumps(value, ensure_ascii=False)
    return shortened(text, _LONGEST, "…")
