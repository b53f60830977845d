"""Passwords as people write them beside their names: in addresses, statements of SQL, assignments.

Secrets are put together here, so that no file of the repository holds one. `{}` stands for the secret.
"""

from __future__ import annotations

PLAIN = "gehe" + "im99x"
WORD = "gehe" + "im"
JUMBLED = "hX7mQ2" + "vT9kLw"
DOTTED = ("J3a.wf" + "zRQS9", "4azQz" + "v99.Z")

IN_ADDRESSES: tuple[tuple[str, str], ...] = (
    *(("postgres://joe:{}@host/db", sign + "ecret" + "99x") for sign in ("%24", "%23", "#", "$", "*", "%2A")),
    ("postgres://joe:{}@host/db", "Gehe" + "im99#"),
    ("postgresql://joe:{}@/db?host=/cloudsql/p:r:i", PLAIN),
    ("root:{}@tcp(127.0.0.1:3306)/db", PLAIN),
    ("dsn root:{}@unix(/tmp/mysql.sock)/db", PLAIN),
    *(("postgres://joe:{}@host/db", value) for value in ("HbZU" + "96d#v", "J5cQ" + "e9w/Z")),
    ('"postgres:\\/\\/joe:{}@host\\/db"', PLAIN),
    ("postgres://joe:{}@**host**/db", PLAIN),
)

IN_STATEMENTS: tuple[tuple[str, str], ...] = (
    ("UPDATE users SET password = '{}' WHERE id=1", WORD),
    ("update users set name = 'joe', password='{}'", WORD),
    ("SET PASSWORD FOR 'a'@'%' = '{}'", WORD),
    ("ALTER USER a WITH PASSWORD '{}'", "[k=~<V8:" + "st9g-T"),
    *(("ALTER USER a WITH PASSWORD '{}'", sign + "k=~V8:" + "st9g-T") for sign in "[{<#*%$"),
    ("ALTER USER a PASSWORD E'{}'", WORD),
    *(
        (statement, sign + "2ajm9Q" + "Sjh35")
        for statement in ("ALTER USER a PASSWORD '{}';", "CREATE USER a IDENTIFIED BY '{}';")
        for sign in ")+,;}"
    ),
    ("CREATE USER a IDENTIFIED BY {}", "gehe" + "im99"),
    ("CHANGE MASTER TO SOURCE_PASSWORD = '{}'", WORD),
    ("identified by '{}'", WORD),
    ("INSERT INTO users (name, password) VALUES ('joe', '{}');", WORD),
    ("insert into `users`(`id`, `password`, `note`) values (1, '{}', 'a, b (c)')", WORD),
    ("INSERT INTO keys (api_key, owner)\nVALUES ('{}', 'joe')", "q7Rz4Lm" + "T9vKx2Wd8"),
    ("INSERT INTO users (name, password) VALUES ('a', 'changeme'), ('it''s', E'{}')", WORD),
    ("grant all on *.* to joe identified by '{}';", WORD),
)

CONTINUED: tuple[tuple[str, str], ...] = (
    *(("curl -u 'admin:{}' https://a.test", sign + "8QjZHa" + "9h;NQ") for sign in ";|<>("),
    ("DB_PASSWORD=\\\n{}", PLAIN),
    ("export DB_PASSWORD=\\\n    '{}' make", WORD),
    ("curl -u \\\n  admin:{} https://a.test", PLAIN),
    ("mysql --password\\\n {}", PLAIN),
)
"""A command that goes on in the next line."""

IN_TABLES: tuple[tuple[str, str], ...] = (
    ("| user | password |\n|---|---|\n| joe | {} |", "4R&3" + "ViagZ"),
    ("| user | password |\n|---|---|\n| joe | {} |", PLAIN),
    ("API keys:\n- {}\n- US-013", "q7Rz4Lm" + "T9vKx2Wd8"),
    ("api_keys:\n  - staging: '{}'\n  - live: see the vault", "q7Rz4Lm" + "T9vKx2Wd8"),
    ("## Passwords\n\n- bob: {}", PLAIN),
    ("<password>\n            {}\n        </password>", PLAIN),
    *(
        (table, PLAIN)
        for table in (
            " id | user | password \n----+------+----------\n  1 | bob  | {}\n(1 row)",
            "+----+-----------+\n| id | password  |\n+----+-----------+\n|  1 | {} |\n+----+-----------+",
            "+------+-----+\n| user | pwd |\n+======+=====+\n| bob  | {} |\n+------+-----+\n| eve  | secret |\n+------+-----+",
            "┌────┬───────────┐\n│ id │ password  │\n├────┼───────────┤\n│  1 │ {} │\n└────┴───────────┘",
            "> | user | password |\n> +------+----------+\n> | bob | {} |",
            " password \n-----------\n {}\n(1 row)",
            "id  user  password\n--  ----  --------\n1   bob   {}",
            "=====  ==========\nuser   password\n=====  ==========\nbob    {}\n=====  ==========",
            " password | n\n----------+---\n {} | 1\n\n name | n\n------+---\n quay2024 | 1",
        )
    ),
    ("Name | **API key** | Since\n--- | :---: | ---\njoe | `{}` | 2026", "q7Rz4Lm" + "T9vKx2Wd8"),
)

ASSIGNED: tuple[tuple[str, str], ...] = (
    ("DB_PASSWORD={}", "abc\\cd9" + "Q!zx"),
    ("DB_PASSWORD=$'{}'", WORD),
    ("db_password=$'{}'", JUMBLED),
    ("DB_PASSWORD='\\''{}'\\''", WORD),
    ('DB_PASSWORD = f"{}"', WORD),
    *((f"env:\n  DB_PASSWORD: {tag} {{}}", WORD) for tag in ("!!str", "&db")),
    ('"password"\\u003a"{}"', JUMBLED),
    ('\\"DB_PASSWORD\\"\\u003a\\"{}\\"', WORD),
    ("password\\u003d{}", JUMBLED),
    ("password&#61;{}", JUMBLED),
    ("&quot;password&quot;:&quot;{}&quot;", JUMBLED),
    ("&quot;DB_PASSWORD&quot;: &quot;{}&quot;", WORD),
    *((template, value) for template in ('"password": "{}"', "password: '{}'") for value in DOTTED),
    *(
        (template, JUMBLED)
        for template in (
            "password (staging): {}",
            "Password (for bob on staging): `{}`",
            "**DB password** for prod: {}",
            "password for the staging database = {}",
            "password [prod]: {}",
            "changed password from hunter to {}",
            "changed the password for bob from `hunter2!` to `{}`",
        )
    ),
    ('DB_PASSWORD="{}"', 'abcdef9\\"' + "tail8Z"),
    ("DB_PASSWORD={}", "abcdef9)" + "!tail8Z"),
    ("DB_PASSWORD={}", "abcdef9," + "tail8Z"),
    ("mysql -uroot -p'{}' db", "gehe" + "im haus"),
    ("DB_PASSWORD={}", "#hash" + "Start99"),
    ("DB_PASSWORD={}", "a...b9" + "Qz!"),
    ('DB_PASSWORD = "{}"', "som" + "mer"),
    ('os.environ["DB_PASSWORD"] = "{}"', WORD),
    ('{{"DB_PASSWORD":"{}"}}', "two " + "words"),
    ('{{\\"DB_PASSWORD\\": \\"{}\\"}}', "two " + "words"),
    ("DB_PASSWORD:" + 18 * " " + "'{}'", WORD),
    ("password:" + 18 * " " + "{}", "q7Rz4" + "LmT9v"),
    *((f"{name}={{}}", WORD) for name in ("DBPASS", "SSHPASS", "SMTPPASS", "MYSQLPASSWORD")),
    *((f"DB_PASSWORD{sets}{{}}", WORD) for sets in ("?=", ":=", " ?= ", " := ", "+=")),
    ("ENV['DB_PASSWORD'] ||= '{}'", WORD),
    ("${{DB_PASSWORD:-{}}}", WORD),
    ("ENV DB_PASSWORD {}", WORD),
    ("os.environ.setdefault('DB_PASSWORD', '{}')", WORD),
    ('setenv("DB_PASSWORD", "{}", 1)', WORD),
    ("- name: DB_PASSWORD\n  value: {}", WORD),
    ('- name: "DB_PASSWORD"\n  value: "{}"', WORD),
    ("env: [{{name: DB_PASSWORD, value: {}}}]", WORD),
    ('{{"name":"DB_PASSWORD","value":"{}"}}', WORD),
    *((f"{name}={{}}", "hunter" + "2!") for name in ("ansible_ssh_pass", "user=bob pass", "dbPassword")),
    ("JWT_SECRET={}", "a(?:b)c9" + "Zx7Q"),
    ("SECRET_KEY = '{}'", "k(?:=x)p9&7" + "z@2*w3m#5q!8"),
    ('token = """{}"""', "q7Rz4Lm" + "T9vKx2Wd8"),
    ("machine a.test\n  login bob\n  password {}", WORD),
    ("//r.test/:_password={}", "Z2VoZWlt" + "OTl4IQ=="),
    ("<password>{}</password>", WORD),
    ("<dbPassword>{}</dbPassword>", WORD),
    ("Ocp-Apim-Subscription-Key: {}", "9f8e7d6c5b" * 3),
    ("x-functions-key: {}", "q7Rz4Lm" + "T9vKx2Wd8"),
    ("wss://h.test/ws?auth={}", "q7Rz4Lm" + "T9vKx2Wd8"),
    ("services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: {}", WORD),
    ("stringData:\n  DB_PASSWORD: {}  # of staging", WORD),
    ("kind: Secret\ndata:\n  password: {}", "aHVudGVy" + "MiE="),
    *((f"{sets} DB_PASSWORD {{}}", WORD) for sets in ("setx", "set -x", "set -gx")),
    ("https://h.test/login?user=a&password={}", WORD),
    ("https://h.test/login?pwd={}&user=a", WORD),
    *((f"API_KEY={opens}{{}}{closes}", "q7Rz4Lm" + "T9vKx2Wd8") for opens, closes in ("[]", "()", "<>")),
    ("GH_PAT={}", "q7Rz4Lm" + "T9vKx2Wd8"),
    *((f"{name}: {{}}", "hunter" + "2!") for name in ("pass_word", "pass-phrase", "passcode")),
    ("PASSCODE={}", WORD),
    *(
        (f"{name}{{}}", "hunter" + "2")
        for name in ("password: ", "password=", "db_password=", "Passwd: ", "- **password**: ", "pwd=")
    ),
    *(("password: {}", value) for value in ("kf8" + "3hs", "Zx9" + "kQ1", "test" + "123")),
    ("| password: {} |", "hunter" + "2"),
    ("Use `password: {}`.", "hunter" + "2"),
    *(
        (template, "hunter" + "2!")
        for template in (
            "пароль: {}",
            "пароль {}",
            "密码：{}",
            "密码是{}",
            "パスワードは{}",
            "비밀번호: {}",
            "hasło: {}",
        )
    ),
    ("DB_PASSWORD was set to {}", "hunter" + "2!"),
    ("jdbc:oracle:thin:joe/{}@h:1521:db", WORD),
)

NONE_OF_THEM = (
    "+-----+----------------+\n| key | text           |\n+-----+----------------+\n| a   | reset password |\n+-----+----------------+\n| b   | userName2x     |\n+-----+----------------+",
    " tests | pass | fail\n-------+------+------\n a1b2c3 | 12/15 | 3",
    "Password\n--------\nmin8Chars2 apply",
    "id  user  name\n--  ----  ---------\n1   bob   Xk7Jq2Vw9",
    "name    tokens\n------  ------\nrun1a2b  18,204",
    "user  password_hash  ok\n----  -------------  --\nbob   Xk7Jq2Vw9  y",
    " password | description\n----------+-------------\n required | at least 8 chars",
    "| password: |\n file2.py | 10 +++++-----\n file3x.py | 2 +-",
    "DB_PASSWORD = f'{user}{word2}'",
    "DB_PASSWORD: !!str required",
    "sql = 'IDENTIFIED BY '+pw2+''",
    "f('PASSWORD ', '2024', 'x')",
    "{'DB_PASSWORD':','}",
    "&quot;DB_PASSWORD&quot;: &quot;required&quot;",
    '"password": "Form1.Password"',
    'password: "S3.getSecret"',
    'password: "ctx1.httpToken"',
    '"password": "users.Login2Form"',
    "password (hashed): Argon2id",
    "password for login: see docs/login2.md",
    "password for prod: process.env.DB_PASSWORD2",
    "password in auth.ts: 3f2a9c1d",
    "password (bcrypt): VARCHAR(255)",
    "changed the password hash from bcrypt to argon2id",
    "changed the password from plain text to SHA-256",
    "moved the password from .env to op://vault/db2/field",
    "moved password from config.yml to settings_v2.py",
    "nats://registry:Image/part@2",
    "| user | password |\n|---|---|\n| joe | AES+GCM |",
    "| field | password |\n|---|---|\n| type | R&D2 |",
    "DB_PASSWORD=op://vault/db/field",
    "DB_PASSWORD=vault:secret/data/db#password",
    "DB_PASSWORD=file:/run/secrets/db",
    "DB_PASSWORD=env:DB_PASSWORD",
    "DB_PASSWORD=arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-x7",
    "DB_PASSWORD=!Ref DbPassword",
    "PASSWORD==expected",
    "PASSWORD=PASSWORD_FIELD",
    "RESET_PASSWORD='reset-password'",
    'MSG_PASSWORD="Password is too short"',
    "ERR_WEAK_PASSWORD=1003",
    "PASSWORD = 'auth.password.label'",
    "FIELD_PASSWORD = 'passwordField'",
    "token, value = get_domain(value[1:])",
    "private_key: Ed25519PrivateKey | None",
    "FIRST_PASS=parse",
    "QA_PASS=2026-11-23",
    "CI_PASS=" + "9f8e7d6c5b" * 4,
    "JIRA_PASS=US-001",
    'create user form: password "confirm" field must match',
    "postgres://joe:$DB_PASS@host/db",
    "postgres://joe:$db_pass@host/db",
    "postgres://joe:%s@host/db",
    "postgres://joe:{password}@host/db",
    "DB_PASSWORD=$1",
    "DB_PASSWORD=%DB_PASSWORD%",
    "UPDATE users SET password = '$1'",
    "UPDATE users SET password = ? WHERE id=1",
    "ALTER USER a WITH PASSWORD '<password>'",
    "ALTER USER a WITH PASSWORD '{password}'",
    "INSERT INTO users (name, password) VALUES ($1, $2)",
    "INSERT INTO users (name, password) VALUES ('joe', crypt($1, gen_salt('bf')))",
    "INSERT INTO users (name, password) VALUES ('joe', ?), ('jane', :password)",
    "| Password | Why |\n|---|---|\n| required | it opens the gate |\n| at least 12 signs | US-001 |",
    "| Field | Type |\n|---|---|\n| password | varchar(255) |",
)
