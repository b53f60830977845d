"""Secrets in programs: a constant with a type or a wrapper around its text, and what a call is given.

``password: string = "…"``, ``new String("…")``, ``setPassword("…")``, ``login(user, "…")``. A wrapper that
looks something up, such as ``getenv``, is given a name.
"""

from progress_plugin.text.secret_names import NAME, NAMES
from progress_plugin.text.secret_pattern_kind import Shape
from progress_plugin.text.secret_sql import IN_QUOTES, QUOTED

_QUOTE = r"\\{0,32}[\"'`]"
_CLOSED = r"(?:\\{0,32}[\"'])?"
_TYPE = (
    r"(?:\s?:\s{0,2}(?:[\w.:|?&*]|<[\w.:, <]{0,40}>|\[[\w.:, ]{0,40}\]|[ ][|&][ ]){1,80}+|\[[\w.+ ]{0,20}\]"
    r"|[ ][*\w.\[\]]{1,40}+)"
)
"""Behind the name, as of TypeScript, Python, Kotlin, Rust (``: T``), C (``[64]``) and Go."""
_LOOKS_UP = (
    "get|find|quer|select|load|read|fetch|look|env|require|import|match|test|replace|search|label|title|text|transl|"
    "print|error|throw|log|warn|hash|compare|equal|verif|check|valid|param|header|field|input|prompt|column|key|item|path|compile|regex|pattern|"
    r"\.(?:en|de)code"
)
_WRAPPED = (
    rf"(?:(?:new\s{{1,3}})?(?![\w.:]{{0,60}}?(?i:{_LOOKS_UP}))[A-Za-z_]\w[\w.:]{{0,60}}+"
    r"(?:<[\w<>, ]{0,40}>)?!?[({]\s{0,3}){1,3}+"
)
_PREFIX = r"(?:[BbLlRrUu]{1,2}|@)"
_TEXT = rf"{_QUOTE}(?P<quoted>[^\"'`\s\\]{{6,400}}+)(?={_QUOTE})"
_TEXT_IN_A_CALL = (
    rf"{_PREFIX}?{_QUOTE}(?P<told_quoted>[^\"'`\s\\]{{6,400}}+)(?={_QUOTE}\s{{0,3}}(?:[)}}.,]|$))"
)
_ARGUMENT = rf"(?:{_QUOTE}[^\"'`\n\\]{{0,80}}+{_QUOTE}|[\w.$@>-]{{1,60}}+)\s{{0,3}},\s{{0,3}}"
_LOGS_IN = (
    r"[LlSsAaCc](?:(?<=[Ll])og(?:in|In|_in)|(?<=[Ss])ign(?:In|_in)|(?<=[Aa])uth(?:enticat(?:e|ion|or))?"
    r"|(?<=[Cc])redentials?)"
)

CALLS = (
    Shape(  # passwords: ["…", "…"]
        "SECRET",
        NAMES,
        rf"{NAME}s?{_CLOSED}\s{{0,3}}(?:=>|:?=|:)\s{{0,3}}\[\s{{0,3}}"
        r"(?P<list>(?:\\{0,32}[\"'][^\"'\n\\]{1,200}+\\{0,32}[\"'][\s,]{0,9}){1,50}+)",
        groups=("list",),
        each=r"[\"'](?P<quoted>(?!--|\w{1,30}:)[^\"'`\s\\,]{6,400}+)(?=\\{0,32}[\"'])",
        within=("[",),
    ),
    Shape(  # password: string = "…"
        "SECRET",
        NAMES,
        rf"{NAME}{_TYPE}\s{{0,3}}=(?!=)\s{{0,3}}{_PREFIX}?{_TEXT}",
        groups=("quoted",),
        within=("=",),
    ),
    Shape(  # password = new String("…"), password = b"…"
        "SECRET",
        NAMES,
        rf"{NAME}{_CLOSED}{_TYPE}?\s{{0,3}}(?::=|=>|[:=])\s{{0,3}}(?:{_WRAPPED}{_TEXT_IN_A_CALL}|{_PREFIX}{_TEXT})",
        groups=("told_quoted", "quoted"),
        within=('"', "'", "`"),
    ),
    Shape(  # setPassword("…"): whatever it is made of
        "SECRET",
        ("password", "passwd", "passphrase"),
        r"[SsWw](?<![A-Za-z0-9].)(?:(?<=[Ss])et|(?<=[Ww])ith)\w{0,40}?(?i:passw(?:or)?d|passphrase)\("
        rf"\s{{0,3}}(?:{_ARGUMENT}){{0,2}}{IN_QUOTES}(?={_QUOTE}\s{{0,3}}\))",
        groups=QUOTED,
        within=("set", "with"),
    ),
    Shape(  # setApiKey("…")
        "SECRET",
        NAMES,
        rf"[SsWw](?<![A-Za-z0-9].)(?:(?<=[Ss])et|(?<=[Ww])ith)\w{{0,40}}?{NAME}\(\s{{0,3}}"
        rf"(?:{_ARGUMENT}){{0,2}}{_TEXT_IN_A_CALL}",
        groups=("told_quoted",),
        within=("set", "with"),
    ),
    Shape(  # .password("…"), std::string password{"…"}, redis.auth("…")
        "SECRET",
        ("passw", "passphrase", "secret", "token", ".auth("),
        r"[PpSsTt.](?<!\w[PpSsTt])(?:(?<=[PpSsTt])(?i:assw(?:or)?d|assphrase|ecret|oken)[({]|(?<=\.)auth\()"
        rf"\s{{0,3}}{_TEXT_IN_A_CALL}",
        groups=("told_quoted",),
        within=("(", "{"),
    ),
    Shape(  # login(user, "…"), auth=("bob", "…"): the first argument is who
        "SECRET",
        ("login", "log_in", "signin", "sign_in", "auth", "credential"),
        rf"{_LOGS_IN}(?:{_CLOSED}\s{{0,3}}(?:=>?|:)\s{{0,3}})?[(\[]\s{{0,3}}{_ARGUMENT}"
        r"(?P<list>(?:[^\"'`()\n]{0,60}+[\"'`]{1,2}){2,8}+)",
        groups=("list",),
        each=r"[\"'](?P<told_quoted>[^\"'`\s\\,]{6,400}+)(?=\\{0,32}[\"'])",
    ),
)
"""Shapes of programs in any language."""
