"""Sort chosen statements into the groups of Key Learnings, with the names that gather several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.agent_logs.sections import TEACHING
from progress_plugin.model.work import LearningKind, Line, Statement
from progress_plugin.selection.merge import group_by_topic
from progress_plugin.summary.own_log import PATH
from progress_plugin.summary.shown_text import safe_line

Group = Literal["patterns", "gotchas", "dependencies"]

MIN_FOR_TOPICS = 6  # a shorter group is read at once
_GROUP_OF_KIND: dict[LearningKind, Group] = {
    LearningKind.PATTERN: "patterns",
    LearningKind.GOTCHA: "gotchas",
    LearningKind.DEPENDENCY: "dependencies",
}


class Topic(NamedTuple):
    """Lines below one name of the project; those without one have an empty label."""

    label: str
    lines: tuple[Line, ...]

    @property
    def texts(self) -> list[str]:
        """The texts of the lines."""
        return [line.text for line in self.lines]


def is_taught(statement: Statement, taught: frozenset[tuple[str, int]]) -> bool:
    """Return whether a statement has a learning in it; in our own log its section says so."""
    source = statement.source
    is_learning = any((source.path, line) in taught for line in source.lines())
    return is_learning or (source.path == PATH and statement.section in (*TEACHING, "decision"))


def group_learnings(chosen: Sequence[Statement]) -> dict[Group, list[Topic]]:
    """Return the topics of each group, empty ones too."""
    groups: dict[Group, list[Statement]] = {group: [] for group in _GROUP_OF_KIND.values()}
    for statement in chosen:
        groups[group_of(statement)].append(statement)
    return {name: _topics(statements) for name, statements in groups.items()}


def group_of(statement: Statement) -> Group:
    """Return the group in which a learning is shown."""
    return _GROUP_OF_KIND[kind_of(statement)]


def _topics(statements: Sequence[Statement]) -> list[Topic]:
    is_long = len(statements) >= MIN_FOR_TOPICS
    topics = group_by_topic(statements) if is_long else [("", list(statements))]
    return [
        Topic(safe_line(label).text, tuple(safe_line(each.text, each.source) for each in some))
        for label, some in topics
        if some
    ]
