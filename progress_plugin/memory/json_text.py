"""JSON as RFC 8259 has it, taken from people and models without changing a byte."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.observations import refuse_too_long
from progress_plugin.text.safe_output import one_line

MAX_DEPTH = 100
_HINT = 'send an object such as {"goal": "…", "completed": […], "next_steps": […], "blockers": […]}'


def parse(content: object) -> tuple[Any, str]:
    """Return a document as value and as text; a string is taken as JSON text and kept as it is.

    Raises BadInput for more bytes than may be stored, and for what `load` does not take.
    """
    try:
        text = content if isinstance(content, str) else dump(content)
        refuse_too_long(text)
        return load(text), text
    except UnicodeEncodeError:
        raise BadInput("content is not valid UTF-8; nothing was saved") from None
    except ValueError as error:
        raise BadInput(f"content is no valid JSON ({error}); {_HINT}") from None
    except RecursionError:
        raise BadInput(
            f"content is nested more than {MAX_DEPTH} levels deep; nothing was saved, flatten it"
        ) from None


def load(text: str) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for what is not JSON, a name that is there twice, a number that Python does not hold
    and half a surrogate pair, RecursionError for nesting deeper than `MAX_DEPTH`.
    """
    value = json.loads(text, object_pairs_hook=_object)
    if _depth(value) > MAX_DEPTH:
        raise RecursionError
    dump(value).encode()
    return value


def dump(value: object) -> str:
    """Return a value as compact JSON text. Raises ValueError for NaN and Infinity."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        # The text is stored as it came: a value that the parser drops would slip past the redaction.
        [(repeated, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {one_line(repeated, 60)!r} occurs twice in one object")
    return members


def _depth(value: Any) -> int:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if members is None else 1 + max(map(_depth, members), default=0)
