"""An entry between clones: the line it travels as, and what of a stranger's line is believed.

Whatever carries entries, files in git or the team's server, gives each as the line of `line_of`, and takes
what others wrote through `entry_of` alone: validated, bounded, without secrets, and without a word on who
wrote it, which only the carrier knows. Both ways go through `_told`: a log that was written by hand, by an
older version or by a repository holds what nobody has redacted.
"""

import json
from typing import Any

from progress_plugin.core.files import content_digest
from progress_plugin.log.entry import ICONS, WRITER, oddities, text_of
from progress_plugin.text.finite_json import finite
from progress_plugin.text.patterns import LazyPattern

LARGEST = 256 * 1024
"""Bytes of one entry that are shared or taken in."""
LONGEST_ID = 120
"""Bytes of its id; in the name of a file each of its characters that is not plain is three."""
_DEEPEST = 100
_TIME = LazyPattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_WRITER = LazyPattern(r"[0-9a-z](?:[0-9a-z-]{0,58}[0-9a-z])?")


def is_writer(name: str) -> bool:
    """Return whether this can be the name of a clone."""
    return _WRITER.fullmatch(name) is not None


def digest_of(name: str) -> str:
    """Return the digest that stands for the id of an erased entry, which itself must not be kept."""
    return content_digest(name.encode("utf-8", "replace")).decode()


def line_of(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as it leaves this machine: a line of JSON without writer, secrets, private parts.

    None for one that cannot be shared: without an id, with one of more than 120 bytes, too large, or nested
    too deeply. The given entry stays as it is.
    """
    if stored_line_of(entry) is None:
        return None  # redacting what is too large would take long, for nothing
    data = _content(_told(entry))
    return None if data is None or len(data) > LARGEST else data


def stored_line_of(entry: dict[str, Any]) -> bytes | None:
    """Return the line of an entry as it is stored, secrets included: to compare with, never to be sent."""
    name = text_of(entry, "id")
    if name is None or not isinstance(entry["id"], str) or len(name.encode("utf-8", "replace")) > LONGEST_ID:
        return None
    data = _content({key: value for key, value in entry.items() if key != WRITER})
    return None if data is None or len(data) > LARGEST else data


def entry_of(data: bytes, *, dated: bool = True) -> dict[str, Any] | str:
    """Return the entry in what a stranger wrote, without secrets and without a writer, or why there is none.

    `dated` asks for a time that can be read.
    """
    if len(data) > LARGEST:
        return f"has more than {LARGEST >> 10} KiB"
    try:
        text = data.decode()
        entry = _DECODER.decode(text)
        shallow = text.count("{") + text.count("[") <= _DEEPEST or _is_shallow(entry)
    except (ValueError, RecursionError):
        return "is not JSON in UTF-8"
    if not shallow:
        return f"nests more than {_DEEPEST} levels deep"
    odd = oddities(entry) if dated or not isinstance(entry, dict) else []
    if odd or text_of(entry, "type") is None or not isinstance(entry.get("data", {}), dict):
        return f"is no entry: it {', '.join(odd) or 'lacks type or data'}"
    if text_of(entry, "id") is None or not isinstance(entry["id"], str):
        return "is no entry: its id is no text"
    return _told(entry)


def _told(entry: dict[str, Any]) -> dict[str, Any]:
    """Return what of an entry is between clones, in its order; its id stays, by which it is known."""
    from progress_plugin.text.redact import redact_value  # noqa: PLC0415 - patterns only where something is written

    kept = {key: value for key, value in entry.items() if key != WRITER}
    redacted = redact_value({key: value for key, value in kept.items() if not _is_plain(key, value)})[0]
    others = iter(redacted.items())
    return dict((key, value) if _is_plain(key, value) else next(others) for key, value in kept.items())


def _is_plain(key: str, value: Any) -> bool:
    """Return whether a member need not be searched for secrets; most of what is taken in is such members."""
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
    for _ in range(_DEEPEST):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
        ]
        if not level:
            return True
    return False


def _content(entry: dict[str, Any]) -> bytes | None:
    """Return an entry as one line; None where it nests too deeply."""
    try:
        return f"{json.dumps(entry, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:
        return f"{json.dumps(entry)}\n".encode()  # half a surrogate pair has no UTF-8
    except RecursionError:
        return None
