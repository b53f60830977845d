"""Secrets that need no name: tokens of known services, private keys, the password of an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from progress_plugin.text.patterns import LazyPattern, one_of
from progress_plugin.text.secret_commands import read_table
from progress_plugin.text.secret_values import (
    is_reference,
    is_state,
    is_technical,
    looks_generated,
    looks_mixed,
)

_MIN_ENCODED = 16
_WHOLE = "*"
_EDGE_BEHIND = "(?![A-Za-z0-9])"
_KEY_EDGE = "(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KINDS = {"AUTHORIZATION": "AUTHORIZATION", "BEARER": "AUTHORIZATION", "PRIVATE_KEY": "PRIVATE_KEY"}
_KEY_LINE = r"\s{0,12}(?:(?:[>*|+-]|\d{1,5}[:|)\t]?)[ \t]{1,4}){0,4}"
_KEY_BEGINS = LazyPattern(f"-----BEGIN {_KEY_EDGE}")
_KEY_ENDS = LazyPattern(f"-----END {_KEY_EDGE}")
_KEY_BODY = LazyPattern(
    rf"(?:{_KEY_LINE}(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{{1,200}}\n){{0,4}}"
    rf"(?:{_KEY_LINE}(?![^\n]{{0,200}}\w \w)[A-Za-z0-9+/=]{{16,200}}){{1,500}}"
)
_ADDRESS = LazyPattern(
    r"://(?:[^\s/:?#\[\]\"'`<>|@]{0,100}(?:@[\w.]{1,60})?):(?!\d{1,5}[/?#]|(?i:port)[/?#]|/)"
    r"(?P<password>[^\s:\"'`<>]{1,300}?)@(?=[\w\[.${%<*/-])(?![^\s\"'`<>/?]{0,100}@)"
    r"|://(?P<token>[\w-]{20,255})@(?![\w.-]{0,60}sentry)\w"
)
_LOGIN_WITHOUT_SCHEME = LazyPattern(
    r"(?i:proxy|dsn|_url|thin)[\"']?\s{0,3}[:=]\s{0,3}[\"']?[\w.+-]{1,60}[:/](?P<proxy>(?!\d+@)[^\s\"'`<>@/|:]{3,200})@\w"
    r"|(?<![\w-])(?i:ssh|scp|sftp)\b[^\n]{0,80}?[\s'\"][\w.-]{1,40}:(?P<ssh>[^\s\"'`@:/]{3,100})@\w"
)
_ELSEWHERE = LazyPattern(
    r"(?i:authorization)[\"'*`\\]{0,3}\s{0,3}[:=][*]{0,2}\s{0,3}[\"'`\\]{0,2}(?:[A-Za-z-]{2,20}\s{1,3})?(?:[\w-]{1,40}:)?"
    r"(?P<AUTHORIZATION>[A-Za-z0-9._~+/=-]{8,400})"
    r"|(?i:bearer)\s{1,3}(?P<BEARER>[A-Za-z0-9._~+/-]{20,400}=*)"
    r"|(?:client-key-data|tls\.key)\"?\s{0,3}[:=]\s{0,3}\"?(?P<PRIVATE_KEY>[A-Za-z0-9+/]{20,9999}={0,2})"
    r"|(?i:identified\s{1,3}(?:with\s{1,3}\w{1,40}\s{1,3})?by(?: password)?|password|password for \S{1,60} =)"
    r"\s{1,3}[NE]?(?P<quote>['\"])(?P<STATEMENT>(?:(?!(?P=quote))[^\n]|''){3,100})(?P=quote)"
    r"(?=\s{0,3}(?:[;\\\"')]|$|\n|VALID|WITH))"
    r"|(?<!\w)machine\s{1,3}\S{1,100}\s{1,9}(?:login\s{1,3}\S{1,100}\s{1,9})?password\s{1,3}(?P<NETRC>[^\s\"'`}]{3,200})"
    r"|(?<!\w)(?:ENV|setx(?: /M)?|set -[A-Za-z]{1,3}|(?i:setenv))\s{1,3}[\"']?"
    r"[A-Z0-9_]{0,40}(?:PASS(?:WORD)?|TOKEN|SECRET|_KEY)[A-Z0-9_]{0,12}"
    r"[\"']?\s{1,3}[\"']?(?P<VARIABLE>[^\s\"']{3,400})"
)
"""Places of which each holds a secret alone: headers, SQL, `.netrc`, `ENV`."""

PLACE_HINTS = (
    "@", "authoriz", "bearer", "tls.key", "key-data", "identified", "machine", "setx", "set -", "env ",
)  # fmt: skip
"""Texts in small letters of which one is at every such place."""


@cache
def _tokens() -> dict[str, list[tuple[str, LazyPattern]]]:
    """Return for each beginning of a token its kinds with their patterns; few of them are ever met."""
    tokens: dict[str, list[tuple[str, LazyPattern]]] = {}
    for kind, beginnings, rest, _source in read_table("secret_tokens.tsv"):
        for beginning in beginnings.split():
            start = "" if beginning.startswith(_WHOLE) else re.escape(beginning)
            pattern = LazyPattern(f"{start}(?:{rest}){_EDGE_BEHIND}")
            tokens.setdefault(beginning, []).append((kind, pattern))
    return tokens


@cache
def _tokens_by_part() -> list[tuple[str, list[tuple[str, LazyPattern]]]]:
    """Return the tokens that have no beginning of their own, but a part by which they are known."""
    return [
        (name.removeprefix(_WHOLE), kinds) for name, kinds in _tokens().items() if name.startswith(_WHOLE)
    ]


@cache
def _beginnings() -> re.Pattern[str]:
    return one_of(beginning for beginning in _tokens() if not beginning.startswith(_WHOLE))


def find_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a token begins and ends, and its kind."""
    for beginning in _beginnings().finditer(text):
        for kind, pattern in _tokens()[beginning[0]]:
            found = pattern.match(text, beginning.start())
            if found and _begins_word(text, found.start()):
                yield *found.span(), kind
    for part, kinds in _tokens_by_part():
        if part in text:
            for kind, pattern in kinds:
                yield from (
                    (*found.span(), kind)
                    for found in pattern.finditer(text)
                    if _begins_word(text, found.start())
                )


def _begins_word(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return not (before.isascii() and before.isalnum())


def find_private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each private key begins and ends; one without an end goes as far as its lines of base64."""
    begins = list(_KEY_BEGINS.finditer(text))
    for begin, following in zip(begins, [*begins[1:], None], strict=False):
        stop = following.start() if following else len(text)
        found = _KEY_ENDS.search(text, begin.end(), stop) or _KEY_BODY.match(text, begin.end(), stop)
        if found:
            yield begin.start(), found.end(), "PRIVATE_KEY"


def find_places(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a secret begins and ends, and its kind."""
    for pattern in (_ADDRESS, _LOGIN_WITHOUT_SCHEME) if "@" in text else ():
        for found in pattern.finditer(text):
            group = found.lastgroup or ""
            if _may_be_secret(found[group]) and ("/" not in found[group] or looks_mixed(found[group])):
                yield *found.span(group), "URL_CREDENTIALS"
    for found in _ELSEWHERE.finditer(text):
        group = found.lastgroup or ""
        value = found[group]
        is_name_of_scheme = group == "AUTHORIZATION" and len(value) < _MIN_ENCODED and not looks_mixed(value)
        if _may_be_secret(value) and not is_name_of_scheme:
            yield *found.span(group), _KINDS.get(group, "SECRET")


def _may_be_secret(value: str) -> bool:
    return looks_generated(value) or not (
        is_reference(value) or is_state(value) or is_technical(value.rstrip(".,;:"))
    )
