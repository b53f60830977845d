"""Our classes of named tuples are those of `typing` to whoever uses them."""

from __future__ import annotations

import copy
import re
import sys
import typing
from pathlib import Path

import pytest

from progress_plugin.core.named_tuple import NamedTuple
from tests.conftest import REPOSITORY


class Berth(NamedTuple):
    """A place for a boat."""

    name: str
    length: float = 12.5
    boats: tuple[str, ...] = ()
    """Newest first."""

    @property
    def is_free(self) -> bool:
        return not self.boats


class Model(typing.NamedTuple):
    """The same as `typing` makes it."""

    name: str
    length: float = 12.5
    boats: tuple[str, ...] = ()


class Quay(Berth):
    """A class of a class."""


class Nothing(NamedTuple):
    """No field at all."""


@pytest.mark.parametrize(
    ("given", "named"),
    [(("a",), {}), (("a", 3), {}), (("a",), {"boats": ("x",)}), ((), {"name": "b", "length": 0})],
)
def test_it_is_made_shown_changed_and_compared_as_that_of_typing(
    given: tuple[typing.Any, ...], named: dict[str, typing.Any]
) -> None:
    ours, theirs = Berth(*given, **named), Model(*given, **named)
    assert ours == theirs
    assert hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("Model", "Berth")
    assert ours._asdict() == theirs._asdict()
    assert (ours.name, ours.length, ours.boats) == tuple(theirs)
    assert ours._replace(length=1) == theirs._replace(length=1)
    assert type(copy.copy(ours)) is Berth
    assert (Berth._fields, Berth._field_defaults) == (Model._fields, Model._field_defaults)
    assert ours.is_free is not bool(theirs.boats)


def test_what_typing_refuses_is_refused_in_the_same_words() -> None:
    wrong: list[dict[str, typing.Any]] = [{}, {"name": "a", "depth": 1}]
    for named in wrong:
        words = []
        for kind in (Berth, Model):
            with pytest.raises(TypeError) as refused:
                kind(**named)
            words.append(str(refused.value).replace("Model", "Berth"))
        assert words[0] == words[1]
    with pytest.raises((TypeError, ValueError), match="depth"):
        Berth("a")._replace(depth=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=re.escape("Expected 3 arguments, got 1")):
        Berth._make(["a"])
    with pytest.raises(AttributeError):
        Berth("a").name = "b"  # type: ignore[misc]


def test_a_class_of_it_and_one_without_fields_work() -> None:
    assert Quay("a", 3).is_free
    assert Nothing() == ()
    match Berth("a", 2):
        case Berth(name, length):
            assert (name, length) == ("a", 2)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="from 3.14 on it is that of typing")
def test_no_module_of_ours_pays_for_that_of_typing() -> None:
    paths = [path for path in Path(REPOSITORY, "progress_plugin").rglob("*.py") if path.stem != "named_tuple"]
    made = [
        path.name
        for path in paths
        if re.search(r"^from typing import.*NamedTuple", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(paths) > 200
    assert made == []
