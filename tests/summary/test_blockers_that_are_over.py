"""What a blocker said that is over is told as past, or not at all."""

from __future__ import annotations

from progress_plugin.model.event import Event, PlannedAs
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.plans.plan_and_story_identity import title_mark
from progress_plugin.summary.summary_input import Facts, OpenBlocker
from tests.summary.test_summary_build import readings, summary

PLAN = Plan(
    path="prd.json",
    format="prd",
    stories=(
        Story(id="US-002", title="Ring when the tea is ready", status=Status.DONE, position=0),
        Story(id="US-003", title="Read teas from a file", status=Status.PENDING, position=1),
    ),
)


def _entry(number: int, kind: str, status: Status, words: str, **fields: object) -> Event:
    given = {
        "stories": ("US-002",),
        "title": words,
        "status": status,
        "type": kind,
        "source": "progress.json",
        "position": number,
        "when": f"2026-03-0{number}T10:00:00Z",
        "details": (words,),
        "said": 1,
        "entry": f"e{number}",
    }
    return Event(**{**given, **fields})  # type: ignore[arg-type]


BLOCKED = _entry(1, "task_blocked", Status.BLOCKED, "The bell cannot be heard over ssh")
MENDED = _entry(2, "debug_resolved", Status.ACTIVE, "The bell rings over ssh")


OPEN = OpenBlocker(id="e1", label="US-003", issue="No tea", story="US-003", when="2026-03-01T10:00:00Z")


def _told(*events: Event, blockers: tuple[OpenBlocker, ...] = ()) -> list[str]:
    facts = Facts(name="brew", lead=PLAN, events=events, readings=readings(*events), blockers=blockers)
    return summary(facts).split("\n")


def test_a_blocker_that_is_over_is_no_fact_below_its_story() -> None:
    told = _told(BLOCKED, MENDED)
    assert "- Fixed: The bell rings over ssh" in told
    assert "- Was blocked, no longer: The bell cannot be heard over ssh" in told
    assert "- The bell cannot be heard over ssh" not in told


def test_one_that_is_open_is_told_as_it_was_said() -> None:
    pending = _entry(1, "task_blocked", Status.BLOCKED, "No tea", stories=("US-003",))
    told = _told(pending, blockers=(OPEN,))
    assert [line for line in told if "no longer" in line] == []
    assert "- US-003: Read teas from a file (since 2026-03-01 10:00) - No tea" in told


def test_one_of_a_story_that_this_branch_lacks_is_no_heading_with_nothing_below() -> None:
    near = tuple((story.id, title_mark(story.title)) for story in PLAN.stories)
    planned = PlannedAs("prd.json", "p1", None, "No bell on the notifier", near)
    foreign = {"stories": ("N-2",), "title": "No bell on the notifier", "planned": planned}
    over = _entry(3, "task_blocked", Status.BLOCKED, "", details=(), said=0, **foreign)
    assert [line for line in _told(MENDED, over) if "notifier" in line] == []
    at_work = _entry(3, "scope_override", Status.ACTIVE, "Rings twice now", **foreign)
    told = _told(MENDED, at_work)
    heading = told.index("### N-2: No bell on the notifier (other work)")
    assert told[heading + 2] == "- Rings twice now"
