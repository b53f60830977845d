"""Secrets that a sentence tells without a verb: ``the password, …, works``, ``log in with admin / …``.

What a sentence says with one (``is``, ``set … to``) is in `text.secret_patterns`.
"""

from progress_plugin.text.secret_names import (
    FOREIGN,
    FOREIGN_NAME,
    LOGIN_WORD,
    LOGIN_WORDS,
    OTHER_LANGUAGES,
    OTHER_NAME,
)
from progress_plugin.text.secret_pattern_kind import Shape

_VALUE = r"[^\s\"'`,;|\\]{6,400}+"
_MARKS = r"\\{0,32}[\"'`*_]{0,3}"
_USER = r"\\{0,32}[\"'`*_]{0,3}[\w.@+-]{1,64}+\\{0,32}[\"'`*_]{0,3}"
_LOGIN = (
    r"[LlSsCcZzIiDd](?<![A-Za-z].)(?:(?<=[Ll])og(?:in|(?:g(?:ed|ing))?[ -]in)|(?<=[Ss])ign(?:ed|ing)?[ -]in"
    r"|(?<=[Cc])red(?:ential)?s|(?<=[Cc])redencia(?:les|is)|(?<=[Ii])dentifiants|(?<=[Ii])nloggegevens"
    r"|(?<=[Dd])ane logowania|(?<=[Zz])ugangsdaten)(?![\w(])"
)
_LABELS = ((LOGIN_WORDS, LOGIN_WORD), (OTHER_LANGUAGES, OTHER_NAME), (FOREIGN, FOREIGN_NAME))
"""What a password is called, in every language that is known."""

SENTENCES = (
    *(
        Shape(  # the password, …, / the password (…) / with password …
            "SECRET",
            words,
            rf"{name}(?:\s(?i:for|of|to)\s[\w.@-]{{1,40}}+)?(?:\s?\(|,?\s|[*_`]{{0,3}}\s(?:[-–—]{{1,2}}|\\{{1,32}}u201[34])\s|\s(?:from|set:?|now|was)\s){_MARKS}"
            rf"(?![0-9a-f]{{1,64}}(?![0-9A-Za-z])|[\w.-]{{1,40}}[=(])(?P<passing>{_VALUE})",
            groups=("passing",),
        )
        for words, name in _LABELS
    ),
    *(
        Shape(  # password (staging): …, password for prod: …, password [prod]: …
            "SECRET",
            words,
            rf"{name}[*_`]{{0,3}}\s(?:\([^()\n]{{1,40}}\)|\[[^\[\]\n]{{1,40}}\]"
            r"|(?i:for|of|on|at|in|für|von|para|del?|d[aou]|dla|pour|voor|от|для|к)(?:\s[\w.@'-]{1,40}+){1,4})[*_`]{0,3}"
            rf"\s?(?:[:=][*_]{{0,3}}\s{{1,3}}|：\s{{0,3}}){_MARKS}(?![0-9a-f]{{7,64}}(?![0-9A-Za-z]))(?P<told>{_VALUE})",
            groups=("told",),
        )
        for words, name in _LABELS
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
            "credencia",
            "identifiants",
            "inloggegevens",
            "dane logowania",
        ),
        rf"{_LOGIN}(?:[^\n,;:/]{{0,30}}?\s(?i:with|as|using|are|is|mit|als)|[^\n,;:/]{{0,30}}?:"
        rf"|(?<=ogin)(?=\s[\w@+-]{{1,64}}/[^/\s]))\s{{1,3}}{_USER}"
        rf"(?:\s{{0,2}}/\s{{0,2}}|:|,?\s(?:and|with|und)\s){_MARKS}(?P<beside_login>{_VALUE})",
        groups=("beside_login",),
    ),
)
"""Shapes of sentences in which the secret stands beside what it opens."""
