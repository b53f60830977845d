"""Two hundred texts that look a little like secrets and are none: made from a seed, and collected by hand."""

from __future__ import annotations

import base64
import random
import string
import uuid

_HEX = "0123456789abcdef"
_ALPHANUMERIC = string.ascii_letters + string.digits

BY_HAND = (
    "token: US-013",
    "maxTokens: 2000, usedTokens: 1834",
    "tokens_before=4100 tokens_after=620",
    "the token = useToken() call returns null on the server",
    "const token = await getToken2({ audience: 'api' });",
    "password: process.env.DB_PASSWORD_2",
    "password = os.environ['PGPASSWORD1']",
    "secret: ${SECRET_V2}",
    "SECRET_KEY=$(openssl rand -hex 32)",
    "api_key: <your-api-key-1>",
    "API_KEY=your_api_key_123",
    'apiKey: "xxxxxxxxxxxx1234"',
    "password: ********1",
    'password: "changeme123"',
    "password must have 8 to 64 characters",
    "password: z.string().min(8).max(64)",
    "token?: Promise<string>",
    "token: string; refreshToken: string;",
    "secret: Option<Vec<u8>>",
    "token: 'color-gray-500'",
    'data-token="nav-item-3"',
    "token: auth.session.token2",
    "token: src/auth/token2.ts",
    "secret=./config/secret1.json",
    "token = parse_token_v2",
    "passwordHash and tokenHash are columns now",
    "the access key is described in docs/access-key-2.md",
    "token: 2024-01-05T10:00:00Z",
    "secret: base-64 encoded",
    "Bearer authentication-is-required for this route",
    "use --token instead of --password",
    "Basic understanding of the module is enough",
    "https://example.com/a:b/c@d",
    "https://github.com/acme/shop/compare/a1b2c3d...e4f5a6b",
    "git@github.com:acme/shop.git",
    "http://localhost:3000/users/42?tab=keys#token",
    "postgres://user:password@localhost:5432/test",
    "mongodb://$USER:$PASS@host/db",
    "redis://:${REDIS_PASSWORD}@cache:6379",
    "user@example.com wrote to admin@example.org:",
    "sk-loading-indicator-container-large",
    "class sk-folding-cube sk-cube1 sk-cube",
    "task-list-item-with-a-very-long-kebab-case-name-2",
    "npm_config_registry and npm_package_version",
    "pypi-publish and pypi-agent are jobs",
    "ghp_ and gho_ are prefixes of tokens",
    "look for -----BEGIN PRIVATE KEY----- in the output",
    "AKIA is how such ids begin",
    "eyJ is how a JWT begins",
    "xoxo, see you tomorrow",
    "SG.1 and SG.2 are seed groups",
    "AC1: the form is validated; SK2: the spike is done",
    "hf_hub_download and hf_transfer are functions",
    "the whsec_ prefix is stripped",
    "<T>(private: T) => void",
    "private key handling lives in src/crypto/private-key.ts",
    "AccountKey= is read from the vault",
    "key = lambda row: row.id",
    "cache_key: invoices:2024:07",
    "i18n key: form.token2.label",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI public keys are fine",
    "0xdeadbeefcafebabe0123456789abcdef",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "entry-20240105-101500-a1b2c3",
    "arn:aws:iam::123456789012:role/deploy",
    "version 1.2.3-beta.4+build.5678",
    "C:\\Users\\dev\\AppData\\Local\\token1\\cache",
    "/home/dev/.config/token/secret/password1.txt",
    "+49 170 1234567 and 4111 1111 1111 1111",
    "10:ABCDEF is a time and a grid cell",
)


def _generated() -> list[str]:
    rng = random.Random(20240105)

    def of(alphabet: str, length: int) -> str:
        return "".join(rng.choices(alphabet, k=length))

    makers = (
        lambda: f"commit {of(_HEX, 40)}",
        lambda: f"fixed in {of(_HEX, 7)}, see {of(_HEX, 12)}",
        lambda: f"sha256:{of(_HEX, 64)}",
        lambda: f"md5 {of(_HEX, 32)}",
        lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        lambda: f'"integrity": "sha512-{base64.b64encode(rng.randbytes(64)).decode()}"',
        lambda: f"--hash=sha256:{of(_HEX, 64)}",
        lambda: (
            f"github.com/acme/lib v1.2.{rng.randrange(99)} h1:{base64.b64encode(rng.randbytes(32)).decode()}"
        ),
        lambda: f"data:image/png;base64,{base64.b64encode(rng.randbytes(300)).decode()}",
        lambda: f"https://cdn.example.com/assets/{of(_ALPHANUMERIC, 24)}.js",
        lambda: f"/app/_next/static/chunks/{of(_HEX, 16)}/{of(_ALPHANUMERIC, 21)}.map",
        lambda: f"image@sha256:{of(_HEX, 64)}",
        lambda: f"request id {of(_ALPHANUMERIC, 22)} took {rng.randrange(900)} ms",
    )
    return [maker() for _ in range(10) for maker in makers]


HARMLESS = (*BY_HAND, *_generated())
