"""The section of the last session for the old summary."""

from progress_plugin.summary.merged_story_status import StoryHistory
from progress_plugin.summary.summary_input import Facts
from progress_plugin.usecases.last_session import is_logged, last_session, session_beside
from progress_plugin.usecases.summarizing.sources import Sources


def told_session(sources: Sources, facts: Facts, history: StoryHistory) -> str:
    """Return the section of the last session; empty where there is nothing to tell.

    What earlier ones said last of stories that are blocked or current stands in it, too.
    """
    record = last_session(sources.sessions)
    if record is None:
        return ""
    from progress_plugin.transcripts.session_section import section  # noqa: PLC0415
    from progress_plugin.transcripts.words_on_stories import words_on_stories  # noqa: PLC0415
    from progress_plugin.usecases.summarizing.sessions_at_stories import sessions_of_plan  # noqa: PLC0415

    beside = session_beside(sources.sessions, record)
    earlier = sessions_of_plan(sources.sessions, sources.log.entries, facts.attribution)
    words = words_on_stories(earlier, record, facts, history)
    return section(
        record, running=False, in_log=is_logged(sources.log, record), beside=beside, on_stories=words
    )
