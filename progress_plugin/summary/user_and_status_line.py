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
    state = facts.state
    work = state.current or state.next
    parts = [
        f"{state.done}/{state.total}" if state.total else "",
        f"{short_name(work)} {'in progress' if work.status is Status.ACTIVE else 'next'}" if work else "",
        counted(len(state.blocked), "blocker") if state.blocked else "",
        PLAN_NOT_READ if has_unreadable_plan(facts) else "",
    ]
    return f"progress: {', '.join(filter(None, parts))}" if any(parts) else ""


def status_line(facts: Facts) -> str:
    """Return `US-013 12/14 ▓▓▓▓▓▓░░ !1`: current item, completion, blockers; empty if nothing is known."""
    state = facts.state
    work, done, total = state.current or state.next, state.done or 0, state.total
    completion = bar(done, total, BAR_CELLS) if total else ""
    parts = [
        short_name(work) if work else "",
        f"{done}/{total}" if total else "",
        PLAN_NOT_READ if has_unreadable_plan(facts) else completion,
        f"!{len(state.blocked)}" if state.blocked else "",
    ]
    return " ".join(filter(None, parts))


def short_name(work: Work) -> str:
    return one_line((work.item.id if work.item else None) or work.text, MAX_NAME_CHARS)


def has_unreadable_plan(facts: Facts) -> bool:
    """Return whether a plan cannot be read: then the total is unknown."""
    return any(file.is_unreadable and file.kind == "plan" for file in facts.files)


def bar(done: int, total: int, cells: int) -> str:
    """Return a bar of so many cells; it is full only if all is done, empty only if nothing is done."""
    filled = max(done * cells // total, min(done, 1)) if total else 0
    return "▓" * filled + "░" * (cells - filled)
