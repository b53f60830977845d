"""The whole history of a project as text: what a session start has no room for."""

from __future__ import annotations

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.events import event
from progress_plugin.log.history import everything
from progress_plugin.log.supplements import effective
from progress_plugin.summary.merged_story_status import merge
from progress_plugin.summary.start_context import full_log_lines
from progress_plugin.usecases.recording.shared_arrivals import take_in_latest
from progress_plugin.usecases.summarizing.gather import OUR_LOG, gather
from progress_plugin.usecases.summarizing.sources import read_sources


def whole_log(project: Project) -> list[str]:
    """Return every entry of our log, its archive and the agents' own logs, newest first, after all learnings.

    Empty where nothing was ever recorded. Raises BadInput where something else than a file is in the place
    of the log.
    """
    take_in_latest(project)
    sources = read_sources(project, InputSnapshot(project.root))
    facts = gather(sources)
    own = effective(everything(project.log_directory), sources.log.index.hidden)
    told = [event(entry, OUR_LOG, position) for position, entry in enumerate(own, start=1)]
    events = merge([*(log.events for log in sources.logs), told])
    return full_log_lines(facts._replace(events=tuple(events)), len(facts.learnings))
