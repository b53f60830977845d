"""The order of edits and checks in a session: what it takes to say which check proves what."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from progress_plugin.log.timestamp import moment
from progress_plugin.sources.names import is_plan_or_log

ASKED, WROTE, RAN = "asked", "wrote", "ran"
ANY_FILE = "*"
"""What was edited where the transcript does not say which file."""
_KEPT = 160
_BEHIND = 1e-5
"""Seconds between what one command line did first and next: it has one time."""


class Step(NamedTuple):
    """A request, an edit or the run of a check."""

    kind: str
    when: float
    """Seconds since 1970."""
    what: str = ""
    """The file, relative to the project's root, or the name of the check."""
    passed: bool | None = None
    """How the check ended; None where the transcript does not tell."""
    agent: str = ""
    """Which sub-agent did it; empty for the main one."""


class Timeline:
    """The newest steps of a session. Those of sub-agents are read later than they happened.

    What was kept is taken apart when it is asked for: a start reads a hundred records, and needs hardly one.
    """

    __slots__ = ("_kept", "_latest", "_since", "_steps")

    def __init__(self, kept: Any = None) -> None:
        self._kept = kept
        """What `as_json` gave, until somebody asks for the steps."""
        self._steps: list[Step] = []
        self._since = 0.0
        self._latest = 0.0

    @property
    def steps(self) -> list[Step]:
        """The steps in the order in which they were read."""
        self._take_apart()
        return self._steps

    @property
    def since(self) -> float:
        """From when on nothing is missing; 0 where nothing was left out."""
        self._take_apart()
        return self._since

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

        An edit of a plan or log is none: no check is outdated by it. `behind` is how many checks the same
        command line ran before.
        """
        if kind == WROTE and is_plan_or_log(what):
            return
        steps, found = self.steps, moment(when)
        self._latest = found.timestamp() if found is not None else self._latest
        step = Step(kind, self._latest + behind * _BEHIND, what, passed, agent)
        if kind == WROTE and self._repeats(step):
            steps[-1] = step  # of edits in a row the first and the last one tell
        else:
            steps.append(step)
        if len(steps) > _KEPT:
            steps.sort(key=lambda each: each.when)
            self._since = max(self._since, steps.pop(0).when)

    def ordered(self) -> list[Step]:
        """Return the steps in the order in which they happened."""
        return sorted(self.steps, key=lambda each: each.when)

    def beside(self, others: Iterable[Step]) -> "Timeline":
        """Return a timeline of these steps and those of other sessions."""
        whole = Timeline()
        whole._steps = sorted([*self.steps, *others], key=lambda each: each.when)
        whole._since = self.since
        return whole

    def as_json(self) -> Any:
        """Return what a later process makes a timeline of."""
        if self._kept is not None:
            return self._kept
        return {"since": self._since, "steps": [list(each) for each in self._steps]}

    def _take_apart(self) -> None:
        kept, self._kept = self._kept, None
        if kept is None:
            return
        try:
            self._steps = [Step(str(kind), float(when), *rest) for kind, when, *rest in kept["steps"]]
            self._since = float(kept["since"])
        except (TypeError, ValueError, KeyError):
            self._steps, self._since = [], math.inf  # nothing is known of it, so nothing is claimed
        self._latest = max((step.when for step in self._steps), default=0.0)

    def _repeats(self, step: Step) -> bool:
        return len(self._steps) > 1 and all(
            (each.kind, each.what, each.agent) == (WROTE, step.what, step.agent) for each in self._steps[-2:]
        )
