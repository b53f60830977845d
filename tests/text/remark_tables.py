"""Passwords as sentences tell them: replaced ones, behind a remark, as `pass` and `creds`, with escapes in their name.

Secrets are put together here, so that no file of the repository holds one. `{}` stands for the secret, `[]` for
the one that takes its place.
"""

from __future__ import annotations

PLAIN = "hun" + "ter2"
JOINED = "hun" + "ter2-xK9"
NEXT = "Som" + "mer24!x"
YEAR = "win" + "ter2023"
TURNING = "q7Rz4" + "LmT9v"
SIGNED = "Hunt" + "er2!xq9"
JUMBLED = "KDcxV" + "fhv4"

REPLACED: tuple[tuple[str, str], ...] = (
    ("password changed from {} to []", PLAIN),
    ("The password was changed from {} to [].", JOINED),
    ("rotated the shop password from {} to [] today", YEAR),
    ("reset the password for bob from `{}` to `[]`", PLAIN),
    ("Password for bob was reset from `{}` to `[]`", JOINED),
    ("changed the password from '{}' to '[]'", PLAIN),
    ("changed password from {} -> []", JOINED),
    ("admin password updated from '{}' to '[]'", PLAIN),
    ("password rotated: {} -> []", TURNING),
    ("Passwort von {} auf [] gesetzt", JOINED),
)
"""Both go."""
TOLD: tuple[tuple[str, str], ...] = (
    ("the old password {} does not work", PLAIN),
    ("The previous password `{}` no longer works", JOINED),
    ("our former password {} is gone", YEAR),
    ("the default password '{}' is rejected", PLAIN),
    ("das alte Passwort {} geht nicht mehr", JOINED),
    ("password {} doesn't work on the quay", PLAIN),
    ("the password {} was wrong", JOINED),
    ("password changed (was {})", PLAIN),
    ("password rotated, previously {}", JOINED),
    ("password for the vpn: {}", JOINED),
    ("password (quay): {}", "win" + "ter-2024-Q"),
    ("Passwort für das VPN: {}", JOINED),
    ("**Password** (root): `{}`", JOINED),
    ("password, quay: {}", JOINED),
    ("password used by the crane: {}", TURNING),
    ("pw that worked: {}", JOINED),
    ("use pass {} for the router", JUMBLED),
    ("log in as admin, pass {}", JOINED),
    ("user bob pass {}", SIGNED),
    ("admin pass {} is set", YEAR),
    ("the pass is {} now", TURNING),
    ('the vpn takes pass "{}"', SIGNED),
    ("creds (admin / {})", TURNING),
    ("creds (admin / {})", JOINED),
    ("the credentials [bob@quay.test / {}] work", SIGNED),
    ("with creds bob/{} it works", TURNING),
    ("creds - root / {}", YEAR),
    ("login (bob:{}) works", SIGNED),
)
ESCAPED: tuple[tuple[str, str], ...] = (
    ('{"pass\\u0077ord": "{}"}', JOINED),
    ('{\\"pass\\\\u0077ord\\": \\"{}\\"}', TURNING),
    ('"\\u0061pi\\u005fkey": "{}"', TURNING),
    ('"secr\\u{65}t": "{}"', TURNING),
    ('"pass\\x77ord": "{}"', TURNING),
    ("pass&#119;ord: {}", TURNING),
    ("pass&#x77;ord: {}", TURNING),
    ("https://quay.test/?pass%77ord={}", TURNING),
    ("DB_PASSW\\u004fRD={}", "gehe" + "im"),
)

NONE_TOLD = (
    "tests pass 12/12",
    "all 12 tests pass (e2e2 too)",
    "pass the flag",
    "pass --force",
    "a two-pass parser",
    "pass --user=bob2 to it",
    "pass size=4096x2 to it",
    "pass utf8mb4 as the charset",
    "pass Uint8Array2 or a Buffer",
    "pass user2@quay.test on",
    "pass v1.2.3-beta.4 as the tag",
    "pass US-013a and US-014b",
    "pass ./src/auth2.ts:12",
    "pass foo(bar2)",
    "pass 0xdeadBEEF12 to it",
    "make it pass Lighthouse100!",
    "the second pass is O(n2log3n)",
    "the pass was 2x faster",
    "user tests pass build2024",
    "creds (AWS/GCP2x)",
    "creds (US-013/US-014)",
    "creds (docs/creds2.md)",
    "credentials src/auth/creds2.ts",
    "login (OAuth2 / SAML2)",
    "login (src/auth2.ts / 200)",
    "login (POST /api/v2/login2)",
    "login - see docs/auth2.md/section3",
    "creds (host1:5432/db2)",
    "the password field2 does not work",
    "the password reset2 works",
    "the password OAuth2 is not supported",
    "the old password hash2 is read",
    "the default password policy2 is weak",
    "old password rules-v2-2024 apply",
    "previous password 3f2a9c1d is fixed",
    "password changed from plain to argon2id",
    "password changed from bcrypt-10 to bcrypt-12",
    "password hashing changed from SHA-1 to SHA-256",
    "changed the password from config2 to vault",
    "changed password from 8chars to 12chars",
    "the password was moved from env2 to vault3",
    "password reset from settings2 to profile2",
    "password changed: US-012 -> US-013",
    "password changed: src/a1.ts -> src/b2.ts",
    "password rotated (was 90days)",
    "Passwort von Feld2 auf Feld3 verschoben",
    "password for users: bcrypt-12-rounds",
    "password for the form: step2-of-3",
    "password (optional): 8-64 chars",
    "password manager used: KeePassXC-2.7",
    "password strength meter: zxcvbn-4.4.2",
    "password column default: gen_random_uuid()",
    "password reset request id: 3f0c9a52-7b1e-4d2a-9c33-444455556666",
    "password test results: 12passed/3failed",
    "password reset done at: 2024-01-05T10:00:00Z",
    "password hashing cost = 2**12",
    "pass\\u0077ord: required",
    "pass%77ord=required",
    "match [\\u0041-\\u005A] in passwords",
    "&#112;assword is a label",
    "it ends in %2Fpassword%2Freset2",
)
