"""The base of the tools: arguments that are declared and checked once, for the server and the commands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, ValidationInfo

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.observations import MAX_CONTENT_BYTES, MAX_NAME_BYTES, refuse_too_long
from progress_plugin.usecases.memory.location import EVERY_PROJECT, MemoryLocation

MAX_PROBLEMS = 5  # named in one message


def _strip(value: str | None, info: ValidationInfo, *, at_most: int = MAX_NAME_BYTES) -> str | None:
    """Return a text without blanks around it, None for a blank one. Raises BadInput above `at_most` bytes."""
    text = value or ""
    refuse_too_long(text, info.field_name or "", at_most)
    return text.strip() or None


def _refuse_blank(value: str | None, info: ValidationInfo) -> str:
    if value is None:
        raise BadInput(f"{info.field_name} is required, a text that is not blank; nothing was changed")
    return value


def _refuse_every_project(value: str | None) -> str | None:
    if value == EVERY_PROJECT:
        raise BadInput('project "*" means all projects, for reading only; name one, nothing was changed')
    return value


_strip_text = partial(_strip, at_most=MAX_CONTENT_BYTES)

Name = Annotated[str | None, AfterValidator(_strip)]
RequiredName = Annotated[str, AfterValidator(_strip), AfterValidator(_refuse_blank)]
Text = Annotated[str | None, AfterValidator(_strip_text)]
RequiredText = Annotated[str, AfterValidator(_strip_text), AfterValidator(_refuse_blank)]
OneProject = Annotated[Name, AfterValidator(_refuse_every_project)]
Scope = Literal["project", "personal"] | None


def parse_nested(value: Any) -> Any:
    """Parse a list or object that a client sent as JSON text, as some do; return other values unchanged."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("[", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


class Tool(BaseModel):
    """A call of a tool with its arguments; the docstring of a tool describes it to agents."""

    # A text is not taken for a number. The validator of a tool is built when the tool is called.
    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)
    is_read_only: ClassVar[bool] = False

    @classmethod
    def check(cls, arguments: Mapping[str, Any]) -> Self:
        """Return the call with these arguments. Raises BadInput if they do not fit."""
        try:
            return cls.model_validate(arguments)
        except ValidationError as error:
            problems = [
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:MAX_PROBLEMS]
            ]
            raise BadInput(f"{'; '.join(problems)}; nothing was changed") from None


class MemoryTool(Tool):
    """A call of a tool of the memory."""

    template: ClassVar[str]  # of its answer

    def run(self, place: MemoryLocation, now: datetime) -> dict[str, Any]:
        """Return structured data. Raises BadInput or Refused; nothing is changed then."""
        raise NotImplementedError
