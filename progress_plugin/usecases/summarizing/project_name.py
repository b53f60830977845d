"""What a project is called, and under which names its progress document may be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from progress_plugin.text.safe_output import one_line

if TYPE_CHECKING:
    from progress_plugin.usecases.summarizing.sources import Sources

LONGEST_NAME = 100
"""Characters of a project's name."""


def project_name(sources: Sources) -> str:
    """Return the project's one name: configured, the plan's, the repository's, the directory's.

    It is a key, and agents see it: so it is one harmless line of bounded length from the beginning.
    """
    return one_line(_given_name(sources), LONGEST_NAME) or "project"


def project_names(sources: Sources) -> tuple[str, ...]:
    """Return the names that a progress document may be kept under: ours, the plan's, the repository's.

    The last are as they were spelt, under which an earlier version kept it.
    """
    plan = (sources.lead.name if sources.lead else None) or ""
    shown = (project_name(sources), one_line(plan, LONGEST_NAME), sources.project.repository_name())
    # A plan can spell half a character.
    spelt = (name.encode("utf-8", "replace").decode() for name in (*shown, _given_name(sources), plan))
    return tuple(dict.fromkeys(name for name in spelt if name))


def _given_name(sources: Sources) -> str:
    plan = sources.lead.name if sources.lead else None
    return sources.settings.project or plan or sources.project.repository_name()
