"""Merging two versions of a document, as properties."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from progress_plugin.memory.document_merge import loosely, merge, value_identity

STEPS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), unique=True)
DOCUMENTS = st.fixed_dictionaries(
    {"goal": st.sampled_from(["g", "h"]), "completed": STEPS, "next_steps": STEPS},
    optional={
        "blockers": STEPS,
        "more": st.fixed_dictionaries({}, optional={"x": st.integers(0, 1), "y": STEPS}),
    },
)


def leaves(value: Any, path: str = "") -> set[str]:
    if isinstance(value, dict):
        return set().union(*(leaves(member, f"{path}.{name}") for name, member in value.items()), set())
    if isinstance(value, list):
        return {f"{path}={value_identity(item)}" for item in value}
    return {f"{path}={value_identity(value)}"}


@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_a_merge_keeps_everything_of_both_but_completed_steps(
    base: dict[str, Any], live: dict[str, Any], offered: dict[str, Any]
) -> None:
    merged, conflicts = merge(base, live, offered)

    if not conflicts and live != offered:
        done = {f".next_steps={value_identity(item)}" for item in merged["completed"]}
        assert leaves(merged) == (leaves(live) | leaves(offered)) - done


@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
def test_who_comes_second_does_not_matter_for_what_is_there(
    base: dict[str, Any], live: dict[str, Any], offered: dict[str, Any]
) -> None:
    one, faults = merge(base, live, offered)
    other, same_faults = merge(base, offered, live)

    assert sorted(faults) == sorted(same_faults)
    if not faults:
        assert leaves(one) == leaves(other)


@given(DOCUMENTS, DOCUMENTS)
def test_the_same_change_twice_is_no_conflict(base: dict[str, Any], both: dict[str, Any]) -> None:
    assert merge(base, both, both) == (both, [])


def test_a_base_that_is_gone_means_nothing_is_known_to_be_removed() -> None:
    assert merge(None, {"l": ["a"]}, {"l": ["b"], "m": 1}) == ({"l": ["a", "b"], "m": 1}, [])


def test_a_step_completed_in_other_words_of_case_and_space_is_no_next_step() -> None:
    merged, conflicts = merge({}, {"completed": ["Write  tests"]}, {"next_steps": ["write tests", "ship"]})

    assert (merged["next_steps"], conflicts) == (["ship"], [])
    assert loosely("Write  tests") == loosely("write tests")


def test_true_and_one_are_different() -> None:
    assert merge({}, {"x": True}, {"x": 1})[1] == ["x"]
