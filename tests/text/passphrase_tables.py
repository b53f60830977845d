"""Ordinary words and a number, joined as names are, where they are passwords, and joined names that are none.

Secrets are put together here, so that no file of the repository holds one. `{}` stands for the secret.
"""

from __future__ import annotations

DANCE = "river-" + "dance-42"
PASSPHRASES = (
    DANCE,
    "River-" + "Dance-42",
    "tiger_" + "lily_99",
    "tiger." + "lily.99",
    "blue:" + "moon:7",
    "correct-" + "horse-battery-9",
    "river-" + "dance42",
)
PLACES = (
    "db_password={}",
    "TF_VAR_db_password={}",
    '{"password": "{}"}',
    '"db-password" => "{}"',
    'password: string = "{}"',
    'psycopg2.connect(host="db", password="{}")',
    "Server=db;User Id=sa;Password={};",
    "Authorization: Bearer {}",
    "-H 'Authorization: Bearer {}'",
    "the password for staging is {}",
    "the password is now `{}`",
    "set the password to {}",
    "password: {}",
    "`password: {}`",
    "`DB_PASSWORD: {}`",
    "pwd: {}",
    "smtpPass: {}",
    "passphrase: {}",
    "Kennwort: {}",
    "mot de passe : {}",
    "密码：{}",
    "password for the vpn: {}",
    "the old password {} does not work",
    "use the password `{}` for staging",
    "log in with admin / {}",
    "tool --db-password {}",
    "<password>{}</password>",
    "password: ${PW:{}}",
    "| user | password |\n|---|---|\n| bob | {} |",
    "user,password\nbob,{}\neve,secret",
    "Passwords:\n- {}\n- bob",
)
"""Names of passwords, and places for them alone."""
NUMBER_FIRST = "42-" + "river-dance"
NAMED_PASSPHRASES = tuple((place, DANCE) for place in PLACES)
NO_PASSPHRASES = (
    "min-length-12",
    "at-least-8",
    "max-age-90",
    "see-vault-42",
    "login-page-2",
    "form_field_1",
    "step2-of-3",
    "reset-flow-2",
    "auth.errors.password_2",
    "text-gray-500",
    "icon_eye_24",
    "vault-item-2",
    "prod-shop-2",
    "bcrypt-cost-12",
    "two-factor-2",
    "sha-256",
    "us-east-1",
    "react-router-6",
    "story-card-12",
    "changeme-please-1",
    "river-dance",
)
ABOUT_SOMETHING_ELSE = (
    "password_policy: {}",
    "api_key: {}",
    "token: {}",
    "client_secret: {}",
    "passwordless: {}",
    "PASSWORD_FILE={}",
    "cache key for the dance: {}",
    "password: op://{}/item",
    "branch {} is for passwords",
)
"""Where even a passphrase is none."""
