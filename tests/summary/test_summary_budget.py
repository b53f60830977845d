"""What fits is kept by priority; what does not is counted; nothing breaks the structure."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from test_summary_build import PLAN, event, story

from progress_plugin.authored.reader import read_log
from progress_plugin.learnings.logged_learnings import from_plan
from progress_plugin.learnings.max_learnings import choose_learnings
from progress_plugin.model.learning import Learning, LearningKind
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan
from progress_plugin.passages.reader import read_passages
from progress_plugin.summary import budget
from progress_plugin.summary.build import build
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.render import render
from progress_plugin.summary.start_context import CAP, changes, context
from progress_plugin.summary.story_table import StoryTableRow
from progress_plugin.summary.summary_input import Facts, LoggedStep, OpenBlocker
from progress_plugin.summary.tokens import estimate
from progress_plugin.summary.view_model import Content, Statement, receipt_of
from progress_plugin.text.bounds import utf16_length
from progress_plugin.text.safe_output import summary_item

WILD = st.text(
    st.characters(codec="utf-8") | st.sampled_from("|`#<>\n\r-*_[]()\\\"'{}%\u202e\u200b\x1b\x00😀"),
    max_size=80,
)


def rendered(facts: Facts, tokens: int, order: tuple[str, ...] = (), most: int = 15) -> tuple[Content, str]:
    history = read_history(facts)
    whole, offered = build(facts, history, recent=3, chosen=choose_learnings(facts.learnings, most).shown)
    kept = budget.fit(whole, offered, tokens, order)
    return kept, render(kept, lambda some: [(None, some)] if some else [])


def learnings(number: int, kind: LearningKind = LearningKind.GOTCHA) -> tuple[Learning, ...]:
    return tuple(
        Learning(kind=kind, text=f"Beware of the number {each} in `part{each}.py`", source="p", position=each)
        for each in range(1, number + 1)
    )


def test_the_limit_is_a_floor_and_a_share_up_to_the_most() -> None:
    assert budget.limit(0, 2000) == budget.FLOOR
    assert budget.limit(1000, 2000) == budget.FLOOR + 160
    assert budget.limit(10**6, 2000) == 2000


def test_of_a_small_source_more_may_be_told_but_never_more_than_half() -> None:
    assert budget.limit(1600, 2000) == 800
    assert budget.limit(4000, 2000) == 800 + 400
    assert budget.limit(6500, 2000) == 800 + 650
    assert budget.limit(9000, 2000) == 1480
    assert budget.limit(12_000, 2000) == 1860
    limits = [budget.limit(tokens, 2000) for tokens in range(0, 20_000, 50)]
    assert limits == sorted(limits)


def test_learnings_stands_for_gotchas_and_patterns_and_the_rest_follows() -> None:
    assert budget.section_order(["table", "learnings"]) == ("table", "gotchas", "patterns")
    assert budget.section_order([]) == ()


def test_what_is_named_first_gets_its_room_first() -> None:
    plan = Plan(path="prd.json", format="prd", stories=tuple(story(n) for n in range(1, 40)))
    facts = Facts(name="x", lead=plan, learnings=learnings(30), events=(event(1),))
    table_first, _ = rendered(facts, 800, budget.section_order(["table"]), most=30)
    learnings_first, _ = rendered(facts, 800, budget.section_order(["learnings"]), most=30)
    assert len(table_first.rows) > len(learnings_first.rows)
    assert len(table_first.gotchas) < len(learnings_first.gotchas)


def test_finished_stories_collapse_into_ranges_and_open_ones_stay() -> None:
    rows = [StoryTableRow(id=f"U{n}", title=f"t{n}", mark="✓", finished=True) for n in range(1, 5)]
    rows.append(StoryTableRow(id="U5", title="t5", mark="○"))
    rows.append(StoryTableRow(id="U6", title="t6", mark="✓", finished=True))
    assert [(row.id, row.title) for row in budget.ranges(rows)] == [
        ("U1 – U4", "4 stories"),
        ("U5", "t5"),
        ("U6", "t6"),
    ]


def test_far_pending_stories_are_a_range_and_count_as_shown() -> None:
    rows = [StoryTableRow(id=f"U{n}", title=f"t{n}", mark="○") for n in range(1, 31)]
    shown = budget.ranges(rows)
    assert [row.id for row in shown] == [*(f"U{n}" for n in range(1, 9)), "U9 – U30"]
    assert sum(row.stories for row in shown) == 30


def test_a_dependency_that_the_table_says_is_told_there_alone() -> None:
    waiting = story(2, Status.PENDING, depends_on=("US-001",), waits_for=("US-001",))
    far = [story(n, Status.PENDING, depends_on=("US-002",), waits_for=("US-002",)) for n in range(3, 40)]
    plan = Plan(path="prd.json", format="prd", stories=(story(1, Status.ACTIVE), waiting, *far))
    pairs = [(each.id, each.depends_on[0]) for each in (waiting, *far)]
    facts = Facts(name="x", lead=plan, dependencies=tuple(from_plan(pairs, {}, "prd.json")))
    content, text = rendered(facts, 2000)
    assert "| US-002 | Story 2 (waits for US-001) | ○ |" in text
    assert content.dependencies == []
    content, text = rendered(facts, 700)
    told = [each.learning.story for each in content.dependencies]
    assert told
    assert [name for name in told if f"| {name} |" in text] == []


def test_the_receipt_tells_of_what_the_archive_alone_holds() -> None:
    content, _ = build(Facts(name="x"), read_history(Facts(name="x")), recent=3, chosen=())
    kept = budget.fit(content, [], 2000, (), archive_only=5600)
    assert kept.receipt == ["5,600 older learnings stand in archive/ alone: `agent-progress recall WORDS`."]


def test_the_receipt_counts_what_is_left_out() -> None:
    kept, text = rendered(Facts(name="x", learnings=learnings(31), lead=PLAN), 2000, most=14)
    assert len(kept.gotchas) == 14
    assert "14 of 31 learnings shown; the others: `agent-progress recall WORDS`." in text


def test_the_receipt_counts_as_learnings_what_stands_among_them() -> None:
    """A statement of a section that teaches stands among the learnings, found as one or not."""
    text = "# Log\n\n## Patterns\n\n" + "\n".join(
        f"- Keel {at} is laid with tool{at}.py before hull {at} is riveted." for at in range(8)
    )
    log = read_log(text, "progress.txt")
    kept, shown = rendered(
        Facts(name="x", readings=(read_passages(log),), learnings=learnings(31)), 2000, most=3
    )
    lines = sum(len(each) for each in (kept.patterns, kept.gotchas, kept.dependencies))
    assert lines > kept.learnings_shown
    assert f"{lines} of {31 + lines - kept.learnings_shown} learnings shown; " in shown


def test_two_hundred_stories_cost_little_more_than_twenty() -> None:
    sizes = []
    for number in (20, 200):
        plan = Plan(
            path="prd.json",
            format="prd",
            stories=tuple(story(n, title="A title of some words") for n in range(1, number + 1)),
        )
        events = tuple(event(n % 28 + 1, n, stories=(f"US-{n:03}",)) for n in range(1, number + 1))
        sizes.append(
            estimate(
                rendered(Facts(name="x", lead=plan, events=events, learnings=learnings(number)), 2000)[1]
            )
        )
    assert sizes[1] <= 1.3 * sizes[0]


@settings(max_examples=60)
@given(count=st.integers(1, 60), limit=st.integers(1, 30))
def test_adding_a_learning_never_removes_the_newest_one(count: int, limit: int) -> None:
    given = learnings(count)
    assert given[-1] in choose_learnings(given, limit).shown
    kept, _ = rendered(Facts(name="x", learnings=given), 2000, most=limit)
    assert summary_item(given[-1].text) in [
        statement.learning.text for statement in kept.gotchas if statement.learning
    ]


@settings(max_examples=150)
@given(texts=st.lists(WILD, min_size=6, max_size=6), tokens=st.integers(100, 2500))
def test_no_text_breaks_the_structure_or_the_cap(texts: list[str], tokens: int) -> None:
    name, title, detail, learnt, issue, agent = texts
    plan = Plan(
        path="prd.json",
        format="prd",
        name=name,
        stories=(story(1, title=title, agent=agent), story(2, Status.BLOCKED, title=title, issue=issue)),
    )
    facts = Facts(
        name=name,
        branch=title,
        lead=plan,
        events=(event(1, details=(detail,) * 3, title=title, files=(detail,)),),
        learnings=(Learning(kind=LearningKind.GOTCHA, text=learnt, source=detail),),
        blockers=(OpenBlocker(id="x", label=title, issue=issue),),
        next_step=LoggedStep(detail, None),
        drift=(issue,),
        sources=("prd.json",),
    )
    _, text = rendered(facts, tokens)
    assert rendered(facts, tokens)[1] == text
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
        heading
        for heading in (
            "Completion Status", "Story Status", "Key Learnings (Extracted)", "Recent Context (Last 1 Story)",
        )
        if f"## {heading}" in text
    ]  # fmt: skip
    rows = [line for line in text.splitlines() if line.startswith("|")]
    columns = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows}
    assert columns <= {4} or columns <= {6}
    assert not re.search(r"^\s*(```|~~~)", text, re.MULTILINE)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_context_never_exceeds_the_cap_and_says_when_it_is_cut() -> None:
    text = context("😀\n" * 9000, name="x")
    assert utf16_length(text) + text.count("\n") + text.count('"') <= CAP
    assert "cut here" in text


def test_changes_are_the_new_lines_under_their_headings() -> None:
    before = "# S\n\n## A\n- one\n- two\n\n## B\n- three\n"
    after = "# S\n\n## A\n- one\n- new\n\n## B\n- three\n"
    assert changes(before, after) == (
        "agent-progress: what changed since this session last saw the summary.\n\n## A\n- new\n"
    )
    assert changes(before, before) == ""


def test_a_session_that_is_resumed_is_told_of_a_story_that_is_its_heading_alone() -> None:
    before = "# P\n\n## Recent Context\n\n### US-1: Quay (○)\n\n- began\n"
    after = "# P\n\n## Recent Context\n\n### quay painted (✓)\n\n### US-1: Quay (✓)\n\n- began\n- oiled\n"
    assert changes(before, after).splitlines()[1:] == [
        "",
        "### quay painted (✓)",
        "",
        "### US-1: Quay (✓)",
        "- oiled",
    ]


def test_only_finished_stories_that_stand_nowhere_are_said_to_be_left_out() -> None:
    log = tuple(event(at) for at in range(1, 4))
    kept, _ = rendered(Facts(name="x", events=log), 220)
    assert len(kept.recent) == 3
    assert not kept.receipt
    log = tuple(event(at) for at in range(1, 6))
    kept, _ = rendered(Facts(name="x", events=log), 220)
    assert kept.receipt == ["2 finished stories not listed: `agent-progress status`."]


def test_a_finished_story_whose_title_is_a_statement_above_is_not_said_to_be_left_out() -> None:
    titles = ("Rivet the bow", "Rivet the stern", "Rivet the keel of the ferry …")
    rows = [StoryTableRow("", title, "✓", finished=True) for title in titles]
    told = Learning(LearningKind.PATTERN, "", "progress.txt")
    earlier = [Statement(text, told) for text in ("Rivet the bow", "Rivet the keel of the ferry to its ribs")]
    whole = Content("x", rows=rows)
    left = receipt_of(whole, whole._replace(rows=(), earlier=earlier), 0)
    assert left == ["1 finished story not listed: `agent-progress status`."]
    assert (
        receipt_of(whole, whole._replace(rows=(), earlier=[*earlier, Statement("Rivet the stern", told)]), 0)
        == []
    )


def test_statements_of_one_section_stand_below_its_heading_those_of_none_first() -> None:
    taught = Learning(kind=LearningKind.PATTERN, text="", source="notes.md")
    said = [
        Statement(text, taught._replace(text=text), under=under)
        for text, under in (("No crane yet", "Missing"), ("No rope yet", "Missing"), ("Oil the lamp", ""))
    ]
    text = render(Content(name="quay", earlier=said), lambda some: [(None, some)] if some else [])
    assert "- Oil the lamp\nMissing:\n- No crane yet\n- No rope yet\n" in text


def test_a_row_that_the_current_and_next_lines_tell_takes_no_room_from_learnings() -> None:
    stories = (*(story(n) for n in range(1, 4)), story(4, Status.PENDING), story(5, Status.PENDING))
    plan = Plan(path="prd.json", format="prd", stories=stories)
    facts = Facts(name="x", lead=plan, learnings=learnings(40), events=(event(1),))
    small, text = rendered(facts, 400, most=40)
    assert not small.rows
    assert "of 2 open stories shown" not in text
    more = Facts(
        name="x", lead=plan._replace(stories=(*stories, story(6, Status.PENDING))), events=(event(1),)
    )
    assert rendered(more._replace(learnings=learnings(40)), 400, most=40)[0].rows


def test_the_first_statement_of_a_named_part_of_a_recent_entry_has_its_name_before_it() -> None:
    text = (
        "# Handoff\n\n## 2026-03-01 - US-001: Crane\n\n### Relocating the lamp posts\n\n"
        "- Every post with a broken foot is moved by one berth\n"
        "- A moved post keeps its number, and its lamp is lit again at once\n\n"
        "### Crane\n\n- It turns left first, and never with a load\n"
    )
    log = read_log(text, "progress.md")
    facts = Facts(name="x", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",))
    shown = rendered(facts, 600)[1]
    assert "- Relocating the lamp posts: Every post with a broken foot" in shown
    assert shown.count("Relocating the lamp posts") == 1
    assert "\n- It turns left first" in shown


def test_what_an_item_announces_is_not_told_again_as_the_name_of_its_part() -> None:
    text = (
        "# Log\n\n## 2026-03-01 13:44 GMT - US-001\n- Replaced the double ropes of the crane on the north quay with single ones of one kind:\n"
        "  - The left one is hemp now\n  - The right one is wire, and it is oiled\n"
    )
    log = read_log(text, "progress.md")
    facts = Facts(name="x", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",))
    shown = rendered(facts, 600)[1]
    assert shown.count("Replaced the double ropes") == 1
    assert "\n- The left one is hemp now" in shown
    assert "GMT" not in shown
