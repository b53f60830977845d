"""Whether a value in the place of a secret is one, or a placeholder, a name, a path, some code."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable

_TEMPLATE = re.compile(
    r"^(?:[$%{<\[*#]|process\.|os\.|env[.\[]|import\.|self\.|this\.|config\.|settings\.|secrets\.|vars\.)"
    r"|\$\{|\{\{|\.\.\.|…|\*{3}|x{4}|\[redacted:",
    re.IGNORECASE,
)
_PLACEHOLDER_WORDS = (
    r"redacted|example|change[_-]?(?:me|this|it)|placeholder|your|dummy|sample|replace|insert"
)
_COMMON_WORDS = (
    "password|passwd|private|account|service|string|server|access|client|secret|token|value|login|pass|auth|here|"
    "this|with|user|name|test|code|real|host|only|own|api|key|the|app|url|not|for|my|me|db|id|in|it|to|of|a"
)
_PLACEHOLDER = re.compile(
    rf"(?=.*?(?i:{_PLACEHOLDER_WORDS}))"
    rf"[-_.]{{0,3}}(?:(?:(?>(?i:{_PLACEHOLDER_WORDS}|{_COMMON_WORDS}))++\d{{0,8}}+|[A-Z]?[a-z]{{1,12}}+\d{{0,4}}+"
    r"|[A-Z]{1,12}+\d{0,4}+|\d{1,8}+)(?:[-_. /:@!+=]++|$))++$"
)
"""Words alone, of which one says that the value is none: such a word within a random value says nothing."""
_DOCUMENTED_PASSWORD = re.compile(r"pass|password|passwd|pwd|secret|token", re.IGNORECASE)
_SAYS_NONE = re.compile(
    r"required|optional|string|none|null|true|false|empty|unset|undefined|missing|value|default|not[-_]?set|here|"
    r"\d{1,3}",
    re.IGNORECASE,
)
_PART_OF_ADDRESS = re.compile(r"[^@/#?]*[/#?](?!.*\d|(?=.*[a-z]).*[A-Z])")
"""No password, but the rest of an address whose port is a name: ``host:name/path@version``."""
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
_ALGORITHMS = re.compile(
    r"(?:\d{0,4}+(?>(?i:aes|argon2?(?:id|i|d)?|base|basic|bcrypt|bearer|bits?|cbc|chacha|crypt|ctr|curve|der|digest"
    r"|dsa|ecdsa|ecdh|eddsa|ed|encoded|es|gcm|hashed|hash|hex|hmac|hs|id|jwe|jws|jwt|keys?|md|mtls|oauth|oidc"
    r"|opaque|otp|pbkdf|pem|pkce|pkcs|plus|poly|ps|rsa|rs|saml|scram|scrypt|sha|signed|ssh|string|sum|tls|token|totp"
    r"|url|uuid|utf|with|x))\d{0,5}+[-_/+.,:]{0,2}+|\d{1,5}+[-_/+.,:]{1,2}+|\d{1,5}+$)++$"
)
"""Names of algorithms and formats: ``SCRAM-SHA-256``, ``JWT/RS256``, ``id_rsa_4096bit``."""
_MIXED = re.compile(r"(?=.*[A-Za-z])(?=.*[\d!@#$%^&*+=~])\S{6,}$")
_TERM = re.compile(
    r"\d+[A-Za-z]+$|[A-Z]{2,8}\d{1,6}$|[A-Z]?[a-z]+\d{0,2}[A-Z][A-Za-z]*$|[\w.+-]{1,64}+@[\w-]+\.[a-z.]{2,20}$"
    r"|(?:[A-Za-z]{1,20}+\d{0,3}+|\d+[A-Za-z]{0,12}+|[A-Z]\d[A-Z])"
    r"(?:[-_/+.&](?:[A-Za-z]{1,20}+\d{0,3}+|\d+[A-Za-z]{0,12}+|$))++$"
)
"""Counts, norms, types, joined words: ``64bit``, ``RFC7617``, ``Uint8Array``, ``bcrypt-12-hashed``."""
_SIGNED = re.compile(r"(?=\w*[A-Za-z])\w*\d\w*[!@#$%^&*]+$")
_LONGEST = 400
_LOOKS_RANDOM = re.compile(
    r"(?=.{8})(?:\D*\d){2}|(?=.{16})[A-Za-z]?[a-z]{4,}+\d[A-Za-z]?[a-z]{4,}+$"
    r"|(?=.{8})(?=\D*\d)\w*[!@#$%^&*]\w+$"
)
"""Two digits, or one within a long word or beside a sign: ``correcthorse1battery``, ``p@ssw0rd``."""


def is_quoted_secret(value: str) -> bool:
    """Return whether a quoted value is a secret: letters with digits or signs, not the name of something.

    A long one is judged by its beginning.
    """
    value = value[:_LONGEST]
    return bool(_MIXED.match(value)) and not (
        _stands_in(value)
        or _DATE.match(value)
        or _PATH.match(value)
        or _NAMED_THING.match(value)
        or _VERSION.match(value)
        or _CONSTANT.match(value)
        or _ALGORITHMS.match(value)
    )


def is_bare_secret(value: str) -> bool:
    """Return the same of a value without quotes, as often prose or code: two digits, or one and a reason."""
    value = value.rstrip(".:!?")
    return bool(_LOOKS_RANDOM.match(value[:_LONGEST])) and is_quoted_secret(value)


def is_told_password(value: str) -> bool:
    """Tell the same of what a sentence says a password is: no count, no term such as ``v2-only``."""
    value = value.rstrip(".:!?*_")
    return is_quoted_secret(value) and not _TERM.match(value)


def is_told_key(value: str) -> bool:
    """Tell the same of a token or key, of which a sentence has more to say: it looks random, too."""
    return is_bare_secret(value) and is_told_password(value)


def is_signed_password(value: str) -> bool:
    """Tell the same of a bare word behind the name of a password that ends as words do not: ``hunter2!``."""
    value = value.rstrip(".:?*_")
    return bool(_SIGNED.match(value[:_LONGEST])) and is_told_password(value)


def is_login(value: str) -> bool:
    """Return whether a ``user:password`` is a real one: the password decides."""
    return is_password(value.partition(":")[2])


def is_login_of_address(value: str) -> bool:
    """Return the same of what precedes the last ``@`` of an address, which may not be a login at all."""
    return is_login(value) and not _PART_OF_ADDRESS.match(value.partition(":")[2])


def is_password(value: str) -> bool:
    """Return whether the value in a place for passwords alone is one, whatever it is made of."""
    return not _stands_in(value) and not _DOCUMENTED_PASSWORD.fullmatch(value)


def is_assigned_password(value: str) -> bool:
    """Return the same of the value of a password variable, which documents fill with words for none."""
    return is_password(value) and not _SAYS_NONE.fullmatch(value.rstrip(".:!?*_"))


def _stands_in(value: str) -> bool:
    return bool(_TEMPLATE.search(value) or _PLACEHOLDER.match(value))


def is_encoded_login(value: str) -> bool:
    """Return whether a text is the base64 of ``user:password``."""
    try:
        login = binascii.a2b_base64(value, strict_mode=True).decode("ascii")
    except ValueError:
        return False
    return ":" in login and login.isprintable()


def is_encoded(value: str) -> bool:
    """Return whether the base64 in the place of a key is one, not a placeholder."""
    return not _stands_in(value) and any(map(str.isupper, value))


JUDGES: dict[str, Callable[[str], bool]] = {
    "quoted": is_quoted_secret,
    "bare": is_bare_secret,
    "told": is_told_password,
    "told_quoted": is_told_password,
    "told_key": is_told_key,
    "told_key_quoted": is_told_key,
    "signed": is_signed_password,
    "argument": is_quoted_secret,
    "element": is_quoted_secret,
    "fallback": is_quoted_secret,
    "value": is_quoted_secret,
    "passed": is_password,
    "assigned": is_assigned_password,
    "login": is_login,
    "address": is_login_of_address,
    "encoded": is_encoded,
    "encoded_login": is_encoded_login,
}
