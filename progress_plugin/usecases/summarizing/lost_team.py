"""Whether this clone has silently stopped to take part in its team's server, for `status` and starts (S20.4).

A clone that is restored from a backup, or cloned anew at its place, keeps nothing that says it takes part:
the state is bound to marks that no copy has. What is known of its path is in `log.writer_identity`.
"""

from __future__ import annotations

import os

from progress_plugin.core.directories import user_data
from progress_plugin.core.project import Project


def lost_team(project: Project) -> str | None:
    """Return a line where it is so; None where it takes part, never did, or has left."""
    data = user_data()
    # Next to nobody has a name for a clone: they pay one look, and load nothing.
    if data is None or not os.path.isdir(os.path.join(data, "writers")):
        return None
    from progress_plugin.log.team_standing import NO_PART, lost_its_part  # noqa: PLC0415 - as above

    return NO_PART if lost_its_part(project) else None
