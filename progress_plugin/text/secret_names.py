"""The names of secrets: which words say that the value next to them is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from progress_plugin.text.patterns import one_of
from progress_plugin.text.secret_values import word_list

_MAX_OWNER = 20
_LOGIN = (
    r"pass[ _-]?(?:w(?:or)?d|wort|phrase|code)"
    r"|(?-i:(?<![A-Za-z])(?:pwd|PWD|Pwd|psk|PSK)|(?<=[a-z_])(?:Pwd|PWD|Pw|PW|PSK|psk)|(?<=QL_)PWD)"
    r"|(?<![A-Za-z])pw(?=[\"'`*]{0,3}\s?[:=])"
    r"|kennwort|mot de passe|(?-i:(?<!\w)mdp|MDP(?==))|contrase[nñ]a|senha|wachtwoord|hasło"
    r"|пароль|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호"
)
"""What a password is called, also at the end of a variable."""
_KEY = (
    r"secret|token(?<=[a-z0-9][_-]token)"
    r"|(?-i:(?<=[a-z])Token|_PAT(?![A-Z])|TOKEN(?==)|AUTH(?<=_AUTH)(?==))"
    r"|klucz (?:api|prywatny)|clé (?:d['’])?(?:api|accès|secrète|privée)"
    r"|(?:clave|chave) (?:de )?(?:api|acceso|secreta|privada)|ключ api|密[钥鑰]|秘钥|秘密鍵"
)
_WEAK = (
    r"(?<![A-Za-z])(?:tokens?|pass(?:words)?|pw|clave|creds?|credentials?|auth|login|log in|secrets)"
    r"(?![A-Za-z])"
    r"|keys(?<=api[ _]keys)|login(?<=sonar\.login)"
    r"|(?-i:KEY(?<=[A-Z0-9]_KEY)|(?<=[a-z])Key|PASS(?<=_PASS)(?![A-Z]))"
)
"""A name that also means other things: what is next to it must look like a secret."""
_SUFFIX = (
    r"(?:\d{1,2}|[_-]?(?:base|prod(?:uction)?|stag(?:e|ing)|dev(?:elopment)?|live|test|old|new|current|default"
    r"|confirm(?:ation)?|again|repeat|admin|root|user|app|v?\d{1,4})(?![A-Za-z0-9]))?"
)
"""What may follow the word: `DB_PASSWORD_PROD`; other words make it the name of something else."""


def _behind(stem: str, owners: str, joints: tuple[str, ...] = ("", " ", "_", "-")) -> str:
    """Return the pattern of a stem behind one of several words; each look-behind has one length."""
    return (
        f"{stem}(?:{'|'.join(f'(?<={owner}{joint}{stem})' for owner in owners.split() for joint in joints)})"
    )


@cache
def _pattern() -> re.Pattern[str]:
    key_owners = " ".join(word_list("key_owner"))
    password = [_LOGIN, _behind("pass", " ".join(word_list("password_owner")), ("", "_"))]
    key = [
        _KEY,
        _behind("key", key_owners),
        _behind("token", key_owners, (" ",)),
        _behind("schlüssel", "api zugangs zugriffs geheim geheimer privater"),
        _behind("sleutel", "api toegangs geheime"),
        _behind("klucz", "tajny"),
        _behind("ключ", "api секретный"),
        _behind("キー", "api シークレット アクセス"),
        _behind("키", "api 비밀"),
    ]
    names = f"(?P<password>{'|'.join(password)})|(?P<key>{'|'.join(key)})|(?P<weak>{_WEAK})"
    return re.compile(rf"(?:{names}){_SUFFIX}(?!_*[A-Za-z0-9]|-\w)", re.IGNORECASE)


@cache
def _stems() -> re.Pattern[str]:
    return one_of(phrases("stems"))


@cache
def _context() -> re.Pattern[str]:
    return one_of(phrases("context"))


@cache
def _no_lock() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(word_list('no_lock'))})[_ -]?$", re.IGNORECASE)


def phrases(name: str) -> list[str]:
    """Return the words of a group, in which `_` between letters is a blank."""
    return [word[0] + word[1:].replace("_", " ") for word in word_list(name)]


def speaks_of_secret(line: str) -> bool:
    """Return whether a line speaks of a password, a token, a key or a login."""
    return _context().search(line.lower()) is not None or next(find_names(line), None) is not None


def find_names(text: str) -> Iterator[re.Match[str]]:
    """Yield each name of a secret; its last group is its strength: `password`, `key` or `weak`."""
    lowered = text.lower()
    if len(lowered) != len(text):  # some letters have a small one of two characters
        lowered = text
    done = 0
    for stem in _stems().finditer(lowered):
        name = _pattern().match(text, stem.start()) if stem.start() >= done else None
        if name is None:
            continue
        before = text[max(0, name.start() - _MAX_OWNER) : name.start()]
        if name.lastgroup == "weak" and _no_lock().search(before):  # a key that opens nothing
            continue
        done = name.end()
        yield name
