"""The names of secrets: which words before a value say that it is one.

They are patterns, and texts in small letters to look for first; `secret_patterns` puts values behind them.
"""

from __future__ import annotations

NAMES = ("pass", "pw", "secret", "token", "key", "psk")
IN_LISTS = ("key", "token", "secret", "passw", "passphrase", "kennw")
"""Of which one is in every name that `text.secret_lists` knows."""
FOREIGN = ("密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "пароль", "hasło")
OTHER_LANGUAGES = ("kennwort", "mot de passe", "mdp", "clave", "contrase", "senha", "wachtwoord")
_OWNERS = (
    "api access auth private secret account signing encryption master app jwt hmac stripe openai subscription"
    " functions preshared pre-shared pre_shared unseal recovery"
)
_OF_OWNERS = "|".join(rf"(?<={owner}key)|(?<={owner}[_ -]key)" for owner in _OWNERS.split())
_SUFFIX = (
    r"(?:\d|[_-](?i:base|prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|live|test|old|new|current|default"
    r"|v?\d{1,4}|confirm(?:ation)?|again|repeat(?:ed)?)(?![A-Za-z0-9])|(?:Confirm(?:ation)?|Again|Repeat)(?![A-Za-z0-9]))?"
)
"""What may follow the last word of a name: ``SECRET_KEY_BASE``, ``DB_PASSWORD_PROD``, ``passwordConfirm``."""
NAME = (
    r"[PpSsTtKk](?:[AaWwEeOo][SsDdCcKkYy](?i:(?<=pas)s(?:w(?:or)?d|wort|phrase)|(?<=pwd)|(?<=sec)ret|(?<=tok)en"
    rf"|(?<=pas)(?<![A-Za-z0-9]pas)s|(?<=key)(?:{_OF_OWNERS}))"
    rf"|[Ww](?<=[Pp].)(?<![A-Za-z0-9]..)(?![A-Za-z0-9])|[Ss][Kk](?<=[Pp]..)(?<![A-Za-z0-9]...)(?![A-Za-z0-9]))"
    rf"{_SUFFIX}"
)
"""The last word of a name whose value is a secret; plurals such as ``maxTokens`` are counts."""
PLAIN_NAME = r"(?i:(?<=token)(?<![\w-]token))"
_OTHER_WORD = (
    r"(?<=k)ennwort|(?<=m)ot de passe|(?-i:(?<=[Mm])dp|(?<=M)DP(?==))|(?<=c)ontrase(?:[nñ]|\\{1,32}u00[fF]1)a"
    r"|(?<=c)lave|(?<=s)enha|(?<=w)achtwoord"
)
OTHER_NAME = rf"[KkMmCcSsWw](?<![A-Za-z0-9].)(?i:{_OTHER_WORD})(?![A-Za-z0-9])"
"""A name in another language, written with Latin letters."""
FOREIGN_NAME = (
    rf"[{''.join(sorted({form[0] for name in FOREIGN for form in (name, name.upper())}))}](?i:"
    rf"{'|'.join(f'(?<={name[0]}){name[1:]}' for name in FOREIGN)})"
)
"""A name in another script, or in Polish: what is glued to it may be more of the sentence."""
_E, _U = r"(?:[éè]|\\{1,32}u00[eE][89])", r"(?:ü|\\{1,32}u00[fF][cC])"
KEYS_ELSEWHERE = (
    *("sleutel", "klucz", "chave", "clave", "\\u00fc", "\\u00e9", "\\u00e8", "schlüssel", "clé", "clè"),
    *("ключ", "密钥", "密鑰", "秘钥", "私钥", "キー", "秘密鍵", "키"),
)
OTHER_KEY = (
    r"[AaZzGgPpTtCcKkАаСсЗзКк密秘私シア비액](?<![A-Za-z0-9].)(?i:"
    rf"(?<=a)(?:pi|ccess)[ -]?(?:schl{_U}ssel|sleutel|ключ|キー|[ ]?키|密钥)"
    rf"|(?:(?<=z)u(?:gangs|griffs)|(?<=g)eheim)-?schl{_U}ssel"
    rf"|(?:(?<=g)eheim|(?<=p)rivat)e[nrs]?[ ](?:schl{_U}ssel|sleutel)"
    r"|(?<=t)oegangssleutel|(?:(?<=t)ajny|(?<=p)rywatny)[ ]klucz|(?<=k)lucz[ ](?:api|prywatny|tajny|dostępu)"
    rf"|(?<=c)l{_E}f?[ ](?:(?:d['’])?(?:api|acc{_E}s)|secr{_E}te|priv{_E}e)"
    r"|(?:(?<=c)lave|(?<=c)have)[ ](?:(?:d[ea][ ])?(?:api|acces+o)|secreta|privada)"
    r"|(?<=к)люч[ ](?:api|доступа)|(?:(?<=с)екретный|(?<=з)акрытый)[ ]ключ"
    r"|(?<=密)[钥鑰]|(?<=秘)(?:钥|密鍵)|(?<=私)钥"
    r"|(?<=シ)ークレットキー|(?<=ア)クセスキー|(?:(?<=비)밀|(?<=액)세스)[ ]?키)(?![A-Za-z0-9])"
)
"""What a key for an interface, or a private one, is called in other languages."""
LOGIN_WORDS = ("passw", "passphrase", "pw")
LOGIN_WORD = r"[Pp](?:(?<![A-Za-z0-9].)|(?<=_[Pp]))(?i:ass(?:w(?:or)?d|wort|phrase)|wd?)(?![A-Za-z0-9])"
"""What a sentence calls a password."""
LOGIN_NAME = (
    r"[Pp](?:(?i:ass[ _-]?(?:w(?:or)?d|wort|phrase|code))"
    r"|(?:(?<![A-Za-z0-9].)|(?<=[a-z]P))(?i:ass|wd?))(?![A-Za-z0-9])"
)
"""The same as the last word of a name: ``dbPassword``, ``ansible_ssh_pass``."""
VARIABLE = (
    r"[PS](?:(?<![A-Za-z0-9].)|(?<=[A-Z].)(?=ASSW|ASSPHRASE)|(?<=DBP)|(?<=SHP)|(?<=TPP)|(?<=ILP)|(?<=QLP))"
    r"(?:(?<=P)ASS(?:W(?:OR)?D|PHRASE|CODE)|(?<=[_A-Z]P)(?:ASS|WD|W)|(?<=S)ECRET(?:_KEY)?(?:_BASE)?)"
    r"(?:\d|_(?:PROD(?:UCTION)?|STAG(?:E|ING)|DEV(?:ELOPMENT)?|LIVE|TEST|OLD|NEW|CURRENT|DEFAULT|ADMIN|ROOT|USER|APP"
    r"|V?\d{1,4}))?"
)
"""A variable for passwords; ``PASS=12/15`` counts tests, ``PWD`` is a folder, ``PASSWORD_FILE`` a file."""
_OF_NO_LOCK = "public primary foreign partition sort cache idempotency routing object lookup"
KEY_VARIABLE = "_(?:KEY|PAT)" + "".join(f"(?<!{word.upper()}_KEY)" for word in _OF_NO_LOCK.split())
"""A variable for a key, unless its name says that the key opens nothing."""
