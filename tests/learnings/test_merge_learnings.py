"""What says the same is said once; the newest and most specific wording stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.learnings.merge import merge
from progress_plugin.learnings.words import names_in, words_of
from progress_plugin.model.learning import Learning, LearningKind


def learning(text: str, position: int = 0, *, line: int = 1, files: tuple[str, ...] = ()) -> Learning:
    return Learning(
        kind=LearningKind.PATTERN, text=text, source="log.md", lines=(line,), files=files, position=position
    )


def texts(*learnings: Learning) -> list[str]:
    return [found.text for found in merge(learnings)]


def test_a_copy_in_the_head_section_and_its_origin_are_one() -> None:
    head = learning("Run `mill update` after every change of package.json", line=3)
    entry = learning("Use `mill update` after package.json changes", 4, line=40, files=("package.json",))
    (merged,) = merge([head, entry])
    assert (merged.text, merged.mentions, merged.position, merged.lines) == (entry.text, 2, 4, (40, 3))
    assert merged.files == ("package.json",)


def test_the_same_file_by_several_names_is_one() -> None:
    one = learning("Settings of the wheel stand in `src/mill/wheel.py`", 1, files=("src/mill/wheel.py",))
    other = learning("Settings of the wheel stand in wheel.py", 2, files=("wheel.py",))
    (merged,) = merge([one, other])
    assert merged.files == ("src/mill/wheel.py",)


def test_an_older_wording_that_says_more_survives() -> None:
    more = learning(
        "Oil the wheel with linseed before every run, otherwise the wooden axle cracks in winter", 1
    )
    assert texts(more, learning("Oil the wheel before every run", 2)) == [more.text]


def test_of_two_statements_equally_alike_the_first_takes_up_a_third_in_every_process() -> None:
    stems = [f"{place}{thing}" for place in ("north", "south", "east", "west") for thing in ("mill", "barn")]
    for number in range(len(stems)):  # eight times, or chance might do as well
        names = [f"{stem}{number}" for stem in stems]
        first = learning(" ".join([*names[2:], "oats", "rye"]), 1, line=1)
        second = learning(" ".join([*names[:6], "barley", "wheat"]), 1, line=2)
        third = learning(" ".join(names), 1, line=3)
        assert [found.lines for found in merge([first, second, third])] == [(3, 1), (2,)]


def test_a_correction_replaces_what_it_corrects() -> None:
    old = learning("Wheel.turning is always true in the first version", 3)
    new = learning("Wheel.turning now follows the water (was always true in the first version)", 9)
    assert texts(old, new) == [new.text]
    unrelated = learning("Wheel.turning now drives the belt through the long gear of the second floor", 9)
    assert len(texts(old, unrelated)) == 2


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("All weights are whole pounds, never tons with a comma",
         "Correction: weights are not always whole pounds, barrels are counted by piece"),
        ("The list needs a semicolon as the separator, the customs office expects it",
         "Correction: the separator of the list must be a comma, not a semicolon, since the office rejects it"),
        ("Round all fees of the harbour down to the shilling",
         "The note on rounding fees down to the shilling was wrong: they are rounded half up"),
        ("Alle Gewichte sind ganze Pfund, nie Tonnen mit Komma",
         "Korrektur: Gewichte sind nicht immer ganze Pfund, Fässer werden gezählt"),
        ("Las cargas de la grúa se pesan en libras enteras",
         "Corrección: las cargas de la grúa se pesan en toneladas, no en libras"),
        ("吊车的货物按整磅计重，不用小数", "更正：吊车的货物不按整磅计重，按吨计重"),
    ],
)  # fmt: skip
def test_what_is_called_wrong_goes_with_a_clause_more_and_no_name_in_it(wrong: str, right: str) -> None:
    (merged,) = merge([learning(wrong, 1), learning(right, 2)])
    assert merged.text == right
    assert [text for text, _, _ in merged.replaced] == [wrong]  # what the log says there is not told, either


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The crane needs oil before each start of the day",
         "Correction: the sluice opens at ebb before each change of the tide"),
        ("Pilots need a pass of the harbour office for each boat",
         "The list of boats no longer needs a column for the pilots"),
    ],
)  # fmt: skip
def test_a_correction_of_something_else_leaves_a_statement_alone(one: str, other: str) -> None:
    assert texts(learning(one, 1), learning(other, 2)) == [one, other]


def test_half_the_words_are_enough_unless_each_text_names_something_of_its_own() -> None:
    one = learning("Tests of the wheel mock `turn` because a real wheel is slow to stop in frost")
    again = learning("Mock `turn` in tests of the wheel, a real one stops late at night")
    assert len(texts(one, again)) == 1
    stone = learning("New `stone` folder made for lessons on grinding")
    belt = learning("New `belt` folder made for lessons on pulling")
    assert len(texts(stone, belt)) == 2


def test_different_figures_are_different_facts() -> None:
    assert (
        len(
            texts(
                learning("The mill server listens on port 3000"),
                learning("The mill server listens on port 4000"),
            )
        )
        == 2
    )


@pytest.mark.parametrize(
    "things",
    [
        [f"src/mod{number}.py" for number in range(10)],
        [
            f"`{name}`"
            for name in ("axe", "rope", "grind", "sift", "stop", "lift", "dry", "sack", "weigh", "hoist")
        ],
        ["Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jo"],
        [
            f"mill_{name}"
            for name in ("north", "south", "east", "west", "first", "last", "old", "new", "wet", "dry")
        ],
        [f"{number}ms" for number in range(10, 110, 10)],
    ],
)
def test_sentences_that_only_name_different_things_are_different_facts(things: list[str]) -> None:
    said = [
        learning(f"Before the wheel turns in frost, the axle of {thing} must be oiled twice", number)
        for number, thing in enumerate(things)
    ]
    assert [(each.text, each.mentions) for each in merge(said)] == [(each.text, 1) for each in said]


def test_a_rewording_that_names_a_thing_more_is_the_same_fact() -> None:
    one = learning("The axle in `mill/axle.py` must be oiled before the wheel turns in frost", 1)
    again = learning("Before the wheel turns in frost the axle must be oiled, see `oil_axle` in axle.py", 2)
    assert len(texts(one, again)) == 1


def test_short_texts_are_the_same_only_word_by_word() -> None:
    assert len(texts(learning("Oil wheel"), learning("Oil belt"), learning("oil the wheel"))) == 2


def test_statements_in_scripts_without_spaces_are_compared_too() -> None:
    assert (
        len(
            texts(
                learning("启动之前必须先运行数据库迁移脚本", 1), learning("启动之前必须运行数据库迁移脚本", 2)
            )
        )
        == 1
    )


def test_words_are_stems_without_small_change() -> None:
    assert words_of("The wheels are turning in `src/wheel.py`") == {"wheel", "turn", "py"}
    assert names_in("`mill run` and `mill` for MillWheel or mill_wheel") == (
        "mill",
        "MillWheel",
        "mill_wheel",
    )


WORDS = st.lists(
    st.sampled_from(
        ["oil", "wheel", "belt", "stone", "dry", "wet", "never", "mill", "flour", "port", "3000", "run"]
    ),
    max_size=9,
)


@given(st.lists(st.tuples(WORDS, st.integers(0, 5)), max_size=20))
def test_merging_keeps_mentions_and_merging_again_changes_nothing_of_their_sum(
    rows: list[tuple[list[str], int]],
) -> None:
    learnings = [learning(" ".join(words) or "x", position) for words, position in rows]
    merged = merge(learnings)
    assert sum(each.mentions for each in merged) == len(learnings)
    assert max((each.position for each in merged), default=0) == max((row[1] for row in rows), default=0)
    assert merge(learnings) == merged


def test_what_was_merged_before_is_not_compared_with_itself_but_with_all_that_is_newer() -> None:
    told = [
        "The winch in `dock.py` sticks below zero degrees",
        "The winch in `dock.py` sticks below zero degrees!",
    ]
    settled = [
        Learning(kind=LearningKind.GOTCHA, text=text, source="", position=1, mentions=2) for text in told
    ]
    newer = Learning(kind=LearningKind.GOTCHA, text=told[0], source="", position=9)
    assert [each.mentions for each in merge([], settled=settled)] == [2, 2]
    assert sorted(each.mentions for each in merge([newer], settled=settled)) == [2, 3]
