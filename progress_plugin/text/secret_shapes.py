"""The shapes of secrets: which texts `redact` takes out, and what each is called (S14.1, S16.3).

Every pattern begins with a literal or a class and looks behind itself only then: the search skips from one
candidate to the next, where a leading word boundary would have it stop at every character. None looks further
ahead than a bound from a place where another match could begin, so that no text takes more than linear time.
"""

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


def _word(beginning: str) -> str:
    """Return the pattern of a word's beginning; it must have one length only."""
    return rf"{beginning}(?<!\w{beginning})"


_OWNERS = ("api", "access", "auth", "private", "secret", "account", "signing")
_OF_OWNERS = "|".join(rf"(?<={owner}key)|(?<={owner}[_-]key)" for owner in _OWNERS)
NAME = (
    r"[PpSsTtKk][AaWwEeOo][SsDdCcKkYy](?i:(?<=pas)s(?:w(?:or)?d|phrase)|(?<=pwd)|(?<=sec)ret|(?<=tok)en"
    rf"|(?<=key)(?:{_OF_OWNERS}))\d?"
)
"""The last word of a name whose value is a secret; plurals such as ``maxTokens`` are counts."""
_VALUE = (
    r"(?:\\?[\"'`](?P<quoted>[^\"'`\s\\]{6,400}+)(?=\\?[\"'`])"
    r"|(?P<bare>[^\s\"'`,;(){}<>\[\]|\\]{6,400}+)(?![(\[<{]))"
)
_NAMES = ("passw", "passphrase", "pwd", "secret", "token", "key")
_END = r"(?![A-Za-z0-9])"
_KEY_BLOCK = r"(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"

SHAPES = (
    Shape(
        "PRIVATE_KEY",
        ("private key",),
        rf"-----BEGIN {_KEY_BLOCK}"
        rf"(?:[^-]*+(?:-(?!----(?:BEGIN|END))[^-]*+)*+-----END {_KEY_BLOCK}"
        r"|(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,}+)++)",
    ),
    Shape("AWS_ACCESS_KEY", ("akia", "asia", "abia", "acca"), _word("A[KSBC][IC]A") + "[A-Z0-9]{16}" + _END),
    Shape(
        "GITHUB_TOKEN", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), _word("gh[pousr]_") + "[A-Za-z0-9]{36,255}"
    ),
    Shape("GITHUB_TOKEN", ("github_pat_",), _word("github_pat_") + r"\w{22,255}"),
    Shape("GITLAB_TOKEN", ("gl",), _word("gl") + r"(?:pat|dt|ft|soat|rt|imt|cbt|ptt|agent|oas)-[\w.-]{20,}"),
    Shape("SLACK_TOKEN", ("xox",), _word("xox[a-z]-") + "(?:[A-Za-z0-9]+-){0,5}[A-Za-z0-9]{10,}"),
    Shape("SLACK_TOKEN", ("xapp-",), _word("xapp-") + "(?:[A-Za-z0-9]+-){0,5}[A-Za-z0-9]{10,}"),
    Shape("WEBHOOK", ("hooks.slack.com",), r"https://hooks\.slack\.com/services/T\w+/B\w+/\w{16,}"),
    Shape(
        "WEBHOOK",
        ("/api/webhooks/",),
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{30,}",
    ),
    Shape("ANTHROPIC_KEY", ("sk-ant-",), _word("sk-ant-") + r"[\w-]{20,}"),
    Shape(
        "OPENAI_KEY",
        ("sk-",),
        _word("sk-") + r"(?:(?:proj|svcacct|admin|or-v1)-(?=[A-Za-z_-]{0,99}\d)[\w-]{32,}"
        r"|(?:[A-Za-z0-9]+-){0,3}[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}|(?=[A-Za-z]*\d)[A-Za-z0-9]{32,})",
    ),
    Shape("GOOGLE_KEY", ("aiza",), _word("AIza") + r"[\w-]{35}(?![\w-])"),
    Shape("GOOGLE_KEY", ("gocspx-",), _word("GOCSPX-") + r"[\w-]{28}"),
    Shape("GOOGLE_KEY", ("ya29.",), _word(r"ya29\.") + r"[\w-]{30,}"),
    Shape("STRIPE_KEY", ("k_live_", "k_test_"), _word("[sr]k_[lt][ie][vs][et]_") + "[A-Za-z0-9]{16,}"),
    Shape("STRIPE_KEY", ("whsec_",), _word("whsec_") + "[A-Za-z0-9+/=]{24,}"),
    Shape("NPM_TOKEN", ("npm_",), _word("npm_") + "[A-Za-z0-9]{36}" + _END),
    Shape("PYPI_TOKEN", ("pypi-age",), _word("pypi-AgE") + r"[\w-]{50,}"),
    Shape("SENDGRID_KEY", ("sg.",), _word(r"SG\.") + r"[\w-]{16,32}\.[\w-]{16,64}"),
    Shape("TWILIO_KEY", ("sk",), _word("SK") + "[0-9a-f]{32}" + _END),
    Shape("TWILIO_KEY", ("ac",), _word("AC") + "[0-9a-f]{32}" + _END),
    Shape("HUGGINGFACE_TOKEN", ("hf_",), _word("hf_") + "[A-Za-z0-9]{34,}"),
    Shape("GROQ_KEY", ("gsk_",), _word("gsk_") + "[A-Za-z0-9]{40,}"),
    Shape("XAI_KEY", ("xai-",), _word("xai-") + "[A-Za-z0-9]{60,}"),
    Shape("DIGITALOCEAN_TOKEN", ("_v1_",), _word("do[oprt]_v1_") + "[0-9a-f]{64}"),
    Shape("LINEAR_KEY", ("lin_api_",), _word("lin_api_") + "[A-Za-z0-9]{32,}"),
    Shape("SHOPIFY_TOKEN", ("shp",), _word("shp[acps][ats]_") + "[0-9a-fA-F]{32}"),
    Shape("SUPABASE_KEY", ("sbp_",), _word("sbp_") + "[0-9a-f]{40}"),
    Shape("SUPABASE_KEY", ("sb_secret_",), _word("sb_secret_") + r"[\w-]{20,}"),
    Shape("VAULT_TOKEN", ("hvs.", "hvb."), _word(r"hv[sb]\.") + r"[\w-]{24,}"),
    Shape("DATABRICKS_TOKEN", ("dapi",), _word("dapi") + "[0-9a-f]{32}" + _END),
    Shape("SQUARE_KEY", ("sq0",), _word("sq0[ca][st]p-") + r"[\w-]{22,}"),
    Shape("MAILCHIMP_KEY", ("-us1", "-us2"), _word("[0-9a-f]") + r"[0-9a-f]{31}-us\d{1,2}" + _END),
    Shape("TELEGRAM_TOKEN", (":a",), r"[0-9](?<![\w:.-].)\d{7,9}:A[\w-]{34}(?![\w-])"),
    Shape("DISCORD_TOKEN", (".",), r"[MNO](?<![\w.-].)[A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])"),
    Shape("AZURE_KEY", ("accountkey=",), "(?<=AccountKey=)[A-Za-z0-9+/=]{40,}"),
    Shape("AGE_KEY", ("age-secret-key-",), "AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    Shape("JWT", ("eyj",), r"eyJ(?<![\w-]eyJ)[\w-]{10,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?"),
    Shape(
        "SECRET",
        _NAMES,
        rf"{NAME}(?:\\?[\"']\]?)?\s{{0,3}}(?::=|=>|[:=])\s{{0,3}}{_VALUE}",
        groups=("quoted", "bare"),
    ),
    Shape("SECRET", ("--",), rf"--(?:[a-z]+-){{0,3}}{NAME}[ ]{_VALUE}", groups=("quoted", "bare")),
    Shape(
        "AUTHORIZATION",
        ("bearer", "basic"),
        r"[Bb](?<!\w.)(?i:earer|asic)\s{1,3}(?P<quoted>(?=[A-Za-z._~+/-]*\d)[A-Za-z0-9._~+/-]{20,}=*)",
        groups=("quoted",),
    ),
    Shape(
        "URL_CREDENTIALS",
        ("://",),
        r"://(?P<login>[^\s/:@?#\[\]\"'`<>|]{0,100}:[^\s/@?#\"'`<>]{1,300})(?=@[\w\[.-])",
        groups=("login",),
    ),
)
