"""What a session's transcript proves of a task that was called done.

A check proves something if it began after the last edit of the task's files. We run nothing ourselves.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from progress_plugin.text.safe_output import item
from progress_plugin.transcripts.checks import covers
from progress_plugin.transcripts.timeline import ASKED, RAN, WROTE, Step, Timeline

VERIFIED, FAILED, UNKNOWN, STALE, UNCHECKED = "verified", "failed", "unknown", "stale", "unchecked"
_PROSE = (".md", ".mdx", ".rst", ".adoc")  # no check has to be repeated for these
_MAX_NAMED, _MAX_NAME_CHARS, _MAX_FILES = 3, 50, 20
_SECOND = 0.999  # entries are dated to the second, so an edit within it came before


class Completion(NamedTuple):
    """When a task was called done in a session, and what is known of it besides."""

    when: float  # seconds since 1970, without a fraction
    files: tuple[str, ...] = ()  # those that a commit or the entry names


class Evidence(NamedTuple):
    """What is known of the checks of a completed task."""

    state: str  # `verified`, `failed`, `unknown` result, `stale` (before the last edit), `unchecked`
    checks: tuple[str, ...] = ()  # the checks that show it
    agent: str = ""  # the sub-agent that ran them; empty for the main one
    files: tuple[str, ...] = ()  # what was written for the task, as far as the transcript shows it

    @property
    def is_proof(self) -> bool:
        """Whether a check passed after the last edit, and none failed."""
        return self.state == VERIFIED

    def words(self) -> str:
        """Return it as it is shown: `verified: pytest passed`."""
        names = ", ".join(item(name, _MAX_NAME_CHARS) for name in self.checks[:_MAX_NAMED])
        by = f" (by {item(self.agent, _MAX_NAME_CHARS)})" if self.agent else ""
        return {
            VERIFIED: f"verified: {names} passed{by}",
            FAILED: f"claimed, {names} failed{by}",
            UNKNOWN: f"claimed, {names} ran, its result is not known{by}",
            STALE: f"claimed, {names} ran before the last edit only{by}",
            UNCHECKED: "claimed, no check seen",
        }[self.state]


def evidence_of(timeline: Timeline, done: Completion, others: Iterable[float] = ()) -> Evidence | None:
    """Return what a session proves of one completion; None if its beginning is no longer known.

    `others` are the times of the session's other completions: what lies between two of them belongs to one.
    """
    steps, others = timeline.ordered(), list(others)
    now = done.when + _SECOND
    earlier = max((other for other in others if other < done.when), default=-math.inf)
    before = earlier + _SECOND
    if timeline.since > max(before, 0.0) and not any(step.when <= now for step in steps):
        return None
    own = _own_files(steps, done, before, now)
    edits = [place for place, step in enumerate(steps) if step.kind == WROTE and step.what in own]
    first = next((place for place, step in enumerate(steps) if step.when > before), len(steps))
    last = max((place for place in edits if steps[place].when <= now), default=first - 1)
    found, until = _verdict_until_edit(steps[last + 1 :], now), now
    if found.state != VERIFIED:
        # It may have been mended and checked after it was called done, before the next request or task.
        next_ones = [step.when for step in steps if step.kind == ASKED and step.when > now]
        end = min([other for other in others if other > done.when] + next_ones, default=math.inf)
        mended = max((place for place in edits if now < steps[place].when <= end), default=-1)
        later = _verdict_until_edit(steps[mended + 1 :], end) if mended >= 0 else found
        found, until = (later, end) if later.state != UNCHECKED else (found, now)
    if found.state == UNCHECKED:
        runs = [step for step in steps if step.kind == RAN and before < step.when <= now]
        failed = _verdict(runs)
        found = failed if failed.state == FAILED else _verdict(runs[-1:])
        found = found if found.state == UNCHECKED else found._replace(state=STALE)
    elif found.state == VERIFIED:
        # A check that failed before the last edit, and never ran again, is not mended by another one. What
        # ran in the second of the completion before may have run behind it.
        whole = _verdict_until_edit([step for step in steps if step.when >= earlier], until)
        found = whole._replace(state=STALE) if whole.state == FAILED else found
    return found._replace(files=tuple(sorted(own))[:_MAX_FILES])


def last_edit(timeline: Timeline) -> float:
    """Return when a check was last made outdated, in seconds since 1970; 0 if nothing was edited."""
    return max((step.when for step in timeline.steps if _outdates(step)), default=0.0)


def is_outdated(timeline: Timeline, name: str) -> bool:
    """Return whether something was edited after the last run of a check."""
    steps = timeline.ordered()
    runs = [place for place, step in enumerate(steps) if step.kind == RAN and step.what == name]
    return bool(runs) and any(map(_outdates, steps[runs[-1] :]))


def _outdates(step: Step) -> bool:
    return step.kind == WROTE and not step.what.lower().endswith(_PROSE)


def _own_files(steps: Sequence[Step], done: Completion, before: float, now: float) -> Collection[str]:
    """Return the files of a task: those that were named, else those written since the completion before."""
    written = [step for step in steps if step.kind == WROTE and step.when <= now]
    own = (
        {step.what for step in written if step.what in done.files}
        or {step.what for step in written if step.when > before}
        or {step.what for step in written}
    )
    return {path for path in own if not path.lower().endswith(_PROSE)} or own


def _verdict_until_edit(steps: Sequence[Step], now: float) -> Evidence:
    """Return what the checks of these steps show, up to the first edit after `now`."""
    ends = (place for place, step in enumerate(steps) if step.when > now and _outdates(step))
    return _verdict([step for step in steps[: next(ends, len(steps))] if step.kind == RAN])


def _verdict(runs: Sequence[Step]) -> Evidence:
    """Return what the last run of each check shows; a failure counts first."""
    last: dict[str, Step] = {}
    for run in runs:
        included = [name for name in last if run.passed and covers(run.what, name)]
        for name in [*included, run.what]:
            last.pop(name, None)
        last[run.what] = run
    for state, passed in ((FAILED, False), (VERIFIED, True), (UNKNOWN, None)):
        found = [run for run in reversed(last.values()) if run.passed is passed]
        if found:
            agents = {run.agent for run in found}
            agent = agents.pop() if len(agents) == 1 else ""
            return Evidence(state, tuple(run.what for run in found), agent)
    return Evidence(UNCHECKED)
