"""Compose the summary of a reading, and the context, user line and status line of the start cache."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from progress_plugin.config.settings import Settings
from progress_plugin.core.data_directory import DATA_DIRECTORY
from progress_plugin.core.environment import PLUGIN_ROOT
from progress_plugin.core.errors import BadInput
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import StartCache
from progress_plugin.log.store import LOG_FILE
from progress_plugin.summary.full_log import full_log
from progress_plugin.summary.make_summary import Summary, make_summary
from progress_plugin.summary.project_facts import source_paths
from progress_plugin.summary.render_markdown import TEMPLATE, render_project_template, render_summary
from progress_plugin.summary.session_section import HEAD, with_session
from progress_plugin.summary.start_context import ROOM, cut, escaped_length, intro
from progress_plugin.summary.user_and_status_line import status_line, user_line
from progress_plugin.text.bounds import estimate_tokens
from progress_plugin.text.decode import decode_lenient
from progress_plugin.usecases.last_session import describe_sessions, last_session_section
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.sharing import read_current

PROJECT_TEMPLATE = f"{DATA_DIRECTORY}/templates/{TEMPLATE}"
SUMMARY_BASE_TOKENS = 350
SUMMARY_SOURCE_RATIO = 0.25  # tokens of a summary per token of its sources, added to the base
CHARS_PER_TOKEN = 4  # to convert the excess of a summary that is too long


class Composed(NamedTuple):
    """A summary with its reading, the start cache and estimates of its size."""

    reading: Reading
    summary: Summary
    cache: StartCache  # the output of the next start, valid until an input changes
    source_paths: list[str]  # of plans and logs, relative to the root; `mem_progress` for the document
    tokens_before: int  # estimate for these sources, which an agent would have to read otherwise
    tokens_after: int  # estimate for the summary
    unwritten: str = ""  # why the summary was not written; empty if it was


def compose_for_this_call(project: Project) -> Composed:
    """Compose with the settings of this call's environment; write only imported shared entries."""
    reading = read_current(project)
    return compose(reading, reading.config.effective)


def compose(reading: Reading, settings: Settings) -> Composed:
    """Make the summary of a reading, with these settings."""
    facts = reading.facts
    own, log_path = facts.own.log.path, os.path.join(reading.project.log_directory, LOG_FILE)
    paths = source_paths(facts)
    places = [log_path if path == own else path for path in paths]
    texts = (decode_lenient(reading.inputs.read(place) or b"", place)[0] for place in places)
    tokens = sum(map(estimate_tokens, texts))
    summary = _make_summary(reading, settings, tokens)
    cache = StartCache(reading.inputs, status_line=status_line(facts), name=facts.name)
    if settings.inject:
        cache.context, cache.user_message = _context(reading, settings, summary), _user_line(reading)
    paths = [f"{DATA_DIRECTORY}/{path}" if path == own else path for path in paths]
    return Composed(reading, summary, cache, paths, tokens, estimate_tokens(summary.text))


def _user_line(reading: Reading) -> str:
    sessions = describe_sessions(reading.sessions) if reading.is_empty else ""
    line = sessions or user_line(reading.facts).removeprefix("progress: ")
    shown = "; ".join(filter(None, (line, reading.lost_history)))
    return f"progress: {shown}" if shown else ""


def _make_summary(reading: Reading, settings: Settings, source_tokens: int) -> Summary:
    """Make the summary: a short one for short sources, and a shorter one if the client would cut it."""
    render = _renderer(reading)
    wanted = SUMMARY_BASE_TOKENS + int(SUMMARY_SOURCE_RATIO * source_tokens)
    room = min(settings.max_context_tokens, wanted)
    room = max(0, room - estimate_tokens(intro(reading.facts.name)))
    summary = make_summary(reading.facts, replace(settings, max_context_tokens=room), render=render)
    excess = escaped_length(intro(reading.facts.name) + summary.text) - ROOM
    if excess > 0:
        room = max(0, room - excess // CHARS_PER_TOKEN)
        summary = make_summary(reading.facts, replace(settings, max_context_tokens=room), render=render)
    return summary


def _renderer(reading: Reading) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that renders with the project's template, or ours if that is missing or faulty."""
    ours = os.path.join(PLUGIN_ROOT, "templates", TEMPLATE)
    reading.inputs.read(ours, None)  # a change makes a new summary
    project_template = reading.inputs.read(PROJECT_TEMPLATE)
    fault = ""

    def render(view: Mapping[str, Any]) -> str:
        nonlocal fault
        if project_template is not None and not fault:
            try:
                return render_project_template(view, decode_lenient(project_template, PROJECT_TEMPLATE)[0])
            except BadInput as error:
                fault = f"{PROJECT_TEMPLATE}: {error}; the template that comes with the plugin is used"
                reading.problems.append(fault)
        return render_summary({**view, "fault": fault})

    return render


def _context(reading: Reading, settings: Settings, summary: Summary) -> str:
    """Return the context for an agent: the summary or the whole log, and the last session."""
    session = last_session_section(reading.sessions, reading.log)
    if reading.is_empty and not reading.problems:
        return HEAD + session if session else ""
    if settings.summary_enabled:
        lost = f"{reading.lost_history}\n\n" if reading.lost_history else ""
        text = cut(intro(reading.facts.name) + lost + summary.text, ROOM)
    else:
        text = full_log(reading.facts)
    return with_session(text, session) if session else text
