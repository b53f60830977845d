"""The tokens that are known by how they begin, whatever is beside them: ``ghp_…``, ``AKIA…``.

What is a secret because of a name or a command beside it is found by `text.secret_patterns`.
"""

from progress_plugin.text.secret_pattern_kind import Shape

ESCAPES = tuple(r"[\\\[;%]" + length * r"\w" for length in range(1, 6))
"""What ends in a letter or digit, and yet parts words: line ends, colours and signs that were written out.

One pattern for each length, since a look-behind has one. Each begins with a character that is in no token, so
that a run of tokens has one beginning.
"""
_END = r"(?![A-Za-z0-9])"


def word(beginning: str, inside: str = "A-Za-z0-9") -> str:
    """Return the pattern of a word's beginning; it must have one length only.

    `inside` is the class of characters after which no word begins. An underscore parts (``TOKEN_ghp_…``),
    and so do letters of scripts that put no spaces.
    """
    escapes = "|".join(f"(?<={escape}{beginning})" for escape in ESCAPES)
    return rf"{beginning}(?:(?<![{inside}]{beginning})|{escapes})"


SHORTEST_RUN = 15
TOKENS = (
    Shape("AWS_ACCESS_KEY", ("akia", "asia", "abia", "acca"), word("A[KSBC][IC]A") + "[A-Z0-9]{16}" + _END),
    Shape(
        "GITHUB_TOKEN", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), word("gh[pousr]_") + "[A-Za-z0-9]{36,255}"
    ),
    Shape("GITHUB_TOKEN", ("github_pat_",), word("github_pat_") + r"\w{22,255}"),
    Shape("GITLAB_TOKEN", ("gl",), word("gl") + r"(?:pat|dt|ft|soat|rt|imt|cbt|ptt|agent|oas)-[\w.-]{20,}"),
    Shape("SLACK_TOKEN", ("xox",), word("xox[a-z]-") + "(?:[A-Za-z0-9]+-){0,5}[A-Za-z0-9]{10,}"),
    Shape("SLACK_TOKEN", ("xapp-",), word("xapp-") + "(?:[A-Za-z0-9]+-){0,5}[A-Za-z0-9]{10,}"),
    Shape("ANTHROPIC_KEY", ("sk-ant-",), word("sk-ant-") + r"[\w-]{20,}"),
    Shape(
        "OPENAI_KEY",
        ("sk-",),
        word("sk-") + r"(?:(?:proj|svcacct|admin|or-v1)-(?=[A-Za-z_-]{0,99}\d)[\w-]{32,}"
        r"|(?:[A-Za-z0-9]+-){0,3}[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}|(?=[A-Za-z]*\d)[A-Za-z0-9]{32,})",
    ),
    Shape("GOOGLE_KEY", ("aiza",), word("AIza") + r"[\w-]{35}(?![\w-])"),
    Shape("GOOGLE_KEY", ("gocspx-",), word("GOCSPX-") + r"[\w-]{28}"),
    Shape("GOOGLE_KEY", ("ya29.",), word(r"ya29\.") + r"[\w-]{30,}"),
    Shape(
        "STRIPE_KEY",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
        word("[sr]k_[lt][ie][vs][et]_") + "[A-Za-z0-9]{16,}",
    ),
    Shape("STRIPE_KEY", ("whsec_",), word("whsec_") + "[A-Za-z0-9+/=]{24,}"),
    Shape("NPM_TOKEN", ("npm_",), word("npm_") + "[A-Za-z0-9]{36}" + _END),
    Shape("PYPI_TOKEN", ("pypi-age",), word("pypi-AgE") + r"[\w-]{50,}"),
    Shape("SENDGRID_KEY", ("sg.",), word(r"SG\.") + r"[\w-]{16,32}\.[\w-]{16,64}"),
    Shape("TWILIO_KEY", ("sk",), word("SK") + "[0-9a-f]{32}" + _END),
    Shape("TWILIO_KEY", ("ac",), word("AC") + "[0-9a-f]{32}" + _END),
    Shape("HUGGINGFACE_TOKEN", ("hf_",), word("hf_") + "[A-Za-z0-9]{34,}"),
    Shape("GROQ_KEY", ("gsk_",), word("gsk_") + "[A-Za-z0-9]{40,}"),
    Shape("XAI_KEY", ("xai-",), word("xai-") + "[A-Za-z0-9]{60,}"),
    Shape(
        "DIGITALOCEAN_TOKEN",
        ("doo_v1_", "dop_v1_", "dor_v1_", "dot_v1_"),
        word("do[oprt]_v1_") + "[0-9a-f]{64}",
    ),
    Shape("LINEAR_KEY", ("lin_api_",), word("lin_api_") + "[A-Za-z0-9]{32,}"),
    Shape("SHOPIFY_TOKEN", ("shp",), word("shp[acps][ats]_") + "[0-9a-fA-F]{32}"),
    Shape("SUPABASE_KEY", ("sbp_",), word("sbp_") + "[0-9a-f]{40}"),
    Shape("SUPABASE_KEY", ("sb_secret_",), word("sb_secret_") + r"[\w-]{20,}"),
    Shape("VAULT_TOKEN", ("hvs.", "hvb."), word(r"hv[sb]\.") + r"[\w-]{24,}"),
    Shape("DATABRICKS_TOKEN", ("dapi",), word("dapi") + "[0-9a-f]{32}" + _END),
    Shape("SQUARE_KEY", ("sq0",), word("sq0[ca][st]p-") + r"[\w-]{22,}"),
    Shape("MAILCHIMP_KEY", ("-us1", "-us2"), word("[0-9a-f]") + r"[0-9a-f]{31}-us\d{1,2}" + _END),
    Shape(
        "TELEGRAM_TOKEN",
        (":a",),
        rf"(?:{word('[0-9]', '0-9A-Za-z:.-')}|[0-9](?<=bot.))\d{{7,9}}:A[\w-]{{34}}(?![\w-])",
    ),
    Shape(
        "DISCORD_TOKEN",
        (".",),
        word("[MNO]", r"\w.-")
        + r"(?=[A-Za-z_.-]{0,70}\d)[A-Za-z\d_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])",
    ),
    Shape("MAPBOX_TOKEN", ("sk.eyj",), word(r"sk\.eyJ") + r"[\w-]{20,}\.[\w-]{15,}"),
    Shape("MAILGUN_KEY", ("key-",), word("key-", r"\w-") + "[0-9a-f]{32}(?![\\w-])"),
    Shape("JWT", ("eyj",), word("eyJ", r"\w-") + r"[\w-]{10,}\.eyJ[\w-]{4,}(?:\.[\w-]*)?"),
    *(
        Shape(kind, (hint,), word(beginning) + rest + _END)
        for kind, hint, beginning, rest in (
            ("ALIBABA_KEY", "ltai", "LTAI", "[A-Za-z0-9]{17,26}"),
            ("ATLASSIAN_TOKEN", "atatt3", "ATATT3", r"[\w=-]{40,}"),
            ("ATLASSIAN_TOKEN", "atctt3", "ATCTT3", r"[\w=-]{40,}"),
            ("BREVO_KEY", "xkeysib-", "xkeysib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"),
            ("CIRCLECI_TOKEN", "ccipat_", "CCIPAT_", r"\w{16,32}_[0-9a-f]{40}"),
            ("CONTENTFUL_TOKEN", "cfpat-", "CFPAT-", r"[\w-]{43}"),
            ("CIRCLECI_TOKEN", "cciprj_", "CCIPRJ_", r"\w{16,32}_[0-9a-f]{40}"),
            ("DOCKER_TOKEN", "dckr_", "dckr_[po]at_", r"[\w-]{20,64}"),
            ("DOPPLER_TOKEN", "dp.", r"dp\.[a-z]", r"[a-z]{1,4}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
            ("DYNATRACE_TOKEN", "dt0", "dt0[a-z][0-9]{2}", r"\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
            ("EASYPOST_KEY", "ezak", "EZAK", "[A-Za-z0-9]{54}"),
            ("EASYPOST_KEY", "eztk", "EZTK", "[A-Za-z0-9]{54}"),
            ("FACEBOOK_TOKEN", "eaa", "EAA[MC]", "[A-Za-z0-9]{100,}"),
            ("FIGMA_TOKEN", "figd_", "figd_", r"[\w-]{36,}"),
            ("FLUTTERWAVE_KEY", "flwseck", "FLWSECK", r"(?:_TEST|_LIVE)?-[0-9a-f]{12,64}(?:-X)?"),
            ("FLY_TOKEN", "fm1", "fm1[ar_]", "[A-Za-z0-9+/=_-]{60,}"),
            ("FLY_TOKEN", "fm2_", "fm2_", "[A-Za-z0-9+/=_-]{60,}"),
            ("GRAFANA_TOKEN", "glsa_", "glsa_", "[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
            ("GRAFANA_TOKEN", "glc_", "glc_", "[A-Za-z0-9+/]{32,}={0,2}"),
            ("HEROKU_KEY", "hrku-", "HRKU-AA", r"[\w-]{58}"),
            ("NEW_RELIC_KEY", "nrak-", "NRAK-", "[A-Z0-9]{27}"),
            ("NOTION_TOKEN", "ntn_", "ntn_", "[0-9]{11}[A-Za-z0-9]{30,40}"),
            ("NOTION_TOKEN", "secret_", "secret_", "(?=[A-Za-z]*[0-9])[A-Za-z0-9]{43}"),
            ("NTFY_TOKEN", "tk_", "tk_", "(?=[A-Za-z]{0,28}[0-9])[A-Za-z0-9]{29}"),
            ("NVIDIA_KEY", "nvapi-", "nvapi-", r"(?=[A-Za-z_-]{0,100}[0-9])[\w-]{60,100}"),
            ("ONEPASSWORD_TOKEN", "ops_eyj", "ops_eyJ", "[A-Za-z0-9+/=_-]{100,}"),
            ("PERPLEXITY_KEY", "pplx-", "pplx-", "[A-Za-z0-9]{40,}"),
            ("PLANETSCALE_TOKEN", "pscale_", "pscale_[tpo]", r"(?:kn|w|auth)_[\w.=-]{32,64}"),
            ("POSTHOG_KEY", "phx_", "phx_", "(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{32,64}"),
            ("POSTMAN_KEY", "pmak-", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
            ("PREFECT_KEY", "pnu_", "pnu_", "[A-Za-z0-9]{36}"),
            ("PULUMI_TOKEN", "pul-", "pul-", "[0-9a-f]{40}"),
            ("README_KEY", "rdme_", "rdme_", "[a-z0-9]{70}"),
            ("REPLICATE_TOKEN", "r8_", "r8_", "[A-Za-z0-9]{37}"),
            ("RUBYGEMS_KEY", "rubygems_", "rubygems_", "[0-9a-f]{48}"),
            ("SENTRY_TOKEN", "sntrys_", "sntrys_", "[A-Za-z0-9+/=_]{40,}"),
            ("SENTRY_TOKEN", "sntryu_", "sntryu_", "[0-9a-f]{64}"),
            ("SHIPPO_TOKEN", "shippo_", "shippo_", "(?:live|test)_[0-9a-f]{40}"),
            ("SOURCEGRAPH_TOKEN", "sgp_", "sgp_", "(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
            ("TAILSCALE_KEY", "tskey-", "tskey-", r"[a-z]{3,10}-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}"),
            ("TERRAFORM_TOKEN", ".atlasv1.", "[A-Za-z0-9]", r"[A-Za-z0-9]{13}\.atlasv1\.[\w=-]{60,70}"),
            ("TWITCH_TOKEN", "oauth:", "oauth:", "(?=[a-z]{0,29}[0-9])[a-z0-9]{30}"),
            ("VERCEL_TOKEN", "vercel_blob_rw_", "vercel_blob_rw_", "[A-Za-z0-9]{8,32}_[A-Za-z0-9]{20,64}"),
        )
    ),
    Shape(  # .pgpass
        "SECRET",
        (":543", ":643", ":*:"),
        r":(?:\d{3,5}|\*):[\w*.-]{1,63}:[\w.@-]{1,63}:(?P<value>[^\s:\"'`|,;<>]{6,200}+)",
        groups=("value",),
    ),
    Shape(  # a private key as base64 holds its first line at one of three offsets
        "PRIVATE_KEY",
        ("ls0tls1crudjti",),
        word("LS0tLS1CRUdJTi")
        + "(?=[A-Za-z0-9+/]{0,40}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW))[A-Za-z0-9+/=]{20,}",
    ),
)
"""Shapes that are known by themselves: `SHORTEST_RUN` characters and more without a space between them.

They are what the services write of their tokens (Flutterwave's and NVIDIA's guides to authentication,
PostHog's to
personal keys, Vercel's of its Blob store), and where these are silent, the public rules of Gitleaks.
"""
