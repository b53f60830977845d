"""Bytes of a file somebody else wrote, as text.

UTF-8 is the rule. Editors and shells on Windows write a byte order mark or UTF-16, the latter now and then
without a mark, so both are read. Line ends are left as they are: whoever counts lines normalises them.
"""

from __future__ import annotations

from progress_plugin.core.errors import BadInput

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_BY_MARK = {
    b"\xff\xfe\x00\x00": "utf-32-le",
    b"\x00\x00\xfe\xff": "utf-32-be",
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}
"""The encoding of the text after a mark."""
_PROBE = 64


def decode(data: bytes, name: str) -> str:
    """Return the text of ``data`` without its byte order mark.

    ``name`` is the path that messages name the file by. Raises BadInput, in one line, for any other encoding.
    """
    encoding = _encoding(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wanted = "UTF-8" if encoding.startswith("utf-8") else encoding.upper()
        raise BadInput(
            f"{name}: not valid {wanted} text at byte {error.start} (line {line}); save the file as UTF-8"
        ) from None


def decode_lenient(data: bytes, name: str) -> tuple[str, str | None]:
    """Return the text of ``data``, replacement characters for bytes that are none, and what was wrong.

    For prose: one stray byte is no reason to lose a whole log.
    """
    try:
        return decode(data, name), None
    except BadInput as error:
        text = data.decode(_encoding(data), "replace")
        return text, f"{error}; until then such bytes are read as \ufffd"


def encoded_like(text: str, data: bytes) -> bytes:
    """Return a text as bytes in the encoding that ``data`` has, with its byte order mark where it has one."""
    mark, encoding = next(((mark, _BY_MARK[mark]) for mark, _ in _MARKS if data.startswith(mark)), (b"", ""))
    return mark + text.encode(encoding or _encoding(data))


def _encoding(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    # Text that begins in ASCII shows UTF-16 by a NUL in every other byte; a lone NUL in UTF-8 does not.
    probe = data[: min(_PROBE, len(data) // 2 * 2)]
    if probe and not any(probe[1::2]) and all(probe[::2]):
        return "utf-16-le"
    if probe and not any(probe[::2]) and all(probe[1::2]):
        return "utf-16-be"
    return "utf-8"
