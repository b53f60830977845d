"""The summary, from plain facts to whole texts."""

from __future__ import annotations

from progress_plugin.learnings.topics import topics
from progress_plugin.model.event import Event
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.origin import Cited
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan, Story
from progress_plugin.passages.passage import Form, Passage, Reading
from progress_plugin.summary import budget
from progress_plugin.summary.build import build
from progress_plugin.summary.line_of_history import user_line
from progress_plugin.summary.merged_story_status import merge, read_history
from progress_plugin.summary.render import render
from progress_plugin.summary.story_table import StoryTableRow, ranges
from progress_plugin.summary.summary_input import Facts, LoggedStep, OpenBlocker, WorkDocument
from progress_plugin.text.section_names import SectionKind


def story(number: int, status: Status = Status.DONE, **fields: object) -> Story:
    given = {"id": f"US-{number:03}", "title": f"Story {number}", "status": status, "position": number - 1}
    return Story(**{**given, **fields})  # type: ignore[arg-type]


def event(number: int, position: int | None = None, **fields: object) -> Event:
    given = {
        "stories": (f"US-{number:03}",),
        "title": f"Story {number}",
        "status": Status.DONE,
        "type": "authored",
        "source": "progress.md",
        "position": position or number,
        "when": f"2026-03-{number:02}",
        "details": (f"Built part {number}",),
    }
    return Event(**{**given, **fields})  # type: ignore[arg-type]


def readings(*events: Event) -> tuple[Reading, ...]:
    """Return what the details of these events say, as if they stood in a log of their own."""
    found = [
        Passage(
            text=detail, line=10 * each.position + nth, last=0, source=each.source, form=Form.ITEM, section=SectionKind.WORK,
            label="", lead="", entry=each.position, story=None, when=each.when, nth=nth, depth=1,
        )
        for each in events
        for nth, detail in enumerate(each.details)
    ]  # fmt: skip
    return (Reading(tuple(found), len(events)),)


def summary(facts: Facts, recent: int = 3) -> str:
    history = read_history(facts)
    content, offered = build(facts, history, recent=recent, chosen=facts.learnings)
    kept = budget.fit(content, offered, 2000, budget.section_order(()))
    return render(kept, topics if len(facts.learnings) >= 8 else lambda some: [(None, some)] if some else [])


PLAN = Plan(
    path="prd.json",
    format="prd",
    name="Lighthouse",
    branch="feature/lamp",
    started="2026-03-01T08:00:00Z",
    stories=(
        story(1, attempts=1, agent="keeper"),
        story(2, attempts=2),
        story(3, Status.ACTIVE, attempts=1),
        story(4, Status.BLOCKED, issue="the glass has not arrived"),
        story(5, Status.PENDING, depends_on=("US-003",), waits_for=("US-003",)),
        story(6, Status.PENDING),
        story(7, Status.SKIPPED),
    ),
)

GOLDEN = """\
# Progress Summary: Lighthouse

Branch: feature/lamp
Started: 2026-03-01 08:00
Last updated: 2026-03-02

## Completion Status

Stories: 2/6 complete (33%), 1 skipped
Current: US-003 (attempt 2): Story 3
Blocked:
- US-004: Story 4 - the glass has not arrived
- US-099 (since 2026-03-02 10:30) - no key for the lamp room
Next: US-005: Story 5 (waits for US-003)

## Story Status

| ID | Title | Status | Agent | Attempts |
|---|---|---|---|---|
| US-001 | Story 1 | ✓ | keeper | 1 |
| US-002 | Story 2 | ✓ |  | 2 |
| US-003 | Story 3 | → |  | 1 |
| US-004 | Story 4 | ⊘ |  |  |
| US-005 | Story 5 (waits for US-003) | ○ |  |  |
| US-006 | Story 6 | ○ |  |  |
| US-007 | Story 7 | – |  |  |

✓ complete, → in progress, ○ pending, ⊘ blocked, – skipped

## Key Learnings (Extracted)

### Repository Patterns

- Lamps are lit from the north side

### Gotchas & Warnings

- The bell \\| rings twice

## Recent Context (Last 2 Stories)

### US-002: Story 2 (✓)

- Built part 2
- Files: lamp.py, bell.py

### US-001: Story 1 (✓)

- Built part 1

---
Auto-generated from prd.json, progress.md. Full history preserved in them.
"""


def test_the_whole_summary_reads_as_specified() -> None:
    events = (event(1), event(2, files=("lamp.py", "bell.py")))
    facts = Facts(
        name="Lighthouse",
        branch="feature/lamp",
        started=PLAN.started,
        lead=PLAN,
        events=events,
        readings=readings(*events),
        learnings=(
            Learning(
                kind=LearningKind.PATTERN, text="Lamps are lit from the north side", source="progress.md"
            ),
            Learning(kind=LearningKind.GOTCHA, text="The bell \\| rings twice", source="progress.md"),
        ),
        blockers=(
            OpenBlocker(
                id="e1", label="US-099", issue="no key for the lamp room", when="2026-03-02T10:30:00Z"
            ),
        ),
        sources=("prd.json", "progress.md"),
    )
    assert summary(facts) == GOLDEN
    assert user_line(facts, read_history(facts)) == "progress: 2/6, US-003 in progress, 2 blockers"


def test_an_empty_project_has_the_two_first_sections_and_says_that_nothing_is_learnt() -> None:
    text = summary(Facts(name="empty"))
    assert "Stories: no stories\nBlocked: None\n" in text
    assert "No reusable patterns identified yet" in text
    assert "NaN" not in text
    assert text.count("## ") == 2


def test_percent_is_hundred_only_when_all_is_done() -> None:
    plan = Plan(
        path="prd.json",
        format="prd",
        stories=(*tuple(story(n) for n in range(1, 400)), story(400, Status.PENDING)),
    )
    assert "399/400 complete (99%)" in summary(Facts(name="x", lead=plan))


def test_next_steps_of_the_newest_entry_go_before_the_next_story() -> None:
    assert "\nNext: mend the lamp\n" in summary(
        Facts(name="x", lead=PLAN, next_step=LoggedStep("mend the lamp", None))
    )


def test_recent_stories_are_the_last_worked_on_whatever_their_ids() -> None:
    facts = Facts(name="x", lead=PLAN, events=(event(3, 1), event(1, 2), event(2, 3)))
    text = summary(facts, recent=2)
    assert text.index("### US-002") < text.index("### US-001")
    assert "### US-003" not in text


def test_one_story_told_by_agent_and_machine_stands_once_with_all_facts() -> None:
    ours = event(
        1, type="task_completed", source="progress.json", details=("Built part 1", "tests are green")
    )
    events = (event(1), ours)
    text = summary(Facts(name="x", lead=PLAN, events=events, readings=readings(*events)))
    assert text.count("### US-001") == 1
    assert text.count("Built part 1") == 1
    assert "tests are green" in text


def test_work_that_belongs_to_no_story_gets_no_row_and_one_place_at_most() -> None:
    fix = event(1, stories=(), title="fix lint", details=("semicolons",))
    other = event(2, stories=("US-500",), title="not of this plan")
    text = summary(Facts(name="x", lead=PLAN, events=(fix, other, event(1, 3))))
    assert "fix lint" not in text
    assert "### US-500" not in text
    assert "US-500 |" not in text
    assert "not of this plan (✓)" in text
    assert "Stories: 2/6 complete (33%)" in text


def test_without_a_plan_the_logs_stories_count() -> None:
    events = (event(1), event(2, status=Status.BLOCKED), event(3, stories=(), title="Free title"))
    text = summary(Facts(name="x", events=events))
    assert "Stories: 2/3 complete (67%)" in text
    assert "|  | Free title | ✓ |" in text


def test_sessions_without_id_and_title_are_recent_under_the_line_they_begin_with_and_no_stories() -> None:
    sessions = [
        event(
            0, n, stories=(), title=None, type="authored", label=f"Session {n}", details=(f"Mended sail {n}",)
        )
        for n in (1, 2)
    ]
    text = summary(Facts(name="mill", events=tuple(sessions), readings=readings(*sessions)))
    assert "Stories: none named, 2 entries" in text
    assert text.index("### Session 2 (✓)\n\n- Mended sail 2") < text.index(
        "### Session 1 (✓)\n\n- Mended sail 1"
    )


def test_logs_are_merged_by_date_and_keep_their_own_order() -> None:
    authored = [event(1, 1, when="2026-03-01"), event(2, 2, when=None), event(3, 3, when="2026-03-05")]
    ours = [event(4, 1, when="2026-03-03T10:00:00Z", source="progress.json")]
    assert [each.stories[0] for each in merge([authored, ours])] == ["US-001", "US-002", "US-004", "US-003"]


def test_a_mistyped_year_moves_only_its_own_entry_within_its_log() -> None:
    log = [event(1, 1, when="2026-03-01"), event(2, 2, when="2062-03-02"), event(3, 3, when="2026-03-03")]
    assert [each.stories[0] for each in merge([log])] == ["US-001", "US-002", "US-003"]


def test_the_progress_document_shows_goal_and_next_steps() -> None:
    work = WorkDocument(
        updated="2026-03-09T10:00:00", goal="light the lamp", next_steps=("buy oil",), completed=("wick",)
    )
    text = summary(Facts(name="x", work=work))
    assert "## Work in Progress\n\nGoal: light the lamp\nCompleted:\n- wick\nNext steps:\n- buy oil\n" in text


def test_an_outdated_document_shrinks_to_one_line_with_its_date() -> None:
    work = WorkDocument(
        updated="2026-03-09T10:00:00", goal="light the lamp", next_steps=("buy oil",), outdated=True
    )
    text = summary(Facts(name="x", work=work))
    assert "A progress document of 2026-03-09 10:00 is older than log and plan: light the lamp" in text
    assert "buy oil" not in text


def test_a_document_of_another_plan_is_only_counted() -> None:
    work = WorkDocument(updated="2026-03-09T10:00:00", goal="secret goal", foreign_plan="Windmill")
    text = summary(Facts(name="x", work=work))
    assert "A progress document of another plan is kept (Windmill, 2026-03-09 10:00)" in text
    assert "secret goal" not in text


def test_the_plans_notes_of_a_finished_story_give_way_to_the_log() -> None:
    before = "The form currently uses a list; replace it"
    plan = PLAN._replace(stories=(story(1, notes=before), story(2, Status.PENDING)))
    logged = event(1)
    facts = Facts(name="quay", lead=plan, events=(logged,), readings=readings(logged))
    content, _ = build(facts, read_history(facts), recent=3, chosen=())
    assert before not in str(content.recent)


def test_what_the_current_story_has_to_fulfil_is_told_with_it() -> None:
    checks = ("Typecheck passes",)
    stories = (
        story(1, Status.PENDING, criteria=("The crane lifts two tons", *checks)),
        *(story(number, Status.PENDING, criteria=checks) for number in (2, 3)),
    )
    plan = Plan(path="prd.json", format="prd", stories=stories)
    assert (
        "Current: US-001 (attempt 1): Story 1, not begun\nAsked for: The crane lifts two tons\n"
        in summary(Facts(name="x", lead=plan))
    )
    noted = plan._replace(stories=(stories[0]._replace(notes="Use the old rope."), *stories[1:]))
    assert "\nAsked for: Use the old rope.; The crane lifts two tons\n" in summary(
        Facts(name="x", lead=noted)
    )
    plain = plan._replace(stories=(story(1, Status.PENDING, description="Herring is lifted."), *stories[1:]))
    assert "\nAsked for: Herring is lifted.\n" in summary(Facts(name="x", lead=plain))


def test_what_takes_too_much_is_not_asked_for_in_part_but_counted() -> None:
    criteria = tuple(
        f"The crane numbered {number} lifts two tons of herring at every tide" for number in range(20)
    )
    plan = Plan(path="prd.json", format="prd", stories=(story(1, Status.PENDING, criteria=criteria),))
    assert "\nAsked for: 20 criteria in the plan\n" in summary(Facts(name="x", lead=plan))
    noted = plan._replace(stories=(story(1, Status.PENDING, criteria=criteria, notes="Old rope"),))
    assert "\nAsked for: Old rope; 20 criteria in the plan\n" in summary(Facts(name="x", lead=noted))


def test_without_a_plan_nothing_is_all_complete_while_a_log_says_what_comes_next() -> None:
    done = Facts(name="x", events=(event(1), event(2)))
    assert "Stories: 2/2 complete (100%), no plan" in summary(done)
    assert "Stories: 2/2 complete so far, no plan" in summary(done._replace(stated_next="Oil the crane"))
    planned = Plan(path="prd.json", format="prd", stories=(story(1), story(2)))
    assert "Stories: 2/2 complete (100%)\n" in summary(
        done._replace(lead=planned, stated_next="Oil the crane")
    )


def test_what_a_log_says_in_a_sentence_to_be_in_the_way_stands_in_the_place_of_none() -> None:
    facts = Facts(name="x", events=(event(1),))
    assert "Blocked: None" in summary(facts)
    assert "Blocked:\n- The gate needs a key\n" in summary(
        facts._replace(waits=Cited("The gate needs a key"))
    )


def test_a_range_of_stories_without_ids_names_the_first_of_them() -> None:
    titles = [f"Mend the wheel of the mill number {number} at the quay" for number in range(1, 12)]
    [row] = ranges([StoryTableRow(id="", title=title, mark="✓", finished=True) for title in titles])
    assert row.id == f"{titles[0]}, {titles[1]} and 9 more"
    assert row.title == "11 stories"
