"""Secrets that a sentence tells without a verb: ``the password, …, works``, ``log in with admin / …``.

What a sentence says with one (``is``, ``set … to``) is in `text.secret_patterns`.
"""

from progress_plugin.text.secret_names import LOGIN_WORD, LOGIN_WORDS
from progress_plugin.text.secret_pattern_kind import Shape

_VALUE = r"[^\s\"'`,;|\\]{6,400}+"
_MARKS = r"\\{0,32}[\"'`*_]{0,3}"
_USER = r"\\{0,32}[\"'`*_]{0,3}[\w.@+-]{1,64}+\\{0,32}[\"'`*_]{0,3}"
_LOGIN = (
    r"[LlSsCcZ](?<![A-Za-z].)(?:(?<=[Ll])og(?:in|(?:g(?:ed|ing))?[ -]in)|(?<=[Ss])ign(?:ed|ing)?[ -]in"
    r"|(?<=[Cc])red(?:ential)?s|(?<=Z)ugangsdaten)(?![\w(])"
)

SENTENCES = (
    Shape(  # the password, …, / the password (…) / with password …
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}(?:\s(?i:for|of|to)\s[\w.@-]{{1,40}}+)?(?:\s?\(|,?\s|[*_`]{{0,3}}\s(?:[-–—]{{1,2}}|\\{{1,32}}u201[34])\s|\s(?:from|set:?|now|was)\s){_MARKS}"
        rf"(?![0-9a-f]{{1,64}}(?![0-9A-Za-z])|[\w.-]{{1,40}}[=(])(?P<passing>{_VALUE})",
        groups=("passing",),
    ),
    Shape(  # password (staging): …, password for prod: …, password [prod]: …
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}[*_`]{{0,3}}\s(?:\([^()\n]{{1,40}}\)|\[[^\[\]\n]{{1,40}}\]"
        r"|(?i:for|of|on|at|in|für|von|para|de|pour)(?:\s[\w.@'-]{1,40}+){1,4})[*_`]{0,3}"
        rf"\s?[:=][*_]{{0,3}}\s{{1,3}}{_MARKS}(?![0-9a-f]{{7,64}}(?![0-9A-Za-z]))(?P<told>{_VALUE})",
        groups=("told",),
    ),
    Shape(  # changed the password from … to …
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}(?:\s(?i:for|of)\s[\w.@-]{{1,40}}+)?\sfrom\s[^\s]{{1,80}}+\sto\s{_MARKS}(?P<passing>{_VALUE})",
        groups=("passing",),
        within=(" from ",),
    ),
    Shape(  # used … as the password
        "SECRET",
        LOGIN_WORDS,
        rf"[Uu](?<![A-Za-z].)s(?:e|es|ed|ing)\s{_MARKS}(?P<passing>{_VALUE}){_MARKS}\s(?:as|for)\s(?:[\w'-]{{1,20}}\s){{0,3}}?"
        rf"(?:\w{{1,20}}_)?{LOGIN_WORD}",
        groups=("passing",),
        within=("use", "using"),
    ),
    Shape(  # … is the password of staging
        "SECRET",
        LOGIN_WORDS,
        rf"(?<![^\s\"'`*(]){_MARKS}(?P<passing>{_VALUE}){_MARKS}\s(?:is|was)\s(?i:the|our|my|its|their)\s"
        rf"(?:[\w'-]{{1,20}}\s){{0,3}}?(?:\w{{1,20}}_)?{LOGIN_WORD}",
        groups=("passing",),
        within=(" is ", " was "),
    ),
    Shape(  # log in with admin / …, credentials: admin:…
        "SECRET",
        (
            "login",
            *(
                f"{verb}{sign}in"
                for verb in ("log", "logged", "logging", "sign", "signed", "signing")
                for sign in " -"
            ),
            "creds",
            "credentials",
            "zugangsdaten",
        ),
        rf"{_LOGIN}(?:[^\n,;:/]{{0,30}}?\s(?i:with|as|using|are|is|mit|als)|[^\n,;:/]{{0,30}}?:)\s{{1,3}}{_USER}"
        rf"(?:\s{{0,2}}/\s{{0,2}}|:|,?\s(?:and|with|und)\s){_MARKS}(?P<beside_login>{_VALUE})",
        groups=("beside_login",),
    ),
)
"""Shapes of sentences in which the secret stands beside what it opens."""
