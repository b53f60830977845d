"""The kinds of values a setting can have: what each accepts, how it says so, how it reads one from text."""

import re
from typing import Any, NamedTuple

_ON = ("1", "true", "yes", "on")
_OFF = ("0", "false", "no", "off")


class SwitchKind:
    """On or off."""

    allowed = "true or false"

    def accepts(self, value: Any) -> bool:
        """Return whether `value`, as a file's parser gives it, is allowed."""
        return isinstance(value, bool)

    def parse(self, text: str) -> Any:
        """Return the value `text` stands for; text that stands for none is returned, and not accepted."""
        word = text.strip().lower()
        return word in _ON if word in _ON + _OFF else text


class NumberKind(NamedTuple):
    """A whole number within bounds, both included."""

    least: int
    most: int

    @property
    def allowed(self) -> str:
        """Say what is allowed, as the end of a sentence."""
        return f"a whole number from {self.least} to {self.most}"

    def accepts(self, value: Any) -> bool:
        """Return whether `value` is allowed; true is no number, and 3.0 no whole one."""
        return type(value) is int and self.least <= value <= self.most

    def parse(self, text: str) -> Any:
        """Return the number, or the text where it is none."""
        return int(text) if re.fullmatch(r"\s*-?[0-9]{1,18}\s*", text) else text


class TextKind(NamedTuple):
    """A text of a certain shape."""

    pattern: str
    allowed: str

    def accepts(self, value: Any) -> bool:
        """Return whether `value` is a text of this shape."""
        return isinstance(value, str) and re.search(self.pattern, value) is not None

    def parse(self, text: str) -> Any:
        """Return the text without white space around it."""
        return text.strip()


class TextsKind(NamedTuple):
    """A list of texts of a certain shape."""

    pattern: str
    allowed: str
    most: int = 20

    def accepts(self, value: Any) -> bool:
        """Return whether `value` is a list of such texts, and not too long a one."""
        one = TextKind(self.pattern, self.allowed)
        return isinstance(value, list) and len(value) <= self.most and all(map(one.accepts, value))

    def parse(self, text: str) -> Any:
        """Return the texts of a JSON list, or else those between commas."""
        if text.lstrip()[:1] == "[":
            import json  # noqa: PLC0415 - hardly ever: a name may hold a comma

            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, list):
                return value
        return [part.strip() for part in text.split(",") if part.strip()]


ValueKind = SwitchKind | NumberKind | TextKind | TextsKind
