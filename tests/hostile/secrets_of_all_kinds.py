"""Secrets as they stand in logs, and texts that are nearly one: both made here, so that no file holds any."""

from __future__ import annotations

import base64
import random
import string

_RANDOM = random.Random(20260301)
_AN = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_UP = string.ascii_uppercase + string.digits


def _of(alphabet: str, length: int) -> str:
    """Return random characters of which two at least are digits, since no real token of that length is without."""
    return "4" + "".join(_RANDOM.choices(alphabet, k=length - 2)) + "7"


PASSWORD = "Tr0ub4dor-" + _of(_AN, 6)
LOGIN = base64.b64encode(f"deploy:{PASSWORD}".encode()).decode()
PLAIN_LOGIN = base64.b64encode(b"deploy:correcthorse").decode()
_PEM = base64.b64encode(
    f"-----BEGIN RSA PRIVATE KEY-----\n{_of(_AN, 64)}\n-----END RSA PRIVATE KEY-----\n".encode()
).decode()
_OTHER_PEM = base64.b64encode(f"-----BEGIN PRIVATE KEY-----\n{_of(_AN, 64)}\n".encode()).decode()

TOKENS = (
    "dckr_pat_" + _of(_AN + "_-", 27),
    "dckr_oat_" + _of(_AN, 32),
    "glsa_" + _of(_AN, 32) + "_" + _of(_HEX, 8),
    "glc_" + _of(_AN, 60),
    "sntrys_" + _of(_AN + "_", 90),
    "sntryu_" + _of(_HEX, 64),
    "rubygems_" + _of(_HEX, 48),
    "ATATT3" + _of(_AN + "-_=", 180) + "=7F3A9C1B"[:6],
    "ATCTT3" + _of(_AN, 100),
    "figd_" + _of(_AN + "-_", 40),
    "ntn_" + _of(string.digits, 11) + _of(_AN, 35),
    "secret_" + _of(_AN, 43),
    "PMAK-" + _of(_HEX, 24) + "-" + _of(_HEX, 34),
    "r8_" + _of(_AN, 37),
    "dp.pt." + _of(_AN, 43),
    "pul-" + _of(_HEX, 40),
    "pplx-" + _of(_AN, 48),
    "pscale_tkn_" + _of(_AN, 43),
    "pscale_pw_" + _of(_AN, 43),
    "HRKU-AA" + _of(_AN, 58),
    "xkeysib-" + _of(_HEX, 64) + "-" + _of(_AN, 16),
    "LTAI" + _of(_AN, 20),
    "dt0c01." + _of(_UP, 24) + "." + _of(_UP, 64),
    "EZAK" + _of(_AN, 54),
    "fm2_" + _of(_AN, 100),
    "tskey-auth-" + _of(_AN, 12) + "-" + _of(_AN, 32),
    _of(_AN, 14) + ".atlasv1." + _of(_AN, 67),
    "ops_eyJ" + _of(_AN, 260),
    "ghp_" + _of(_AN, 36),
    "sk-ant-api03-" + _of(_AN + "-_", 90),
    "xoxb-" + _of(string.digits, 12) + "-" + _of(_AN, 24),
    "AKIA" + _of(_UP, 16),
    "sk_live_" + _of(_AN, 24),
    "hf_" + _of(_AN, 34),
    _PEM,
    _OTHER_PEM,
)
"""Known by themselves."""

NAMED = tuple(
    (text, text.format(secret=secret), secret)
    for text, secret in (
        ("**DB_PASSWORD**: {secret}", PASSWORD),
        ("**DB_PASSWORD:** {secret}", PASSWORD),
        ("**DB_PASSWORD**: `{secret}`", PASSWORD),
        ("__API_TOKEN__: {secret}", PASSWORD),
        ("`DB_PASSWORD`: {secret}", PASSWORD),
        ("`DB_PASSWORD` = `{secret}`", PASSWORD),
        ("*password*: {secret}", PASSWORD),
        ("password: **{secret}**", PASSWORD),
        ("| DB_PASSWORD | {secret} |", PASSWORD),
        ("| `DB_PASSWORD` | `{secret}` |", PASSWORD),
        ("DB_PASS={secret}", PASSWORD),
        ("export MYSQL_PASS='{secret}'", PASSWORD),
        ("db_pass: {secret}", PASSWORD),
        ("DB_PASSWORD={secret}", PASSWORD),
        ("DB_PASSWORD           = {secret}", PASSWORD),
        ("API key: {secret}", _of(_AN, 24)),
        ("Api Key: {secret}", _of(_AN, 24)),
        ("access key = {secret}", _of(_AN, 24)),
        ("secret key: {secret}", _of(_AN, 40)),
        ("X-Api-Key: {secret}", _of(_AN, 32)),
        ("Authorization: token {secret}", _of(_AN, 40)),
        ("Authorization: Token token={secret}", _of(_AN, 30)),
        ("authorization: {secret}", _of(_AN, 30)),
        ("curl -H 'Authorization: ApiKey {secret}' https://api.test.internal", _of(_AN, 24)),
        ('"Authorization": "Bearer {secret}"', _of(_AN, 40)),
        ("Authorization: Basic {secret}", LOGIN),
        ("Authorization: Basic {secret}", PLAIN_LOGIN),
        ("curl -u {secret} https://api.test.internal/v1", f"deploy:{PASSWORD}"),
        ("curl -su {secret} https://api.test.internal/v1", f"deploy:{PASSWORD}"),
        ("curl -u {secret} https://api.test.internal/v1", "deploy:correcthorse"),
        ("curl --user '{secret}' https://api.test.internal/v1", f"deploy:{PASSWORD}"),
        ("curl https://api.test.internal/v1 --user={secret}", f"deploy:{PASSWORD}"),
        ("curl -x http://proxy --proxy-user {secret} https://test", f"deploy:{PASSWORD}"),
        ("client-key-data: {secret}", _PEM),
        ("client-key-data: {secret}", base64.b64encode(bytes(range(60, 120))).decode()),
        ("    token: {secret}", _of(_AN, 60)),
        ("  tls.key: {secret}", base64.b64encode(bytes(range(60, 120))).decode()),
        ('{{"auths": {{"ghcr.io": {{"auth": "{secret}"}}}}}}', LOGIN),
        ("//npm.test/:_auth={secret}", LOGIN),
        ("//npm.test/:_authToken={secret}", _of(_AN, 36)),
        ("postgres://app:{secret}@db.internal/shop", PASSWORD),
        ("login --password {secret} --user me", PASSWORD),
    )
)
"""Template, text and secret: known by what stands before them."""

HARMLESS = (
    # identifiers
    "commit 3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b fixes it",
    "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "index a1b2c3d4e5..f6a7b8c9d0 100644",
    "session 3f0c9a52-7b1e-4d2a-9c33-444455556666",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "md5 d41d8cd98f00b204e9800998ecf8427e of the empty file",
    "entry-20260301-101112-a1b2c3 resolves entry-20260301-091112-z9y8x7",
    "build 20260301.4 of v2.14.0-beta.3+sha.5114f85",
    "arn:aws:iam::123456789012:role/deploy-role-2",
    "0xdeadbeefcafebabe1234567890abcdef is an address",
    "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    # paths and addresses
    "src/auth/token_service_v2.py and tests/auth/test_token_service_v2.py",
    "/home/dev/.ssh/id_ed25519.pub is the public one",
    "private key: ~/.ssh/id_ed25519",
    "secret key: keys/production-2.pem",
    "C:\\Users\\dev42\\AppData\\Local\\token2\\cache.bin",
    "https://example.com/reset?step=2#token",
    "https://github.com/acme/shop/blob/3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b/src/key.py",
    "https://registry.npmjs.org/@types/node/-/node-20.11.30.tgz",
    "docker pull ghcr.io/acme/shop@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "postgres://localhost:5432/shop_test_2",
    "http://127.0.0.1:8080/oauth2/token",
    # words after the name
    "password: required",
    "Password: at least 12 characters, 2 digits",
    "password: bcrypt(cost=12)",
    "password: min. 8, max. 64",
    "**password**: required, 8-64 characters",
    "`password`: string (min 8)",
    "| password | varchar(255) | NOT NULL |",
    "| token | string | yes | 64 chars |",
    "| API key | per user | rotates every 90 days |",
    "API key: see docs/keys-2026.md",
    "API key: none needed",
    "api key: not yet, ticket US-0123",
    "token: string",
    "token: string | null",
    "token: JWT signed with RS256/ES384",
    "token: Uint8Array",
    "token: 'ACCESS_TOKEN_V2'",
    "secret: Option<SecretString>",
    "Secret: rotated 2026-03-01",
    "token limit: 200000",
    "tokens: 1,204 in / 512 out",
    "pass: 12, fail: 0, skipped: 3",
    "tests_pass: 1204/1204",
    "second_pass: optimise layout 20260301",
    "bypass=true1234",
    "compass: 180deg12",
    "DB_PASSWORD=",
    "DB_PASSWORD is read from the environment",
    "needs DB_PASS, DB_USER and DB_HOST",
    "DB_PASS=$DB_PASS_2026",
    "DB_PASS=${DB_PASS:-changeme123}",
    "DB_PASSWORD=<set-in-vault-42>",
    "API_KEY=your-api-key-1234",
    "password = getpass.getpass()",
    "password: process.env.DB_PASSWORD_2",
    "token = request.headers['X-Token-2']",
    # code
    "def login(password: str, token: Optional[str] = None) -> Session2:",
    "function getToken(id: string, secret2: Buffer): Promise<Token3>",
    "const token = await signIn2(user, password)",
    "fn verify(token: &str, key: &[u8; 32]) -> Result<Claims2>",
    "public Token2 refresh(Secret2 secret, long ttlMillis64)",
    "if (password.length < 12) throw new Error('E1024')",
    "assert token == expected_token_1",
    "type Token = Brand<string, 'Token2'>",
    "self.secret = secrets2.token_hex(32)",
    "OrganizationMembershipView.status.update_permissions_for_everyone",
    "MembershipApplicationViewX.create.with_a_really_long_method_name",
    "npm_config_registry and npm_package_version are set",
    "hf_hub_download(repo_id, filename)",
    "r8_optimizations_are_enabled_for_release_builds_of_the_app",
    "figd_files and ntn_pages are our table prefixes",
    "secret_rotation_schedule_for_the_production_cluster_is_weekly",
    "rubygems_version_requirement_2",
    "glsa_advisories are Gentoo's",
    # headers and commands
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN_2026",
    "Authorization: required for v2 endpoints",
    "Authorization: Basic realm",
    "Authorization header: see RFC 7235",
    "curl -u $USER:$PASS https://api.test.internal",
    "curl -u user:pass https://api.test.internal",
    "curl -u <user>:<password> https://api.test.internal",
    "docker run -u 1000:1000 image:2",
    "docker run -u node:node image:2",
    "curl -X POST https://api.test.internal/v2 -d @body.json",
    "curl http://localhost:8080/users -o out.json",
    # kubeconfig
    "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURCakNDQWU2Z0F3SUJBZ0lCQVRBTg==",
    "client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURCakNDQWU2Z0F3SUJBZ0lCQVRBTg==",
    "client-key-data: REDACTED",
    "client-key-data: <base64>",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    '{"auth": "none"}',
    '"auth": "oauth2-pkce"',
)
"""None of these is a secret."""
