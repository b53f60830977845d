"""The folder in which Claude Code keeps the transcripts of a project."""

from __future__ import annotations

import os

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR

MAX_FOLDER_CHARS = 200


def transcripts_of(root: str) -> str | None:
    """Return the folder of the transcripts of sessions started in a directory; None without a home.

    Those of sessions started below it are beside it, in folders of the same name with more behind a dash.
    """
    home = os.environ.get("HOME", "")
    base = os.environ.get(CLAUDE_CONFIG_DIR) or (f"{home}/.claude" if home.startswith("/") else "")
    return f"{base}/projects/{folder_of(root)}" if base else None


def folder_of(root: str) -> str:
    """Return the name of the folder that holds the transcripts of sessions started in a directory."""
    codes = [code for character in root for code in _utf_16(ord(character))]
    name = "".join(chr(code) if chr(code).isascii() and chr(code).isalnum() else "-" for code in codes)
    if len(name) <= MAX_FOLDER_CHARS:
        return name
    digest = 0
    for code in codes:
        digest = ((digest << 5) - digest + code) & 0xFFFFFFFF
    signed = digest - (1 << 32) if digest >= 1 << 31 else digest
    return f"{name[:MAX_FOLDER_CHARS]}-{_base36(abs(signed))}"


def _utf_16(code: int) -> tuple[int, ...]:
    """Return a character's units in UTF-16, as the client counts; Python's codec is a module of its own."""
    if code < 0x10000:  # noqa: PLR2004 - the first character that takes two units
        return (code,)
    return 0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    found = ""
    while number:
        number, digit = divmod(number, 36)
        found = digits[digit] + found
    return found or "0"
