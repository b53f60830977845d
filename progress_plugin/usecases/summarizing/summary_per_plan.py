"""The last summary of each plan."""

from __future__ import annotations

import os

from progress_plugin.core import data_directory
from progress_plugin.core.errors import Refused
from progress_plugin.core.project import Project
from progress_plugin.model.story import Plan
from progress_plugin.plans.baseline import identity_of

SUMMARIES = "summaries"
_LONGEST_NAME = 80


def keep_by_plan(project: Project, plan: Plan, summary: str) -> None:
    """Keep the summary at this path under the name of its plan, too: a second name, no second copy.

    The name is for people; the plan's identity behind it keeps plans apart that share a branch or a path.
    """
    named = plan.branch or plan.name or plan.path
    slug = "".join(char if char.isalnum() else "-" for char in named)[:_LONGEST_NAME]
    try:
        folder = data_directory.subfolder(project.directory, SUMMARIES)
        target = os.path.join(folder, f"{slug}-{identity_of(project.root, plan)}.md")
        if os.path.lexists(target):
            os.unlink(target)
        os.link(summary, target)
    except (OSError, Refused):
        # No links on this file system, or no room: the summary itself is written, the copy is a convenience.
        return
