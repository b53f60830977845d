"""Which statements of a log are offered to a summary, and under which heading."""

from __future__ import annotations

import random

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.learnings.extract import extract
from progress_plugin.model.event import Event
from progress_plugin.model.status import Status
from progress_plugin.passages.noise import is_of_its_moment
from progress_plugin.passages.reader import read_passages
from progress_plugin.plans.plan_and_story_identity import ids_named
from progress_plugin.summary import budget
from progress_plugin.summary.build import build
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.optional_statements import files_of, find_candidates
from progress_plugin.summary.summary_input import Facts
from progress_plugin.summary.unfinished_ends import unfinished_ends


def offered(text: str) -> dict[str, str]:
    """Return what a log offers below none of its recent entries: each statement with the section it would go to."""
    log = read_log(text, "progress.md")
    facts = Facts(
        name="quay", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",)
    )
    return {each.text: each.section for each in find_candidates(facts, [], [], ())}


LOG = """\
# Progress

The sluice opens at ebb only.

## 2026-03-01 - US-001: Sluice
- The gate needs two keys
- Tests added: 11

## 2026-03-02 - US-002: Crane
- The crane turns left first

## 2026-03-03 - US-003: Rope
- It is of hemp

## 2026-03-04 - US-004: Lamp
- It burns oil

---

## Commits of this run
- e25afb2e - Create the crane's hook from oak planks

**MISSION COMPLETE** ✅
"""


def test_what_only_counts_or_ends_work_of_then_is_not_offered() -> None:
    said = " ".join(offered(LOG))
    assert "two keys" in said
    assert "Tests added" not in said
    assert "MISSION" not in said


def test_what_is_said_first_of_a_recent_item_counts_more_than_its_details() -> None:
    glass = "- Its glass is of sand, and of nothing else in the world that anybody here knows of"
    log = read_log(LOG.replace("- It burns oil", f"- Its wick is of wool\n{glass}"), "progress.md")
    facts = Facts(name="quay", events=log.events, readings=(read_passages(log),), sources=("progress.md",))
    alone = find_candidates(facts, [], [], ())
    below = find_candidates(facts, [[log.events[-1]]], [], ())
    weighed = {each.text.partition(": ")[2] or each.text: each.worth for each in alone}
    first, second = (each for each in below if each.section == "recent")
    assert first.worth > weighed[first.text]
    assert second.worth == weighed[second.text]


def test_only_what_comes_before_all_entries_is_offered_as_a_lasting_pattern() -> None:
    found = offered(LOG)
    assert found["The sluice opens at ebb only."] == "patterns"
    assert [section for text, section in found.items() if "oak planks" in text] == ["earlier"]


@pytest.mark.parametrize(
    "text",
    [
        "Tests Added: 11",
        "**New Files Created:** 5",
        "Total commits this iteration: 4 (2 features + 2 docs)",
        "3,120 lines added/removed across 14 files",
        "Code removed: ~400 lines (the old crane); All 455 tests passing",
        "MISSION COMPLETE ✅",
        "Add the crane to the quay — ✅ Complete",
        "Commit: d50fc89",
        "✅ Git commit: cb0d67e",
        "クレーンの更新: 完了",
        "All 12 stories complete",
        "All quality checks pass",
        "66 tests pass in ~384ms",
        "Planning document lines — 629",
        "Files modified — 8",
        "Linter errors — 0",
        "All 12 tests passed in 3.2 s (1 file)",
        "60 crane unit tests pass; 31 tests pass (with -W error); All 9 criteria marked complete",
        "Result: 120 passed, 2 skipped in 3.2s",
        "`cargo test` passes (66 unit + 24 integration)",
        "All 6 success criteria in QUAY.md are marked [x]",
        "All user stories have passes: true.",
    ],
)
def test_these_say_only_how_it_was_then(text: str) -> None:
    assert is_of_its_moment(text)


@pytest.mark.parametrize(
    "text",
    [
        "Tests added: 11 of them fail without the tide table",
        "Lines changed: keep below 400",
        "400 lines changed in berth.py break the crane",
        "A lease is complete when both sign",
        "Commit before the ebb",
        "Port — 8000",
        "All 455 tests passing; the crane test needs `--tide`",
        "The crane is not complete: its hook is missing",
        "Not done",
        "3 flaky tests pass only with `--retry`",
        "Criteria are checked by validate() before a save",
    ],
)
def test_these_say_more(text: str) -> None:
    assert not is_of_its_moment(text)


def test_files_of_one_folder_say_its_name_once() -> None:
    names = ["src/main/kotlin/quay/Boat.kt", "prd.json", "src/main/kotlin/quay/Berth.kt", "a/b.py", "a/c.py"]
    event = Event((), "Boats", Status.DONE, "authored", "progress.md", 1, files=names)
    shown = files_of([event], ["prd.json"])
    assert ", ".join(shown) == "src/main/kotlin/quay/{Boat.kt, Berth.kt}, a/b.py, a/c.py"


def test_what_a_section_says_is_offered_with_its_heading_and_what_an_entry_says_is_not() -> None:
    text = "# Harbour notes\n\n## Does not work yet\n\n- The crane lifts no stones heavier than a boat, at any tide\n"
    text += "\n## Tried\n\n- A hook of oak holds for a year and no longer, says the smith of the harbour\n"
    log = read_log(text, "notes.md")
    facts = Facts(name="quay", readings=(read_passages(log),), sources=("notes.md",))
    under = {each.under for each in find_candidates(facts, [], [], ()) if each.section == "earlier"}
    assert under == {"Does not work yet", "Tried"}
    log = read_log(LOG, "progress.md")
    facts = Facts(name="quay", events=log.events, readings=(read_passages(log),), sources=("progress.md",))
    of_stories = [each for each in find_candidates(facts, [], [], ()) if each.passage and each.passage.story]
    assert of_stories
    assert not any(each.under for each in of_stories)


def test_what_stands_above_all_entries_about_state_or_work_is_no_pattern() -> None:
    entries = LOG.partition("## 2026-03-01")[2]
    above = "# Progress\n\n## Current status\n\n- The sluice is mended, and the crane waits for its rope\n\n"
    above += "## Remarks\n\n- The keeper of the sluice sleeps at noon, and nobody wakes him\n\n## 2026-03-01"
    found = offered(above + entries)
    assert {found[text] for text in found if "crane waits" in text} == {"earlier"}
    assert {found[text] for text in found if "keeper" in text} == {"patterns"}


def test_words_of_a_program_and_code_leave_nothing_open() -> None:
    log = read_log(
        LOG.replace(
            "The crane turns left first", 'The page says "blocked by the guard", its key is `not yet set`'
        ).replace("It is of hemp", "The knot is not yet tied"),
        "progress.md",
    )
    facts = Facts(name="quay", events=log.events, readings=(read_passages(log),), sources=("progress.md",))
    assert {end.text for end in unfinished_ends(facts, read_history(facts)).open} == {
        "The knot is not yet tied"
    }


@pytest.mark.parametrize(
    ("said", "is_end"),
    [
        ("The hook remains untested", True),
        ("The winch is still unstable at ebb", True),
        ("The number of a rope remains unique to its crane", False),
        ("The toll remains unchanged", False),
        ("The gate is still under the old roof", False),
    ],
)
def test_what_remains_un_is_open_only_where_something_is_left_to_do(said: str, is_end: bool) -> None:
    log = read_log(LOG.replace("The crane turns left first", said), "progress.md")
    facts = Facts(name="quay", events=log.events, readings=(read_passages(log),), sources=("progress.md",))
    ends = {end.text for end in unfinished_ends(facts, read_history(facts)).open}
    assert (said in ends) is is_end


def test_a_heading_that_only_says_how_many_follow_is_not_told() -> None:
    told = offered(
        "# Progress\n\n## Progress Log (last 22 entries)\n\n## 2026-03-02 - US-002: Crane\n- It turns left first\n"
    )
    assert "It turns left first" in " ".join(told)
    assert not [text for text in told if "last 22" in text]


def test_of_a_recent_entry_what_was_done_counts_more_than_what_stands_before_it() -> None:
    text = (
        "# Progress\n\n## 2026-03-02 - US-002\n- Plan and roles: the harbour master looks at the crane\n"
        "- What was implemented: the crane turns left first\n"
    )
    log = read_log(text, "progress.md")
    facts = Facts(
        name="quay", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",)
    )
    plain = {each.text: each.worth for each in find_candidates(facts, [], [], ())}
    recent = {each.text: each.worth for each in find_candidates(facts, [log.events], [], ())}
    role, work = (next(text for text in recent if word in text) for word in ("master", "turns left"))
    assert recent[work] > 1.2 * next(worth for text, worth in plain.items() if "turns left" in text)
    assert recent[role] == pytest.approx(next(worth for text, worth in plain.items() if "master" in text))


def test_a_paragraph_that_is_heading_and_text_of_a_recent_entry_tells_its_text() -> None:
    text = (
        "2026-03-02T10:30Z — crane-hook — PASSED. The hook is of oak, since iron rusts in the spray. "
        "Its chain must be oiled before each ebb, or it sticks. "
        + "The boom was taken apart, greased from the inner end to the outer one, and put together again. "
        * 4
        + "\n\n"
        "2026-03-03T10:30Z — lamp-glass — PASSED. The glass is of sand.\n"
    )
    log = read_log(text, "progress.md")
    facts = Facts(
        name="quay", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",)
    )
    told = [
        each.text for each in find_candidates(facts, [[log.events[0]]], [], ()) if each.section == "recent"
    ]
    assert any("oiled before each ebb" in each for each in told)
    assert not any("PASSED" in each for each in told)


SEVERAL = """\
# Log

## 2026-03-01 - Features #21, #44: Sluice and crane

- The gate needs two keys and a third for the lock beneath it

### Feature #44: Crane

- The crane turns left first, then lowers its hook over the quay

## 2026-03-02 - Feature #21: Sluice again

- The sluice is of oak and opens at ebb
"""


def _told_of_several(*recent: int) -> list[str]:
    log = read_log(SEVERAL, "progress.md")
    facts = Facts(
        name="quay", events=log.events, readings=(read_passages(log, SEVERAL),), sources=("progress.md",)
    )
    items = [[log.events[at] for at in recent]] if recent else []
    return [each.text for each in find_candidates(facts, items, [], ())]


def test_a_statement_of_an_entry_of_several_stories_names_those_that_it_is_about() -> None:
    told = _told_of_several()
    assert any(text.startswith("21, 44: The gate needs") for text in told)
    assert any(text.startswith("44: The crane turns") for text in told)


def test_what_a_joint_entry_says_of_another_story_is_not_told_as_of_the_recent_one() -> None:
    told = _told_of_several(0, 1)
    assert any(text.startswith("44: The crane turns") for text in told)
    assert any(text.startswith("The gate needs") for text in told)


def test_a_mere_number_in_a_label_names_no_story() -> None:
    assert ids_named("Step 2", ["1", "2"]) == []
    assert ids_named("Feature #65 and task 2", ["2", "6", "65"]) == ["2", "65"]
    assert ids_named("Tasks US-1, 2.6.", ["US-1", "2.6", "2"]) == ["US-1", "2.6"]


def test_a_limit_of_a_piece_of_work_is_told_with_its_story() -> None:
    text = "# Progress\n\n## 2026-03-02 - crane-arm: Crane arm\n- **Limitations:** no swivel (there is no bearing)\n- **Gotchas:** ropes shrink when wet\n"
    log = read_log(text, "progress.md", {"crane-arm": "Crane arm"})
    known = extract(log.document, log.owner_of_line, "progress.md")
    facts = Facts(
        name="quay", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",)
    )
    told = [each.text for each in find_candidates(facts, [], known, ())]
    assert "crane-arm: no swivel (there is no bearing)" in told
    assert "ropes shrink when wet" in told


def test_what_the_newest_entry_taught_is_not_shut_out_by_older_learnings() -> None:
    chance = random.Random(3)
    syllables = ["ba", "ke", "lo", "mi", "nu", "pra", "sto", "ver", "wil", "zan"]

    def name() -> str:
        return "".join(chance.choices(syllables, k=3))

    older = "".join(
        f"## 2026-{month:02}-{day:02} - US-{month}{day:02}\n- **Learnings:**\n"
        + "".join(
            f"  - Never call `{name()}` before `{name()}`, because the {name()} must be {name()} first\n"
            for _ in range(4)
        )
        + "\n"
        for month in range(1, 6)
        for day in range(1, 29)
    )
    log = f"# Progress\n\n{older}## 2026-07-01 - US-999\n- Painted it\n- **Learnings:**\n  - The paint of the quay came from the shop in the village beside it, as in the year before\n"
    read = read_log(log, "progress.md")
    known = extract(read.document, read.owner_of_line, "progress.md")
    facts = Facts(
        name="quay", events=read.events, readings=(read_passages(read, log),), sources=("progress.md",),
        learnings=tuple(known),
    )  # fmt: skip
    content, offered = build(facts, read_history(facts), recent=3, chosen=facts.learnings)
    kept = budget.fit(content, offered, 900, budget.section_order(()))
    assert "The paint of the quay came from the shop in the village beside it, as in the year before" in [
        str(each.text) for each in (*kept.patterns, *kept.gotchas)
    ]


@pytest.mark.parametrize("step", ["- **{}:** The lamp needs a roof", "**{}**\n- The lamp needs a roof"])
def test_what_came_next_after_an_older_entry_is_not_told_and_what_is_deferred_is(step: str) -> None:
    log = LOG.replace("- The gate needs two keys", step)
    assert "The lamp needs a roof" not in " ".join(offered(log.format("Next steps")))
    told = offered(log.format("Deferred / notes for next iteration"))
    assert any("The lamp needs a roof" in text for text in told)


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("Open questions", "Open: Is a third lamp worth its oil and the work of a keeper?"),
        ("Deferred", "Deferred: Is a third lamp worth its oil and the work of a keeper?"),
        ("Follow-ups", "Next: Is a third lamp worth its oil and the work of a keeper?"),
    ],
)
def test_a_statement_about_later_says_whether_it_is_asked_put_off_or_next(heading: str, told: str) -> None:
    text = f"# Lamp\n\n## Work\n\n- It burns oil\n\n## {heading}\n\n{told.partition(': ')[2]}\n"
    assert told in offered(text)
