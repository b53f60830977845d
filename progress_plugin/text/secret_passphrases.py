"""Passphrases: ordinary words and a number, joined as names are: ``river-dance-42``, ``tiger_lily_99``.

Only the name of a password tells one from the name of something, so nothing else counts here: `text.redact`
asks of each value behind a name, `text.secret_tables` of each cell below one. Behind the name of a key or
token such a value is one of a thing (``api_key: us-east-1``).
"""

from __future__ import annotations

import re

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_names import FOREIGN, LOGIN_NAME, OTHER_NAME

_LONGEST = 100
_PARTS = LazyPattern(r"[-_.:]")
_PART = LazyPattern(r"(?P<word>[a-z]{2,14}|[A-Z][a-z]{2,13})?(?P<number>\d{1,4})?")
_SHORTEST_WORD = 3
_FEWEST_WORDS, _MOST_PARTS = 2, 7
_OF_PASSWORDS = """
account add admin age all allow and any api app apply ask auth authentication authorize base based
between bits bytes case change changed char character characters chars check code complexity confirm
confirmation contains count create current day days default delete denied digit digits each empty
encoded encoder encrypt encrypted error errors exact exactly expire expired expires expiry fail
failed failure field fixed flow for forgot forgotten form format from generated generator has hash
hashed hasher hashing hidden hint hours index initial input invalid key keyring keys label least
left len length less letters level like limit line list lock locked log login logout lower lowercase
mail manager masked match max maximum message min minimum minutes missing mode months more most must
name names needs new next none not number numbers off old only option optional page param part pass
passphrase passwd password passwords per pin policy previous prompt protected pwd random redacted
required requirement requires reset retry right role rotate rotated rotation rounds rule rules salt
salted same screen secret secrets section see session set sets setting settings signed state status
step steps store stored strength string strong symbols temp temporary text than that the then this
time timeout times title token tokens too try type unset update updated upper uppercase use used
user username users using valid validate validation validator value values variable verified verify
version via weak were with without words wrong years your
"""
"""What is asked of a password, and what is done with it."""
_OF_PROGRAMS = """
aes argon async attr auto aws azure background bar bash baz bcrypt bin border branch bucket build
button cache cbc cell cert chain class client cloud cluster col color column component compose conf
config configmap container context cookie core cost ctrl data database deploy deployment dev dialog
digest disk docker docs domain element email encryption endpoint entry env environment epic event
example extension external feature file fix fixture folder font foo function gcm gcp git github
gitlab global google gpg grid group handler header helm helper hex hmac home host html http https
icon image img int integration internal issue item job json jwt kms layer layout ldap lib link local
localhost main mask master md member menu method middleware mock modal model module mongo mysql
network nginx node null oauth object oidc otp panel parser path pattern pbkdf phase pipeline plain
plugin pod port post postgres prefix pri primary prod production profile project provider proxy
public query queue read redis ref reference region register release replica request resource
response rest root route router row rsa run runner saml sample schema scope script scrypt search sec
select sequence server service setup sha shadow shared size slot smtp snapshot space span spec
sprint sql ssh ssl stack stage staging start static storage story stub style sub subnet suffix suite
svc sync system tab table tag task template test tested testing tests theme ticket tls tool topic
totp track tree unit url utf uuid var vault view volume web widget window work worker workflow write
xml yaml zone
"""
"""Formats, algorithms, services, parts of programs and of what is deployed."""
_OF_TEXTS = """
after angular apr aug before boot chapter created dec django eight enough factor feb figure flask
four jan jul jun laravel lesson mar multi nov oct one outline rails react sep seven six solid
something svelte three two vue weeks word
"""
"""Frameworks, icons, parts of a text, months."""
_OF_NONE = """
changeme demo dummy fake here insert my ours placeholder replace todo unknown
"""
"""Who says that it is none."""
_TECHNICAL = frozenset(f"{_OF_PASSWORDS} {_OF_PROGRAMS} {_OF_TEXTS} {_OF_NONE}".split())
"""One of these words, and a value is the name of something."""
_NAMED = LazyPattern(
    rf"{LOGIN_NAME}|{OTHER_NAME}|[Pp](?i:ass[ _-]?(?:w(?:or)?d|phrase|wort|code))|{'|'.join(FOREIGN)}"
    r"|[Aa](?i:uthorization).{1,8}\s?[Bb](?i:earer)\s",
    re.DOTALL,
)


def names_password(text: str) -> bool:
    """Return whether what stands before a value, or above it, calls it a password."""
    return _NAMED.search(text) is not None


def is_passphrase(value: str) -> bool:
    """Return whether a value behind such a name is made of ordinary words and one number."""
    value = value.rstrip(".:!?*_")
    if len(value) > _LONGEST:
        return False
    parts = [_PART.fullmatch(part) for part in _PARTS.split(value, _MOST_PARTS)]
    words = [part["word"].lower() for part in parts if part and part["word"]]
    return (
        all(part and part[0] for part in parts)
        and sum(len(word) >= _SHORTEST_WORD for word in words) >= _FEWEST_WORDS
        and sum(bool(part and part["number"]) for part in parts) == 1
        and _TECHNICAL.isdisjoint(words)
    )
