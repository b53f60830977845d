"""What is stored and read again, and parsers of small texts, each alone: any bytes may stand in their place."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

from progress_plugin.config.sources import from_toml
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.paths import state_file
from progress_plugin.core.start_cache import load_start_cache
from progress_plugin.log.partial_json import salvage
from progress_plugin.plans import baseline
from progress_plugin.text import jsonc
from progress_plugin.text.json_objects import flat_members, spans
from progress_plugin.text.managed_block import find_block, with_block
from progress_plugin.text.paths_in_text import paths_in, said_of_files
from tests.fuzz.readers import Journey, holds_no_secret, is_a_line
from tests.torture.client import acting

_LINES = ["- Mind the tide.", "- Shut the gate."]


def stored_files() -> dict[str, Journey]:
    """Return what takes any bytes and checks what must hold of it, by what it reads."""
    return {
        "a start cache": start_cache,
        "a baseline alone": kept_baseline,
        "a configuration alone": configuration,
        "a client's settings": settings,
        "a block in a document": block,
        "a damaged log alone": damaged_log,
        "objects in a text": objects,
        "paths in a text": paths,
    }


def start_cache(data: bytes) -> None:
    """Read a start cache: it is none, or one of the right members."""
    path = state_file("/nowhere", "start.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    load_start_cache("/nowhere")


def kept_baseline(data: bytes) -> None:
    """Read a baseline: it is none, or the same again once it was written."""
    found = baseline.from_json(_json(data))
    if found is not None:
        assert baseline.from_json(json.loads(json.dumps(found.to_json()))) == found


def configuration(data: bytes) -> None:
    """Read a configuration: whatever is wrong with it is said in lines that hold no secret."""
    source = from_toml(data, "config.toml", user=bool(len(data) % 2))
    for fault in source.faults:
        assert not acting(fault), acting(fault)
        assert "\n" not in fault
    holds_no_secret(*source.faults)


def settings(data: bytes) -> None:
    """Take something out of a client's settings: all else stays as it was, or it is refused in a line."""
    text = data.decode("utf-8", "replace")
    try:
        value = jsonc.parse(text)
    except ValueError:
        return
    for path in _paths(value):
        try:
            edited = jsonc.without(text, path)
        except AgentProgressError as fault:
            is_a_line(fault)
            continue
        assert len(edited) < len(text)
        assert jsonc.parse(edited) != value


def _paths(value: Any) -> list[tuple[str | int, ...]]:
    """Return where something is in a value: the first things of each of its first levels."""
    found: list[tuple[str | int, ...]] = []
    path: tuple[str | int, ...] = ()
    while isinstance(value, dict | list) and value and len(path) < 5:
        key: str | int = next(iter(value)) if isinstance(value, dict) else len(value) - 1
        path = (*path, key)
        found.append(path)
        value = value[key]
    return found


def block(data: bytes) -> None:
    """Put our block into a document, again, and out: around it nothing changes."""
    document = data.decode("utf-8", "replace")
    try:
        before = find_block(document)
        once = with_block(document, "a label", _LINES)
    except AgentProgressError as fault:
        is_a_line(fault)
        return
    assert with_block(once, "a label", _LINES) == once
    gone = with_block(once, "a label", [])
    if before is None:
        assert gone.rstrip("\r\n") == document.rstrip("\r\n")
    else:
        assert gone.startswith(document[: before.start].rstrip("\r\n"))
        assert gone.endswith(document[before.end :])


def damaged_log(data: bytes) -> None:
    """Read what is left of a log: all of it can be written as JSON."""
    document, items = salvage(data.decode("utf-8", "replace"))
    json.dumps([document, items])
    assert len(items) <= len(data)


def objects(data: bytes) -> None:
    """Find the objects of a text: each begins and ends with its brace."""
    text = data.decode("utf-8", "replace")
    for span in spans(text):
        assert 0 <= span.start < span.stop <= len(text)
        assert text[span.start] == "{"
    json.dumps(flat_members(text))


def paths(data: bytes) -> None:
    """Find the paths of a text: each is said in it."""
    text = data.decode("utf-8", "replace")
    assert all(paths_in(text))
    for is_listed in (True, False):
        said_of_files(text, is_listed)


def _json(data: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(data)
    return None
