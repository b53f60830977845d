"""The statements of SQL that set a password: one between quotes, or a word behind ``IDENTIFIED BY``."""

from progress_plugin.text.secret_names import LOGIN_WORD
from progress_plugin.text.secret_pattern_kind import Shape

_OPENS = r"(?:(?![\s,+;)\]}])|(?=[,+;)\]}](?=[A-Za-z_]{0,40}\d)[^\s\"'`\\+(){}$.,;]{6,60}[\"'`\\]))"
"""What begins like code stands between two texts, unless the rest is one word with a figure."""
IN_QUOTES = (
    rf"(?:(?P<mark>[\"'`]){_OPENS}"
    r"(?P<assigned_quoted>(?:(?!(?P=mark))[^\\\n]|(?P=mark){2}|\\[^\n]){3,200}+)(?=(?P=mark))"
    rf"|(?P<slashes>\\{{1,32}})(?P<inner>[\"'`]){_OPENS}"
    r"(?P<assigned_escaped>(?:(?!(?P=inner))[^\\\n]|(?!(?P=slashes)(?P=inner))\\{1,64}+[^\\\n]){3,200}+)"
    r"(?=(?P=slashes)(?P=inner)))"
)
"""Whatever is between quotes, escaped quotes too.

Of JSON within JSON the quote that ends it has as many backslashes as the first; one inside has more.
"""
QUOTED = ("assigned_quoted", "assigned_escaped")
_BY = r"(?i:(?:with\s{1,3}[^\s]{1,40}\s{1,3})?by(?:\s{1,3}password)?)"
_PREFIX = r"(?:[NnEe]|[Uu]&)?"
_CLAUSES = r"(?:[^\n;:]|:(?!\s)){0,200}?"
"""What stands before a password's clause; a colon and a space are of prose."""
_BARE_WORD = r"(?P<told>[^\s\"'`,;()]{6,100}+)"
_IN_PROSE = "".join(
    f"(?<!{verb} identified)" for verb in ("are", "is", "be", "was", "were", "been", "and", "or")
)

STATEMENTS = (
    Shape(  # ALTER ROLE … PASSWORD '…', create user … identified by '…'
        "SECRET",
        (
            *(f"{verb} {noun} " for verb in ("create", "alter") for noun in ("user", "role", "login")),
            "grant ",
        ),
        r"[CcAaGg](?i:(?:(?<=c)reate|(?<=a)lter) (?:user|role|login) |(?<=g)rant )"
        rf"{_CLAUSES}(?i:password|identified\s{{1,3}}{_BY})"
        rf"(?:(?:\s{{0,3}}[=(])?\s{{0,3}}{_PREFIX}{IN_QUOTES}|(?<=[Yy])\s{{1,3}}{_BARE_WORD})",
        groups=(*QUOTED, "told"),
        within=("pass", "identified"),
    ),
    Shape(  # UPDATE users SET password = '…', SET PASSWORD FOR 'a'@'%' = '…'
        "SECRET",
        ("set ",),
        r"[Ss](?i:et )(?:(?i:password for )[^\n;=]{1,120}=|"
        rf"{_CLAUSES}{LOGIN_WORD}[\"`\]]?\s{{0,3}}=)\s{{0,3}}(?i:password\()?{_PREFIX}{IN_QUOTES}",
        groups=QUOTED,
        within=("pass",),
    ),
    Shape(  # CONNECT scott/…@orcl, conn sys/… as sysdba
        "SECRET",
        ("conn ", "connect "),
        r"[Cc](?<![A-Za-z].)(?i:onn(?:ect)?)[ ]{1,3}[\w$#\"]{1,40}/"
        r"\"?(?P<beside_login>[^\s\"'`<>@/;\\|]{6,100}+)"
        r"(?=\"?(?:@[\w/]|[ ]{1,3}(?i:as)[ ]{1,3}(?i:sys)|[ ]{0,3}(?:[;`'\n\\]|$)))",
        groups=("beside_login",),
        within=("/",),
    ),
    *(
        Shape(
            "SECRET",
            hints,
            rf"{keyword}(?:\s{{1,3}}|\(){_PREFIX}{IN_QUOTES}{end}",
            groups=QUOTED,
            within=within,
        )
        for keyword, hints, within, end in (
            (r"PASSWORD(?<![A-Za-z0-9_]PASSWORD)", ("password",), ("pass",), ""),
            (rf"IDENTIFIED\s{{1,3}}{_BY}", ("identified",), ("identified",), ""),
            (
                rf"identified{_IN_PROSE}\s{{1,3}}{_BY}",
                ("identified",),
                ("identified",),
                r"[\"'`\\]{1,40}(?=\s{0,3}(?:$|[;\n\"\\]|(?i:require|with|account|default|password)\b))",
            ),
        )
    ),
)
"""Shapes that a verb or a keyword of SQL gives away."""
