"""Decode external data: bytes as text, a redacted document, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import isfinite
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact_document, redact_lines

DATA_FORMATS = (".json", ".jsonl", ".yaml", ".yml")
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CONFLICT_MARK = LazyPattern(r"^(?:<{7}(?: .*)?|\|{7}(?: .*)?|={7}|>{7}(?: .*)?)(?=\r?$)", re.MULTILINE)
"""The lines by which git marks the two sides of a conflict."""


def decode(data: bytes, name: str) -> str:
    """Decode UTF-8, or the encoding of the byte order mark, which is removed; line ends stay.

    `name` is the file's path, for the message. Raises BadInput if the data is invalid in it.
    """
    mark, encoding = _encoding(data)
    try:
        return data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + len(mark)
        line = data.count(b"\n", 0, at) + 1
        wanted = encoding.upper().removesuffix("-LE").removesuffix("-BE")
        raise BadInput(
            f"{name}: not valid {wanted} text at byte {at} (line {line}); save the file as UTF-8"
        ) from None


def decode_lenient(data: bytes, name: str) -> tuple[str, str | None]:
    """Return the text of `data` with U+FFFD for invalid bytes, and a message about them or None.

    For prose: a whole log must not be lost for one stray byte.
    """
    try:
        return decode(data, name), None
    except BadInput as error:
        mark, encoding = _encoding(data)
        text = data[len(mark) :].decode(encoding, "replace")
        return text, f"{error}; until then such bytes are read as \ufffd"


def document_text(
    data: bytes, path: str, redact_section: Callable[[str], str] = redact_lines
) -> tuple[str, str | None]:
    """Return the text of a file, and a message about its faults; `redact_section` as in `redact_document`.

    The marks of git conflicts, private parts and secrets are taken out; every line keeps its number. JSON and
    YAML are only decoded.
    """
    text, fault = decode_lenient(data, path)
    if path.lower().endswith(DATA_FORMATS):
        return text, fault
    faults = [fault] if fault else []
    if {"<", ">"} <= {mark[0] for mark in _CONFLICT_MARK.findall(text)}:
        text = _CONFLICT_MARK.sub("", text)
        faults.append(
            f"{path}: holds git conflict markers, so both sides of each conflict are read; "
            "resolve the conflicts"
        )
    return redact_document(text.replace("\r\n", "\n"), redact_section), "; ".join(faults) or None


def finite(digits: str) -> float | str:
    """Return a number as a float; as text if it is too large for a float, such as ``1e999``."""
    number = float(digits)
    return number if isfinite(number) else digits


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; NaN and infinity become strings, because strict parsers reject them.

    Raises ValueError for invalid JSON, RecursionError for JSON that nests too deeply.
    """
    return json.loads(text, parse_float=finite, parse_constant=str)


def json_or_none(text: str | bytes) -> Any:
    """Return the value of a JSON text; None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _encoding(data: bytes) -> tuple[bytes, str]:
    return next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", "utf-8"))
