"""Know the entries of a log that number other work by ids it has had before.

Each plan begins with `A1` or `Task 1` again, and a log goes on over several. One entry with other words is as
often a second report on the same story; where nearly all that come again have other words, they are others.
"""

from collections.abc import Sequence

from progress_plugin.model.event import AUTHORED, Event
from progress_plugin.model.status import Status
from progress_plugin.plans.plan_and_story_identity import normalised

_FEWEST = 3
"""Ids that come again with other words, from which they are other stories."""
_MOST_SHARE = 0.75
"""Share of the ids that come again that must do so with other words."""
_SHORT = 3
"""Letters of words that titles of unlike stories share: `the`, `and`."""
_ALIKE = 0.25
"""Share of the words of the shorter title from which two titles may be of one story."""
_Key = tuple[str, str, str]


def restarted(events: Sequence[Event]) -> dict[tuple[str, int], int]:
    """Return by source and position of such entries how many other stories had the id before."""
    told: dict[_Key, set[str]] = {}
    counted: dict[_Key, tuple[set[str], int, bool]] = {}
    found: dict[tuple[str, int], int] = {}
    again: dict[str, list[bool]] = {}
    for event in events:
        words = {word for word in normalised(event.title or "").split() if len(word) > _SHORT}
        if event.type != AUTHORED or len(event.stories) != 1 or not words:
            continue
        name = event.stories[0].casefold()
        anywhere = event.source, "", name
        if anywhere in told:
            again.setdefault(event.source, []).append(_are_unlike(words, told[anywhere]))
        told[anywhere] = words
        key = event.source, (event.spec or "").casefold(), name
        before, times, is_done = counted.get(key, (words, 0, False))
        times += is_done and _are_unlike(words, before)
        if times:
            found[event.source, event.position] = times
        counted[key] = words, times, event.status is Status.DONE
    logs = {
        source
        for source, unlike in again.items()
        if sum(unlike) >= _FEWEST and sum(unlike) >= _MOST_SHARE * len(unlike)
    }
    return {place: times for place, times in found.items() if place[0] in logs}


def _are_unlike(one: set[str], other: set[str]) -> bool:
    return len(one & other) < _ALIKE * min(len(one), len(other))
