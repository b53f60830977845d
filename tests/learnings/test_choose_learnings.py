"""Which learnings are shown, and under which topics."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.learnings.choose import choose
from progress_plugin.learnings.topics import topics
from progress_plugin.model.learning import Kind, Learning


def learning(text: str, position: int = 1, mentions: int = 1, *, files: tuple[str, ...] = ()) -> Learning:
    return Learning(
        kind=Kind.PATTERN, text=text, source="", position=position, mentions=mentions, files=files
    )


def test_what_was_mentioned_most_comes_first_and_the_rest_is_counted() -> None:
    many = learning("oil the wheel", 1, 5)
    chosen = choose([learning(f"fact {n}", 1) for n in range(9)] + [many], 4)
    assert chosen.shown[0] == many
    assert (len(chosen.shown), chosen.hidden) == (4, 6)


def test_the_newest_are_never_shut_out() -> None:
    old = [learning(f"old fact {n} about `Wheel{n}`", 1, 9) for n in range(20)]
    new = [learning(f"new {n}", 50 + n) for n in range(3)]
    assert set(new) <= set(choose([*old, *new], 15).shown)


def test_what_names_code_is_preferred_to_what_names_nothing() -> None:
    vague = learning("the wheel is sometimes somewhat difficult to handle for a miller", 1)
    exact = learning(
        "turn the wheel by `Wheel.turn` in src/wheel.py, by whole turns only", 1, files=("src/wheel.py",)
    )
    newest = [learning("a", 9), learning("b", 9), learning("c", 9)]
    assert exact in choose([exact, vague, *newest], 4).shown


def test_no_room_shows_nothing() -> None:
    assert choose([learning("a")], 0) == ((), 1)
    assert choose([], 5) == ((), 0)


LEARNINGS = st.lists(
    st.builds(
        learning, st.sampled_from(["oil it", "`Wheel` turns", "x"]), st.integers(0, 9), st.integers(1, 9)
    ),
    max_size=30,
)


@given(LEARNINGS, st.builds(learning, st.just("added"), st.integers(0, 12)), st.integers(1, 20))
def test_adding_a_learning_never_removes_the_newest(
    present: list[Learning], added: Learning, limit: int
) -> None:
    grown = [*present, added]
    newest = max(grown, key=lambda each: each.position).position
    shown = choose(grown, limit).shown
    assert any(each.position == newest for each in shown)
    assert len(shown) == min(limit, len(grown))


def test_learnings_that_share_a_subject_stand_together() -> None:
    given_ = [
        learning("Turn the `Wheel` slowly"),
        learning("Flour keeps dry in sacks"),
        learning("`Wheel` has two speeds"),
        learning("Corn comes on Monday"),
        learning("Wet flour clogs"),
    ]
    assert [(topic.label, [each.text for each in topic.learnings]) for topic in topics(given_)] == [
        ("`Wheel`", ["Turn the `Wheel` slowly", "`Wheel` has two speeds"]),
        ("Flour", ["Flour keeps dry in sacks", "Wet flour clogs"]),
        (None, ["Corn comes on Monday"]),
    ]


@given(LEARNINGS)
def test_grouping_loses_and_doubles_nothing(learnings: list[Learning]) -> None:
    grouped = [each for topic in topics(learnings) for each in topic.learnings]
    assert sorted(grouped, key=repr) == sorted(learnings, key=repr)
