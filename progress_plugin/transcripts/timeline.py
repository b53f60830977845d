"""The requests, edits and check runs of a session in their order: what tells which check proves what."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.log.timestamp import moment
from progress_plugin.sources.names import is_plan_or_log

ASKED, WROTE, RAN = "asked", "wrote", "ran"
MAX_STEPS = 160
_NEXT_S = 1e-5  # between two steps of one command line, which has one time


class Step(NamedTuple):
    """A request, an edit or the run of a check."""

    kind: str
    when: float  # seconds since 1970
    what: str = ""  # the file, relative to the project's root, or the name of the check
    passed: bool | None = None  # how the check ended; None if the transcript does not show it
    agent: str = ""  # the sub-agent that did it; empty for the main one


class Timeline:
    """The newest steps of a session, in the order of reading. Those of sub-agents are read later."""

    def __init__(self, kept: Any = None) -> None:
        self.steps: list[Step] = []
        self.since = 0.0  # the steps are complete from here on; 0 if none was dropped
        self._latest = 0.0
        if kept is not None:
            self._read(kept)

    def add(  # noqa: PLR0913 - the members of a step
        self,
        kind: str,
        when: str,
        what: str = "",
        *,
        passed: bool | None = None,
        agent: str = "",
        behind: int = 0,
    ) -> None:
        """Add a step; one without a time happened when the one before did.

        Edits of plans and logs are left out, because no check has to be repeated for them. `behind` is the
        number of steps of the same command line before this one.
        """
        if kind == WROTE and is_plan_or_log(what):
            return
        found = moment(when)
        self._latest = found.timestamp() if found is not None else self._latest
        step = Step(kind, self._latest + behind * _NEXT_S, what, passed, agent)
        if kind == WROTE and self._repeats(step):
            self.steps[-1] = step  # of edits of one file in a row the first and the last are enough
        else:
            self.steps.append(step)
        if len(self.steps) > MAX_STEPS:
            self.steps = self.ordered()
            self.since = max(self.since, self.steps.pop(0).when)

    def ordered(self) -> list[Step]:
        """Return the steps in the order in which they happened."""
        return sorted(self.steps, key=lambda step: step.when)

    def merged(self, others: Iterable[Step]) -> "Timeline":
        """Return a timeline of these steps and those of other sessions."""
        whole = Timeline()
        whole.steps, whole.since = [*self.steps, *others], self.since
        return whole

    def as_json(self) -> dict[str, Any]:
        """Return what `Timeline` is made of again."""
        return {"since": self.since, "steps": [list(step) for step in self.steps]}

    def _repeats(self, step: Step) -> bool:
        return len(self.steps) > 1 and all(
            (each.kind, each.what, each.agent) == (WROTE, step.what, step.agent) for each in self.steps[-2:]
        )

    def _read(self, kept: Any) -> None:
        try:
            self.steps = [Step(str(kind), float(when), *rest) for kind, when, *rest in kept["steps"]]
            self.since = float(kept["since"])
        except (TypeError, ValueError, KeyError):
            self.steps, self.since = [], math.inf  # nothing is known, so nothing is claimed
        self._latest = max((step.when for step in self.steps), default=0.0)
