"""Where Claude Code keeps a project's transcripts: a start looks whether there is such a folder.

Where the other clients keep theirs: `transcripts.transcript_files`.
"""

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR
from progress_plugin.core.fast.minimal_os import exists, value_of

_LONGEST_FOLDER = 200


def has_transcripts(root: str) -> bool:
    """Return whether a session was ever started in a directory, as far as the client's folders tell."""
    folder = transcripts_of(root)
    return folder is not None and exists(folder)


def transcripts_of(root: str) -> str | None:
    """Return the folder of the transcripts of sessions started in a directory; None without a home.

    Those of sessions started below it stand beside it, under the same name with more behind a dash.
    """
    home = value_of("HOME")
    base = value_of(CLAUDE_CONFIG_DIR) or (f"{home}/.claude" if home.startswith("/") else "")
    return f"{base}/projects/{folder_of(root)}" if base else None


def folder_of(root: str) -> str:
    """Return the name of the folder that holds the transcripts of sessions started in a directory."""
    codes = [code for character in root for code in _utf_16(ord(character))]
    name = "".join(chr(code) if chr(code).isascii() and chr(code).isalnum() else "-" for code in codes)
    if len(name) <= _LONGEST_FOLDER:
        return name
    digest = 0
    for code in codes:
        digest = ((digest << 5) - digest + code) & 0xFFFFFFFF
    signed = digest - (1 << 32) if digest >= 1 << 31 else digest
    return f"{name[:_LONGEST_FOLDER]}-{_base36(abs(signed))}"


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
