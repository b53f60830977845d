"""The shapes of secrets: which texts `redact` takes out, and what each is called (S14.1, S16.3)."""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """One kind of secret: the whole match, or the group that took part where the surroundings matter."""

    kind: str
    hints: tuple[str, ...]
    """Lower-case texts of which one is in every text the pattern can match: cheap to look for."""
    pattern: str
    groups: tuple[str, ...] = ()
    """Names of the groups that may hold the secret; each is judged by `plausible.JUDGES` before it goes."""


NAME = (
    "(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|auth|private|secret|account|signing)[_-]?key)"
)
"""The last word of a name whose value is a secret; plurals such as ``maxTokens`` are counts."""
_ALONE = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"

SHAPES = (
    Shape(
        "PRIVATE_KEY",
        ("private key",),
        r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:.{0,10000}?-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)++)",
    ),
    Shape(
        "AWS_ACCESS_KEY",
        ("akia", "asia", "abia", "acca"),
        _ALONE + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + _END,
    ),
    Shape("GITHUB_TOKEN", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,255}"),
    Shape("GITHUB_TOKEN", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{22,255}"),
    Shape(
        "GITLAB_TOKEN",
        ("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "glimt-", "glcbt-", "glptt-", "glagent-", "gloas-"),
        r"\bgl(?:pat|dt|ft|soat|rt|imt|cbt|ptt|agent|oas)-[A-Za-z0-9_.-]{20,}",
    ),
    Shape("SLACK_TOKEN", ("xox", "xapp-"), r"\b(?:xox[a-z]|xapp)-(?:[A-Za-z0-9]+-)*[A-Za-z0-9]{10,}"),
    Shape(
        "WEBHOOK",
        ("hooks.slack.com", "/api/webhooks/"),
        r"https://(?:hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"
        r"|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{30,})",
    ),
    Shape("ANTHROPIC_KEY", ("sk-ant-",), r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    Shape(
        "OPENAI_KEY",
        ("sk-",),
        r"\bsk-(?:(?:proj|svcacct|admin|or-v1)-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{32,}"
        r"|(?:[A-Za-z0-9]+-)*[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}|(?=[A-Za-z]*\d)[A-Za-z0-9]{32,})",
    ),
    Shape("GOOGLE_KEY", ("aiza",), _ALONE + r"AIza[\w-]{35}(?![\w-])"),
    Shape("GOOGLE_KEY", ("gocspx-", "ya29."), r"\b(?:GOCSPX-[\w-]{28}|ya29\.[\w-]{30,})"),
    Shape(
        "STRIPE_KEY",
        ("_live_", "_test_", "whsec_"),
        r"\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
    ),
    Shape("NPM_TOKEN", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}" + _END),
    Shape("PYPI_TOKEN", ("pypi-age",), r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    Shape("SENDGRID_KEY", ("sg.",), r"\bSG\.[\w-]{16,32}\.[\w-]{16,64}"),
    Shape("TWILIO_KEY", ("sk", "ac"), _ALONE + r"(?:SK|AC)[0-9a-f]{32}" + _END),
    Shape("HUGGINGFACE_TOKEN", ("hf_",), r"\bhf_[A-Za-z0-9]{34,}"),
    Shape("GROQ_KEY", ("gsk_",), r"\bgsk_[A-Za-z0-9]{40,}"),
    Shape("XAI_KEY", ("xai-",), r"\bxai-[A-Za-z0-9]{60,}"),
    Shape("DIGITALOCEAN_TOKEN", ("_v1_",), r"\bdo[oprt]_v1_[0-9a-f]{64}"),
    Shape("LINEAR_KEY", ("lin_api_",), r"\blin_api_[A-Za-z0-9]{32,}"),
    Shape("SHOPIFY_TOKEN", ("shp",), r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    Shape("SUPABASE_KEY", ("sbp_", "sb_secret_"), r"\b(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,})"),
    Shape("VAULT_TOKEN", ("hvs.", "hvb."), r"\bhv[sb]\.[\w-]{24,}"),
    Shape("DATABRICKS_TOKEN", ("dapi",), r"\bdapi[0-9a-f]{32}" + _END),
    Shape("SQUARE_KEY", ("sq0",), r"\bsq0(?:csp|atp)-[\w-]{22,}"),
    Shape("MAILCHIMP_KEY", ("-us",), _ALONE + r"[0-9a-f]{32}-us\d{1,2}" + _END),
    Shape("TELEGRAM_TOKEN", (":a",), r"(?<![\w:.-])\d{8,10}:A[\w-]{34}(?![\w-])"),
    Shape("DISCORD_TOKEN", (".",), r"(?<![\w.-])[MNO][A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])"),
    Shape("AZURE_KEY", ("accountkey=",), r"(?<=AccountKey=)[A-Za-z0-9+/=]{40,}"),
    Shape("AGE_KEY", ("age-secret-key-",), r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    Shape("JWT", ("eyj",), r"\beyJ[\w-]{10,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?"),
    Shape(
        "SECRET",
        ("passw", "passphrase", "pwd", "secret", "token", "key"),
        rf"(?i:{NAME}\d?(?:\\?[\"']\]?)?\s{{0,3}}(?::=|=>|[:=])\s{{0,3}}|--(?:[a-z]+-){{0,3}}{NAME}[ ])"
        r"(?:\\?[\"'`](?P<quoted>[^\"'`\s\\]{6,400}+)(?=\\?[\"'`])"
        r"|(?P<bare>[^\s\"'`,;(){}<>\[\]|\\]{6,400}+)(?![(\[<{]))",
        groups=("quoted", "bare"),
    ),
    Shape(
        "AUTHORIZATION",
        ("bearer", "basic"),
        r"\b(?i:bearer|basic)\s{1,3}(?P<quoted>(?=[A-Za-z._~+/-]*\d)[A-Za-z0-9._~+/-]{20,}=*)",
        groups=("quoted",),
    ),
    Shape(
        "URL_CREDENTIALS",
        ("://",),
        r"://(?P<login>[^\s/:@?#\[\]\"'`<>|]{0,100}:[^\s/@?#\"'`<>]{1,300})(?=@[\w\[.-])",
        groups=("login",),
    ),
)
