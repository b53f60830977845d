"""What makes a value a secret, in the place of one: no placeholder, no name, path or code."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable

from progress_plugin.text.patterns import LazyPattern

IDENTIFIER = r"(?:[0-9a-f]{40}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
"""A commit or UUID; after ``token`` alone it is one, after ``access_token`` or ``password`` a secret."""

_OF_CODE = (
    r"(?-i:[A-Z_][A-Z0-9_]*+|[a-z_]++\d?(?:(?:_|[A-Z])[a-z]*+\d?)*+)"
    r"(?:(?:->|[.:@/])[\w.:$@/{}<>-]*|\[.*|\(.*)?$"
)
"""A variable in a program, and what is taken from it; two digits in a row are a password's."""
_TEMPLATE = LazyPattern(
    rf"^(?:[$*]{_OF_CODE}|\$\(|\$\{{|\$\d{{1,2}}$|\$[@?!#*]$|%[a-z_]\w*%|%\(\w+\)|%[a-z]$|%\{{\w"
    r"|\{(?-i:[a-z_.]{3}[\w.]*|[A-Z_]{3,}\d?)(?:[}(\[:!]|$)|\{\w{0,2}\}|\{\{(?-i:[a-z.$#])|#\{\w|#[a-z]*$|#\d{1,6}$"
    r"|<[\w .,:/|'-]*(?:>|$)|<[?%][\w=]|\[(?:[\w .,-]*\]|[a-z .,-]*)$|\*+$"
    r"|process\.|os\.|env[.\[]|import\.|self\.|this\.|config\.|settings\.|secrets\.|vars\.)"
    r"|\$\{\w+[}:]|\{\{[ \w.]*(?:\}\}|$)|^\.\.\.|\.\.\.$|…|\*{3}|x{4}|\[redacted:"
    r"|\(\?(?:[:=!]|<[=!]).*(?:[\])][*+?{|$]|\.[*+]|\\\\[dswbDSW])|\[\^?(?-i:A-Z|a-z|0-9)",
    re.IGNORECASE,
)
"""A value that a program puts in, by brackets or a variable, or a pattern of values."""
_REFERENCE = LazyPattern(
    r"(?:op|vault|bao|file|env|ssm|gcp|gsm|kms|keyring|keychain|secretref|secretsmanager|awssm|azkv|akv|sops"
    r"|doppler|infisical|bws|ref)(?:\+[a-z]+)?:(?://)?[A-Za-z_./~][\w./#:@-]*$|arn:aws[\w-]*:|projects/[\w-]+/secrets/"
    r"|![A-Z][A-Za-z]+(?::{1,2}[A-Z][A-Za-z]+)*$|!(?:secret|vault|env|ref)$"
)
"""Where a manager of secrets has it: ``op://vault/db/field``."""
_PLACEHOLDER_WORDS = (
    r"redacted|example|change[_-]?(?:me|this|it)|placeholder|your|dummy|sample|replace|insert"
)
_COMMON_WORDS = (
    "password|passwd|private|account|service|string|server|access|client|secret|token|value|login|pass|auth|here|"
    "this|with|user|name|test|code|real|host|only|own|api|key|the|app|url|not|for|my|me|db|id|in|it|to|of|a"
)
_PLACEHOLDER = LazyPattern(
    rf"(?=.*?(?i:{_PLACEHOLDER_WORDS}))"
    rf"[-_.]{{0,3}}(?:(?:(?>(?i:{_PLACEHOLDER_WORDS}|{_COMMON_WORDS}))++\d{{0,8}}+|[A-Z]?[a-z]{{1,12}}+\d{{0,4}}+"
    r"|[A-Z]{1,12}+\d{0,4}+|\d{1,8}+)(?:[-_. /:@!+=]++|$))++$"
)
"""Words alone, of which one says that the value is none: such a word within a random value says nothing."""
_DOCUMENTED_PASSWORD = LazyPattern(r"pass|password|passwd|pwd|secret|token", re.IGNORECASE)
_SAYS_NONE = LazyPattern(
    r"required|optional|string|none|null|nil|true|false|yes|no|ok|on|off|empty|unset|set|undefined|missing|value|default"
    r"|not[-_]?set|here|hidden|masked|removed|rotated|changed|unknown|invalid|wrong|tbd|todo|n/a"
    r"|generated|documented|shared|injected|provided|inherited|encrypted|hashed|validated|checked|renamed|exported|loaded"
    r"|configured|deleted|added|moved|updated|needed|used|unused|fixed|present|absent|random"
    r"|\d{1,3}|\d+/\d+|\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?%|(?-i:[a-z]+(?:[A-Z][a-z]+)*(?:Password|Secret))",
    re.IGNORECASE,
)
_PART_OF_ADDRESS = LazyPattern(
    r"(?!(?=[^@/#?]*\d)(?=[^@/#?]*[a-z])[^@/#?]*[A-Z])[^@/#?]*[/#?](?!$|.*\d|(?=.*[a-z]).*[A-Z])"
)
"""No password, but the rest of an address whose port is a name: ``host:name/path@version``."""
_FOLDER = LazyPattern(r"[~.]{0,2}/[a-z][a-z0-9_.-]*(?:/|$)")
_TICKETS = LazyPattern(r"[A-Z]{1,10}-\d{1,6}(?:(?:\.{2,3}|[-–—/+,:])(?:[A-Z]{1,10}-)?\d{1,6})*$")
"""Numbers of stories and ranges of them: ``T-001..T-020``."""
_DATE = LazyPattern(r"\d{4}-\d\d-\d\d")
_PATH = LazyPattern(
    r"[~.@]{0,2}/(?![A-Za-z0-9+/]{39}$)|.*/.*\.[a-z]{1,5}(?:#L\d{1,6}(?:-L\d{1,6})?)?$|[\w-]+\.[a-z]{2,4}(?::\d+)*$|\w+(?:\.[A-Za-z_]\w*)+$|https?:"
)
_NAMED_THING = LazyPattern(r"[a-z]+\d{0,3}(?:[-._:/](?:[a-z]+\d{0,3}|\d{1,3}))+$")
_VERSION = LazyPattern(r"(?:@?[a-z]{2,30}+(?:[/-][a-z]{1,30}+){0,4}@)?v?\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?$")
_CONSTANT = LazyPattern(
    r"[A-Z]+\d{0,2}(?:_(?:[A-Z]+\d{0,2}|\d{1,2}))+$|[A-Z]{2,5}\d{2,3}(?:[/,+-][A-Z]{2,5}\d{2,3})*$"
)
"""Names of constants and algorithms: ``ACCESS_TOKEN_2``, ``RS256/ES256``."""
_ALGORITHMS = LazyPattern(
    r"(?:\d{0,4}+(?>(?i:aes|argon2?(?:id|i|d)?|base|basic|bcrypt|bearer|bits?|cbc|ccm|chacha|crypt|ctr|curve|der|dhe|digest"
    r"|dsa|ecdsa|ecdhe?|eddsa|ed|encoded|es|gcm|hashed|hash|hex|hmac|hs|id|jwe|jws|jwt|keys?|md|mtls|oauth|oidc"
    r"|opaque|otp|pbkdf|pem|pkce|pkcs|plus|poly|psk?|rsa|rs|saml|scram|scrypt|sha|signed|ssh|string|sum|tls|token|totp"
    r"|url|uuid|utf|with|x))\d{0,5}+[-_/+.,:]{0,2}+|\d{1,5}+[-_/+.,:]{1,2}+|\d{1,5}+$)++$"
)
"""Names of algorithms and formats: ``SCRAM-SHA-256``, ``JWT/RS256``, ``id_rsa_4096bit``."""
_MIXED = LazyPattern(r"(?=.*[A-Za-z])(?=.*[\d!@#$%^&*+=~])\S{6,}$")
_WORD_OF_TERM = r"(?![A-Za-z]{0,18}[a-z][A-Z]\d)[A-Za-z]{1,20}+\d{0,3}+"
"""No word ends like ``xK9``."""
_TERM = LazyPattern(
    r"\d+[A-Za-z]+$|[A-Z]{2,8}v?\d{1,6}$|[A-Z]?[a-z]+\d{0,2}[A-Z][A-Za-z]*$|[\w.+-]{1,64}+@[\w-]+\.[a-z.]{2,20}$"
    rf"|(?:{_WORD_OF_TERM}|\d+[A-Za-z]{{0,12}}+|[A-Z]\d[A-Z])"
    rf"(?:[-_/+.&](?:{_WORD_OF_TERM}|\d+[A-Za-z]{{0,12}}+|$))++$"
)
"""Counts, norms, types, joined words: ``64bit``, ``LDAPv3``, ``Uint8Array``, ``bcrypt-12-hashed``."""
_CONSONANTS = "b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ"
_JUMBLED = LazyPattern(
    rf"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[A-Za-z0-9]*?[{_CONSONANTS}]{{4}})[A-Za-z0-9]{{8,64}}$"
)
"""Letters of both cases and a digit, of which four in a row cannot be spoken: ``KDcxVfhv4``."""
_OF_PROGRAM = LazyPattern(r"[A-Za-z]?[a-z_]+\d{0,2}(?:[A-Z][a-z]+\d{0,2})*$|[A-Z_]+\d{0,2}$")
"""A name in a program, such as ``S3`` or ``httpToken2``."""
_ALTERNATING = LazyPattern(
    r"(?!0[xb]|[0-9a-fA-F]{6}$)(?=[A-Za-z0-9]{6,64}$)"
    r"(?:(?:[A-Za-z]+[0-9]+){2}[A-Za-z]|(?:[0-9]+[A-Za-z]+){2}[0-9])"
)
"""Letters and digits that take turns more than once: ``q7Rz4L``, not ``utf8mb4`` or a colour."""
_UNSPOKEN_PART = LazyPattern(r"(?:[A-Za-z0-9]{1,20}+-){0,3}[A-Za-z]{0,18}[a-z][A-Z]\d")
"""A part of a joined value that ends like no word: ``hunter2-xK9``."""
_ALL_KINDS = LazyPattern(r"(?=\S{8,400}$)(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[\w!@#$%^*=~?]*[&+]")
"""Letters of both cases and digits around a sign that joins words, too."""
_IN_BRACKETS = LazyPattern(r"[\[({<]{1,2}([A-Za-z0-9]{12,64})[\])}>]{1,2}")
"""A random value is no name of a placeholder, whatever is around it."""
_SESSION = LazyPattern(r"(?i:sess|sid$|^sid|auth|token|jwt|csrf|xsrf|remember|identity|login|credential)")
"""What a cookie is called that lets somebody in."""
_SIGNED = LazyPattern(r"(?=\w*[A-Za-z])\w*\d\w*[!@#$%^&*]+$")
_WITH_SIGN = LazyPattern(r"\w+[!@#$%^&*+=~?][^\s/:]*\w[^\s/:]*$")
_ARGUMENT = LazyPattern(r"[\w.-]{1,40}[=(?~+:\[{]|[A-Z]?[a-z]{2,40}\d{1,6}$")
"""What is passed to a program, or what a check is called: ``size=12``, ``load2(x)``, ``Lighthouse100``."""
_NUMBERED_THING = LazyPattern(
    r"(?i:auth|check|column|config|db|dialog|env|field|file|flow|form|group|hash|host|input|key|level|login|mode|page"
    r"|phase|policy|prompt|reset|rule|screen|server|settings?|stage|step|table|test|token|user|vault|version)s?\d{1,3}\W*$"
)
_SHORTEST, _LONGEST = 3, 400
_LOOKS_RANDOM = LazyPattern(
    r"(?=.{8})(?:\D*\d){2}|(?=.{16})[A-Za-z]?[a-z]{4,}+\d[A-Za-z]?[a-z]{4,}+$"
    r"|(?=.{8})(?=\D*\d)\w*[!@#$%^&*)\]}]\w+$"
    r"|(?=.{8})(?=\D*\d)(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])\w*[!@#$%^&*+=~]\S*\w\S*$"
)
"""Two digits, or one within a long word or beside a sign: ``correcthorse1battery``, ``p@ssw0rd``."""
_EXPRESSION_IN_BRACES = LazyPattern(r"[\w.()\[\]]+(?:[!:][\w<>^.]{0,6})?")
_TORN = LazyPattern(
    r"(?=\S{8})(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?!.*[A-Za-z_]{2}[=:({])"
    r"(?=.*(?:[a-z][A-Z]\d|[A-Z]\d[a-z]|\d[a-z][A-Z]|[a-z]\d[A-Za-z]|\d[A-Z][a-z]\d))"
)
"""Letters of both cases and figures with a part that no word of a list has: ``aB3;kd,Q.x9z``."""
_OPENS, _CLOSES = "([{<", ")]}>"
_NEXT = LazyPattern(
    r"\\?[,;&|](?:(?:[A-Z][A-Z0-9_.-]{2,40}|[a-z][a-z_.-]{2,40}|[A-Z]?[a-z]{3,20}(?:[A-Z][a-z]{1,20}){0,5})[=:]"
    r"|\\?[&|;,]?(?:\s|$))|</[A-Za-z][\w.:-]*+>"
)
"""What ends a value without quotes: another assignment, a command, a tag."""
_MARKS = LazyPattern(r"[)\]}>.,;:!?*_|\\]*$")
_CODE = LazyPattern(r"[A-Za-z_][\w.:?-]*[(\[{<](?!.*[)\]}]\w)")
"""A call or a type; a password goes on behind its brackets."""
_CALL = LazyPattern(r"[A-Za-z_][\w.:]*[(\[]+$|[A-Za-z_][\w.:]*(?:\(.*\)|\[.*\])$")

_COMPARED = LazyPattern(r"=\s?[A-Za-z_.]+(?:[(\[].*)?$")
_ABOUT_PASSWORDS = LazyPattern(
    r"(?=.*?(?i:passw|secret|pwd))"
    r"(?:[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:\.[a-z]+)+|[A-Za-z']+(?:[,:]? [A-Za-z']+)+[.!?]?)$"
)
"""A constant, a key of texts or a sentence about passwords: ``PASSWORD_FIELD``, ``Password is too short``."""
_TYPE = LazyPattern(
    r"[A-Z][a-z]+\d{1,5}(?:[A-Z][a-z]+)*(?:Key|Token|Secret|Password|Credentials?|Type|String|Bytes|Provider)$"
)
_OF_RESULTS = LazyPattern(
    r"(?:FIRST|SECOND|THIRD|LAST|FINAL|NEXT|SINGLE|ONE|TWO|PRE|POST|QA|CI|CD|E2E|UNIT|SMOKE|LINT|BUILD|TESTS?|JIRA"
    r"|REVIEW|RENDER|PARSE|COMPILE|OPT)_PASS[^A-Za-z0-9_]*$"
)
_OF_MESSAGES = LazyPattern(
    r"(?<![A-Za-z0-9])(?:ERR|ERROR|MSG|FIELD|COLUMN|PARAM|MESSAGE|LABEL|TEXT|HINT|TITLE|EVENT|ROUTE|ACTION|RESET|FORGOT|CHANGE|CONFIRM"
    r"|VALIDATE|UPDATE|VERIFY|SHOW|HIDE|TOGGLE|INVALID|WEAK|WRONG|REQUEST)_(?:[A-Z0-9]+_)*(?:PASS|SECRET|P)\w*\W*$"
)
_ID = LazyPattern(IDENTIFIER)
_NAME_LENGTH = 100


def is_named_for_none(name: str, value: str) -> bool:
    """Return whether what stands before a value says that it counts runs, or names messages and pages.

    A value that looks like a password is one there, too.
    """
    name = name[-_NAME_LENGTH:]
    if _OF_RESULTS.search(name):
        return bool(_ID.fullmatch(value)) or not is_quoted_secret(value)
    return bool(_OF_MESSAGES.search(name)) and not is_quoted_secret(value)


def reach(value: str) -> int:
    """Return how many characters of a value without quotes are its own: passwords have brackets, too.

    A closing bracket that none opened ends it, unless more follows it than marks: ``(pw=Np%g}x!)``.
    """
    opened = []
    for at, sign in enumerate(value):
        if sign in _OPENS and not value.startswith("</", at):
            opened.append(_CLOSES[_OPENS.index(sign)])
        elif sign in _CLOSES:
            if opened and opened[-1] == sign:
                opened.pop()
            elif _MARKS.match(value, at):
                return at
        elif sign in ",;&|<\\" and _NEXT.match(value, at):
            return at
    return len(value)


def is_quoted_secret(value: str) -> bool:
    """Return whether a quoted value is a secret: letters with digits or signs, not the name of something.

    A long one is judged by its beginning.
    """
    value = value[:_LONGEST]
    return bool(_MIXED.match(value)) and not (
        _stands_in(value)
        or _DATE.match(value)
        or _TICKETS.match(value)
        or (_PATH.match(value) and not _is_torn_by_dot(value))
        or _NAMED_THING.match(value)
        or _VERSION.match(value)
        or _CONSTANT.match(value)
        or _ALGORITHMS.match(value)
    )


def _is_torn_by_dot(value: str) -> bool:
    """Return whether what has the form of a path, ``file.ext``, is jumbled on both sides of its only dot."""
    first, _, last = value.partition(".")
    return bool(_JUMBLED.match(first + last)) and not (_OF_PROGRAM.match(first) and _OF_PROGRAM.match(last))


def is_bare_secret(value: str) -> bool:
    """Return the same of a value without quotes, as often prose or code: two digits, or one and a reason."""
    value = value.rstrip(".:!?")[:_LONGEST]
    return (
        bool(_LOOKS_RANDOM.match(value))
        and not (_CODE.match(value) or _TYPE.match(value))
        and is_quoted_secret(value)
    )


def is_value_beside(value: str) -> bool:
    """Return the same of what ``value`` is set to beside a name: not what a function returns."""
    return is_quoted_secret(value) and not (_CALL.match(value) or _CODE.match(value))


def is_told_password(value: str) -> bool:
    """Tell the same of what a sentence says a password is: no count, no term such as ``v2-only``."""
    value = value.rstrip(".:!?*_")[:_LONGEST]
    return is_quoted_secret(value) and not (_TERM.match(value) or _CODE.match(value))


def is_password_below_name(value: str) -> bool:
    """Tell the same of what stands in a column for passwords: signs between parts that are no words, too."""
    return is_told_password(value) or (
        is_quoted_secret(value) and bool(_ALL_KINDS.match(value)) and not _CODE.match(value)
    )


def is_told_key(value: str) -> bool:
    """Tell the same of a token or key, of which a sentence has more to say: it looks random, too."""
    return is_bare_secret(value) and is_told_password(value)


def is_short_key(value: str) -> bool:
    """Tell the same of what stands alone below the name of a key or token: a short one is jumbled."""
    value = value.rstrip(".:!?*_")[:_LONGEST]
    return is_told_key(value) or (
        bool(_JUMBLED.match(value) or _ALTERNATING.match(value)) and is_told_password(value)
    )


def is_signed_password(value: str) -> bool:
    """Tell the same of a bare word behind the name of a password that is none of a language: ``hunter2!``."""
    value = value.rstrip(".:?*_")
    return bool(_SIGNED.match(value[:_LONGEST]) or _JUMBLED.match(value)) and is_told_password(value)


def is_password_in_passing(value: str) -> bool:
    """Tell the same of what only stands beside the word password: with a sign, or jumbled."""
    return is_signed_password(value) or (
        is_told_key(value)
        and bool(
            _WITH_SIGN.match(value)
            or _JUMBLED.match(value)
            or (_ALTERNATING.match(value) and not value.islower())
            or ("-" in value and _UNSPOKEN_PART.match(value))
        )
    )


def is_password_in_prose(value: str) -> bool:
    """Tell the same of what only stands behind the word pass, which is a verb of programs, too."""
    value = value.rstrip("!")
    return not _ARGUMENT.match(value) and (
        is_password_in_passing(value)
        or (bool(_ALTERNATING.match(value)) and not value.islower() and is_told_password(value))
    )


def is_replaced_password(value: str) -> bool:
    """Tell the same of what a sentence says a password was, or that it works: no numbered thing."""
    return is_told_password(value) and not _NUMBERED_THING.match(value)


def is_remarked_password(value: str) -> bool:
    """Tell the same of what stands behind a colon and a remark on the password: no less than without one."""
    return is_bare_secret(value) or is_told_password(value)


def is_password_of_login(value: str) -> bool:
    """Tell the same of what stands beside the name of who logs in."""
    return is_signed_password(value) or is_short_key(value)


def is_braced_password(value: str) -> bool:
    """Tell the same of what stands in braces, where templates have expressions."""
    is_expression = _EXPRESSION_IN_BRACES.fullmatch(value)
    is_random = _JUMBLED.match(value) or _ALTERNATING.match(value)
    return bool(is_random or not is_expression) and is_told_password(value)


def is_torn_password(value: str) -> bool:
    """Tell the same of what holds the signs that end other values: jumbled between them, too."""
    return bool(_TORN.match(value)) and is_password(value)


def is_cookies(value: str) -> bool:
    """Return whether one of these cookies lets somebody in: by its name, or because it looks random."""
    for cookie in value.split(";"):
        name, _, text = cookie.strip().partition("=")
        if (is_told_password if _SESSION.search(name) else is_told_key)(text):
            return True
    return False


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
    value = value[:_LONGEST].replace("\\|", "|")  # in a cell of a table
    return (
        len(value) >= _SHORTEST
        and is_password(value)
        and not _SAYS_NONE.fullmatch(value.rstrip(".:!?*_"))
        and not _FOLDER.match(value)
        and not _CALL.match(value)
        and not (_COMPARED.match(value) or _DATE.fullmatch(value) or _TICKETS.match(value))
        and not _ABOUT_PASSWORDS.match(value)
    )


def _stands_in(value: str) -> bool:
    inner = _IN_BRACKETS.fullmatch(value)
    if inner and (_JUMBLED.match(inner[1]) or _ALTERNATING.match(inner[1])):
        return False
    return bool(_TEMPLATE.search(value) or _PLACEHOLDER.match(value) or _REFERENCE.match(value))


def is_encoded_login(value: str) -> bool:
    """Return whether a text is the base64 of ``user:password``."""
    try:
        login = binascii.a2b_base64(value, strict_mode=True).decode("ascii")
    except ValueError:
        return False
    return ":" in login and login.isprintable()


def is_encoded_text(value: str) -> bool:
    """Return whether a text is the base64 of a text in one line."""
    try:
        return binascii.a2b_base64(value, strict_mode=True).decode("ascii").isprintable()
    except ValueError:
        return False


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
    "passing": is_password_in_passing,
    "in_prose": is_password_in_prose,
    "replaced": is_replaced_password,
    "remarked": is_remarked_password,
    "beside_login": is_password_of_login,
    "argument": is_quoted_secret,
    "element": is_quoted_secret,
    "element_beside": is_quoted_secret,
    "spaced": is_told_key,
    "paired": is_told_key,
    "fallback": is_quoted_secret,
    "value": is_value_beside,
    "passed": is_password,
    "passed_quoted": is_password,
    "assigned": is_assigned_password,
    "assigned_quoted": is_assigned_password,
    "assigned_escaped": is_assigned_password,
    "given": is_assigned_password,
    "braced": is_braced_password,
    "torn": is_torn_password,
    "cookies": is_cookies,
    "login": is_login,
    "login_quoted": is_login,
    "address": is_login_of_address,
    "encoded": is_encoded,
    "encoded_text": is_encoded_text,
    "encoded_login": is_encoded_login,
}
_TOLD = ("told", "told_key", "signed", "passing", "beside_login", "in_prose", "replaced", "remarked")
OPEN_ENDED = frozenset({"bare", "assigned", *_TOLD})
"""Those without quotes, of which `reach` says where the value ends."""
BESIDE_LOGIN = frozenset({"beside_login", "replaced"})
"""Those that stand where a password does, whatever is called so."""
BEHIND_PASSWORD = BESIDE_LOGIN | {
    *("quoted", "bare", "told", "told_quoted", "remarked"),
    *("argument", "element", "element_beside", "spaced", "paired", "fallback", "value"),
}
"""Those that are a passphrase, too, where what is before them calls them a password."""
