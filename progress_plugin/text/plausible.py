"""Whether a value that stands where a secret would is one, or a placeholder, a name, a path, some code."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable

_PLACEHOLDER = re.compile(
    r"^(?:[$%{<\[*#]|process\.|os\.|env[.\[]|import\.|self\.|this\.|config\.|settings\.|secrets\.|vars\.)"
    r"|:[$%{<*]|\$\{|\{\{|\.\.\.|…|\*{3}|x{4}"
    r"|redacted|example|change[_-]?me|placeholder|your[_-]|dummy|sample|replace|insert",
    re.IGNORECASE,
)
_DOCUMENTED_LOGIN = re.compile(r"[\w-]*:(?:pass|password|passwd|pwd|secret|token)", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PATH = re.compile(
    r"[~.@]{0,2}/(?![A-Za-z0-9+/]{39}$)|.*/.*\.[a-z]{1,5}$|[\w-]+\.[a-z]{2,4}(?::\d+)*$|\w+(?:\.[A-Za-z_]\w*)+$|https?:"
)
_NAMED_THING = re.compile(r"[a-z]+\d{0,3}(?:[-._:/](?:[a-z]+\d{0,3}|\d{1,3}))+$")
_VERSION = re.compile(r"v?\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$")
_CONSTANT = re.compile(
    r"[A-Z]+\d{0,2}(?:_(?:[A-Z]+\d{0,2}|\d{1,2}))+$|[A-Z]{2,5}\d{2,3}(?:[/,+-][A-Z]{2,5}\d{2,3})*$"
)
"""Names of constants and algorithms: ``ACCESS_TOKEN_2``, ``RS256/ES256``."""
_MIXED = re.compile(r"(?=.*[A-Za-z])(?=.*[\d!@#$%^&*+=~])\S{6,}$")
_LONGEST = 400
_LOOKS_RANDOM = re.compile(r"(?=.{8})(?:\D*\d){2}")


def is_quoted_secret(value: str) -> bool:
    """Tell whether a quoted value is a secret: letters with digits or signs, not the name of something.

    A long one is judged by its beginning.
    """
    value = value[:_LONGEST]
    return bool(_MIXED.match(value)) and not (
        _PLACEHOLDER.search(value)
        or _DATE.match(value)
        or _PATH.match(value)
        or _NAMED_THING.match(value)
        or _VERSION.match(value)
        or _CONSTANT.match(value)
    )


def is_bare_secret(value: str) -> bool:
    """Tell the same of a value without quotes, which is as often prose or code: two digits at least."""
    value = value.rstrip(".:!?")
    return bool(_LOOKS_RANDOM.match(value)) and is_quoted_secret(value)


def is_login(value: str) -> bool:
    """Tell whether the ``user:password`` of a URL is a real one."""
    return not _PLACEHOLDER.search(value) and not _DOCUMENTED_LOGIN.fullmatch(value)


def is_encoded_login(value: str) -> bool:
    """Tell whether a text is the base64 of ``user:password``."""
    try:
        login = binascii.a2b_base64(value, strict_mode=True).decode("ascii")
    except ValueError:
        return False
    return ":" in login and login.isprintable()


def is_encoded(value: str) -> bool:
    """Tell whether the base64 that stands in a place for keys is one, not a placeholder."""
    return not _PLACEHOLDER.search(value) and any(map(str.isupper, value))


JUDGES: dict[str, Callable[[str], bool]] = {
    "quoted": is_quoted_secret,
    "bare": is_bare_secret,
    "login": is_login,
    "encoded": is_encoded,
    "encoded_login": is_encoded_login,
}
