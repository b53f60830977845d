"""Secrets as the default of something whose name says that it is one: ``password = os.getenv("A") or "…"``.

What stands for the value where nothing else gives one is in clear text, however the value is looked up.
That of a variable's own (``getenv("DB_PASSWORD", "…")``) is in `text.secret_patterns`, what a shell writes
(``${DB_PASSWORD:-…}``) in `text.secret_settings`. What is a secret is decided in `text.secret_values`.
"""

from progress_plugin.text.secret_names import NAME, NAMES
from progress_plugin.text.secret_pattern_kind import Shape

_QUOTE = r"\\{0,32}[\"'`]"
_CLOSED = r"(?:\\{0,32}[\"'])?\]?"
_SET_TO = rf"{_CLOSED}\s{{0,3}}(?:\|\|=|[?:/]{{1,2}}=|=>|<-|[:=])\s{{0,3}}"
_CALLED = (
    r"\.(?:unwrap_or|or_?[Ee]lse|get_?[Oo]r_?[Ee]lse|get_or)\w{0,8}\(\s{0,3}"
    r"(?:\(\)\s?->\s?|\|\w{0,3}\|\s?|\{\s?)?"
)
OR_ELSE = rf"(?:\s{{0,3}}(?:\|\||\?\?|\?:|//|(?:or|else)\s)|(?<=[\"']\))\s{{1,3}}(?:\{{|do)|{_CALLED})"
"""What stands between a value that may be missing and the one in its place, of any language."""
_FALLBACK = rf"{_QUOTE}(?P<fallback>[^\"'`\s\\]{{6,400}}+)(?={_QUOTE})"
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
        rf"{NAME}{_SET_TO}{_EXPRESSION}(?:{_OR_IN_A_LINE}|\?(?=[ ]{_QUOTE}[^\"'`\n]{{1,400}}{_QUOTE}[ ]:)"
        r"|\?[ ][\w.()\[\]]{1,60}[ ]?:)\s{0,3}" + _FALLBACK.replace("fallback", "told_quoted"),
        groups=("told_quoted",),
        within=("|", "?", " or ", "//", "else", "_or", "{", " do"),
    ),
    Shape(  # password: ${PW:…}, db.password=${env:PW:-…}: the name of the variable says nothing
        "SECRET",
        ("${",),
        rf"{NAME}{_SET_TO}{_QUOTE}?\$\{{(?:env[:.])?[\w.]{{1,60}}+(?::[-=?]?|-)(?P<told>[^\s{{}}\"'`\\]{{6,400}}+)\}}",
        groups=("told",),
        within=NAMES,
    ),
    Shape(  # password: {{ .Values.pw | default "…" }}, <%= ENV["PW"] || "…" %>
        "SECRET",
        ("{{", "<%", "default"),
        rf"{NAME}(?:{_SET_TO}{_QUOTE}?(?:\{{\{{|<%)[^{{}}%\n]{{0,120}}?(?:default\s?\(?|\|\||or\s|\{{)"
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
