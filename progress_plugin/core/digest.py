"""The hash by which contents are compared."""

from __future__ import annotations

import hashlib


def content_digest(data: bytes) -> bytes:
    """Return the BLAKE2b hash of a content, 128 bits in hexadecimal."""
    return hashlib.blake2b(data, digest_size=16).hexdigest().encode()
