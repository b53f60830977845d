"""A statement that announces a list says so where the summary tells only part of that."""

from __future__ import annotations

import pytest

from progress_plugin.authored.reader import read_log
from progress_plugin.passages.reader import read_passages
from progress_plugin.summary import budget
from progress_plugin.summary.announced_lists import items_of, with_sign
from progress_plugin.summary.build import build
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.summary_input import Facts

ANNOUNCED = (
    "The keepers of the quay wrote down what its new gate has to hold back at spring tide, every single year"
)
PARTS = [
    f"the {what} that comes from the north with a weight of {100 + number} barrels and more, day and night"
    for number, what in enumerate(("ice", "mud", "timber", "weed", "foam", "sand", "ore", "wool"))
]
LOG = "# Progress\n\n## 2026-03-01 - US-001: Gate\n- {}:\n{}\n- The winch was oiled\n"


def told(tokens: int) -> list[str]:
    """Return what is told of the story whose entry has the list."""
    text = LOG.format(ANNOUNCED, "\n".join(f"  - {part}" for part in PARTS))
    log = read_log(text, "progress.md")
    facts = Facts(
        name="quay", events=log.events, readings=(read_passages(log, text),), sources=("progress.md",)
    )
    content, offered = build(facts, read_history(facts), recent=1, chosen=())
    (story,) = budget.fit(content, offered, tokens, ()).recent
    return [str(bullet) for bullet in story.bullets]


def test_where_part_of_a_list_is_told_its_announcement_says_that_there_is_more() -> None:
    bullets = told(260)
    assert 0 < sum(part in bullets for part in PARTS) < len(PARTS)
    assert f"{ANNOUNCED}…" in bullets


def test_where_all_of_a_list_is_told_its_announcement_is_as_it_was_written() -> None:
    assert told(2000)[: len(PARTS) + 1] == [f"{ANNOUNCED}:", *PARTS]


def test_what_a_list_announces_ends_with_the_statement_that_is_no_deeper() -> None:
    text = LOG.format(ANNOUNCED, "\n".join(f"  - {part}\n    - {part} of old" for part in PARTS))
    passages = read_passages(read_log(text, "progress.md"), text).passages
    at = next(place for place, each in enumerate(passages) if each.text.startswith(ANNOUNCED))
    assert [passages[place].text for place in items_of(passages, at)] == PARTS
    assert not items_of(passages, at + 1)


@pytest.mark.parametrize(
    ("text", "shown"), [("It holds:", "It holds…"), ("内容：", "内容…"), ("It holds.", "It holds.")]
)
def test_the_sign_stands_for_the_colon(text: str, shown: str) -> None:
    assert with_sign(text, (4, 5), {4}) == shown
    assert with_sign(text, (4, 5), {4, 5, 6}) == text
    assert with_sign(text, (), {4}) == text
