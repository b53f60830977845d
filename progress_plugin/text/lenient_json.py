"""JSON whose numbers may lie beyond all floats."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def finite(digits: str) -> float | str:
    """Return a number as a float, and one that is beyond all floats as it was written, such as ``1e999``."""
    number = float(digits)
    return number if isfinite(number) else digits


def loads(text: str | bytes) -> Any:
    """Return the value of a JSON text without any NaN or infinity, which no strict parser takes.

    Raises ValueError and RecursionError as `json` does.
    """
    return json.loads(text, parse_float=finite, parse_constant=str)
