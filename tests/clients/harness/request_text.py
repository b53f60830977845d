"""Read a model request in any of the four protocols: its strings, their places, the tools it offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
PROTOCOLS = {
    "/messages": "anthropic",
    "/responses": "responses",
    "/chat/completions": "chat",
    ":generateContent": "gemini",
    ":streamGenerateContent": "gemini",
}


def strings(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield `(place, text)` for every string inside a JSON value, such as `("messages[1].role", "user")`."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, f"{place}[{index}]")


def find_text(body: Json, text: str) -> list[str]:
    """Return every place in a request body that holds `text`."""
    return [place for place, string in strings(body) if text in string]


def request_text(body: Json) -> str:
    """Return every string of a request body."""
    return "\n".join(text for _, text in strings(body))


def last_text(body: Json) -> str:
    """Return the text of everything after the last message of the model."""
    items = body.get("messages") or body.get("input") or body.get("contents") or []
    if isinstance(items, str):
        return items
    new: list[str] = []
    for item in reversed(items):
        if item.get("role") in ("assistant", "model") or item.get("type") in ("function_call", "reasoning"):
            break
        new[:0] = [text for _, text in strings(item)]
    return "\n".join(new)


def tool_names(body: Json) -> list[str]:
    """Return the names of the tools offered to the model; a tool in a namespace is written `namespace/name`."""
    names: list[str] = []
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":
            names += [f"{tool.get('name')}/{inner.get('name')}" for inner in tool.get("tools") or []]
        elif isinstance(tool.get("function"), dict):
            names.append(tool["function"].get("name", "?"))
        elif "functionDeclarations" in tool:
            names += [declared.get("name", "?") for declared in tool["functionDeclarations"]]
        else:
            names.append(tool.get("name") or tool.get("type") or "?")
    return names


def protocol_of(path: str) -> str | None:
    """Return the protocol of a path, or None for a path that is not a model's."""
    return next((protocol for ending, protocol in PROTOCOLS.items() if path.endswith(ending)), None)
