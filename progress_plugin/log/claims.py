"""Claims: which story a clone works on, so that no other one takes it.

With a team's server they are leases there. Without one a claim is an entry of the log, `data.claim`: it
travels with the history, and two may claim at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from progress_plugin.log.entry import CLAIM, data_of, text_of, writer_of
from progress_plugin.log.timestamp import moment, written
from progress_plugin.model.claim import Claim
from progress_plugin.text.bounds import shortened

MAX_STORY_CHARS = 200
MAX_SPAN = timedelta(days=30)  # of one claim, also if an entry says more: a clock or a file may be wrong
MAX_AHEAD = timedelta(days=1)  # by which a claim may begin in the future: clocks go ahead


def current(leases: Iterable[Claim], entries: Sequence[dict[str, Any]], now: datetime) -> list[Claim]:
    """Return the claims that hold at `now`, ours first, then the oldest; the server's before the log's.

    `leases` are the server's, `entries` the log's effective ones.
    """
    found = _logged(entries, now) | {claim.key: claim for claim in leases}
    holding = [claim for claim in found.values() if _holds(claim, now)]
    return sorted(holding, key=lambda claim: (claim.writer is not None, claim.since, claim.key))


def _logged(entries: Sequence[dict[str, Any]], now: datetime) -> dict[str, Claim]:
    """Return by story the claim that entries make and that holds at `now`: of several writers' the first.

    A release ends its own writer's claim alone, the completion of the story all of them. A writer who claims
    a story again before the end has held it since the first time.
    """
    made: dict[str, dict[str | None, Claim]] = {}
    for entry in entries:
        value = data_of(entry).get(CLAIM)
        is_done = entry.get("type") == "task_completed"
        story = text_of(entry, "task_id") if is_done or isinstance(value, dict) else None
        if story is None:
            continue
        writer, claims = writer_of(entry), made.setdefault(story.casefold(), {})
        if is_done or not isinstance(value, dict):
            claims.clear()
        elif value.get("released") is True:
            claims.pop(writer, None)
        elif claim := _claim_in(entry, story, value, now):
            before = claims.get(writer)
            goes_on = before is not None and before.until > claim.since
            claims[writer] = claim._replace(since=before.since) if before and goes_on else claim
    holding = [claim for claims in made.values() for claim in claims.values() if _holds(claim, now)]
    return {claim.key: claim for claim in sorted(holding, key=lambda claim: claim.since, reverse=True)}


def _claim_in(entry: dict[str, Any], story: str, value: dict[str, Any], now: datetime) -> Claim | None:
    """Return the claim that an entry makes, with the end that it can have; None if its times are unusable."""
    since, until = moment(entry.get("timestamp")), moment(value.get("until"))
    if since is None or until is None or since > now + MAX_AHEAD:
        return None
    end = written(min(until, since + MAX_SPAN))
    return Claim(shortened(story, MAX_STORY_CHARS), writer_of(entry), written(since), end)


def _holds(claim: Claim, now: datetime) -> bool:
    return (moment(claim.until) or now) > now
