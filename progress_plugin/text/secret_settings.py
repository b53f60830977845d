"""Secrets that are set: as variables, in files of settings, in stores as pairs of name and value, as input.

What a variable for passwords is set to is one, whatever it is made of: in shells, makefiles, Dockerfiles,
programs, in YAML and JSON that name the variable beside its value. A pair counts only behind the name of a
program that keeps it as a secret, in the same command. What stands for the value where nothing else gives one
(``password = os.getenv("A") or "…"``) is in clear text, however the value is looked up.
"""

from progress_plugin.text.secret_names import (
    LOGIN_NAME,
    LOGIN_WORDS,
    NAME,
    NAMES,
    OTHER_LANGUAGES,
    OTHER_NAME,
    VARIABLE,
)
from progress_plugin.text.secret_options import ASSIGNED
from progress_plugin.text.secret_pattern_kind import Shape
from progress_plugin.text.secret_sql import IN_QUOTES, QUOTED

_HINTS = ("pass", "_pw", "secret")
_CLOSED = r"(?:\\{0,32}[\"'])?\]?"
_SPACE = r"(?:\s|\\{1,32}[nrt])"
_OPERATOR = r"(?:(?:[?+:]|::|\|\||\?\?)=|\\{1,32}u003[aAdD])"
"""``?=`` and ``:=`` of makefiles, ``||=`` of Ruby."""
_VALUE_BESIDE = (
    rf"{_CLOSED}(?:,{_SPACE}{{0,3}}|{_SPACE}{{1,3}})[ \t]{{0,40}}(?:\\{{0,32}}[\"'])?"
    r"[Vv]alue(?:\\{0,32}[\"'])?\s{0,3}[:=]\s{0,3}"
)
"""``- name: DB_PASSWORD``, and beside it or on the next line ``value: …``."""
_CONSTANT = r"\\{0,32}[\"'][A-Z][A-Z0-9_]{2,80}\\{0,32}[\"']"

_OF_QUOTES = r"(?:\$(?=')|[fFrRbBuU](?=[\"'][^\"'{\n]{3,200}+[\"']))?"
"""What shells and Python write before a text; one that is put together from others is none."""

VARIABLES = (
    Shape(  # DB_PASSWORD=…
        "SECRET",
        _HINTS,
        rf"{VARIABLE}(?:(?:{_CLOSED}[ \t]{{0,40}}+(?:{_OPERATOR}|[=:])[ \t]{{0,80}}+|{_VALUE_BESIDE})"
        rf"{_OF_QUOTES}{IN_QUOTES}|(?:=|[ \t]{{0,40}}+{_OPERATOR}[ \t]{{0,80}}+"
        rf"|\\{{0,32}}[\"']\]?\s{{0,2}}:\s{{0,2}}(?=[\"']))(?:'\\{{1,32}}''|[\"'])?(?P<assigned>{ASSIGNED})"
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
    Shape(  # &quot;DB_PASSWORD&quot;:&quot;…&quot;
        "SECRET",
        ("&quot;", "&#34;", "&#39;"),
        rf"{VARIABLE}&(?:quot|#3[49]);[ ]{{0,3}}[:=][ ]{{0,3}}&(?:quot|#3[49]);"
        r"(?P<given>[^\s&\"'`<>\\]{3,200}+)(?=&(?:quot|#3[49]);)",
        groups=("given",),
        within=_HINTS,
    ),
    Shape(  # in YAML DB_PASSWORD: …, alone on its line
        "SECRET",
        _HINTS,
        rf"(?:\A|\n)[ \t]{{0,40}}+(?:- )?\w{{0,60}}?{VARIABLE}:[ ](?:!!str[ ]|&\w{{1,40}}[ ])?"
        r"(?P<given>[^\s\"'`\\{\[]{3,200}+)(?=[ \t]*(?:\n|$|[ ]#))",
        groups=("given",),
        within=(": ",),
    ),
    Shape(  # password: …, the base64 of Kubernetes
        "SECRET",
        ("pass", "pw"),
        rf"{LOGIN_NAME}:[ ]{{1,3}}[\"']?(?P<encoded_text>[A-Za-z0-9+/]{{6,400}}+={{1,2}})(?![\w=])",
        groups=("encoded_text",),
        within=("=",),
    ),
    Shape(  # …?password=…&
        "SECRET",
        ("pass", "pwd"),
        r"[?&](?:\w{0,30}?[Pp]|(?<=[?&])p)(?:ass(?:word|wd|phrase)?|wd)=(?P<given>[^\s\"'`&#<>\\]{3,400}+)",
        groups=("given",),
        within=("=",),
    ),
    Shape(  # ENV DB_PASSWORD …, setx DB_PASSWORD …, set -gx DB_PASSWORD …
        "SECRET",
        ("env ", "setx ", "set -"),
        rf"[EsS](?<![^\s`\"'].)(?:(?<=E)NV|(?<=[sS])et(?:x|[eE]nv)|(?<=s)et -[a-zA-Z]{{1,3}})[ \t]{{1,3}}"
        rf"\w{{0,60}}?{VARIABLE}[ \t]{{1,3}}"
        rf"(?:{IN_QUOTES}|(?P<assigned>{ASSIGNED})(?=[ \t]*(?:$|[\n\r`\"'\\])))",
        groups=(*QUOTED, "assigned"),
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
    Shape(  # Pwd={…}; as ODBC has it
        "SECRET",
        ("pwd", "password"),
        r"[Pp](?<![\w.-].)(?i:wd|assword)[ ]?=[ ]?\{(?P<braced>[^{}\n\"'`\\]{6,100}+)\}(?=[;\"'`\s\\]|$)",
        groups=("braced",),
        within=("={", "= {"),
    ),
    Shape(  # A temporary password is generated for root@localhost: …, of MySQL
        "SECRET",
        ("password is generated for",),
        r"[Pp]assword is generated for [^\s]{1,100}: (?P<passed>[^\s]{6,100}?)(?=[\"'`]|\\[nr]|\s|$)",
        groups=("passed",),
    ),
    *(
        Shape(  # password for bob: …;…,…
            "SECRET",
            words,
            rf"{name}(?:[^\n:=]{{0,60}}+[:=]|\s(?i:is|was|ist|es))[ \t]{{0,3}}"
            r"(?P<torn>[^\s\"'`,;|\\]{1,60}+[,;][^\s\"'`\\]{1,60}+)"
            r"(?=[ \t]{0,3}(?:$|[\n\"'`\\]))",
            groups=("torn",),
            within=(",", ";"),
        )
        for words, name in ((LOGIN_WORDS, LOGIN_NAME), (OTHER_LANGUAGES, OTHER_NAME))
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
    Shape(  # REDISCLI_AUTH=…
        "SECRET",
        ("rediscli_auth",),
        rf"REDISCLI_AUTH{_CLOSED}[ \t]{{0,3}}[=:][ \t]{{0,3}}(?:{IN_QUOTES}|(?P<assigned>{ASSIGNED}))",
        groups=(*QUOTED, "assigned"),
    ),
    Shape(  # BUNDLE_GEMS__SHOP__TEST=bob:…
        "SECRET",
        ("bundle_",),
        r"BUNDLE_[A-Z0-9_]{1,80}=[\"']?[\w.-]{1,60}:(?!//)(?P<given>[^\s\"'`\\|;<>]{3,200}+)",
        groups=("given",),
        within=("=",),
    ),
    Shape(  # wss://…?auth=…
        "SECRET",
        ("?auth=", "&auth="),
        r"(?<=[?&])auth=(?P<told_key>[\w.~+/%=-]{12,400}+)",
        groups=("told_key",),
    ),
)
"""Shapes that the name of a variable, a setting or a place for logins gives away."""
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
    r"(?<=p)asswd|(?<=v)ncpasswd|(?<=s)(?:mbpasswd|udo -S|u[ ])|(?<=h)tpasswd|(?<=k)init|(?<=c)ryptsetup"
    r"|(?<=-)(?:-password-stdin|-passphrase-fd|-with-token|-stdin)"
    r"|(?<=s)ecrets? (?:put|create|set|add|versions)"
    r"|(?<=v)ault login|(?<=s)sh-add|(?<=l)ogin"
)
_FED = r"[^\n|;&<`]{0,200}?<<(?:<[ \t]{0,3}(?:\$(?='))?|-?[ ]?[\"']?(?P<end>[A-Z_]{2,20})[\"']?(?:\n|\\n))"

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

_TEXT_MARK = r"\\{0,32}[\"'`]"
_SET_TO = rf"{_CLOSED}\s{{0,3}}(?:\|\|=|[?:/]{{1,2}}=|=>|<-|[:=])\s{{0,3}}"
_CALLED = (
    r"\.(?:unwrap_or|or_?[Ee]lse|get_?[Oo]r_?[Ee]lse|get_or)\w{0,8}\(\s{0,3}"
    r"(?:\(\)\s?->\s?|\|\w{0,3}\|\s?|\{\s?)?"
)
OR_ELSE = rf"(?:\s{{0,3}}(?:\|\||\?\?|\?:|//|(?:or|else)\s)|(?<=[\"']\))\s{{1,3}}(?:\{{|do)|{_CALLED})"
"""What stands between a value that may be missing and the one in its place, of any language."""
_FALLBACK = rf"{_TEXT_MARK}(?P<fallback>[^\"'`\s\\]{{6,400}}+)(?={_TEXT_MARK})"
_OR_IN_A_LINE = OR_ELSE.replace(r"(?:or|else)\s", "[ ](?:or|else)[ ]")
_EXPRESSION = (
    r"(?:[\w.$@>-]{1,60}+|\([^()\n]{0,80}+\)|\[[^\[\]\n]{0,60}+\]|\{[^{}\n]{0,60}+\}|[!=]==?+|\"\"|''"
    r"|[ ]){1,16}?"
)
"""What is looked up, and a condition: no comma, which parts arguments."""

DEFAULTS = (
    Shape(  # password = os.getenv("A") or "…", secret = a ? b : "…"
        "SECRET",
        NAMES,
        rf"{NAME}{_SET_TO}{_EXPRESSION}(?:{_OR_IN_A_LINE}"
        rf"|\?(?=[ ]{_TEXT_MARK}[^\"'`\n]{{1,400}}{_TEXT_MARK}[ ]:)"
        r"|\?[ ][\w.()\[\]]{1,60}[ ]?:)\s{0,3}" + _FALLBACK.replace("fallback", "told_quoted"),
        groups=("told_quoted",),
        within=("|", "?", " or ", "//", "else", "_or", "{", " do"),
    ),
    Shape(  # password: ${PW:…}, db.password=${env:PW:-…}: the name of the variable says nothing
        "SECRET",
        ("${",),
        rf"{NAME}{_SET_TO}{_TEXT_MARK}?\$\{{(?:env[:.])?[\w.]{{1,60}}+(?::[-=?]?|-)(?P<told>[^\s{{}}\"'`\\]{{6,400}}+)\}}",
        groups=("told",),
        within=NAMES,
    ),
    Shape(  # password: {{ .Values.pw | default "…" }}, <%= ENV["PW"] || "…" %>
        "SECRET",
        ("{{", "<%", "default"),
        rf"{NAME}(?:{_SET_TO}{_TEXT_MARK}?(?:\{{\{{|<%)[^{{}}%\n]{{0,120}}?(?:default\s?\(?|\|\||or\s|\{{)"
        rf"|\s{{0,3}}\|\s{{0,3}}default\s?\(?)\s?{_FALLBACK}",
        groups=("fallback",),
        within=NAMES,
    ),
    Shape(  # variable "db_password" { type = string, default = "…" }
        "SECRET",
        ("variable",),
        rf"variable[ \t]{{1,4}}\"[\w-]{{0,60}}?{NAME}\"\s{{0,4}}"
        rf"\{{[^{{}}]{{0,600}}?(?<![\w-])default\s{{0,40}}=\s{{0,4}}{_FALLBACK}",
        groups=("fallback",),
        within=("default",),
    ),
    Shape(  # flag.String("db-password", "…", "what it is for")
        "SECRET",
        ("string(", "stringp(", "stringvar(", "stringvarp("),
        rf"[Ss]tring(?:Var)?P?\(\s{{0,3}}(?:&?[\w.]{{1,60}}+,\s{{0,3}})?\"[\w.-]{{0,60}}?{NAME}\",\s{{0,3}}"
        rf"(?:\"\w?\",\s{{0,3}})?{_FALLBACK}",
        groups=("fallback",),
        within=NAMES,
    ),
)
"""Shapes of defaults in programs, templates and descriptions of what is deployed."""
