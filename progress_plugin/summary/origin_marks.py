"""Which line of a rendered summary comes from where: its cited texts are marked, rendered and found again.

So a line keeps its origins in every layout, a project's own as well, and rendering itself knows nothing of
it. The mark is a character for private use that the text does not hold, around a number.

Which line of a file an origin leads to is looked up in `usecases.tracing.origin_lookup`.
"""

from typing import Any, NamedTuple

from progress_plugin.model.learning import Learning
from progress_plugin.model.origin import Cited, Origin, origins_of
from progress_plugin.summary.view_model import Content

_PRIVATE = range(0xE000, 0xF900)
"""Characters that no standard gives a meaning."""


class Part(NamedTuple):
    """A cited text as it is in a line, with what the layout put after it."""

    text: str
    origins: tuple[Origin, ...]


class Traced(NamedTuple):
    """One line, and the cited texts in it; none where all of it is of our making."""

    text: str
    parts: tuple[Part, ...]


class Marks:
    """The marks of one rendering."""

    def __init__(self, text: str) -> None:
        """Choose a mark that `text`, what is rendered without marks, does not hold."""
        self._sign = next((chr(code) for code in _PRIVATE if chr(code) not in text), chr(_PRIVATE[-1] + 1))
        self._numbers: dict[tuple[Origin, ...], int] = {}
        # Equal origins have equal marks, so what is equal without marks is so with them.

    def marked(self, content: Content) -> Content:
        """Return the content with a mark before every cited text."""
        return Content(*map(self._marked, content))

    def read(self, text: str) -> list[Traced]:
        """Return the lines of a text that was rendered from marked content, the marks taken out."""
        origins = list(self._numbers)
        found = []
        for line in text.split("\n"):
            first, *rest = line.split(self._sign)
            parts = [Part(told, origins[int(at)]) for at, told in zip(rest[::2], rest[1::2], strict=True)]
            found.append(Traced(first + "".join(part.text for part in parts), tuple(parts)))
        return found

    def _marked(self, value: Any) -> Any:
        if isinstance(value, Cited) and value and value.origins:
            number = self._numbers.setdefault(value.origins, len(self._numbers))
            return f"{self._sign}{number}{self._sign}{value}"
        if isinstance(value, Learning):
            return value  # learnings are grouped by their text, which is not what is shown
        if isinstance(value, list | tuple):
            parts = map(self._marked, value)
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        return value


def plainly(lines: list[str]) -> list[Traced]:
    """Return lines that were never rendered with the origins they carry themselves."""
    return [Traced(line, (Part(line, origins),) if (origins := origins_of(line)) else ()) for line in lines]
