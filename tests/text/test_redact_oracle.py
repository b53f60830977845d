"""Compare with detect-secrets: what it calls a secret is redacted."""

from __future__ import annotations

import importlib
import random
import string
from collections.abc import Iterator
from typing import Any

import pytest

from progress_plugin.text.redact import redact

_DETECTORS = {
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "basic_auth": "BasicAuthDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "jwt": "JwtTokenDetector",
    "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector",
    "openai": "OpenAIDetector",
    "private_key": "PrivateKeyDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}
"""Its rules by shape; left out are those by entropy, by keyword alone, for IP addresses and for IBM's services."""
_AN = string.ascii_letters + string.digits
_UP = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_B64 = _AN + "+/"

# (detector, parts): a text stands for itself, a pair for so many characters of an alphabet
_RECIPES: list[tuple[str, list[Any]]] = [
    *(("aws", [prefix, (_UP, 16)]) for prefix in ("AKIA", "ASIA", "ABIA", "ACCA")),
    ("aws", ["aws_secret_access_key = '", (_B64, 39), "7'"]),
    ("azure_storage_key", ["AccountKey=", (_B64, 86), "=="]),
    ("basic_auth", ["https://deploy:", (_AN, 20), "@registry.example.com/npm"]),
    ("discord", ["N", (_AN, 23), ".", (_AN, 6), ".", (_AN, 27)]),
    *(("github_token", [prefix, (_AN, 36)]) for prefix in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    *(
        ("gitlab_token", [prefix, (_AN, 20)])
        for prefix in (
            "glpat-",
            "gldt-",
            "glft-",
            "glsoat-",
            "glrt-",
        )
    ),
    ("gitlab_token", ["glptt-", (_HEX, 40)]),
    ("gitlab_token", ["glagent-", (_AN, 50)]),
    ("gitlab_token", ["gloas-", (_AN, 64)]),
    ("jwt", ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI3IiwibmFtZSI6IkRldiJ9.", (_AN, 43)]),
    ("mailchimp", [(_HEX, 32), "-us12"]),
    ("npm", ["//registry.npmjs.org/:_authToken=npm_", (_AN, 36)]),
    ("openai", ["sk-", (_AN, 20), "T3BlbkFJ", (_AN, 20)]),
    ("openai", ["sk-proj-", (_AN, 20), "T3BlbkFJ", (_AN, 20)]),
    *(
        ("private_key", [f"-----BEGIN {kind}PRIVATE KEY-----\n", (_B64, 64), "\n", (_B64, 64)])
        for kind in ("", "RSA ", "EC ", "DSA ", "OPENSSH ")
    ),
    ("pypi_token", ["pypi-AgEIcHlwaS5vcmc", (_AN, 80)]),
    ("sendgrid", ["SG.", (_AN, 22), ".", (_AN, 43)]),
    *(("slack", [f"xox{kind}-", (string.digits, 12), "-", (_AN, 24)]) for kind in "abposr"),
    ("slack", ["https://hooks.slack.com/services/T", (_UP, 8), "/B", (_UP, 8), "/", (_AN, 24)]),
    ("square_oauth", ["sq0csp-", (_AN, 43)]),
    *(("stripe", [prefix, (_AN, 24)]) for prefix in ("sk_live_", "rk_live_")),
    ("telegram_token", [(string.digits, 10), ":A", (_AN, 34)]),
    *(("twilio", [prefix, (_HEX, 32)]) for prefix in ("AC", "SK")),
]


def _made(parts: list[Any], rng: random.Random) -> str:
    return "".join(
        part if isinstance(part, str) else "".join(rng.choices(part[0], k=part[1])) for part in parts
    )


def _found(detector: str, text: str) -> Iterator[str]:
    plugin = getattr(importlib.import_module(f"detect_secrets.plugins.{detector}"), _DETECTORS[detector])()
    for number, line in enumerate(text.splitlines(), start=1):
        for secret in plugin.analyze_line(filename="log.md", line=line, line_number=number):
            yield secret.secret_value


@pytest.mark.parametrize(
    ("detector", "parts"), _RECIPES, ids=[f"{name}-{parts[0]}" for name, parts in _RECIPES]
)
def test_what_the_kept_rules_find_before_they_do_not_find_after(detector: str, parts: list[Any]) -> None:
    rng = random.Random(f"{detector}{parts}")
    for _ in range(20):
        text = _made(parts, rng)
        assert list(_found(detector, text)), f"the oracle does not know {text}: the recipe is wrong"
        redacted, count = redact(text)
        assert count >= 1
        assert list(_found(detector, redacted)) == []
