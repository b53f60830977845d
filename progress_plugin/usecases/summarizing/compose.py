"""From sources to the summary and what of it an agent gets; nothing is written here."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.config.settings import Settings
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.errors import BadInput
from progress_plugin.core.memo import Memo
from progress_plugin.core.start_cache import StartCache
from progress_plugin.learnings.topics import FEWEST_SHOWN, Topic, topics
from progress_plugin.model.learning import Learning
from progress_plugin.summary import budget
from progress_plugin.summary.build import build
from progress_plugin.summary.line_of_history import status_line, user_line
from progress_plugin.summary.merged_story_status import StoryHistory, read_history
from progress_plugin.summary.next_work import NextWork, concern, next_work
from progress_plugin.summary.render import TEMPLATE, Group, render, render_project_template
from progress_plugin.summary.start_context import ROOM, context, escaped_length, full_log, head
from progress_plugin.summary.summary_candidate import EARLIER, ENDS, RECENT, SummaryCandidate
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.templates import TEMPLATES
from progress_plugin.summary.tokens import estimate
from progress_plugin.summary.unfinished_ends import left_open
from progress_plugin.summary.view_model import Content
from progress_plugin.text.decode import decode
from progress_plugin.text.section_names import TEACHING
from progress_plugin.usecases.summarizing.file_notes import begins
from progress_plugin.usecases.summarizing.gather import gather
from progress_plugin.usecases.summarizing.last_session import told_session
from progress_plugin.usecases.summarizing.project_name import project_names
from progress_plugin.usecases.summarizing.sources import Sources

OWN_TEMPLATE = f"{DATA_DIRECTORY}/templates/{TEMPLATE}"


_TRIES = 4
"""Times that a summary is fitted, at most: nearly always once."""
_AN_ITEM = 20
"""Tokens of a short item: what is left out is left out as a whole."""
_A_LINE = "- one more item of the usual length for which there is room in tokens, and in characters, too\n"
_TO_SPARE = 5
"""Tokens that are left alone where what was left is used: what is added may be told in other words."""


class Composed(NamedTuple):
    """A summary with everything it was made from."""

    sources: Sources
    facts: Facts
    history: StoryHistory
    content: Content
    """What fitted, as it was rendered."""
    text: str
    """The summary, Markdown."""
    context: str
    """What a session start injects; empty where nothing is to be injected."""
    user_line: str
    status_line: str
    chosen: Sequence[Learning] = ()
    """The learnings that might be told, as `Content.ranks_told` counts them."""
    left_open: Sequence[str] = ()
    """The unfinished ends that are told while there is room."""
    unwritten: str = ""
    """Why the summary was not written, where it should have been; empty else."""

    @property
    def tokens_before(self) -> int:
        """Estimate for the sources an agent would have to read otherwise."""
        return self.facts.source_tokens

    @property
    def tokens_after(self) -> int:
        """Estimate for the summary."""
        return estimate(self.text)

    @property
    def stated(self) -> list[Learning]:
        """The learnings that the summary tells, in its words or others.

        Where a setting limits them, or the whole log is injected, that is looked up in the text: a limit
        counts learnings, and what they say may stand below a story.
        """
        settings = self.sources.settings
        if settings.max_learnings is None and settings.summary_enabled:
            return [self.chosen[rank] for rank in self.content.ranks_told]
        return [each for each in self.facts.learnings if begins(each.text) in self.context]

    def start_cache(self, learning_ids: Iterable[str] = ()) -> StartCache:
        """Return what the next start prints as long as nothing changes."""
        name = project_names(self.sources)[0]
        inputs = self.sources.inputs
        return StartCache(inputs, self.context, self.user_line, self.status_line, name, list(learning_ids))


def compose(sources: Sources, settings: Settings) -> Composed:
    """Return the summary of what was read, under these settings."""
    facts = gather(sources)
    history = read_history(facts)
    chosen = _may_be_told(facts, settings)
    work = next_work(facts, history)
    whole, offered = _built(sources, settings, facts, history, chosen, work)
    content, text = _fitted(sources, settings, facts, work, whole, offered)
    return Composed(
        sources=sources,
        facts=facts,
        history=history,
        content=content,
        text=text,
        context=_context(sources, facts, history, settings, content, text),
        user_line=_user_line(sources, facts, history, work) if settings.inject else "",
        status_line=status_line(facts, history, work),
        chosen=chosen,
        left_open=left_open(offered),
    )


def left_open_of(sources: Sources, facts: Facts, history: StoryHistory) -> list[str]:
    """Return the unfinished ends that the summary of these facts tells."""
    settings = sources.settings
    return left_open(_built(sources, settings, facts, history, _may_be_told(facts, settings))[1])


def _built(  # noqa: PLR0913, PLR0917 - what a summary is made of
    sources: Sources,
    settings: Settings,
    facts: Facts,
    history: StoryHistory,
    chosen: Sequence[Learning],
    work: NextWork | None = None,
) -> tuple[Content, list[SummaryCandidate]]:
    """Return what there is to tell, and what of it may be told under these settings."""
    whole, offered = build(
        facts,
        history,
        recent=settings.recent_stories_count,
        chosen=chosen,
        tells_learnings=settings.max_learnings != 0,
        memo=sources.answers,
        work=work,
    )
    return whole, offered if settings.max_learnings is None else [*_limited(offered, chosen)]


def _fitted(  # noqa: PLR0913, PLR0917 - what a summary is made of
    sources: Sources,
    settings: Settings,
    facts: Facts,
    work: NextWork,
    whole: Content,
    offered: Sequence[SummaryCandidate],
) -> tuple[Content, str]:
    """Return what fits, and its text: what is in every summary is measured as it is rendered."""
    limit = budget.limit(facts.source_tokens, settings.max_context_tokens)
    frame = estimate(rendered(sources, budget.bare(whole))[1])
    fitting: tuple[Content, str] | None = None
    prepared: budget.Fittings = {}
    escapes = 0
    for _ in range(_TRIES):
        content = budget.fit(
            whole,
            offered,
            limit,
            budget.section_order(settings.prioritize),
            loaded=facts.loaded,
            concern=concern(work),
            archive_only=facts.archive_only,
            frame=frame,
            escapes=escapes,
            memo=sources.answers,
            prepared=prepared,
        )
        content, text = rendered(sources, content)
        left = limit - estimate(text)
        beyond = _beyond_the_cap(content, text)
        excess = max(-left, estimate(text) * beyond // ROOM + _AN_ITEM if beyond else 0)
        if frame > limit:
            break
        if beyond:
            escapes += beyond + len(_A_LINE)
        if excess > 0 and fitting:
            frame += max(excess, _AN_ITEM // 2)  # one item more was too much, or one of two
        elif excess > 0:
            frame += excess  # a template that says more of each item than ours, or many labels of topics
        elif fitting or left < _AN_ITEM or _beyond_the_cap(content, text + _A_LINE):
            fitting = content, text
            break
        else:
            fitting = content, text
            frame -= left - _TO_SPARE  # there was less to be said of what is left out than room was kept for
    return fitting or (content, text)


def _beyond_the_cap(content: Content, text: str) -> int:
    """Return how many characters a summary has beyond what a client takes: its end would be cut."""
    return max(escaped_length(head(content.name) + text) - ROOM, 0)


def _limited(offered: Iterable[SummaryCandidate], chosen: Sequence[Learning]) -> Iterator[SummaryCandidate]:
    """Yield what is offered without what teaches anything else than the learnings that may be shown.

    Of a passage that joins several learnings these are offered one by one. Where none may be shown, nothing
    is left but what is offered for the status and below the last stories.
    """
    for offer in offered:
        joins = offer.passage is not None and offer.passage.last > offer.passage.line
        if offer.ranks and joins:
            yield from (
                offer._replace(text=chosen[rank].text, learning=chosen[rank], ranks=(rank,), passage=None)
                for rank in offer.ranks
            )
        elif offer.ranks or _tells_work(offer, with_earlier=bool(chosen)):
            yield offer


def _tells_work(offer: SummaryCandidate, *, with_earlier: bool) -> bool:
    """Return whether a statement is of the status or of work, and teaches nothing."""
    is_work = offer.section in (RECENT, ENDS) or (with_earlier and offer.section == EARLIER)
    return is_work and not (offer.passage and offer.passage.section in TEACHING)


def _may_be_told(facts: Facts, settings: Settings) -> Sequence[Learning]:
    """Return the learnings that may be shown: all, the newest first, where no setting limits them."""
    if settings.max_learnings is None:
        return facts.learnings[::-1]
    from progress_plugin.learnings.max_learnings import choose_learnings  # noqa: PLC0415 - hardly a project sets it

    return choose_learnings(facts.learnings, settings.max_learnings).shown


def _user_line(sources: Sources, facts: Facts, history: StoryHistory, work: NextWork) -> str:
    """Return the line for the user; a history that is gone is the first thing to know."""
    line = user_line(facts, history, work)
    return f"{line or 'progress: no log'}; {sources.vanished}" if sources.vanished else line


def _context(  # noqa: PLR0913, PLR0917 - what a context is made of
    sources: Sources, facts: Facts, history: StoryHistory, settings: Settings, content: Content, text: str
) -> str:
    """Return what an agent gets: a start, `context` and all that speaks of it take it from here."""
    session = told_session(sources, facts, history) if settings.inject else ""
    if not settings.inject:
        return ""
    if sources.is_empty and not facts.problems:
        return _alone(session) if session and sources.project.has_directory else ""
    whole = context(text, name=content.name) if settings.summary_enabled else full_log(facts)
    if not session:
        return whole
    from progress_plugin.transcripts.session_section import with_session  # noqa: PLC0415 - where there was one

    return with_session(whole, session)


def _alone(session: str) -> str:
    """Return what is told without plan and log: the session, and no summary of nothing."""
    from progress_plugin.transcripts.session_section import HEAD  # noqa: PLC0415 - where there was one

    return HEAD + session


def rendered(sources: Sources, content: Content) -> tuple[Content, str]:
    """Render by the project's own template, or by ours with a note if there is none that works."""
    sources.inputs.read_users(os.path.join(TEMPLATES, TEMPLATE))  # a changed template makes a new summary
    own = sources.inputs.read(OWN_TEMPLATE)
    group = topics_of(content, sources.answers)
    if own is None:
        return content, render(content, group)
    # A summary is rendered several times until it fits: a template that failed once is not tried again.
    fault = next((each for each in sources.problems if each.startswith(f"{OWN_TEMPLATE}: ")), None)
    if fault is None:
        try:
            return content, render_project_template(content, group, decode(own, OWN_TEMPLATE))
        except BadInput as error:
            fault = f"{OWN_TEMPLATE}: {error}; the template that comes with the plugin is used"
            sources.problems.append(fault)
    content = content._replace(notes=list(dict.fromkeys([*content.notes, f"Not read: {fault}"])))
    return content, render(content, group)


def topics_of(content: Content, memo: Memo | None = None) -> Group:
    """Return how the learnings shown are grouped: by topic where there are enough of them.

    `memo` as for `topics`.
    """
    if len(content.patterns) + len(content.gotchas) + len(content.dependencies) >= FEWEST_SHOWN:
        return lambda learnings: topics(learnings, content.name, memo)
    return lambda learnings: [Topic(None, tuple(learnings))] if learnings else []
