"""Sort chosen statements into the groups of Key Learnings, and within a group by topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.agent_logs.learnings import kind_of
from progress_plugin.agent_logs.sections import TEACHING
from progress_plugin.model.work import LEARNING_GROUPS, Line, Statement
from progress_plugin.selection.merge import group_by_topic
from progress_plugin.summary.own_log import PATH
from progress_plugin.summary.shown_text import safe_line


class Topic(NamedTuple):
    """The lines that name the same file or code, which is the label; or, without a label, all other lines."""

    label: str
    lines: tuple[Line, ...]


def is_learning(statement: Statement, places: frozenset[tuple[str, int]]) -> bool:
    """Return whether a statement is a learning: by its place, or in our own log by its section."""
    source = statement.source
    is_at_place = any((source.path, line) in places for line in source.lines())
    return is_at_place or (source.path == PATH and statement.section in (*TEACHING, "decision"))


def group_learnings(chosen: Sequence[Statement]) -> dict[str, list[Topic]]:
    """Return the topics of each group by its name, empty ones too."""
    groups: dict[str, list[Statement]] = {group.name: [] for group in LEARNING_GROUPS.values()}
    for statement in chosen:
        groups[group_of(statement)].append(statement)
    return {name: _topics(statements) for name, statements in groups.items()}


def group_of(statement: Statement) -> str:
    return LEARNING_GROUPS[kind_of(statement)].name


def _topics(statements: Sequence[Statement]) -> list[Topic]:
    return [
        Topic(safe_line(label).text, tuple(safe_line(each.text, each.source) for each in some))
        for label, some in group_by_topic(statements)
    ]
