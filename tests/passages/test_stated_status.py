"""What a log says of where the work stands, in the words and places that agents use for it."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.passages.reader import read_passages
from progress_plugin.passages.stated_status import StatedStatus, stated_status


def read(text: str) -> StatedStatus:
    log = read_log(text, "progress.md")
    return stated_status(read_passages(log, text), has_entries=bool(log.events))


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
        "Bloqueos",
    ],
)
def test_these_headings_say_what_is_in_the_way(heading: str) -> None:
    assert read(f"# Log\n\n## {heading}\n- The crane has no rope\n").blockers == ("The crane has no rope",)
    assert read(f"# Log\n\n**{heading}:** the crane has no rope\n").blockers == ("the crane has no rope",)


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
