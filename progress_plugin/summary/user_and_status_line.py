"""The lines a person sees while an agent works: at a session start, and below the prompt."""

from __future__ import annotations

from progress_plugin.model.status import Status
from progress_plugin.state.state import Work
from progress_plugin.summary.project_facts import Facts
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line

BAR_CELLS = 8
MAX_NAME_CHARS = 60
PLAN_NOT_READ = "plan not read"  # the start context names the file


def user_line(facts: Facts) -> str:
    """Return `progress: 12/14, US-013 next, 1 blocker`; empty if nothing is known."""
    state, parts = facts.state, []
    if state.total:
        parts.append(f"{state.done}/{state.total}")
    work = state.current or state.next
    if work is not None:
        parts.append(f"{short_name(work)} {'in progress' if work.status is Status.ACTIVE else 'next'}")
    if state.blocked:
        parts.append(counted(len(state.blocked), "blocker"))
    if has_unreadable_plan(facts):
        parts.append(PLAN_NOT_READ)
    return f"progress: {', '.join(parts)}" if parts else ""


def status_line(facts: Facts) -> str:
    """Return `US-013 12/14 ▓▓▓▓▓▓░░ !1`: current item, completion, blockers; empty if nothing is known."""
    state, parts = facts.state, []
    work = state.current or state.next
    if work is not None:
        parts.append(short_name(work))
    if state.total and state.done is not None:
        parts.append(f"{state.done}/{state.total}")
    if has_unreadable_plan(facts):
        parts.append(PLAN_NOT_READ)
    elif state.total and state.done is not None:
        parts.append(bar(state.done, state.total, BAR_CELLS))
    if state.blocked:
        parts.append(f"!{len(state.blocked)}")
    return " ".join(parts)


def short_name(work: Work) -> str:
    """Return the id of an item, else the text of the work, shortened."""
    return one_line((work.item.id if work.item else None) or work.text, MAX_NAME_CHARS)


def has_unreadable_plan(facts: Facts) -> bool:
    """Return whether a plan was found that cannot be read, so that the total is unknown."""
    return any(file.is_unreadable and file.kind == "plan" for file in facts.files)


def bar(done: int, total: int, cells: int) -> str:
    """Return a bar of so many cells; full only if all is done, empty only if nothing is."""
    filled = done * cells // total if total else 0
    if done and not filled:
        filled = 1
    return "▓" * filled + "░" * (cells - filled)
