"""Which learnings are shown, and under which topics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.learnings.max_learnings import choose_learnings
from progress_plugin.learnings.subjects import Subject, mentions
from progress_plugin.learnings.topics import topics
from progress_plugin.learnings.words import has_name, names_in
from progress_plugin.model.learning import Learning, LearningKind


def learning(text: str, position: int = 1, mentions: int = 1, *, files: tuple[str, ...] = ()) -> Learning:
    return Learning(
        kind=LearningKind.PATTERN, text=text, source="", position=position, mentions=mentions, files=files
    )


def test_what_was_mentioned_most_comes_first_and_the_rest_is_counted() -> None:
    many = learning("oil the wheel", 1, 5)
    chosen = choose_learnings([learning(f"fact {n}", 1) for n in range(9)] + [many], 4)
    assert chosen.shown[0] == many
    assert (len(chosen.shown), chosen.hidden) == (4, 6)


def test_the_newest_are_never_shut_out() -> None:
    old = [learning(f"old fact {n} about `Wheel{n}`", 1, 9) for n in range(20)]
    new = [learning(f"new {n}", 50 + n) for n in range(3)]
    assert set(new) <= set(choose_learnings([*old, *new], 15).shown)


def test_what_names_code_is_preferred_to_what_names_nothing() -> None:
    vague = learning("the wheel is sometimes somewhat difficult to handle for a miller", 1)
    exact = learning(
        "turn the wheel by `Wheel.turn` in src/wheel.py, by whole turns only", 1, files=("src/wheel.py",)
    )
    newest = [learning("a", 9), learning("b", 9), learning("c", 9)]
    assert exact in choose_learnings([exact, vague, *newest], 4).shown


def test_no_room_shows_nothing() -> None:
    assert choose_learnings([learning("a")], 0) == ((), 1)
    assert choose_learnings([], 5) == ((), 0)


LEARNINGS = st.lists(
    st.builds(
        learning, st.sampled_from(["oil it", "`Wheel` turns", "x"]), st.integers(0, 9), st.integers(1, 9)
    ),
    max_size=30,
)


@given(LEARNINGS, st.builds(learning, st.just("stones wear"), st.integers(0, 12)), st.integers(1, 20))
def test_adding_a_learning_never_removes_the_newest(
    present: list[Learning], added: Learning, limit: int
) -> None:
    grown = [*present, added]
    newest = max(grown, key=lambda each: each.position).position
    shown = choose_learnings(grown, limit).shown
    assert any(each.position == newest for each in shown)
    assert len(shown) == min(limit, len(grown))


def grouped(*texts: str, project: str = "") -> list[tuple[str | None, list[str]]]:
    found = topics([learning(text) for text in texts], project)
    return [(topic.label, [each.text for each in topic.learnings]) for topic in found]


def test_learnings_that_share_a_name_stand_together_below_those_that_share_none() -> None:
    assert grouped(
        "Turn the `Wheel` slowly",
        "Flour keeps dry in sacks",
        "`Wheel` has two speeds",
        "Corn comes on Monday",
        "Wet flour clogs",
    ) == [
        (None, ["Flour keeps dry in sacks", "Corn comes on Monday", "Wet flour clogs"]),
        ("`Wheel`", ["Turn the `Wheel` slowly", "`Wheel` has two speeds"]),
    ]


@pytest.mark.parametrize(
    ("label", "one", "other"),
    [
        ("`ruff`", "Ruff F401: drop what is not used", "`ruff format` changes line ends"),
        ("MCP", "MCP answers in JSON lines", "the mcp library has no stubs"),
        ("Playwright", "run it by Playwright, not by hand", "in Playwright a click waits"),
        ("`mill.py`", "stones live in `src/mill.py`", "see `lib/mill.py` for belts"),
        ("`turn_wheel`", "turn_wheel takes whole turns", "call `turn_wheel(2)` twice"),
        ("`@mill/stone`", "`@mill/stone` comes with the mill", "import from `@mill/stone`"),
    ],
)
def test_files_tools_technologies_and_names_of_code_are_subjects(label: str, one: str, other: str) -> None:
    assert grouped(one, "bread is good", other) == [(None, ["bread is good"]), (label, [one, other])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Updating the stone takes a day", "When updating, oil it"),
        ("Cleanup comes last", "the cleanup needs water"),
        ("NEVER stop it", "it will NEVER turn"),
        ("the default is `true`", "`true` stops it"),
        ("Write it in `progress.txt`", "`progress.txt` is long"),
        ("use a `child` there", "no child may enter"),
        ("pass `--json` here", "pass `--json` there"),
        ("the Mill Action grinds", "Action by hand is slow"),
        ("wrap it in a `div`", "a `div` is enough"),
        ("Writing needs BEGIN IMMEDIATE", "a harvest may begin in one year and end in the next"),
    ],
)
def test_ordinary_words_stress_and_the_agents_own_files_are_no_subjects(one: str, other: str) -> None:
    assert [label for label, _ in grouped(one, "bread is good", other)] == [None]


def test_the_name_of_the_project_is_no_subject() -> None:
    texts = ("`mill` turns", "oil the `mill`", "bread is good", "corn is dry")
    assert [label for label, _ in grouped(*texts)] == [None, "`mill`"]
    assert [label for label, _ in grouped(*texts, project="the-mill")] == [None]


def test_what_most_learnings_name_tells_nothing_apart() -> None:
    assert [label for label, _ in grouped("`Wheel` a", "`Wheel` b", "`Wheel` c", "bread")] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "Pre-existing failures unchanged: mill.test.ts",
        "The stone already had a mark, it just needed a line",
        "Added a wheel",
        "`mill.py` will be used by MILL-9 for turning",
        "The wheel was red before",
        "All 12 stones documented: a, b",
        "Conventions go into `progress.txt`",
        "wasm failures are not related to this change",
    ],
)
def test_what_speaks_of_one_moment_gives_way_to_what_lasts(text: str) -> None:
    lasting = [*(learning(f"turn stone {name} by hand", 1) for name in "ab"), learning("oil it", 10)]
    moment = learning(text, 9, 4)
    assert moment not in choose_learnings([*lasting, moment], 3).shown
    assert moment in choose_learnings([*lasting, moment], 4).shown


@pytest.mark.parametrize("text", ["The wheel must be oiled if it was wet", "Stones wear, so keep two"])
def test_a_rule_with_a_past_lasts(text: str) -> None:
    lasting = [learning(f"turn stone {name} by hand", 1) for name in "abc"]
    assert learning(text, 9) in choose_learnings([*lasting, learning(text, 9)], 1).shown


@given(LEARNINGS)
def test_grouping_loses_and_doubles_nothing(learnings: list[Learning]) -> None:
    grouped = [each for topic in topics(learnings) for each in topic.learnings]
    assert sorted(grouped, key=repr) == sorted(learnings, key=repr)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("mill turns", 0),
        ("Oil the MILL.", 8),
        ("(mill)", 1),
        ("the windmill, the mill", 18),
        ("mills, mill_2, mill-wheel, old-mill and .mill", None),
        ("mill-wheel of the mill", 18),
    ],
)
def test_a_subject_is_named_where_it_stands_as_a_whole_word(text: str, place: int | None) -> None:
    assert mentions(Subject("mill", "mill", 2, marked=False), learning(text)) == place


def test_an_ordinary_word_is_a_name_in_code_marks_or_with_a_capital() -> None:
    subject = Subject("mill", "`mill`", 3, marked=True)
    assert mentions(subject, learning("a mill is no `mill`")) == 14
    assert mentions(subject, learning("a mill is no Mill")) == 13
    assert mentions(subject, learning("a mill is a mill")) is None


@given(st.text("aB1_` .é", max_size=12))
def test_a_text_has_a_name_where_one_is_found_in_it(text: str) -> None:
    assert has_name(text) == bool(names_in(text))
