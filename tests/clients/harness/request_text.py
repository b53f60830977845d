"""What a model request says, in any of the four protocols: its strings, their places, the tools it offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def _label(item: Any) -> str:
    """The role, name or type of a list item, in parentheses; empty if it has none."""
    if not isinstance(item, dict):
        return ""
    inner = item["function"] if isinstance(item.get("function"), dict) else item
    label = item.get("role") or inner.get("name") or item.get("type")
    return f"({label})" if isinstance(label, str) and label else ""


def strings(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield `(place, text)` for every string inside a JSON value.

    A place reads `messages[1](system).content[0].text`: list items carry their
    role, name or type in parentheses.
    """
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, f"{place}[{index}]{_label(item)}")


def find_text(body: Json, needle: str) -> list[str]:
    """Every place in a request body where `needle` stands."""
    return [place for place, text in strings(body) if needle in text]


def _from_assistant(item: Json) -> bool:
    """Whether a conversation item was produced by the model."""
    return item.get("role") in ("assistant", "model") or item.get("type") in (
        "function_call",
        "custom_tool_call",
        "reasoning",
    )


def last_text(body: Json) -> str:
    """The text of everything after the last assistant message, joined by newlines."""
    items = body.get("messages") or body.get("input") or body.get("contents") or []
    if isinstance(items, str):
        return items
    fresh: list[str] = []
    for item in reversed(items):
        if isinstance(item, dict) and _from_assistant(item):
            break
        fresh[:0] = [text for _, text in strings(item)]
    return "\n".join(fresh)


def tool_names(body: Json) -> list[str]:
    """Names of the tools offered to the model, in any of the four protocols.

    A tool inside a Responses *namespace* is written `namespace/name`.
    """
    names: list[str] = []
    for tool in body.get("tools") or []:
        if not isinstance(tool, dict):
            continue
        if tool.get("type") == "namespace":
            names += [f"{tool.get('name')}/{t.get('name')}" for t in tool.get("tools") or []]
        elif isinstance(tool.get("function"), dict):
            names.append(tool["function"].get("name", "?"))
        elif "functionDeclarations" in tool:
            names += [declared.get("name", "?") for declared in tool["functionDeclarations"]]
        else:
            names.append(tool.get("name") or tool.get("type") or "?")
    return names


def protocol_of(path: str) -> str | None:
    """The protocol spoken at a path, or `None` for paths without a model."""
    for ending, protocol in (
        ("/messages", "anthropic"),
        ("/responses", "responses"),
        ("/chat/completions", "chat"),
        (":generateContent", "gemini"),
        (":streamGenerateContent", "gemini"),
    ):
        if path.endswith(ending):
            return protocol
    return None
