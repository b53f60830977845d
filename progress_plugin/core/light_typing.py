"""What hooks need of `typing`, without it: importing that takes as long as 30 modules of ours.

To a type checker these are the names of `typing` themselves. A class with `NamedTuple` above it is what it is
there, and made in a sixth of the time: nothing is compiled for it, and its annotations are not looked at.
Python 3.14 evaluates annotations in another way and is left to its own. What hooks run takes these names
from here; `tests/budgets` holds that.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING or sys.version_info >= (3, 14):
    from typing import Annotated, Any, NamedTuple, Protocol, cast
else:
    try:
        from _collections import _tuplegetter  # `collections` has it from there, and takes a millisecond
    except ImportError:
        from operator import itemgetter

        def _tuplegetter(at, said):
            return property(itemgetter(at), doc=said)

    class _Record(tuple):
        """What all named tuples have in common."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values):
            """Return a new one of as many values as it has fields."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **values):
            """Return a new one with other values in these fields."""
            made = tuple.__new__(type(self), map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return made

        def _asdict(self):
            """Return the values by the names of their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            said = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({said})"

        def __getnewargs__(self):
            return tuple(self)

    class _Maker(type):
        """Makes the classes that have `NamedTuple` above them."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"a field of {name} without a default follows one with a default")
            getters = {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            new = _constructor(name, fields, tuple(defaults.values()))
            more = {"_fields": fields, "_field_defaults": defaults, "__match_args__": fields, "__new__": new}
            return type(name, (_Record,), {**body, **getters, **more, "__slots__": ()})

    class NamedTuple(metaclass=_Maker):
        """Stands above a class whose annotations are the fields of a tuple."""

    from progress_plugin.core.tuple_constructors import CONSTRUCTORS

    _codes = {each.__code__.co_argcount - 1: each.__code__ for each in CONSTRUCTORS}
    """By the number of fields, the code that takes as many: only the names in it differ."""

    def _constructor(name, fields, defaults):
        """Return the `__new__` of a class, which takes its fields by place or by name."""
        count = len(fields)
        if count not in _codes:
            taken = "".join(f"_{at}, " for at in range(count))
            _codes[count] = eval(f"lambda _cls, {taken}: _new(_cls, ({taken}))").__code__  # noqa: S307 - of our own making
        code = _codes[count].replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        return type(_constructor)(code, {"_new": tuple.__new__}, "__new__", defaults)

    Any = Protocol = object

    class Annotated:
        """`Annotated[kind, what is said of it]`."""

        __slots__ = ("__metadata__", "__origin__")

        def __init__(self, kind, *said):
            self.__origin__ = kind
            self.__metadata__ = said

        def __class_getitem__(cls, said):
            return cls(*said)

    def cast(kind, value):
        """Return the value as it is."""
        del kind
        return value


__all__ = ["TYPE_CHECKING", "Annotated", "Any", "NamedTuple", "Protocol", "cast"]
