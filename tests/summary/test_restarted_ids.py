"""Ids that a log uses again for other work."""

from __future__ import annotations

from progress_plugin.authored.reader import read_log
from progress_plugin.summary.build import completion
from progress_plugin.summary.merged_story_status import read_history
from progress_plugin.summary.summary_input import Facts


def _completion(*second: str) -> str:
    first = ("oiled every crane", "painted both hulls", "swept stones away")
    lines = [f"A{at}: DONE — {title}" for at, title in enumerate(first, 1)]
    lines += [f"A{at}: DONE — {title}" for at, title in enumerate(second, 1)]
    log = read_log("\n".join(lines), "progress.txt")
    return completion(read_history(Facts(name="x", events=log.events)))


def test_ids_that_begin_again_with_other_titles_are_other_stories() -> None:
    assert _completion("bought timber", "rented wagons", "hired sailors").startswith("6/6 complete")


def test_stories_reported_again_in_like_words_are_the_same() -> None:
    assert _completion("oiled every crane twice", "painted hulls anew", "hired sailors").startswith(
        "3/3 complete"
    )


def test_two_stories_reported_again_in_other_words_are_the_same() -> None:
    assert _completion("bought timber", "rented wagons").startswith("3/3 complete")
