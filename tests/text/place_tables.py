"""Secrets in programs, stores, inputs, sentences and cells, where no plain assignment names them, and what stays there.

Secrets are put together here, so that no file of the repository holds one. `{}` stands for the secret.
"""

from __future__ import annotations

MIXED = "q7Rz4Lm" + "T9vKx2Wd8"
SIGNED = "Hunt" + "er2!xq9"
WORD = "gehe" + "im"

IN_PROGRAMS: tuple[str, ...] = (
    'const dbPassword: string = "{}";',
    "let apiKey: string | undefined = '{}';",
    'password: Optional[str] = "{}"',
    'var dbPassword string = "{}"',
    'let password: Option<String> = Some("{}".to_string());',
    'let password = String::from("{}");',
    'private String password = new String("{}");',
    'char password[64] = "{}";',
    'NSString *password = @"{}";',
    'password = SecretStr("{}")',
    'password = b"{}"',
    'password := "{}"',
    'std::string password{{"{}"}};',
    'options.password("{}")',
    'config.setApiKey("{}");',
    "client.withDbToken(name, '{}')",
    'client.login(user, "{}")',
    'smtp.login("bob@harbour.test", "{}")',
    'requests.get(url, auth=("bob", "{}"))',
    'new UsernamePasswordCredentials("bob", "{}")',
    '.withBasicAuth("bob", "{}")',
    "request.auth('bob', '{}', {{sendImmediately: true}})",
    'redis.auth("{}")',
)
SET_IN_PROGRAMS = (
    'ds.setPassword("{}")',
    "keyring.set_password('shop', \"bob\", '{}')",
    'withDbPassword("{}")',
)
HANDED_OVER = (
    "aws secretsmanager create-secret --name db --secret-string {}",
    "aws secretsmanager put-secret-value --secret-id db --secret-string '{}'",
    "aws ssm put-parameter --name /db --value {} --type SecureString",
    "az keyvault secret set --vault-name v --name n --value {}",
    "eas secret:create --name X --value {}",
    "vault kv put secret/shop value={}",
    "vault kv put secret/shop user=bob pw={} ttl=30m",
    "vault write secret/shop 'a={}'",
    'op item create --category=login "password={}"',
    "op item edit shop password[password]={}",
    "fly secrets set A=$FIRST B={} C=none",
    "flyctl secrets set DATABASE={}",
    "supabase secrets set A={}",
    "doppler secrets set A={}",
    "kubectl create secret generic db --from-literal=a=$FIRST --from-literal=b={}",
    "security add-generic-password -a bob -s shop -w {}",
    "passwd --stdin bob <<< {}",
    'sudo -S apt update <<< "{}"',
    "docker login -u bob --password-stdin <<< '{}'",
    "gcloud secrets create db --data-file=- <<<{}",
    "wrangler secret put DB <<EOF\n{}\nEOF",
    "kinit bob <<< '{}'",
    'echo "{}" | wrangler secret put DB',
    "printf {} | gcloud secrets create db --data-file=-",
    "CONFIG SET requirepass {}",
    "redis-server --requirepass {}",
)
"""Of any word: these programs keep as a secret whatever they are given."""
HANDED_OVER_MIXED = (
    "vault kv put secret/shop name={}",
    "heroku config:set NODE_ENV=production MAIL={} -a shop",
    "railway variables --set 'MAIL={}'",
    "netlify env:set MAIL {}",
    "pulumi config set --secret mail {}",
    "firebase functions:config:set mail.x={}",
    "we put requirepass {} there",
    "AUTH {}",
    "127.0.0.1:6379> AUTH default {}",
)
IN_SENTENCES = (
    "the admin password, {}, is in the vault",
    "it starts with the password {}, then stops",
    "the password for staging ({}) works",
    "log in with admin / {}",
    "Login as `admin` / `{}`",
    "credentials: admin:{}",
    "signed in as bob with {}",
    "Zugangsdaten: admin / {}",
    "log in with admin/{}",
    "we used {} as the admin password",
    "using `{}` for the password",
    "changed the password from {} to another",
    "**Password** — {}",
    "- Password - {}",
    "password set: {}",
)
IN_CELLS = (
    "user,password\nbob,{}\neve,",
    'name;email;password;role\n"bob";"b@harbour.test";"{}";admin',
    "user\tpassword (staging)\nbob\t{}",
    "<table><tr><th>User</th><th>Password</th></tr><tr><td>bob</td><td>{}</td></tr></table>",
    "<table>\n<tr>\n<th><b>API key</b></th>\n</tr>\n<tr>\n<td class='x'>\n<code>{}</code></td></tr></table>",
    "<tr><td>Password</td><td>{}</td></tr>",
    "<dl><dt>Password</dt><dd>{}</dd></dl>",
)

FILLED: tuple[tuple[str, str], ...] = (
    *((template.replace("{{", "{").replace("}}", "}"), MIXED) for template in IN_PROGRAMS),
    *(
        (template, SIGNED)
        for template in (*SET_IN_PROGRAMS, *HANDED_OVER, *HANDED_OVER_MIXED, *IN_SENTENCES, *IN_CELLS)
    ),
    *((template, WORD) for template in (*SET_IN_PROGRAMS, *HANDED_OVER)),
    *((template, MIXED) for template in (*HANDED_OVER_MIXED, *IN_CELLS)),
)

NONE_IN_THESE_PLACES = (
    "`#t-first-token`, `#t-tts-start`)",
    "API token: `first-token`, `x`",
    "PASS=12/15",
    "PWD=/home/x12/abc",
    "const password: string = process.env.DB_PASSWORD",
    'String password = System.getenv("DB_PASSWORD2")',
    'password := os.Getenv("DB_PASSWORD2")',
    'String password = request.getParameter("user.password2");',
    'password = password.encode("latin1")',
    "const password: string = 'password'",
    'const PASSWORD_PATTERN: RegExp = "^(?=.*[A-Z])(?=.*[0-9]).{8,}$"',
    're.compile(rf"(?<![A-Za-z0-9_-])token{_END}")',
    "setPassword(newPassword)",
    'setPassword("Enter your password")',
    'login("admin", "views/login2.html")',
    'authenticate("local", { failureRedirect: "/login2" })',
    "credentials('docker-hub', 'registry-2')",
    "vault kv put secret/shop ttl=30m user=admin22 pw=@file2.txt",
    "kubectl create secret generic x --from-file=a=b22.txt --namespace=prod22",
    "heroku config:set NODE_OPTIONS=--max-old-space-size=4096 TZ=Europe/Berlin BUILD=a1b2c3d4e5f6",
    "heroku config:set API_URL=https://harbour.test/c22?d=e33",
    'sudo -S <<< "$PW2"',
    "docker login --password-stdin <<EOF\n$PW2\nEOF",
    "requirepass is set",
    "AUTH US-0134",
    "## AUTH Phase2Step3",
    "AUTH POST /api/v2/login2",
    "the password (argon2id, m=65536) is hashed",
    "open(name, mode, pwd, force_zip64=force_zip64)",
    "password, PBKDF2-SHA256, 310000 iterations",
    "with password US-0134",
    "pw 12h34m56s",
    "password 3fa9c1d2",
    "password src/auth/reset2.ts:45",
    "log in with Google / GitHub2",
    "log in as: admin / editor2",
    "Sign in with email / OTP6digits",
    "login: redirect / callback2",
    "credentials: profile:default2",
    "id,name,token_count\n1,foo22bar,20\n2,bar33foo,30",
    "date,pass,fail\n2026-01-01,12,3",
    "user,password\nadmin,changeme\nbob,secret",
    "We looked at user, password, token\nand then role, admin22x, x33y44z55",
    "<tr><th>User</th><th>Password</th></tr><tr><td>bob</td><td>required</td></tr>",
    "<td>Token</td><td>first-token 120ms</td>",
    "<dt>Password</dt><dd>at least 12 characters</dd>",
)
