"""Bytes of a file that another program or person wrote, as text: UTF-8, or what a byte order mark says."""

from __future__ import annotations

from progress_plugin.core.errors import BadInput

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def decode(data: bytes, name: str) -> str:
    """Return the text of `data` without its byte order mark; line ends stay.

    `name` is the path that messages name the file by. Raises BadInput, in one line, for any other encoding.
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
    """Return the text of `data`, with replacement characters for invalid bytes, and what was wrong.

    For prose: one stray byte is no reason to lose a whole log.
    """
    try:
        return decode(data, name), None
    except BadInput as error:
        mark, encoding = _encoding(data)
        text = data[len(mark) :].decode(encoding, "replace")
        return text, f"{error}; until then such bytes are read as \ufffd"


def _encoding(data: bytes) -> tuple[bytes, str]:
    return next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", "utf-8"))
