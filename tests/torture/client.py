"""What a client understands of a hook's output, and what the tests demand of that."""

from __future__ import annotations

import json
import re
from typing import Any

CAP = 9_000
_TAG = re.compile(
    r"<\s*/?\s*(?:system-reminder|function_calls|function_results?|invoke|parameter|antml:\w+|tool_(?:use|result)"
    r"|command-(?:name|message|args)|local-command-\w+|user-prompt-submit-hook|task-notification)\b",
    re.IGNORECASE,
)
"""Tags that clients put around what is theirs, and models around their calls."""
_STRANGE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\ufeff\u202a-\u202e\u2060-\u206f\U000e0000-\U000e0fff]"
)


def told(raw: bytes) -> dict[str, Any]:
    """Return what a SessionStart hook told its client, having checked that the client understands it."""
    if not raw:
        return {}
    text = raw.decode()
    assert len(text.encode("utf-16-le")) // 2 <= CAP, f"{len(text)} characters"
    value = json.loads(text)
    assert isinstance(value, dict)
    assert set(value) <= {"hookSpecificOutput", "systemMessage"}
    specific = value.get("hookSpecificOutput", {"hookEventName": "SessionStart", "additionalContext": ""})
    assert set(specific) == {"hookEventName", "additionalContext"}
    assert specific["hookEventName"] == "SessionStart"
    for shown in (specific["additionalContext"], value.get("systemMessage", "")):
        assert isinstance(shown, str)
        assert not acting(shown), acting(shown)
    return value


def acting(text: str) -> list[str]:
    """Return what could act in a text: tags of a client, control, formatting and invisible characters."""
    tags = [match.group() for match in _TAG.finditer(text)]
    strange = {f"U+{ord(char):04X}" for char in _STRANGE.findall(text)}
    return tags + sorted(strange)
