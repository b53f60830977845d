"""The shapes of secrets beside a name: which texts `redact` takes out, what each is called.

Tokens that are known by how they begin are in `text.secret_tokens`.

Every pattern begins with a literal or a class and looks back only then: the search skips from one
candidate to the next, where a leading word boundary would have it stop at every character. None looks further
ahead than a bound from a place where another match could begin, so that no text takes more than linear time.

A text without a known prefix or a name beside it is no secret, however long or random: `text.redact` says
why.
"""

from progress_plugin.text.secret_calls import CALLS
from progress_plugin.text.secret_names import (
    FOREIGN,
    FOREIGN_NAME,
    KEY_VARIABLE,
    KEYS_ELSEWHERE,
    LOGIN_NAME,
    LOGIN_WORD,
    LOGIN_WORDS,
    NAME,
    NAMES,
    OTHER_KEY,
    OTHER_LANGUAGES,
    OTHER_NAME,
    PLAIN_NAME,
)
from progress_plugin.text.secret_options import OPTIONS
from progress_plugin.text.secret_pattern_kind import Shape
from progress_plugin.text.secret_sentences import SENTENCES
from progress_plugin.text.secret_settings import DEFAULTS, OR_ELSE, STORES, VARIABLES
from progress_plugin.text.secret_sql import STATEMENTS
from progress_plugin.text.secret_tokens import word
from progress_plugin.text.secret_values import IDENTIFIER

_QUOTE_OF_URL = "%(?:25){0,2}2[27]"
_QUOTE = rf"(?:\\{{0,32}}[\"'`]|&(?:quot|apos|#(?:3[49]|x2[27]));|{_QUOTE_OF_URL})"
"""Backslashes as of JSON within JSON, entities as of HTML, the numbers of an address."""
_TEXT_MARK = r"\\{0,32}[\"']"
"""Backticks part names in a sentence, too."""
_COLOUR = r"(?:(?:\\{1,32}(?:u001[bB]|x1[bB]|033|e)|\^\[)\[[\d;]{0,12}m)?"
_CLOSED = (
    rf"(?:\\{{0,32}}[\"']\]?|&(?:quot|apos|#(?:3[49]|x2[27]));|{_QUOTE_OF_URL}|[*_`~]{{1,3}}"
    r"|</[a-z]{1,6}>)?"
)
"""What ends the name: quotes of JSON, marks of Markdown, a tag."""
# Signs of two widths are kept out of the class, where they would be slow to compile.
_ASSIGNS = (
    r"(?:(?:[:?+]|\|\||\?\?|//)=|[=-]>|<-|\.{2,40}[ ]?[:=]|%(?:25){0,2}3[aAdD]|:[ \t]{1,3}[|>][+-]?(?=\n)"
    r"|[:=|]"
    r"|\\{1,32}u003[aAdD]|&#(?:58|61|x3[aAdD]);|：|＝|→)"
)
_BLANK = r"(?:%(?:25){0,2}20|\s{0,3}+[ \t]{0,80}+)"
_BETWEEN = rf"{_CLOSED}{_BLANK}{_ASSIGNS}(?:[*_]{{0,3}}|</[a-z]{{1,6}}>){_BLANK}\*{{0,2}}{_COLOUR}"
# Brackets are in it, since passwords have them: `secret_values.reach` says where the value ends.
_BARE = r"[^\s\"'`,;|\\]{6,400}+"
_VALUE = (
    rf"(?:(?:\$(?='))?{_QUOTE}{{1,3}}(?P<quoted>(?:[^\"'`\s\\&%]|&(?!quot;|apos;|#)|%(?!(?:25){{0,2}}2[27])){{6,400}}+)"
    rf"(?={_QUOTE})"
    rf"|(?P<bare>{_BARE}))"
)
_OTHER_VALUE = (
    # getenv("DB_PASSWORD", "…"), getenv("DB_PASSWORD") or "…"
    rf"{_TEXT_MARK}\s{{0,3}},\s{{0,3}}(?:default\s?=\s?)?{_TEXT_MARK}(?P<argument>[^\"'`\s\\]{{6,400}}+)"
    rf"(?={_TEXT_MARK}\s{{0,3}}(?:\)|,\s{{0,3}}[\"']?(?i:user|machine|process)))"
    rf"|(?:{_QUOTE})?[\])]{{0,2}}{OR_ELSE}\s{{0,3}}{_QUOTE}(?P<fallback>[^\"'`\s\\]{{6,400}}+)(?={_QUOTE})"
    # <password>…</password>
    rf"|(?:[\"'\s][^<>\n]{{0,40}})?>{_BLANK}(?:<!\[CDATA\[)?(?P<element>[^\s<>\]]{{6,400}}+)(?=(?:\]\]>)?{_BLANK}</)"
    # - name: DB_PASSWORD, and on the next line value: …
    rf"|(?:{_QUOTE})?(?:,\s{{0,3}}|\s{{1,3}})[ \t]{{0,40}}"
    r"(?:\\{0,32}[\"'])?(?:Parameter)?[Vv]alue(?:\\{0,32}[\"'])?\s{0,3}[:=]\s{0,3}(?:\\{0,32}[\"'])?"
    r"(?P<value>[^\"'`\s\\,;{}<>]{6,400}+)"
    # keyPassword "…", auth_token '…': as settings of programs have them
    rf"|[ \t]{{1,3}}{_TEXT_MARK}(?P<spaced>[^\"'`\s\\]{{8,400}}+)(?={_TEXT_MARK})"
    # ["password", "…"]
    rf"|{_TEXT_MARK}\s{{0,3}},\s{{0,3}}{_TEXT_MARK}(?P<paired>[^\"'`\s\\]{{6,400}}+)(?={_TEXT_MARK}\s{{0,3}}\])"
    # <setting name="Password"><value>…</value>, <key>DB_PASSWORD</key><string>…</string>
    r"|(?:[\"'][^<>\n]{0,60}+|</[\w.:-]{1,30}+)>\s{0,40}+<[\w.:-]{0,20}?(?i:value|string)(?:\s[^<>\n]{0,80}+)?>"
    r"\s{0,40}+(?:<!\[CDATA\[)?(?P<element_beside>[^\s<>\]]{6,400}+)(?=(?:\]\]>)?\s{0,40}+</)"
)
_OWNERS = "db smtp mail user admin root ssh ftp sql redis mongo pg login proxy vpn wifi"
_LOGS_IN = "|".join(f"(?<={owner}p)" for owner in _OWNERS.split())
_END = r"(?![A-Za-z0-9])"
_SAYS = (
    rf"{_CLOSED}(?:\s(?i:for|of|on|to|at|in|für|von|zum|zur|para|de|del|d[aou]|pour|voor)(?:\s[^\s:=,;.!?\"]{{1,40}}){{1,4}}?)?"
    r"\s(?i:is|was|ist|war|lautet|es|era|est|é)(?:\s(?i:now|still|currently|always|just|jetzt|nun|ahora"
    r"|(?:re)?set to|changed to))?:?\s{1,3}"
)
"""``for staging is``: what stands in a sentence between the name and the secret."""
SAYING = (" is", " was", " war", " lautet", " es", " era", " é")
SETTING = (" to ", " to:")
_SETS = (
    r"[SsCcRrUu](?<![A-Za-z].)(?i:(?<=s)et|(?<=c)hanged?|(?<=r)(?:eset|otated?)|(?<=u)pdated?)\s"
    r"(?:[^\s.,;:]{1,40}\s){0,4}?[^\s.,;:]{0,40}?"
)
_TO = rf"{_CLOSED}(?:\s(?i:for|of|on|at|in)(?:\s[^\s:=,;.!?\"]{{1,40}}){{1,4}}?)?\s(?i:to):?\s{{1,3}}"
_TOLD = (
    rf"(?:{_QUOTE}(?P<told_quoted>[^\"'`\s\\]{{6,400}}+)(?={_QUOTE})"
    rf"|[*_]{{0,3}}(?P<told>{_BARE}))"
)
_REMARK_ON_KEY = (
    r"(?:(?:\s?(?:\([^()\n]{1,40}\)|\[[^\[\]\n]{1,40}\])|(?<=[YyTt])\s#?\d{1,2}){1,2}"
    r"|\s(?i:for|of|on)(?:\s[\w.@'-]{1,40}+){1,4})"
)
"""What stands between a key's name and the colon: what it opens, its number, or the one that a prompt has."""
_FOREIGN_SAYS = r"[ ]?(?:是|为|為|は|이|은|는|这是|это|to|jest|[-–—])?[ ]?[\"'`「『“«]?"
_IN_ASCII = r"[!#-&(-+.-:<-\[\]-_a-{}~-]{6,400}+(?<![.!?:])"
"""A value that letters of another script end, since nothing else parts them: ``は…です``."""
_BY = r"(?i:(?:with\s{1,3}[^\s]{1,40}\s{1,3})?by(?:\s{1,3}password)?)"
_LINE_END = r"(?:\s|\\{1,32}[nrt])*+"
_LINE_OF_KEY = (
    rf"{_LINE_END}(?:(?:(?:[>*|+-]|\d{{1,5}}[:|)\t]?)(?:\s|\\{{1,32}}t)++)++(?=[A-Za-z]{{0,100}}[\d+/=]))?+"
    r"[A-Za-z0-9+/=]{16,}+"
)
"""A line of a key, and the marks of quotes and lists or the number before it; prose after such is no key."""
_HEADER_OF_KEY = rf"{_LINE_END}(?:[>*|+-]\s)?(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{{1,200}}+"
_KEY_BLOCK = r"(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"


NAMED = (
    Shape(
        "PRIVATE_KEY",
        ("private key",),
        rf"-----BEGIN {_KEY_BLOCK}"
        rf"(?:[^-]*+(?:-(?!----(?:BEGIN|END))[^-]*+)*+-----END {_KEY_BLOCK}"
        rf"|(?:{_HEADER_OF_KEY}){{0,4}}+(?:{_LINE_OF_KEY})++)",
    ),
    Shape(
        "PRIVATE_KEY",
        ("client-key-data", "tls.key"),
        r"(?:client-key-data|tls\.key)\\{0,32}[\"']?\s{0,3}[:=]\s{0,3}\\{0,32}[\"']?(?P<encoded>[A-Za-z0-9+/]{12,}={0,2})",
        groups=("encoded",),
    ),
    Shape(
        "WEBHOOK",
        ("hooks.slack.com",),
        r"https://hooks\.slack\.com/services/T\w+/B\w+/\w{16,}",
        within=("://",),
    ),
    Shape(
        "WEBHOOK",
        ("/api/webhooks/",),
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[\w-]{30,}",
        within=("://",),
    ),
    Shape("AZURE_KEY", ("accountkey=",), "(?<=AccountKey=)[A-Za-z0-9+/=]{40,}"),
    Shape("AGE_KEY", ("age-secret-key-",), "AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    Shape("AZURE_SIGNATURE", ("sig=",), r"(?<=[?&;]sig=)[\w%+/=-]{30,}"),
    Shape("SIGNATURE", ("-signature=",), r"(?<=-[Ss]ignature=)[0-9a-f]{64,}"),
    *VARIABLES,
    Shape(
        "SECRET",
        NAMES,
        rf"{NAME}(?!{PLAIN_NAME}\W{{1,20}}{IDENTIFIER}{_END})"
        rf"(?:{_BETWEEN}{_VALUE}|{_OTHER_VALUE})",
        groups=(
            *("quoted", "bare", "argument", "fallback", "element", "value"),
            *("spaced", "paired", "element_beside"),
        ),
    ),
    Shape(  # smtpPass: …, SSHPASS=…
        "SECRET",
        ("pass",),
        rf"[Pp](?i:{_LOGS_IN})(?:(?<=P)ASS|ass)(?![A-Za-z0-9])(?:{_BETWEEN}{_VALUE})",
        groups=("quoted", "bare"),
    ),
    Shape(  # AWS Secret Access Key [None]: …, Unseal Key 1: …, API key for staging: …
        "SECRET",
        ("secret", "token", "key", "psk"),
        rf"{NAME}(?!{PLAIN_NAME}[^\n]{{1,100}}?\s{IDENTIFIER}{_END})[*_`]{{0,3}}{_REMARK_ON_KEY}"
        rf"[*_`]{{0,3}}\s?[:=][*_`]{{0,3}}\s{{1,3}}(?![0-9a-f]{{7,12}}(?![0-9A-Za-z]))"
        + _TOLD.replace("told", "told_key"),
        groups=("told_key_quoted", "told_key"),
        within=(": ", "= "),
    ),
    *(
        Shape(  # the password for staging is …
            "SECRET", words, rf"{name}{_SAYS}{_TOLD}", groups=("told_quoted", "told"), within=SAYING
        )
        for words, name in ((LOGIN_WORDS, LOGIN_WORD), (OTHER_LANGUAGES, OTHER_NAME))
    ),
    Shape(  # the API key is …
        "SECRET",
        ("secret", "token", "key", "psk"),
        rf"{NAME}(?!{PLAIN_NAME}[^\n]{{1,200}}?\s{IDENTIFIER}{_END}){_SAYS}"
        + _TOLD.replace("told", "told_key"),
        groups=("told_key_quoted", "told_key"),
        within=SAYING,
    ),
    *(
        Shape(  # set the password to …
            "SECRET",
            words,
            rf"{_SETS}{name}{_TO}" + _TOLD.replace("told", group),
            groups=(f"{group}_quoted", group),
            within=SETTING,
        )
        for words, name, group in (
            (LOGIN_WORDS, LOGIN_WORD, "told"),
            (
                ("secret", "token", "key"),
                rf"{NAME}(?!{PLAIN_NAME}[^\n]{{1,100}}?\s{IDENTIFIER}{_END})",
                "told_key",
            ),
        )
    ),
    *(
        Shape("SECRET", words, rf"{name}{_BETWEEN}(?P<signed>{_BARE})", groups=("signed",))  # pw: hunter2!
        for words, name in ((("pass", "pw"), LOGIN_NAME), (OTHER_LANGUAGES, OTHER_NAME))
    ),
    Shape(  # password: hunter2
        "SECRET",
        ("pass", "pw"),
        r"[Pp](?i:ass[ _-]?(?:w(?:or)?d|wort|phrase|code)|(?<![A-Za-z0-9].)wd)(?![A-Za-z0-9])"
        rf"{_BETWEEN}(?P<told>[A-Za-z0-9]{{6,64}}+)(?=[\s,;.)\"'`|*]|$)(?!\.\w|\()",
        groups=("told",),
    ),
    Shape(  # Kennwort: …
        "SECRET",
        OTHER_LANGUAGES,
        rf"{OTHER_NAME}{_BETWEEN}{_VALUE}",
        groups=("quoted", "bare"),
    ),
    Shape(  # STRIPE_KEY=…, unless the name says that the key opens nothing
        "SECRET",
        ("_key", "_pat"),
        rf"{KEY_VARIABLE}(?!\W{{1,20}}{IDENTIFIER}{_END}){_BETWEEN}"
        r"(?:\\{0,32}[\"'`](?P<told_key_quoted>[^\"'`\s\\]{16,400}+)|(?P<told_key>[^\s\"'`,;|\\]{16,400}+))",
        groups=("told_key_quoted", "told_key"),
    ),
    *STATEMENTS,
    Shape("SECRET", FOREIGN, rf"{FOREIGN_NAME}{_BETWEEN}{_VALUE}", groups=("quoted", "bare")),
    Shape(
        "SECRET",
        FOREIGN,
        rf"{FOREIGN_NAME}(?:{_BETWEEN}|{_FOREIGN_SAYS})(?P<signed>{_BARE})",
        groups=("signed",),
    ),
    Shape(  # パスワードは…です, 密码是…。
        "SECRET",
        FOREIGN,
        rf"{FOREIGN_NAME}{_FOREIGN_SAYS}(?![0-9a-f]{{1,64}}(?![0-9A-Za-z]))(?P<passing>{_IN_ASCII})",
        groups=("passing",),
    ),
    Shape(  # API-Schlüssel: …, 密钥：…
        "SECRET",
        KEYS_ELSEWHERE,
        rf"{OTHER_KEY}(?:{_BETWEEN}{_VALUE}|(?:{_SAYS}|\s[-–—]\s|{_FOREIGN_SAYS})"
        rf"{_TOLD.replace('told', 'told_key')})",
        groups=("quoted", "bare", "told_key_quoted", "told_key"),
    ),
    *DEFAULTS,
    Shape(
        "SECRET",
        ("--",),
        rf"--(?:[a-z]+-){{0,3}}{NAME}[ ]{_VALUE}",
        groups=("quoted", "bare"),
        within=NAMES,
    ),
    Shape(  # setx, Dockerfiles, fish, .netrc
        "SECRET",
        ("setx", "env ", "set -", "login", "machine"),
        r"[SsElm](?:(?<=[Ss])(?i:etenv)\s{1,3}|(?<=[Ss])(?i:etx)\s{1,3}(?:/[Mm]\s{1,3})?"
        r"|(?<=E)NV\s{1,3}|(?<=s)et -[a-zA-Z]{1,3}\s{1,3}"
        r"|(?:(?<=l)ogin|(?<=m)achine)\s{1,3}[^\s]{1,100}\s{1,3})"
        rf"[\"']?\w{{0,40}}?{NAME}[\"']?\s{{1,3}}{_VALUE}",
        groups=("quoted", "bare"),
        within=NAMES,
    ),
    *OPTIONS,
    *STORES,
    *CALLS,
    *SENTENCES,
    Shape(
        "AUTHORIZATION",
        ("bearer", "basic"),
        word("[Bb]", r"\w")
        + r"(?i:earer|asic)\s{1,3}(?P<quoted>(?=[A-Za-z._~+/-]*\d)[A-Za-z0-9._~+/-]{20,}=*)",
        groups=("quoted",),
    ),
    Shape(
        "AUTHORIZATION",
        ("authorization",),
        r"[Aa](?i:uthorization)\\{0,32}[\"'*`]{0,3}\s{0,3}[:=][*]{0,2}\s{0,3}\\{0,32}[\"'`]?"
        r"(?:[Bb](?i:asic)\s{1,3}(?P<encoded_login>[A-Za-z0-9+/]{6,}={0,2})"
        r"|(?:[A-Za-z][A-Za-z-]{1,19}(?:\s{1,3}|=))?(?P<bare>[A-Za-z0-9._~+/=:-]{8,400}+))",
        groups=("encoded_login", "bare"),
    ),
    Shape(
        "AUTHORIZATION",
        ('auth"', "auth\\", "_auth"),
        r"(?<=[\"_])auth\\{0,32}\"?\s{0,3}[:=]\s{0,3}\\{0,32}\"?(?P<encoded_login>[A-Za-z0-9+/]{6,}={0,2})",
        groups=("encoded_login",),
    ),
    Shape(
        "URL_CREDENTIALS",
        ("://", "\\/"),
        r":(?:\\{0,32}/){2}(?![A-Za-z]:[/\\])(?P<address>[^\s/:?#\[\]\"'`<>|]{0,100}:(?!(?:\d{1,5}|(?i:port))[/?#])"
        r"(?:[^\s:\"'`<>]|:(?!//)){1,300})(?=@[\w\[.${%<*/-])",
        groups=("address",),
        within=("@",),
    ),
    Shape(  # a token in the place of the user: https://0123…@github.com; that of a Sentry DSN is public
        "URL_CREDENTIALS",
        ("://", "\\/"),
        r":(?:\\{0,32}/){2}(?P<told_key>[\w-]{20,255}+)(?=@(?![\w.-]{0,60}sentry)[\w-])",
        groups=("told_key",),
        within=("@",),
    ),
    Shape(  # user:password@tcp(host:3306)/db
        "URL_CREDENTIALS",
        ("@tcp(", "@unix(", "@tcp6("),
        r"(?P<login>\w(?<![\w.\[-]\w)[\w.-]{0,63}:[^\s\"'`<>]{1,200}?)(?=@(?:tcp6?|unix)\()",
        groups=("login",),
    ),
    Shape(  # proxy = "user:password@host:port", without a scheme
        "URL_CREDENTIALS",
        ("proxy", "dsn", "_url", "connection"),
        r"[PpDdUuCc](?<![A-Za-z].)(?i:(?<=p)roxy|(?<=d)sn|(?<=_u)rl|(?<=c)onnection(?:[_ ]?string)?)"
        r"[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
        r"[\w.+-]{1,60}:(?P<beside_login>[^\s\"'`<>@/|\\]{3,200})(?=@[\w-])",
        groups=("beside_login",),
        within=("@",),
    ),
    Shape(  # scott/…@//host:1521/service
        "URL_CREDENTIALS",
        (":15", "@//"),
        r"[A-Za-z](?<![\w/.:-].)[\w$#]{0,40}/(?P<beside_login>[^\s\"'`<>@/|\\]{6,100})(?=@(?://[\w.-]|[\w.-]{1,100}:15\d\d[/:]))",
        groups=("beside_login",),
        within=("@",),
    ),
    Shape(
        "CREDENTIALS",
        ("curl", "wget", "http ", "https ", "xh ", "xhs "),
        r"[CcWwhx](?:(?<=[CcWw])(?:url|get)\b[^\n]{0,300}?\s(?:-[a-zA-Z]{0,6}[uU]|--(?:proxy-)?user)"
        r"|(?:(?<=h)ttp|(?<=x)h)s?\s(?!\d)(?:[^\n]{0,300}?\s)?(?:-a|--auth))[\s=]{0,2}(?:(?P<around>[\"'])"
        r"(?P<login_quoted>[\w.@+%-]{1,100}:(?:(?!(?P=around))[^\s\\]){3,300}+)(?=(?P=around))"
        r"|[\"']?(?P<login>[\w.@+%-]{1,100}:[^\s\"'`<>|;]{3,300}))",
        groups=("login_quoted", "login"),
        within=("-",),
    ),
)
"""Shapes that are known by a word before the secret."""

OF_COMMANDS = frozenset({*OPTIONS, *STORES, *(shape for shape in NAMED if shape.kind == "CREDENTIALS")})
"""Those that know the secret by the words of the command that is given it."""
