"""Secrets that are handed over: to stores as pairs of name and value, to programs as input, to Redis.

A pair counts only behind the name of a program that keeps it as a secret, in the same command. Whether it is
one is decided in `text.secret_rules`.
"""

from progress_plugin.text.secret_options import ASSIGNED
from progress_plugin.text.secret_pattern import Shape
from progress_plugin.text.secret_sql import IN_QUOTES, QUOTED

_REST = (
    r"(?P<list>(?:\"[^\"\n\\]{0,400}+\"|'[^'\n\\]{0,400}+'"
    r"|[^\n;|`\\]|\\(?:\n|\\{0,32}[\"']|(?![nrt]))){3,2000}+)"
)
"""The rest of the same command."""
_PLAIN_PAIR = (
    r"(?i:(?:[a-z]{1,20}[_-])?(?:user(?:name)?|login|owner|host|port|env|region|e?mail|ttl|version|title|url"
    r"|mode|type|category|vault|tags?|name|description|policies|enabled|debug|max_[a-z]{1,20})=)"
)
_VALUE = r"(?![@-])[^\s\"'`\\|;<>]{3,400}+"
_KEY = r"(?![a-z+]{2,20}://|-|[0-9a-f]{7,40}(?![0-9A-Za-z]))(?P<told_key>[^\s\"'`\\|;<>]{6,400}+)"
_PAIRS_OF_SECRETS = (
    rf"[\s\"'](?:(?={_PLAIN_PAIR})[\w-]{{1,80}}+=[\"']?{_KEY}"
    rf"|(?:--from-literal[ =]{{1,3}}[\"']?|(?!{_PLAIN_PAIR}|-))[\w.\[\]/:-]{{1,80}}+="
    rf"(?:{IN_QUOTES}|(?P<given>{_VALUE})))"
)
_PAIRS_OF_SETTINGS = rf"[\s\"'](?!-)[\w.:-]{{1,80}}+=[\"']?{_KEY}"


def _store(programs: str, hints: tuple[str, ...], each: str) -> Shape:
    firsts = "".join(sorted({letter for hint in hints for letter in (hint[0], hint[0].upper())}))
    return Shape(
        "SECRET",
        hints,
        rf"[{firsts}](?<![\w.-][{firsts}])(?:{programs}){_REST}",
        groups=("list",),
        within=("=",),
        each=each,
    )


_READS_INPUT = (
    r"(?<=p)asswd|(?<=s)(?:mbpasswd|udo -S|u[ ])|(?<=h)tpasswd|(?<=k)init|(?<=c)ryptsetup"
    r"|(?<=-)(?:-password-stdin|-passphrase-fd|-with-token|-stdin)"
    r"|(?<=s)ecrets? (?:put|create|set|add|versions)"
    r"|(?<=v)ault login|(?<=s)sh-add|(?<=l)ogin"
)
_FED = r"[^\n|;&<`]{0,200}?<<(?:<[ \t]{0,3}\$?|-?[ ]?[\"']?(?P<end>[A-Z_]{2,20})[\"']?(?:\n|\\n))"

STORES = (
    _store(
        r"(?<=[Ff])ly(?:ctl)? secrets (?:set|import)|(?<=[Ss])upabase secrets set|(?<=[Dd])oppler secrets set"
        r"|(?<=[Vv])ault (?:kv (?:put|patch)|write)|(?<=[Bb])ao (?:kv (?:put|patch)|write)"
        r"|(?<=[Oo])p item (?:create|edit)|(?<=[Cc])reate secret|(?<=[Ii])nfisical secrets set",
        (
            "fly",
            "supabase secrets set",
            "doppler secrets set",
            "vault ",
            "bao ",
            "op item",
            "create secret",
            "infisical secrets set",
        ),
        _PAIRS_OF_SECRETS,
    ),
    _store(
        r"(?<=[Hh])eroku config:(?:set|add)|(?<=[Rr])ailway variables|(?<=[Nn])etlify env:set"
        r"|(?<=[Ff])irebase functions:config:set|(?<=[Ee])as env:create"
        r"|(?<=[Aa])z webapp config appsettings set",
        (
            "heroku config:",
            "railway variables",
            "netlify env:set",
            "firebase functions:config:set",
            "eas env:create",
            "az webapp config",
        ),
        _PAIRS_OF_SETTINGS,
    ),
    Shape(  # passwd bob <<< "…", docker login --password-stdin <<EOF
        "SECRET",
        ("<<",),
        rf"[pcshkvl-](?<![\w.][pcshkvl-])(?:{_READS_INPUT}){_FED}(?:{IN_QUOTES}|(?P<assigned>{ASSIGNED}))",
        groups=(*QUOTED, "assigned"),
    ),
    Shape(  # requirepass … alone on its line, config set requirepass …
        "SECRET",
        ("requirepass", "masterauth"),
        r"[rm](?:(?<![^\n].)|(?<=[TtGg][ ].)|(?<=--.)|(?<=[`'\"].))"
        r"(?:(?<=r)equirepass|(?<=m)asterauth)[ \t]{1,3}"
        rf"(?:{IN_QUOTES}|(?P<assigned>{ASSIGNED})(?=[ \t]*(?:$|[\n`'\"\\])))",
        groups=(*QUOTED, "assigned"),
    ),
    Shape(
        "SECRET",
        ("requirepass", "masterauth"),
        r"[rm](?:(?<=r)equirepass|(?<=m)asterauth)[ \t]{1,3}[\"'`]?(?P<told>[^\s\"'`,;|\\]{6,400}+)",
        groups=("told",),
    ),
    Shape(  # AUTH …, of Redis, SMTP and others
        "SECRET",
        ("auth ",),
        r"A(?<![\w-]A)UTH[ ](?:[\w.@-]{1,40}[ ])?[\"']?(?![0-9a-f]{1,64}(?![0-9A-Za-z]))"
        r"(?P<passing>[^\s\"'`,;|\\]{8,400}+)(?=[\"']?[ \t]{0,3}(?:$|[\n`'\"\\]))",
        groups=("passing",),
    ),
)
"""Shapes that a program which takes secrets gives away."""
