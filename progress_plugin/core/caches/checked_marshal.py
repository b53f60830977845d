"""A value of our own kept in the user's cache: as `marshal` writes it, after a checksum.

`marshal` believes what it reads. A page that a power cut left empty would end a process, or worse, be taken
for code; so what was damaged is as good as not there, and is made anew.
"""

import marshal
import os
import sys
from binascii import crc32
from typing import Any

from progress_plugin.core.errors import AgentProgressError, BadInput
from progress_plugin.core.files import atomic_file, safe_read

_DIGITS = 8


def read(path: str) -> Any:
    """Return what was kept at `path`, None where nothing is that can be used."""
    try:
        found = safe_read.read_with_status(path, None)
    except BadInput:
        return None
    if found is None or not _is_own(found.status):
        return None
    data = found.data
    content = memoryview(data)[_DIGITS:]  # a copy of a megabyte takes as long as a third of reading it
    if data[:_DIGITS] != _checksum(content):
        return None
    try:
        return marshal.loads(content)  # noqa: S302 - as trusted as the compiled modules of Python beside it
    except (EOFError, ValueError, TypeError):  # written by another Python
        return None


def write(path: str, value: Any) -> None:
    """Keep a value at `path`; without effect where that cannot be. Raises ValueError for no plain value."""
    content = marshal.dumps(value)
    try:
        atomic_file.replace(path, _checksum(content) + content, durable=False)
    except (OSError, AgentProgressError):
        return


def _is_own(status: os.stat_result) -> bool:
    """Return whether a file belongs to the user or the system: anybody else's code would run as ours."""
    return sys.platform == "win32" or status.st_uid in {os.geteuid(), 0}


def _checksum(content: bytes | memoryview) -> bytes:
    return b"%08x" % crc32(content)
