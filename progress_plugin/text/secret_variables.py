"""What a variable for passwords is set to, wherever that is done: it is a secret, whatever it is made of.

In shells, makefiles, Dockerfiles, programs, in YAML and JSON that name the variable beside its value, and in
the files and addresses that have a place for a login. What is a placeholder or says that there is none is
decided in `text.secret_rules`.
"""

from progress_plugin.text.secret_options import ASSIGNED
from progress_plugin.text.secret_pattern import Shape
from progress_plugin.text.secret_rules import VARIABLE
from progress_plugin.text.secret_sql import IN_QUOTES, QUOTED

_HINTS = ("pass", "_pw", "secret")
_CLOSED = r"(?:\\{0,32}[\"'])?\]?"
_SPACE = r"(?:\s|\\{1,32}[nrt])"
_OPERATOR = r"(?:[?+:]|::|\|\||\?\?)="
"""``?=`` and ``:=`` of makefiles, ``||=`` of Ruby."""
_VALUE_BESIDE = (
    rf"{_CLOSED}(?:,{_SPACE}{{0,3}}|{_SPACE}{{1,3}})[ \t]{{0,40}}(?:\\{{0,32}}[\"'])?"
    r"[Vv]alue(?:\\{0,32}[\"'])?\s{0,3}[:=]\s{0,3}"
)
"""``- name: DB_PASSWORD``, and beside it or on the next line ``value: …``."""
_CONSTANT = r"\\{0,32}[\"'][A-Z][A-Z0-9_]{2,80}\\{0,32}[\"']"

VARIABLES = (
    Shape(  # DB_PASSWORD=…
        "SECRET",
        _HINTS,
        rf"{VARIABLE}(?:(?:{_CLOSED}[ \t]{{0,40}}+(?:{_OPERATOR}|[=:])[ \t]{{0,80}}+|{_VALUE_BESIDE})"
        rf"{IN_QUOTES}|(?:=|[ \t]{{0,40}}+{_OPERATOR}[ \t]{{0,80}}+"
        rf"|\\{{0,32}}[\"']\]?\s{{0,2}}:\s{{0,2}}(?=[\"']))[\"']?(?P<assigned>{ASSIGNED})"
        rf"|{_VALUE_BESIDE}(?P<given>[^\s\"'`,;{{}}<>\\]{{3,400}}+)(?=[ \t]*(?:$|[\n\r,}}\"'\\])))",
        groups=(*QUOTED, "assigned", "given"),
    ),
    Shape(  # ${DB_PASSWORD:-…}
        "SECRET",
        ("${",),
        rf"\$\{{\w{{0,60}}?{VARIABLE}:?[-=](?P<given>[^\s{{}}\"'`]{{3,400}}+)\}}",
        groups=("given",),
        within=_HINTS,
    ),
    Shape(  # setdefault('DB_PASSWORD', '…'), define("DB_PASSWORD", "…")
        "SECRET",
        _HINTS,
        rf"\(\s{{0,3}}\\{{0,32}}[\"']\w{{0,60}}?{VARIABLE}\\{{0,32}}[\"']\s{{0,3}},"
        rf"\s{{0,3}}(?!{_CONSTANT}){IN_QUOTES}"
        r"(?=\\{0,32}[\"'`]\s{0,3}[),])",
        groups=QUOTED,
        within=("(",),
    ),
    Shape(  # ENV DB_PASSWORD …
        "SECRET",
        ("env ",),
        rf"E(?<![^\s`\"']E)NV[ \t]{{1,3}}\w{{0,60}}?{VARIABLE}[ \t]{{1,3}}"
        rf"(?P<assigned>{ASSIGNED})(?=[ \t]*(?:$|[\n\r`\"'\\]))",
        groups=("assigned",),
        within=_HINTS,
    ),
    Shape(  # ${DB_PASSWORD:-…}: the default stands within the value of what is set
        "SECRET",
        ("${",),
        r"\$\{[\w.-]{0,80}?(?i:pass(?:w(?:or)?d|phrase)?|pw|secret|token|key)[\w.-]{0,20}:[-=]?"
        r"(?P<told>[^\s{}\"'`]{6,400}+)\}",
        groups=("told",),
        within=("pass", "pw", "secret", "token", "key"),
    ),
    Shape(  # .netrc, also over lines
        "SECRET",
        ("machine",),
        r"machine\s{1,20}(?=[^\s.]{0,60}[.\d]|localhost)[^\s]{1,100}\s{1,20}login\s{1,20}[^\s]{1,100}\s{1,20}password\s{1,20}"
        r"(?P<passed>[^\s\"'`\\]{3,400}+)",
        groups=("passed",),
        within=("password",),
    ),
    Shape(  # .npmrc: _password=…, in base64
        "SECRET",
        ("_password",),
        r"(?<![\w.$])_password\s{0,3}=\s{0,3}[\"']?(?P<encoded_text>[A-Za-z0-9+/]{8,400}+={0,2})(?![\w(.])",
        groups=("encoded_text",),
    ),
    Shape(  # <password>…</password>
        "SECRET",
        ("password>", "passwd>", "passphrase>"),
        r"<[a-z](?:[\w.:]{0,60}?[pP]|(?<=<p))ass(?:word|wd|phrase)>\s{0,40}+"
        r"(?P<assigned>[^\s<>&\"'`]{3,400}+)(?=\s{0,40}+</)",
        groups=("assigned",),
        within=("</",),
    ),
    Shape(  # jdbc:oracle:thin:user/password@…
        "URL_CREDENTIALS",
        ("jdbc:oracle:",),
        r"jdbc:oracle:[a-z0-9]{1,10}:[\w.$#-]{1,60}/(?P<passed>[^\s\"'`<>@/]{3,100}+)(?=@)",
        groups=("passed",),
    ),
    Shape(  # wss://…?auth=…
        "SECRET",
        ("?auth=", "&auth="),
        r"(?<=[?&])auth=(?P<told_key>[\w.~+/%=-]{12,400}+)",
        groups=("told_key",),
    ),
)
"""Shapes that the name of a variable, a setting or a place for logins gives away."""
