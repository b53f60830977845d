"""What a log says of where the work stands, in the words and places that agents use for it."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.passages.entry_owners import between_entries
from progress_plugin.passages.reader import read_passages
from progress_plugin.passages.stated_status import StatedStatus, stated_status


def read(text: str) -> StatedStatus:
    log = read_log(text, "progress.md")
    return stated_status(read_passages(log, text), events=log.events, past=between_entries(log))


def test_what_is_done_says_where_the_work_stands_and_a_bare_word_does_not() -> None:
    assert (
        read("# Quay\n\n## Current Status\n**Phase**: Crane 4 - ARCHIVED ✅\n").focus
        == "phase: Crane 4 - ARCHIVED ✅"
    )
    assert read("# Quay\n\n## Current Status\n**Status**: ✅ Complete\n").focus is None
    assert read("# Quay\n\n## Current Status\n**Status**: COMPLETE (ARCHIVED)\n").focus is None


@pytest.mark.parametrize(
    "heading",
    [
        "Blockers",
        "Current Blockers",
        "Blockers/Concerns",
        "🚧 Blocked",
        "Blocked by",
        "Waiting on",
        "Awaiting review",
        "Blockers & Risks",
        "阻塞",
        "Blockiert",
        "Bloqué",
        "Bloqueado por",
        "Geblokkeerd",
        "Заблокировано",
        "Bloqueos",
    ],
)
def test_these_headings_say_what_is_in_the_way(heading: str) -> None:
    assert read(f"# Log\n\n## {heading}\n- The crane has no rope\n").blockers == ("The crane has no rope",)
    assert read(f"# Log\n\n**{heading}:** the crane has no rope\n").blockers == ("the crane has no rope",)


@pytest.mark.parametrize(
    "heading", ["Deferred", "Explicitly out of scope", "Pier-specific deferrals", "Not planned", "Non-goals"]
)
def test_what_is_put_off_is_no_next_step_and_blocks_nothing(heading: str) -> None:
    put_off = f"## {heading}\n- A pier of iron (blocked on the harbour office)\n- A second crane\n"
    assert read(f"# Log\n\n{put_off}")[:3] == (None, None, ())
    told = read(f"# Log\n\n**What's next:**\n\n1. Oil the crane\n\n{put_off}")
    assert told.next == "Oil the crane"


def test_a_list_of_what_is_put_off_and_comes_next_is_one_of_steps() -> None:
    assert read("# Log\n\n## Deferred / next\n- A pier of iron\n").next == "A pier of iron"


def test_a_number_of_the_phase_is_told_with_what_it_counts() -> None:
    told = read("# State\n\n**Current Phase:** 16\n**Status:** Ready to plan\n").focus
    assert told == "current phase: 16; Ready to plan"


@pytest.mark.parametrize(
    "heading", ["Resolved blockers", "Blockers resolved", "Blocking IO", "Unblocked", "Work"]
)
def test_these_do_not(heading: str) -> None:
    assert read(f"# Log\n\n## {heading}\n- The crane has no rope\n").blockers == ()


@pytest.mark.parametrize(
    "text",
    [
        "None",
        "None.",
        "- none at the moment",
        "N/A",
        "No blockers",
        "No known blockers for now",
        "Not blocked",
        "- [x] The crane has no rope",
        "- ~~The crane has no rope~~",
        "- ✅ The crane has no rope",
        "- The crane has no rope — RESOLVED by the smith",
        "- Resolved: the crane has no rope",
        "无",
        "---",
    ],
)
def test_nothing_is_in_the_way(text: str) -> None:
    assert read(f"# Log\n\n## Blockers\n\n{text}\n").blockers == ()


@pytest.mark.parametrize(
    "line", ["Nonetheless the rope tears", "Node 18 is not to be had", "Notary has to sign the lease"]
)
def test_words_that_begin_like_none_are_blockers(line: str) -> None:
    assert read(f"# Log\n\n## Blockers\n- {line}\n").blockers == (line,)


def test_what_is_left_counts_as_next_only_where_nothing_is_called_so() -> None:
    left = "## What's left\n- Yearly report of all berths\n\n"
    assert read(f"# Log\n\n{left}## Next steps\n- Oil the crane\n").next == "Oil the crane"
    assert read(f"# Log\n\n{left}").next == "Yearly report of all berths"


def test_the_last_of_several_sections_counts_and_what_is_checked_off_does_not() -> None:
    text = "## Next steps\n- Buy a rope\n\n## Work\n- Bought it\n\n## Next steps\n- [x] Splice it\n- [ ] Oil the crane\n"
    assert read(text).next == "Oil the crane"
    assert read(text.replace("[x]", "✅").replace("[ ]", "⬜")).next == "Oil the crane"


def test_headings_below_are_no_steps() -> None:
    assert (
        read("# Log\n\n## Next steps\n\n### Short term, the next two weeks\n- Oil the crane\n").next
        == "Oil the crane"
    )


@pytest.mark.parametrize(
    "text",
    [
        "## Current focus\nThe crane\n",
        "**Currently working on:** The crane\n",
        "## In progress\n- The crane\n",
    ],
)
def test_what_an_agent_is_at_is_told_without_its_label(text: str) -> None:
    assert read(f"# Log\n\n{text}").focus == "The crane"


def row(status: str, *, header: str = "| Task | Status | Why |") -> str:
    return f"# Board\n\n{header}\n|---|---|---|\n| Pay by card | {status} | No test account |\n| Map | Done | |\n"


@pytest.mark.parametrize("status", ["Blocked", "blocked", "**Blocked**", "🚫 Blocked", "⛔", "[!]"])
def test_a_row_whose_state_says_blocked_is_a_blocker(status: str) -> None:
    told = read(row(status))
    assert told.blockers == ("Pay by card — No test account",)
    assert told.focus is None


@pytest.mark.parametrize(
    "table",
    [
        row("In progress"),
        row("Unblocked"),
        row("Blocked", header="| Task | Wording | Why |"),
        "# Legend\n\n| Mark | Status |\n|---|---|\n| ⊘ | Blocked |\n",
        "# Legend\n\n| Status | Meaning |\n|---|---|\n| Blocked | waits for others |\n",
        "# Numbers\n\n| Status | Stories |\n|---|---|\n| Blocked | 3 |\n",
        "# Numbers\n\n| Sprint | Blocked | Done |\n|---|---|---|\n| 4 | 3 | 2 |\n",
    ],
)
def test_other_tables_block_nothing(table: str) -> None:
    assert read(table).blockers == ()


def test_items_of_one_list_are_told_apart_by_their_marks() -> None:
    told = read("# Log\n\n## Status\n- ✅ Sign-in works\n- 🚫 Payments wait for the bank\n- Map half drawn\n")
    assert told.focus == "Map half drawn"
    assert told.blockers == ("Payments wait for the bank",)


def test_the_box_of_what_is_blocked_is_a_blocker_in_any_list() -> None:
    told = read("# Log\n\n## Tasks\n- [x] Map\n- [!] Pay by card: no test account\n- [ ] List of berths\n")
    assert told.blockers == ("Pay by card: no test account",)


def test_a_prohibition_is_none() -> None:
    assert read("# Log\n\n## Rules\n- 🚫 Edit the generated files\n- Use spaces\n").blockers == ()


def sessions(*bodies: str, titles: tuple[str, ...] = ()) -> str:
    named = titles or tuple(f"Session {number}" for number in range(1, len(bodies) + 1))
    parts = [
        f"## 2026-03-{number:02} 10:00 - {title}\n\n{body}\n"
        for number, (title, body) in enumerate(zip(named, bodies, strict=True), 1)
    ]
    return "# Progress Log\n\n" + "\n".join(parts)


STUCK = "Worked on payments.\n\n**Blockers:**\n- The bank has not opened the test account\n"


def test_a_blocker_stays_while_newer_sessions_say_nothing_of_it() -> None:
    told = read(sessions(STUCK, "Drew the map.", "Listed the berths."))
    assert told.blockers == ("The bank has not opened the test account",)


@pytest.mark.parametrize(
    "newer",
    [
        "Drew the map.\n\n**Blockers:** None\n",
        "Drew the map.\n\n**Blockers:**\n- None\n",
        "The test account was opened by the bank.\n",
        "The bank problem is resolved: payments run.\n",
    ],
)
def test_it_goes_once_a_newer_session_says_so(newer: str) -> None:
    assert read(sessions(STUCK, newer)).blockers == ()


def test_what_a_newer_session_names_instead_is_all_there_is() -> None:
    told = read(sessions(STUCK, "Drew the map.\n\n**Blockers:**\n- The printer is out of ink\n"))
    assert told.blockers == ("The printer is out of ink",)


def test_what_a_finished_session_had_in_its_way_is_forgotten_after_a_while() -> None:
    assert read(sessions(STUCK, *["Drew a map."] * 4)).blockers == ()


def test_a_story_that_was_worked_on_since_is_not_blocked_by_what_blocked_it_then() -> None:
    titles = ("US-012: Pay by card", "US-013: Map", "US-012: Pay by card")
    assert read(sessions(STUCK, "Drew it.", titles=titles[:2])).blockers == (
        "US-012: The bank has not opened the test account",
    )
    assert read(sessions(STUCK, "Drew it.", "Cards are charged.", titles=titles)).blockers == ()


def test_a_story_that_somebody_else_knows_to_be_finished_is_not_blocked() -> None:
    text = sessions(STUCK, "Drew it.", titles=("US-012: Pay by card", "US-013: Map"))
    log = read_log(text, "progress.md")
    told = stated_status(read_passages(log, text), events=log.events, finished={"us-012"})
    assert told.blockers == ()


def test_a_row_of_a_board_goes_once_an_entry_below_finished_its_task() -> None:
    board = row("Blocked").removeprefix("# Board\n\n")
    text = sessions("Drew it.", titles=("US-013: Map",)).replace(
        "# Progress Log\n", f"# Progress Log\n\n{board}"
    )
    assert read(text).blockers == ("Pay by card — No test account",)
    later = sessions("Drew it.", "Cards are charged.", titles=("US-013: Map", "US-012: Pay by card"))
    assert read(later.replace("# Progress Log\n", f"# Progress Log\n\n{board}")).blockers == ()


def test_a_blocker_that_came_back_is_not_ended_by_what_an_older_session_said() -> None:
    assert read(sessions(STUCK, "The test account was opened.", STUCK, "Drew the map.")).blockers == (
        "The bank has not opened the test account",
    )


def calls_for(text: str) -> int:
    """Return how many calls it takes to find out what a log states."""
    log = read_log(text, "progress.md")
    reading, count = read_passages(log), 0

    def tell(_frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tell)
    try:
        stated_status(reading, events=log.events)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("last", ["Drew the map.", STUCK])
def test_what_was_said_before_the_last_blocker_is_not_searched_for_its_end(last: str) -> None:
    def with_ends(number: int) -> int:
        ended = "".join(f"- The crane at berth {at} was opened\n" for at in range(number))
        return calls_for(sessions(ended, last)) - calls_for(
            sessions(ended.replace("opened", "painted"), last)
        )

    assert with_ends(300) == 0


def test_the_work_of_comparing_blockers_with_what_came_later_grows_with_the_log() -> None:
    def work(number: int) -> int:
        blockers = "".join(f"- Waiting for key {at} of team {at}-A\n" for at in range(number))
        entries = "".join(f"## 2026-03-01 - K-{at}: Key\n- Key {at} arrived\n" for at in range(number))
        return calls_for(f"# Log\n\n## Blockers\n{blockers}\n{entries}")

    assert work(800) < 2.4 * work(400)


@pytest.mark.parametrize(
    ("heading", "other"),
    [("Blockers & Dependencies", "External Dependencies"), ("Blockers and Risks", "Known risks")],
)
def test_of_a_heading_that_names_two_things_a_part_that_is_the_other_blocks_nothing(
    heading: str, other: str
) -> None:
    log = (
        f"# Log\n\n## {heading}\n\n### Current blockers\n- The crane has no rope\n\n"
        f"### {other}\n- Steel 5: the frame is made of it\n"
    )
    assert read(log).blockers == ("The crane has no rope",)


def test_of_many_blockers_of_a_document_the_first_are_told_and_of_a_log_the_newest() -> None:
    items = "".join(f"- Crane {number} has no rope\n" for number in range(1, 9))
    assert read(f"# Log\n\n## Blockers\n{items}").blockers[0] == "Crane 1 has no rope"
    entries = f"# Log\n\n## 2026-01-01 - US-001\n- Blocked by:\n{items.replace('- ', '  - ')}"
    assert read(entries).blockers[-1] == "Crane 8 has no rope"


def test_numbered_headings_below_next_are_the_steps() -> None:
    text = (
        "# Handoff for the next agent\n\n## Immediate next steps\n\n### Priority 1: oil the old crane\n- With fat\n\n"
        "### Priority 2: paint the long quay\n- In red\n"
    )
    assert read(text).next == "Priority 1: oil the old crane; Priority 2: paint the long quay"
    assert read(text.replace("Immediate next steps", "Plan for the next session")).next == read(text).next


def test_items_that_are_labels_below_next_are_the_steps() -> None:
    text = "# Log\n\n## Next steps\n1. **The crane**:\n   - Buy fat\n   - Oil it\n2. **The quay**:\n   - Paint it\n"
    assert read(text).next == "The crane; The quay"


def test_a_step_with_a_name_is_a_step_whatever_its_words_announce_elsewhere() -> None:
    steps = ("Fix remaining crane warnings", "Fix the crane", "Quality validation", "Implement the notes")
    text = "# Log\n\n## Next steps\n" + "".join(f"1. **{step}**:\n   - Oil it\n" for step in steps)
    assert read(text).next == "; ".join(steps)


def test_a_step_that_is_crossed_out_does_not_come_next() -> None:
    assert (
        read("# Log\n\n## Next steps\n- ~~Oil the crane~~ (done)\n- Paint the quay\n").next
        == "Paint the quay"
    )
    told = "# Log\n\n## Next steps\n\n### Step 1: Oil the crane (DONE 2026-04-19)\n\n### Step 2: Paint it\n"
    assert read(told).next == "Step 2: Paint it"


def test_a_note_to_the_next_agent_is_no_step() -> None:
    assert (
        read("# Log\n\n## Next steps\n- Oil the crane\n\n**Note to next agent**: keep this file\n").next
        == "Oil the crane"
    )


def test_next_steps_are_told_whole_as_far_as_they_fit_into_one_line() -> None:
    long = "Weigh the anchor of each of the twelve barges, " * 5
    told = read(f"# Quay\n\n## Next steps\n- Oil the crane\n- {long}\n- {long} again\n")
    assert told.next == f"Oil the crane; {long.strip()}"
    assert all("again" not in text for text in told.texts)
    assert read("# Quay\n\n## Next steps\n" + "- Oil it\n- Dry it\n- Lift it\n- Sell it\n").next.endswith(
        "Sell it"
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "The crane is still blocked on the customs key",
        "Judging is blocked until the keys are here",
        "We are waiting for the owner's approval",
        "Do not start the second pass until the release is out",
        "W7 — Benchmark (HOLD)",
        "The gate needs a decision",
    ],
)
def test_a_sentence_that_says_what_work_waits_for_is_told_where_no_blocker_is_listed(sentence: str) -> None:
    told = read(f"# Quay\n\n## What's next\n- Oil it. {sentence}.\n")
    assert told.waits == sentence
    assert told.blockers == ()
    listed = read(f"# Quay\n\n## Blockers\n- No rope\n\n## What's next\n- Oil it. {sentence}.\n")
    assert listed.waits is None
    assert read(f"# Quay\n\n## Blockers\nNone\n\n## What's next\n- {sentence}.\n").waits is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Neither is blocked on a missing key",
        "It was waiting for the owner",
        'The page says "blocked until midnight"',
        "The queue waits for a worker",
        "Starts once `HOLD` is off",
    ],
)
def test_a_sentence_about_something_else_is_not(sentence: str) -> None:
    assert read(f"# Quay\n\n## What's next\n- {sentence}.\n").waits is None


def test_the_goal_of_a_section_between_entries_is_not_what_the_work_is_at_now() -> None:
    entry = "## 2026-03-0{0} - US-00{0}: Crane\n- Turned it\n\n"
    old = "## Control test\n\n**Goal:** See whether the lamp burns\n\n"
    assert read("# Quay\n\n" + entry.format(1) + old + entry.format(2)).focus is None
    assert read("# Quay\n\n" + old + entry.format(1) + entry.format(2)).focus == "See whether the lamp burns"


@pytest.mark.parametrize("line", ["- Pending: 0", "- Remaining: 3"])
def test_how_much_is_left_is_no_step(line: str) -> None:
    assert read(f"# Quay\n\n## Summary\n- Completed: 4\n{line}\n").next is None


def test_a_heading_says_of_all_below_it_that_it_is_not_done_yet() -> None:
    text = (
        "# Quay\n\n## More Checks (Not Yet Executed)\n\nThe following features are ready to test:\n\n"
        "1. **Crane with two ropes:** `make crane-2`\n\n2. **Crane in a storm:**\n   - Wait for a storm\n   - Run `make crane`\n"
    )
    assert read(text).next == "Crane with two ropes: `make crane-2`; Crane in a storm"


ENTRY = "## 2026-03-0{0} - US-00{0}: Crane\n- Turned it\n\n"
OLD = "## Survey\n\nStatus: the crane waits for the owner\n\n### Next steps\n- Oil the crane\n\n"


def test_what_stands_between_entries_is_as_old_as_they_are() -> None:
    told = read("# Quay\n\n" + ENTRY.format(1) + OLD + ENTRY.format(2))
    assert (told.focus, told.next, told.waits) == (None, None, None)
    newest_first = read("# Quay\n\n" + ENTRY.format(3) + ENTRY.format(2) + OLD + ENTRY.format(1))
    assert (newest_first.focus, newest_first.next) == (None, None)


def test_what_stands_before_all_entries_or_beside_the_newest_is_of_the_present() -> None:
    for text in (
        OLD + ENTRY.format(1) + ENTRY.format(2),
        ENTRY.format(1) + ENTRY.format(2) + OLD,
        ENTRY.format(3) + OLD + ENTRY.format(2) + ENTRY.format(1),
    ):
        assert read("# Quay\n\n" + text).next == "Oil the crane"


def test_a_section_above_the_entries_that_has_none_of_them_is_renewed_in_place() -> None:
    entries = "### 2026-03-0{0} - US-00{0}: Crane\n- Turned it\n\n"
    text = f"# Quay\n\n## Done\n\n{entries.format(1)}## Current focus\nThe crane\n\n## Log\n\n{entries.format(2)}"
    assert read(text).focus == "The crane"
    assert read(text.replace("## Log\n\n", "")).focus is None, "an entry is in it"


def test_how_much_of_all_is_done_is_where_the_work_stands_and_the_newest_word_counts() -> None:
    def told(*said: str) -> str | None:
        entries = (ENTRY.format(at) + f"{text}\n\n" for at, text in enumerate(said, 1))
        return read("# Quay\n\n" + "".join(entries)).focus

    assert (
        told("Status: 1/9 features done", "Progress: 2/9 features done (22%)")
        == "Progress: 2/9 features done (22%)"
    )
    assert told("Status: 1/9 features done", "Painted") == "1/9 features done"
    assert told("Status: 1/9 features done", *["Painted"] * 3) is None
    assert told("Status: 9/9 tests pass") is None
    assert told("Of the crane 2/9 features are done") is None


def test_a_head_that_calls_all_done_is_older_than_an_entry_that_waits() -> None:
    head = "# Quay\n\n## Summary\n- Current status: All phases complete (4/4)\n\n"
    assert read(head + ENTRY.format(1)).focus == "All phases complete (4/4)"
    told = read(head + ENTRY.format(1) + "The crane remains blocked by the missing rope\n")
    assert told.waits == "The crane remains blocked by the missing rope"
    assert told.focus is None
    assert "All phases complete" in " ".join(told.texts), "it would be told elsewhere as if it held"


def test_what_might_come_one_day_is_no_next_step_beside_others() -> None:
    ideas = "- {}\n  - Sell the crane to the owner of the other quay\n  - Paint it\n- Draw the map\n"
    oil = "Oil the crane of the old quay before the winter comes and the ropes freeze"
    for lead in ("Possible later, if the user asks:", "Ideas nobody has asked for, and that may wait."):
        text = f"# Quay\n\n## Next steps\n- {oil}\n{ideas.format(lead)}"
        assert read(text).next == f"{oil}; Draw the map"
        assert "Oil it" in (read(text.replace(oil, "Oil it")).next or ""), (
            "told as one with the short one below"
        )
    alone = ideas.format("Ideas nobody has asked for, and that may wait.").removesuffix("- Draw the map\n")
    assert "Paint it" in (read(f"# Quay\n\n## Next steps\n{alone}").next or "")
    assert "Paint it" in (read("# Quay\n\n## Next steps\n" + ideas.format("The crane")).next or "")


@pytest.mark.parametrize("name", ["Recommended approach", "RECOMMENDED UI LIBRARY", "Suggested settings"])
def test_what_is_recommended_for_good_is_no_next_step(name: str) -> None:
    assert read(f"# Quay\n\n## {name}\n- Cranes with two ropes\n").next is None
    steps = read("# Quay\n\n## Recommended next steps\n- Buy a rope\n")
    assert steps.next == "Buy a rope"


@pytest.mark.parametrize(
    "status", ["Session terminated, work may be incomplete", "The run timed out", "Session 4 ended"]
)
def test_the_status_of_a_session_is_not_that_of_the_work(status: str) -> None:
    assert read(f"# Quay\n\n{ENTRY.format(1)}---\n\n## Timeout\n- **Status:** {status}\n").focus is None
    assert read("# Quay\n\n## Status\nSession storage is half done\n").focus == "Session storage is half done"


def test_what_was_next_between_older_entries_is_over() -> None:
    old = "## Survey\n\nRemaining are three berths\n\n"
    told = read("# Quay\n\n" + ENTRY.format(1) + old + ENTRY.format(2))
    assert told.texts == ("Remaining are three berths",)


@pytest.mark.parametrize("label", ["Tomorrow", "Left to do for the quay", "Next", "To-do"])
def test_a_sentence_within_a_paragraph_says_what_comes_next(label: str) -> None:
    text = f"# Log\n\n## 2026-03-02 Quay\nThe crane turns. {label}: the rope, then the hook. Oil is in the shed.\n"
    assert read(text).next == "the rope, then the hook"
    log = read_log(text, "progress.md")
    said = [each.text for each in read_passages(log, text).passages]
    assert said == ["The crane turns.", f"{label}: the rope, then the hook.", "Oil is in the shed."]


@pytest.mark.parametrize(
    ("body", "blocker"),
    [
        ("- Blockiert: Ventil 3 klemmt", "Ventil 3 klemmt"),
        ("- Bloqué : la vanne 3", "la vanne 3"),
        ("### Заблокировано\n- клапан 3", "клапан 3"),
        ("⛔ valve 3 sticks", "valve 3 sticks"),
        ("Built the pipe.\n🚫 valve 3 sticks\n✅ the pipe", "valve 3 sticks"),
        ("| Part | State |\n|---|---|\n| mail | blocked: no key |\n| pipe | done |", "mail — no key"),
        ("| Part | Zustand |\n|---|---|\n| mail | blockiert (kein Schlüssel) |", "mail — kein Schlüssel"),
    ],
)
def test_the_newest_entry_says_in_any_of_these_ways_what_blocks(body: str, blocker: str) -> None:
    assert read(f"# Log\n\n## 2026-03-02 Pump\n- Built it\n\n{body}\n").blockers == (blocker,)


@pytest.mark.parametrize(
    "body",
    [
        "- Blockiert: nichts",
        "⛔ Never open valve 3 by hand",
        "⛔ Do not open valve 3",
        "🔴 valve 3 sticks",
        "⛔ Valves:",
        "| Part | State |\n|---|---|\n| mail | unblocked: the key came |",
    ],
)
def test_it_does_not_in_these(body: str) -> None:
    assert read(f"# Log\n\n## 2026-03-02 Pump\n- Built it\n\n{body}\n").blockers == ()


@pytest.mark.parametrize(
    "after",
    [
        "Blocked: valve 3 sticks. Solved: we took another",
        "Blocked: valve 3 sticks; behoben",
        "Blocked: valve 3 sticks\n- Solved: we took another",
        "Blocked: valve 3 sticks\n\n## 2026-03-03 Hull\n- Valve 3 is replaced and works.",
        "Blocked: valve 3 sticks\n\n## 2026-03-03 Valve 3 repaired and works again\n- Painted it",
        "Blocked: valve 3 sticks\n\n## 2026-03-03 Hull\n- The valve was repaired.",
        "Blocked: the valve sticks\n\n## 2026-03-03 Hull\n- Valve 3 is replaced.",
    ],
)
def test_a_blocker_that_is_called_solved_is_over(after: str) -> None:
    assert read(f"# Log\n\n## 2026-03-02 Pump\n- Built it\n- {after}\n").blockers == ()


@pytest.mark.parametrize(
    "after",
    [
        "- Valve 2 is replaced and works.",
        "- Valve 3 is not yet replaced.",
        "- Valve 3 was not fixed.",
        "- Valve 3 sticks and works only by hand.",
    ],
)
def test_it_is_open_where_another_is_solved_or_it_is_not_yet(after: str) -> None:
    text = f"# Log\n\n## 2026-03-02 Pump\n- Blocked: valve 3 sticks\n\n## 2026-03-03 Hull\n{after}\n"
    assert read(text).blockers == ("valve 3 sticks",)


BOXES = (
    "# Quay\n\n{newer}## Session 2\n- [x] Swept it\n- [~] Ropes\n- [ ] {box}\n\n## Session 1\n- [x] Dug it\n"
)


@pytest.mark.parametrize(
    "box",
    [
        "Oil the crane - BLOCKED: the shed is shut",
        "Oil the crane (blocked by the shed, which is shut)",
        "Oil the crane – waiting for the key",
        "Den Kran ölen (blockiert: Schuppen zu)",
    ],
)
def test_an_open_box_that_says_what_blocks_it_is_in_the_way_until_it_is_ticked(box: str) -> None:
    assert read(BOXES.format(box=box, newer="")).blockers == (box,)
    work = box.partition(" (")[0].partition(" - ")[0].partition(" – ")[0]
    assert not read(BOXES.format(box=box, newer=f"## Session 3\n- [x] {work}\n\n")).blockers
    assert read(BOXES.format(box=box, newer="## Session 3\n- [x] Painted the shed\n\n")).blockers


@pytest.mark.parametrize("box", ["List the tasks blocked by others", "Show why - blockers in red"])
def test_a_box_about_blockers_is_not_blocked(box: str) -> None:
    assert not read(BOXES.format(box=box, newer="")).blockers
