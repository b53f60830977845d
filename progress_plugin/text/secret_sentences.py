"""Secrets that a sentence tells in passing: ``the password, …, works``, ``log in with admin / …``.

So are the old and the new one of a change (``password changed from … to …``), one behind a remark
(``password for the vpn: …``) and what only ``pass`` or ``creds`` gives away. What a sentence says with a verb
(``is``, ``set … to``) is in `text.secret_patterns`.
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
_WORD = r"[^\s\"'`,;|\\]{3,400}+"
_MARKS = r"\\{0,32}[\"'`*_]{0,3}"
_USER = r"\\{0,32}[\"'`*_]{0,3}[\w.@+-]{1,64}+\\{0,32}[\"'`*_]{0,3}"
_LOGIN = (
    r"[LlSsCcZzIiDd](?<![A-Za-z].)(?:(?<=[Ll])og(?:in|(?:g(?:ed|ing))?[ -]in)|(?<=[Ss])ign(?:ed|ing)?[ -]in"
    r"|(?<=[Cc])red(?:ential)?s|(?<=[Cc])redencia(?:les|is)|(?<=[Ii])dentifiants|(?<=[Ii])nloggegevens"
    r"|(?<=[Dd])ane logowania|(?<=[Zz])ugangsdaten)(?![\w(])"
)
_NO_ID = r"(?![0-9a-f]{1,64}(?![0-9A-Za-z])|[\w.-]{1,40}[=(])"
"""No id of a commit, no assignment and no call."""
_ITS_OWNER = r"(?:\s(?i:for|of|on)\s[\w.@-]{1,40}+)?"
_CHANGED = r"(?i:changed|rotated|reset|updated|replaced)"
_WAS = r"\s(?i:was|is|got|has been|had been)"
_FROM_TO = rf"(?P<list>\s{_MARKS}{_WORD}{_MARKS}\s(?:to|into|[-=]>|→)\s{_MARKS}{_WORD})"
_VON_AUF = rf"(?P<list>\s{_MARKS}{_WORD}{_MARKS}\s(?:auf|zu|in)\s{_MARKS}{_WORD})"
_EACH = rf"\s{_MARKS}(?P<replaced>{_VALUE})"
_EARLIER = (
    *("old", "former", "previous", "initial", "temporary", "temp", "default", "current"),
    *("alte", "altes"),
)
_BEHIND_EARLIER = "|".join(rf"(?<={word}\s.)" for word in _EARLIER)
_FAILS = (
    r"(?:(?:do(?:es)?|did|is|was)(?:\snot\s|n['’]t\s)|(?:no\slonger|still|never)\s|work(?:s|ed)(?![\w-])|fail(?:s|ed)(?![\w-])"
    r"|(?:is|was|has|had|got)\s(?:been\s|now\s|still\s|too\s)?(?:no\s|accepted|wrong|invalid|valid|rejected|refused|expired|weak|old|outdated"
    r"|compromised|leaked|replaced|changed|rotated|revoked|short|exposed|committed)"
    r"|(?:must|should|needs\sto)\sbe\s|(?:geht|gilt|funktioniert)\s|ist\s(?:falsch|abgelaufen|ung)|expired(?![\w-]))"
)
"""What is said of a password right behind it."""
_LABELS = ((LOGIN_WORDS, LOGIN_WORD), (OTHER_LANGUAGES, OTHER_NAME), (FOREIGN, FOREIGN_NAME))
"""What a password is called, in every language that is known."""

SENTENCES = (
    *(
        Shape(  # the password, …, / the password (…) / with password …
            "SECRET",
            words,
            rf"{name}(?:\s(?i:for|of|to)\s[\w.@-]{{1,40}}+)?(?:\s?\(|,?\s|[*_`]{{0,3}}\s(?:[-–—]{{1,2}}|\\{{1,32}}u201[34])\s|\s(?:from|set:?|now|was)\s){_MARKS}"
            rf"{_NO_ID}(?P<passing>{_VALUE})",
            groups=("passing",),
        )
        for words, name in _LABELS
    ),
    *(
        Shape(  # password (staging): …, password for prod: …, password [prod]: …
            "SECRET",
            words,
            rf"{name}[*_`]{{0,3}}\s(?:\([^()\n]{{1,40}}\)|\[[^\[\]\n]{{1,40}}\]"
            r"|(?i:for|of|on|at|in|f(?:ü|\\{1,32}u00fc)r|von|para|del?|d[aou]|dla|pour|voor|от|для|к)(?:\s[\w.@'-]{1,40}+){1,4})[*_`]{0,3}"
            rf"\s?(?:[:=][*_]{{0,3}}\s{{1,3}}|：\s{{0,3}}){_MARKS}(?![0-9a-f]{{7,64}}(?![0-9A-Za-z]))(?P<remarked>{_VALUE})",
            groups=("remarked",),
        )
        for words, name in _LABELS
    ),
    Shape(  # password, prod: … / password used by CI: …
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}[*_`]{{0,3}},?(?:\s[A-Za-z][\w.@'-]{{0,40}}+){{1,5}}[*_`]{{0,3}}\s?[:=][*_]{{0,3}}\s{{1,3}}{_MARKS}"
        rf"(?![0-9a-f]{{7,64}}(?![0-9A-Za-z]))(?P<beside_login>{_VALUE})",
        groups=("beside_login",),
        within=(": ", "= "),
    ),
    Shape(  # changed the password from … to …
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}{_ITS_OWNER}\sfrom\s[^\s]{{1,80}}+\sto\s{_MARKS}(?P<passing>{_VALUE})",
        groups=("passing",),
        within=(" from ",),
    ),
    Shape(  # the password was changed from … to …
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}{_ITS_OWNER}(?:(?:{_WAS}\s{_CHANGED}|\s(?i:chang|rotat)ed){_ITS_OWNER}(?:\sfrom|:)"
        rf"|\s{_CHANGED}{_ITS_OWNER}\sfrom(?=\s\\{{0,32}}[\"'`])"
        rf"|\sfrom(?=[^\n]{{1,200}}?\s(?:[-=]>|→)\s)){_FROM_TO}",
        groups=("list",),
        each=_EACH,
        within=("ed from ", "reset from ", "->", "=>", "→"),
    ),
    Shape(  # changed the password from … to …: both, for the verb says what they are
        "SECRET",
        LOGIN_WORDS,
        rf"[CcRrUu](?<![A-Za-z].)(?i:(?<=c)hanged?|(?<=r)(?:eset|otated?|eplaced?)|(?<=u)pdated?)\s"
        rf"(?:[\w.@'-]{{1,40}}+\s){{0,4}}?(?:\w{{1,20}}_)?{LOGIN_WORD}{_ITS_OWNER}\sfrom{_FROM_TO}",
        groups=("list",),
        each=_EACH,
        within=(" from ",),
    ),
    Shape(  # Passwort von … auf … geändert
        "SECRET",
        ("passwor",),
        rf"[Pp](?i:asswort)(?:\s(?:für|of)\s[\w.@-]{{1,40}}+)?\svon{_VON_AUF}",
        groups=("list",),
        each=_EACH.replace("replaced", "beside_login"),
        within=("wort von ",),
    ),
    Shape(  # the old password …
        "SECRET",
        LOGIN_WORDS,
        rf"[Pp](?i:{_BEHIND_EARLIER})(?i:ass(?:w(?:or)?d|wort|phrase)|wd?)\s{_MARKS}{_NO_ID}"
        rf"(?P<beside_login>{_VALUE})",
        groups=("beside_login",),
        within=tuple(f"{word} p" for word in _EARLIER),
    ),
    Shape(  # the password … does not work
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}{_ITS_OWNER}\s{_MARKS}{_NO_ID}(?P<replaced>{_VALUE}){_MARKS}\s{_FAILS}",
        groups=("replaced",),
    ),
    Shape(  # password rotated (was …)
        "SECRET",
        LOGIN_WORDS,
        rf"{LOGIN_WORD}{_ITS_OWNER}(?:{_WAS})?\s{_CHANGED},?\s\(?"
        rf"(?i:(?:it[ ])?was|previously|formerly|before|previous|old):?\s{_MARKS}"
        rf"{_NO_ID}(?P<replaced>{_VALUE})",
        groups=("replaced",),
        within=("was ", "previous", "former", "before", "old"),
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
        rf"{_LOGIN}(?:(?:[^\n,;:/]{{0,30}}?\s(?i:with|as|using|are|is|mit|als)|[^\n,;:/]{{0,30}}?:"
        rf"|(?<=ogin)(?=\s[\w@+-]{{1,64}}/[^/\s])|(?<=reds)|(?<=entials)|\s[-–—]{{1,2}})\s{{1,3}}|\s?[(\[]\s?){_USER}"
        rf"(?:\s{{0,2}}/\s{{0,2}}|:|,?\s(?:and|with|und)\s){_MARKS}(?P<beside_login>{_VALUE})",
        groups=("beside_login",),
    ),
    Shape(  # user bob, pass …
        "SECRET",
        ("pass ",),
        r"[UuLlAaRr](?<![A-Za-z0-9].)(?i:(?<=u)ser(?:name)?|(?<=l)ogin|(?<=a)(?:dmin|ccount)|(?<=r)oot)[:,]?"
        r"(?:\s[\w.@+'-]{1,40}+){0,2}?(?<!tests)(?<!test)(?<!checks)(?<!must)(?<!should)(?<!to)(?<!now)[,;]?\s(?:(?:and|with)\s)?"
        rf"[Pp]ass[ ]{_MARKS}{_NO_ID}(?P<beside_login>{_VALUE})",
        groups=("beside_login",),
        within=("user", "login", "admin", "account", "root"),
    ),
    Shape(  # pass …
        "SECRET",
        ("pass ", "pass is ", "pass was ", "pass ("),
        r"[Pp](?<![\w.-].)ass(?:\s(?:is|was))?[ ]\(?"
        rf"{_MARKS}(?![0-9a-f]{{1,64}}(?![0-9A-Za-z]))(?P<in_prose>{_VALUE})",
        groups=("in_prose",),
    ),
)
"""Shapes of sentences in which the secret stands beside what it opens."""
