"""Claims: which story somebody works on, so that nobody else takes it.

With a team's server they are leases there, and what a sync saw of them is kept in `team/claims.json`. Without
one a claim is an entry of the log, `data.claim`: it travels with the history, and settles nothing between two
who claim at once.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.core.files import read_inside
from progress_plugin.log import team_state
from progress_plugin.log.entry import CLAIM, data_of, text_of, writer_of
from progress_plugin.log.foreign_entry import is_writer
from progress_plugin.log.team_state import FOLDER
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.claim import Claim
from progress_plugin.text.bounds import shortened

CLAIMS = f"{FOLDER}/claims.json"
LONGEST_STORY = 200
LONGEST = timedelta(days=30)
"""For how long a story may be claimed at once, whatever an entry says: a clock or a file may be wrong."""
_AHEAD = timedelta(days=1)
"""How far in the future a claim may begin: clocks go ahead, and some tell the time of another zone."""
_MOST = 500


def keep(directory: str, claims: Iterable[Claim]) -> bool:
    """Keep the claims that the server has; return whether they are others than before.

    Caller holds `sync_lock`. Raises as `write_atomic`.
    """
    data = json.dumps([claim._asdict() for claim in claims], indent=1).encode() + b"\n"
    if read_inside(None, team_state.path_of(directory, CLAIMS)) == data:
        return False
    team_state.put(directory, CLAIMS, data)
    return True


def of_this_clone(directory: str) -> list[str]:
    """Return the stories that this clone claimed on the server when a sync last looked."""
    return [
        claim.story
        for claim in _kept(read_inside(None, team_state.path_of(directory, CLAIMS)))
        if claim.writer is None
    ]


def current(data: bytes | None, entries: Sequence[dict[str, Any]], now: datetime) -> list[Claim]:
    """Return the claims that hold at `now`, ours first, then the oldest; the server's before the log's.

    `data` is the content of `CLAIMS`, `entries` are the log's effective ones.
    """
    found = _logged(entries, now) | {claim.key: claim for claim in _kept(data)}
    holding = [claim for claim in found.values() if _holds(claim, now)]
    return sorted(holding, key=lambda claim: (claim.writer is not None, claim.since, claim.key))


def _kept(data: bytes | None) -> list[Claim]:
    try:
        items = json.loads(data or b"[]")
    except (ValueError, RecursionError):
        return []
    if not isinstance(items, list):
        return []
    return [claim for item in items[:_MOST] if isinstance(item, dict) and (claim := _claim(item))]


def _claim(item: dict[str, Any]) -> Claim | None:
    story, writer = text_of(item, "story"), item.get("writer")
    since, until = moment(item.get("since")), moment(item.get("until"))
    if story is None or since is None or until is None:
        return None
    if writer is not None and not (isinstance(writer, str) and is_writer(writer)):
        return None
    return Claim(shortened(story, LONGEST_STORY), writer, written(since), written(until))


def _logged(entries: Sequence[dict[str, Any]], now: datetime) -> dict[str, Claim]:
    """Return by story the claim that entries make and that holds at `now`: of several writers' the first.

    A release takes back its own writer's claim alone, the story's end all of them. Entries of another writer
    have no order within a second: a release in the second of a claim takes it back, whichever comes first.
    """
    made: dict[str, dict[str, Claim]] = {}
    released: set[tuple[str, str, object]] = set()
    """Stories, writers and times."""
    for entry in entries:
        told = data_of(entry).get(CLAIM)
        is_done = entry.get("type") == "task_completed"
        story = text_of(entry, "task_id") if is_done or isinstance(told, dict) else None
        if story is None:
            continue
        key, writer, when = story.casefold(), writer_of(entry) or "", entry.get("timestamp")
        claims = made.setdefault(key, {})
        if not isinstance(told, dict) or is_done:
            claims.clear()
        elif told.get("released") is True:
            claims.pop(writer, None)
            released.add((key, writer, when))
        elif not writer or (key, writer, when) not in released:
            item = {"story": story, "writer": writer or None, "since": when, "until": told.get("until")}
            if (claim := _bounded(_claim(item), now)) is not None:
                claims[writer] = _renewed(claims.get(writer), claim)
    holding = [claim for claims in made.values() for claim in claims.values() if _holds(claim, now)]
    return {claim.key: claim for claim in sorted(holding, key=lambda claim: claim.since, reverse=True)}


def _bounded(claim: Claim | None, now: datetime) -> Claim | None:
    """Return a claim of an entry with the end that it can have; None for one that begins in the future."""
    since = moment(claim.since) if claim else None
    until = moment(claim.until) if claim else None
    if claim is None or since is None or until is None or since > now + _AHEAD:
        return None
    return claim._replace(until=written(min(until, since + LONGEST)))


def _renewed(before: Claim | None, claim: Claim) -> Claim:
    """Return a claim as it is where its writer held the story already: since then, and until later."""
    return claim if before is None or before.until <= claim.since else claim._replace(since=before.since)


def _holds(claim: Claim, now: datetime) -> bool:
    return (moment(claim.until) or now) > now
