"""Why an installer failed, in the words of the person who has to do something about it."""

_SEEN = 64 * 1024
"""Bytes at the end of an installer's output that are looked at."""

_CAUSES = (
    (("No space left on device", "Disk quota exceeded"), "the disk is full"),
    (("Read-only file system", "Permission denied"), "a directory that is needed cannot be written"),
    (
        ("DO NOT MATCH THE HASHES", "Hash mismatch", "hash mismatch"),
        "the package index gave other files than the pinned ones; nothing of them was kept",
    ),
    (
        ("CERTIFICATE_VERIFY_FAILED", "UnknownIssuer", "invalid peer certificate", "SSLError"),
        "the package index's certificate is not trusted; a proxy's own is named in PIP_CERT or SSL_CERT_FILE",
    ),
    (
        ("ProxyError", "Cannot connect to proxy", "Tunnel connection failed", "407 Proxy", "tunnel error"),
        "the proxy that HTTPS_PROXY names does not let packages through",
    ),
    (
        ("name resolution", "Name or service not known", "nodename nor servname", "getaddrinfo failed",
         "dns error", "failed to lookup address", "Network is unreachable"),
        "there is no network, or a proxy that HTTPS_PROXY does not name",
    ),
    (
        ("Connection refused", "timed out", "Timeout", "Connection reset", "connection error",
         "error sending request", "NewConnectionError", "Could not connect"),
        "the package index does not answer; is there a network, a proxy (HTTPS_PROXY), an index of your own?",
    ),
    (
        ("No module named venv", "ensurepip is not available"),
        "this Python can make no virtual environment (on Debian and Ubuntu: apt install python3-venv)",
    ),
    (
        ("No matching distribution found", "No solution found", "no wheels with a matching"),
        "the package index has no wheels for this Python and system, or cannot be reached",
    ),
)  # fmt: skip
"""Words of pip and uv, and what they mean; the first that fits."""


def in_words(output: bytes) -> str:
    """Return what an installer's output says went wrong, empty where it says nothing known."""
    text = output[-_SEEN:].decode("utf-8", "replace")
    return next((cause for words, cause in _CAUSES if any(word in text for word in words)), "")
