"""The named tuples that hooks do with are those of `typing`, as far as anybody can tell."""

from __future__ import annotations

import importlib
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from progress_plugin.core import light_typing
from progress_plugin.core.tuple_constructors import CONSTRUCTORS


def _of(base: Any) -> Any:
    class Lamp(base):  # type: ignore[misc]
        """A lamp of the harbour."""

        name: str
        height: int
        colour: str = "red"
        marks: tuple[str, ...] = ()

        @property
        def label(self) -> str:
            """Return name and colour."""
            return f"{self.name}, {self.colour}"

        @classmethod
        def low(cls, name: str) -> Any:
            """Return a lamp near the ground."""
            return cls(name, 1)

    return Lamp


LIGHT, FULL = _of(light_typing.NamedTuple), _of(typing.NamedTuple)
USES: list[Callable[[Any], object]] = [
    lambda lamp: tuple(lamp("quay", 3)),
    lambda lamp: tuple(lamp(name="quay", height=3, marks=("a",))),
    lambda lamp: repr(lamp("quay", height=3)).rpartition("Lamp")[2],
    lambda lamp: lamp("quay", 3)._asdict(),
    lambda lamp: tuple(lamp("quay", 3)._replace(colour="green", height=4)),
    lambda lamp: tuple(lamp._make(["quay", 3, "white", ()])),
    lambda lamp: (lamp._fields, lamp._field_defaults, lamp.__match_args__, list(lamp.__annotations__)),
    lambda lamp: (lamp.low("pier").label, lamp.low("pier").height, lamp.__doc__, lamp.__name__),
    lambda lamp: lamp("quay", 3) == ("quay", 3, "red", ()) and hash(lamp("quay", 3)),
    lambda lamp: (isinstance(lamp("quay", 3), tuple), lamp.__slots__, lamp.__module__),
    lambda lamp: lamp("quay", 3).__getnewargs__(),
]
FAULTS: list[Callable[[Any], object]] = [
    lambda lamp: lamp("quay"),
    lambda lamp: lamp("quay", 3, "red", (), 5),
    lambda lamp: lamp("quay", 3, depth=4),
    lambda lamp: lamp._make(["quay"]),
    lambda lamp: lamp("quay", 3)._replace(depth=4),
    lambda lamp: setattr(lamp("quay", 3), "name", "pier"),
    lambda lamp: setattr(lamp("quay", 3), "other", "pier"),
]


@pytest.mark.parametrize("use", USES)
def test_a_light_named_tuple_does_what_one_of_typing_does(use: Callable[[Any], object]) -> None:
    assert use(LIGHT) == use(FULL)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_light_named_tuple_refuses_what_one_of_typing_refuses(fault: Callable[[Any], object]) -> None:
    refusals = []
    for lamp in (LIGHT, FULL):
        with pytest.raises((TypeError, ValueError, AttributeError)) as refused:
            fault(lamp)
        refusals.append(refused.type)
    assert refusals[0] is refusals[1]


def test_what_is_missing_is_named_with_its_class() -> None:
    with pytest.raises(TypeError, match=r"Lamp.__new__\(\) missing 1 required positional argument: 'height'"):
        LIGHT("quay")


def test_a_field_without_a_default_comes_before_those_that_have_one() -> None:
    def wrong() -> object:
        class Wrong(light_typing.NamedTuple):
            name: str = ""
            height: int  # type: ignore[misc]

        return Wrong

    with pytest.raises(TypeError, match=r"height|default"):
        wrong()


class Buoy(light_typing.NamedTuple):
    """Can be found by its name, as what is pickled must be."""

    number: int
    bell: bool = False


def test_a_light_named_tuple_is_pickled_like_any_other() -> None:
    assert pickle.loads(pickle.dumps(Buoy(7, bell=True))) == Buoy(7, bell=True)


@pytest.mark.parametrize("number", [1, 2, 19, 20, 21, 40])
def test_a_tuple_may_have_any_number_of_fields(number: int) -> None:
    fields = [f"lamp_{at}" for at in range(number)]
    space: dict[str, Any] = {"Base": light_typing.NamedTuple}
    exec("class Pier(Base):\n" + "".join(f"    {name}: int\n" for name in fields), space)
    pier = space["Pier"]
    assert tuple(pier(*range(number))) == tuple(range(number))
    assert pier(**{name: at for at, name in enumerate(fields)}) == pier(*range(number))
    assert pier.__new__.__code__.co_varnames[1:] == tuple(fields)
    with pytest.raises(TypeError, match=fields[-1]):
        pier(*range(number - 1))


@pytest.mark.skipif(not hasattr(light_typing, "_Record"), reason="this Python's own named tuples are used")
def test_none_of_ours_has_its_constructor_compiled_as_its_class_is_made() -> None:
    for journey in ("recording.hook_event", "recording.log_entry", "starting.start"):
        importlib.import_module(f"progress_plugin.usecases.{journey}")
    kinds: list[Any] = light_typing._Record.__subclasses__()  # type: ignore[attr-defined]
    ours = {
        kind.__name__: len(kind._fields) for kind in kinds if kind.__module__.startswith("progress_plugin")
    }
    ready = {made.__code__.co_argcount - 1 for made in CONSTRUCTORS}
    assert {name for name, count in ours.items() if count not in ready} == set()
    assert len(ours) > 60
