"""What compiled Jinja code asks of Jinja, so that our own template runs without importing it.

`compiled_template.py` is what Jinja's compiler makes of `templates/progress-summary.md.j2`. Of Jinja's
runtime it uses a handful of names; these are here, and take nothing to import where Jinja takes 20 ms.
That also puts the whole summary in front of an agent before any package is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Never

missing: Any = object()


class TemplateRuntimeError(Exception):
    """Something that the template asks for and this stand-in has not got."""


class Undefined:
    """A name without a value; only its class is asked for."""


def internalcode(function: Any) -> Any:
    """Return the function: Jinja marks by this what its tracebacks leave out."""
    return function


def undefined(name: str) -> Never:
    """Fail as Jinja's `StrictUndefined` does."""
    raise TemplateRuntimeError(f"{name!r} is undefined")


def _join(_: Any, parts: list[Any], separator: str) -> str:
    return separator.join(map(str, parts))


class environment:  # noqa: N801 - compiled code calls it by this name, as a module's variable
    """Filters, attributes and strictness, as the template was compiled for them."""

    undefined = staticmethod(undefined)
    concat = "".join
    getattr = getattr
    filters: Mapping[str, Callable[..., Any]] = {"join": _join, "length": len}


class Context:
    """The values of one rendering."""

    eval_ctx = None

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def resolve_or_missing(self, name: str) -> Any:
        """Return the value of a name, `missing` where it has none."""
        return self._values.get(name, missing)


def rendered(root: Callable[[Any], Iterator[str]], values: Mapping[str, Any]) -> str:
    """Return what a compiled template's `root` makes of the values. Raises TemplateRuntimeError."""
    return "".join(root(Context(values)))
