"""An entry between clones: the line that leaves this machine, and the one way of a line into our log.

Files in git and the team's server carry the line of `line_of`. `entry_of` validates, bounds and redacts what
others wrote, and removes the writer, which only the carrier knows. Both ways redact: a log that was written
by hand, by an older version or by a repository may hold secrets.
"""

from __future__ import annotations

import json
import re
from typing import Any

from progress_plugin.core.files import content_digest
from progress_plugin.log.entry import ICONS, WRITER, oddities, text_of
from progress_plugin.text.lenient_json import finite

LARGEST = 256 * 1024  # bytes of one entry
LONGEST_ID = 120  # bytes; in the name of a file each special character of an id takes three
MAX_DEPTH = 100
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_WRITER_NAME = re.compile(r"[0-9a-z](?:[0-9a-z-]{0,58}[0-9a-z])?")


def is_writer(name: str) -> bool:
    """Return whether this can be the name of a clone."""
    return _WRITER_NAME.fullmatch(name) is not None


def digest_of(name: str) -> str:
    """Return the digest that replaces the id of an erased entry, which itself must not be kept."""
    return content_digest(name.encode("utf-8", "replace")).decode()


def line_of(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as it leaves this machine: a line of JSON without writer, secrets and private parts.

    None if it cannot be shared: its id is missing or too long, it is too large or nests too deeply.
    """
    if stored_line_of(entry) is None:
        return None  # redacting what is too large would take long, for nothing
    return _bounded_line(_redacted(entry))


def stored_line_of(entry: dict[str, Any]) -> bytes | None:
    """Return the line of an entry as it is stored, secrets included: to compare with, never to be sent."""
    name = text_of(entry, "id")
    if name is None or not isinstance(entry["id"], str) or len(name.encode("utf-8", "replace")) > LONGEST_ID:
        return None
    return _bounded_line({key: value for key, value in entry.items() if key != WRITER})


def entry_of(data: bytes, *, dated: bool = True) -> dict[str, Any] | str:
    """Return the entry in what another clone wrote, redacted and without a writer, or why there is none.

    `dated` requires a readable time.
    """
    if len(data) > LARGEST:
        return f"has more than {LARGEST >> 10} KiB"
    try:
        text = data.decode()
        entry = _DECODER.decode(text)
        is_shallow = text.count("{") + text.count("[") <= MAX_DEPTH or _is_shallow(entry)
    except (ValueError, RecursionError):
        return "is not JSON in UTF-8"
    if not is_shallow:
        return f"nests more than {MAX_DEPTH} levels deep"
    faults = oddities(entry) if dated or not isinstance(entry, dict) else []
    if faults or text_of(entry, "type") is None or not isinstance(entry.get("data", {}), dict):
        return f"is no entry: it {', '.join(faults) or 'lacks type or data'}"
    if text_of(entry, "id") is None or not isinstance(entry["id"], str):
        return "is no entry: its id is no text"
    return _redacted(entry)


def _redacted(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry without writer and secrets, its members in their order; its id stays."""
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - patterns only if something is written

    kept = {key: value for key, value in entry.items() if key != WRITER}
    redacted = redact_value({key: value for key, value in kept.items() if not _is_plain(key, value)})[0]
    others = iter(redacted.items())
    return dict((key, value) if _is_plain(key, value) else next(others) for key, value in kept.items())


def _is_plain(key: str, value: Any) -> bool:
    """Return whether a member need not be searched for secrets: most of what is taken in is such members."""
    if key == "type":
        return isinstance(value, str) and value in ICONS
    return key == "id" or (
        key == "timestamp" and isinstance(value, str) and _TIME.fullmatch(value) is not None
    )


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_float=finite, parse_constant=_refuse)


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
        ]
        if not level:
            return True
    return False


def _bounded_line(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as one line; None if it is too large or nests too deeply."""
    try:
        data = f"{json.dumps(entry, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:
        data = f"{json.dumps(entry)}\n".encode()  # half a surrogate pair has no UTF-8
    except RecursionError:
        return None
    return data if len(data) <= LARGEST else None
