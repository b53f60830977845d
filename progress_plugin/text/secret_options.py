"""Commands that are given a secret, and where in each it stands: one table of programs and their options.

An option such as ``-p`` means something else to every program, so it counts only behind the name of one that
takes a secret there, in the same command. `text.secret_values` judges what stands there.
"""

from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.secret_names import LOGIN_NAME, NAME
from progress_plugin.text.secret_pattern_kind import Shape
from progress_plugin.text.secret_sql import IN_QUOTES, QUOTED

ASSIGNED = r"(?:[^\s\"'`\\]|\\(?![nrt\"'`\\]|u001[bB]|x1[bB]|033|e\[)){3,400}+"
"""A backslash belongs to it unless it spells the end of a line, a colour or a quote."""
_QUOTE = r"(?:\\{0,32}[\"'])?"
_ABOUT = r"(?:option|flag|argument|switch|parameter)s?(?![\w-])"
_PROSE = r"[A-Za-z]{2,30}(?:'s)?[,.:;!?)]{0,3}[ \t]{1,3}(?![\w-]{0,60}[./:@=\\]\w)[A-Za-z(]"
"""A word that another follows which is no file, address or assignment: a sentence about the option."""
_GIVEN = rf"(?:{IN_QUOTES}|(?!{_ABOUT})(?P<assigned>{ASSIGNED}))"
_GIVEN_OR_PROSE = rf"(?:{IN_QUOTES}|(?!{_ABOUT}|{_PROSE})(?P<assigned>{ASSIGNED}))"
_VERBS = (
    r"[^\s]{3,100}[ ]{1,3}(?:power|chassis|sel|sdr|sensor|lan|user|mc|fru|sol|[a-z]{3,8}princs?|ktadd|cpw)"
    r"(?![\w-])"
)
"""What ``ipmitool`` and ``kadmin`` are asked for right behind a password: no sentence."""
_GIVEN_BEFORE_VERB = rf"(?:{IN_QUOTES}|(?!{_ABOUT}|(?!{_VERBS}){_PROSE})(?P<assigned>{ASSIGNED}))"
_PART = r"(?P<given>[^\s\"'`\\|;<>]{3,200}+)"
"""The rest of a word that begins with something else, such as a user's name."""
_KEY = rf"{_QUOTE}(?P<told>[^\s\"'`\\|;<>]{{6,400}}+)"
_PAIR = r"[\w.%-]{1,60}=[^;\s\"'`\\]{0,300}+"
_COOKIES = rf"(?P<cookies>{_PAIR}(?:;[ \t]{{0,2}}{_PAIR}){{0,12}}+)"
_USER = rf"{_QUOTE}[\w.-]{{1,40}}:"
_ARGUMENT = r"[ \t]{1,3}[^\s-][^\s]{0,80}(?=[ \t])"
_BEFORE_HOST = r"(?P<given>[^\s\"'`\\|;<>@/:]{3,100}+)"
_WHO = rf"{_ARGUMENT}[ \t]{{1,3}}"
_TOLD = rf"(?:{IN_QUOTES}|(?P<told>[^\s\"'`\\|;<>]{{6,400}}+))"
"""Behind an argument that any word of a sentence could be."""
_BEFORE_SLASH = r"(?=[\"'\\]{0,9}[ \t]{1,3}/[A-Za-z])"
"""Before an option of Windows."""
_GROUPS = (*QUOTED, "assigned", "given", "told", "cookies")
_SPACE_OR_GLUED = r"(?:[ \t]{1,3}|(?![a-z]{1,20}\d{0,3}(?!\w))(?=[^\s\"'`]{0,60}?[\d!@#$%^&*])|(?=[\"']))"
"""What follows an option, or nothing, where its value is no word or stands between quotes."""
_NAME_OF_ONE = r"(?i:pass(?:word|wd|wort|phrase))(?![A-Za-z0-9])"


_WORD = r"(?!(?:and|then|or|before|after|und|oder|dann|&&)[ \t])(?:[^\s;|`\\]|\\(?![nrt])){1,120}+(?<![,.&])"
"""A word of the same command: what joins sentences or commands is none."""
_OPTION = r"-[^\s]{1,80}+(?:[ \t]{1,3}[^-\s][^\s]{0,80}+)?"
"""An option with its value: behind the name of a program that sentences hold, a word is none of a command."""


_NONE = rf"{_QUOTE}(?:\[REDACTED:[A-Z_]{{2,20}}\]|\$\{{?[A-Z_]{{2,40}}\}}?{_QUOTE}(?!\S)){_QUOTE}"
"""What an option is given that is no secret, or none any more: another may follow."""


class _Command(NamedTuple):
    """Programs, what stands right before the secret that they are given, and the secret."""

    programs: tuple[str, ...]
    """In small letters; a pattern may follow the first bracket or backslash."""
    option: str
    secret: str = _GIVEN_OR_PROSE
    end: str = ""
    words: int = 16
    """How many may stand between the program and the option, and what is one."""
    word: str = _WORD
    within: tuple[str, ...] = (" -p",)


_OF_IMPACKET = ("secretsdump", "psexec", "wmiexec", "smbexec", "getuserspns", "getnpusers", "mssqlclient")
"""Its scripts where they are called as files."""

_COMMANDS = (
    _Command(("mysql[a-z-]{0,10}", "mariadb[a-z-]{0,10}"), "-p", _GIVEN, word=_OPTION, words=8),
    _Command(("7z[ar]? [a-z]", "rar [a-z]", "unrar [a-z]"), "-h?p", _GIVEN, within=(" -p", " -hp")),
    _Command(("sshpass",), "-p[ \\t]{0,3}", _GIVEN, words=0),
    _Command(
        (*(f"{name} login" for name in ("docker", "podman", "nerdctl", "buildah", "skopeo", "registry")),),
        "-p[ \\t]{0,3}",
        _GIVEN,
    ),
    _Command(("redis-server",), "--requirepass[ \\t]{1,3}", _GIVEN, within=("requirepass",)),
    _Command(("redis-cli", "valkey-cli"), "(?:-a|--pass)[ \\t]{1,3}", _GIVEN, within=(" -a", " --pass")),
    _Command(
        ("redis-cli", "valkey-cli"),
        rf"(?i:auth)(?:{_ARGUMENT})?[ ]{{1,3}}",
        _TOLD,
        words=6,
        word=_OPTION,
        within=(" auth",),
    ),
    _Command(("etcdctl", "influx"), rf"(?:--user|-u)[ \t]{{1,3}}{_USER}", _PART, within=(" -u", " --user")),
    _Command(("jenkins-cli(?:\\.jar)?",), rf"-auth[ \t]{{1,3}}{_USER}", _PART, within=(" -auth",)),
    _Command(("neo4j-admin",), "set-initial-password[ ]{1,3}(?!-)", within=("initial",)),
    _Command(
        ("cf auth",),
        r"(?!-|(?:is|was|has|and|with|for) )[^\s]{1,60}[ ]{1,3}",
        _TOLD,
        words=0,
        within=("auth",),
    ),
    _Command(
        (
            *(
                "az (?:acr )?login",
                "oc login",
                "cf (?:login|l)",
                "oras login",
                "crane auth login",
                "ibmcloud login",
            ),
            *("mongo(?:sh|dump|restore|export|import)?", "cypher-shell", "rabbitmqadmin", "beeline"),
            *("cqlsh", "plink", "pscp"),
        ),
        "-pw?[ \\t=]{1,3}",
    ),
    _Command(("ldap(?:search|add|modify|delete|whoami|passwd)",), f"-w{_SPACE_OR_GLUED}", within=(" -w",)),
    _Command(
        ("zip", "unzip", "zipcloak", "mosquitto_(?:pub|sub)"),
        f"-[a-zA-Z]{{0,4}}?P{_SPACE_OR_GLUED}",
        within=(" -",),
    ),
    _Command(("sqlcmd", "bcp", "tsql"), "-P[ \\t]{0,3}"),
    _Command(("openssl",), "(?:-[kK][ \\t]{1,3}|-pass(?:in|out)?[ \\t]{1,3}pass:)", within=(" -k", " -pass")),
    _Command(
        ("keytool", "jarsigner"),
        "-(?:src|dest)?(?:store|key)pass[ \\t]{1,3}",
        within=("storepass", "keypass"),
    ),
    _Command(("gh secret set",), "(?:-b|--body)[ \\t=]{0,3}", within=(" -b", " --b")),
    _Command(
        ("smbclient", "rpcclient"),
        rf"(?:-U|--user)[ \t=]{{0,3}}{_QUOTE}[^\s%\"']{{1,60}}%",
        _PART,
        within=("%",),
    ),
    _Command(
        ("sqlplus", "sqlldr", "expdp", "impdp", "rman"),
        rf"{_QUOTE}[A-Za-z][\w$#]{{0,40}}/",
        r"(?P<given>[^\s\"'`\\|;<>@/]{3,100}+)",
        "(?=@)",
        within=("@",),
    ),
    _Command(  # impdp scott/… directory=dump
        ("sqlldr", "expdp", "impdp"),
        rf"{_QUOTE}[A-Za-z][\w$#]{{0,40}}/",
        r"(?P<given>(?=\D{0,60}\d)[^\s\"'`\\|;<>@/.]{6,100}+)",
        r"(?=[ \t]{1,3}\w{1,30}=|[\"'`]|\s{0,3}$)",
        words=0,
        within=("/",),
    ),
    _Command(("net user",), r"[^\s/]{1,40}[ \t]{1,3}", _GIVEN, _BEFORE_SLASH, words=0, within=(" /",)),
    _Command(("net use",), r"\\{2,8}[^\s]{1,120}[ \t]{1,3}", _GIVEN, _BEFORE_SLASH, words=1, within=(" /",)),
    _Command(("convertto-securestring",), "", words=6, within=("securestring",)),
    _Command(
        ("config(?:ure)?(?![ \\t]{1,3}(?:get|delete|unset|list))",),
        rf"{_QUOTE}[^\s\"'=]{{0,100}}?{NAME}(?<!signingkey)(?:\.[\w-]{{1,40}})?{_QUOTE}[ \t=]{{1,3}}",
        _KEY,
        words=4,
        within=("key", "token", "secret", "pass"),
    ),
    _Command(("curl",), rf"(?:-b|--cookie)[ \t=]{{1,3}}{_QUOTE}", _COOKIES, within=(" -b", " --cookie")),
    _Command(("gpg[2]?",), "--passphrase[ \\t=]{1,3}", _GIVEN, within=(" --passphrase",)),
    _Command(
        ("curl", "http(?:s)?", "wget"),
        rf"(?:-F|-d|--(?:form|data|post-data)[a-z-]{{0,12}})?[ =]{{0,3}}[\"']?{LOGIN_NAME}=",
        _GIVEN,
        within=("=",),
    ),
    _Command(
        ("psql", "pg_[a-z]{2,20}"),
        rf"[\"']?(?:[a-z_]{{1,20}}=[^\s]{{0,80}}[ ]){{0,8}}{LOGIN_NAME}=",
        _GIVEN,
        within=("=",),
    ),
    _Command(("useradd", "usermod"), "-p[ \\t]{1,3}", _GIVEN),
    _Command(
        ("htpasswd",),
        rf"-[a-zA-Z]{{0,6}}n[a-zA-Z]{{0,6}}{_ARGUMENT}[ \t]{{1,3}}",
        _GIVEN,
        words=3,
        within=(" -",),
    ),
    _Command(
        ("htpasswd",),
        rf"-[ac-mo-zA-Z]{{0,6}}b[ac-mo-zA-Z]{{0,6}}{_ARGUMENT}{_ARGUMENT}[ \t]{{1,3}}",
        _GIVEN,
        words=3,
        within=(" -",),
    ),
    _Command(("netlify",), "--auth[ \\t=]{1,3}", _KEY, within=(" --auth",)),
    _Command(("doctl",), "(?:-t|--access-token)[ \\t=]{1,3}", _KEY, within=(" -t", " --access")),
    _Command(
        ("cargo login", "snyk auth", "openssl passwd"), "", _KEY, words=2, within=("login", "auth", "passwd")
    ),
    _Command(
        ("http(?:s)?", "xh(?:s)?"),
        "(?:-A|--auth-type)[ =]bearer[ ]{1,3}(?:-a|--auth)[ =]{1,3}",
        _KEY,
        within=(" -a", " --auth"),
    ),
    _Command(  # -var 'db_password=…', --set auth.password=…, -e ansible_ssh_pass=…
        ("terraform", "tofu", "terragrunt", "helm", "ansible(?:-playbook)?", "mount(?:\\.cifs)?"),
        rf"(?:-{{1,2}}var|--set(?:-string)?|-e|--extra-vars|-o)[ =]{{1,3}}[^\s|;]{{0,200}}?{LOGIN_NAME}=",
        _GIVEN,
        within=(" -var", " --var", " --set", " -e", " --extra", " -o"),
    ),
    _Command(("codecov(?:\\.io/bash\\))?",), "-t[ \\t]{1,3}", within=(" -t",)),
    _Command(("twine upload",), "-p[ \\t]{1,3}"),
    _Command(("vault login",), "", words=2, within=("vault",)),
    _Command(("ssh",), _USER, _BEFORE_HOST, "(?=@[\\w.-])", within=("@",), word=_OPTION, words=8),
    _Command(("scp", "sftp"), _USER, _BEFORE_HOST, "(?=@[\\w.-])", within=("@",), words=8),
    _Command(
        ("aws secretsmanager", "az keyvault secret set", "aws ssm put-parameter", "eas secret:create"),
        "--(?:secret-string|value)[ \\t=]{1,3}",
        within=(" --secret-string", " --value"),
    ),
    _Command(("security add-(?:generic|internet)-password",), "-w[ \\t]{1,3}", within=("-password",)),
    _Command(
        ("security (?:unlock|create|set|import)(?:-keychain(?:-settings|-password)?|-key-partition-list)?",),
        "-[pPok][ \\t]{1,3}",
        within=(" -p", " -o", " -k"),
    ),
    _Command(  # its name stands before it
        (
            "doppler secrets set",
            "glab variable set",
            "netlify env:set",
            "pulumi config set --secret",
            "infisical secrets set",
            "chezmoi secret keyring set",
            "wp config set",
        ),
        r"(?!-)[\w:.-]{1,80}[ \t]{1,3}(?!-)",
        _KEY,
        words=2,
        word=r"--?[\w-]{1,30}",
        within=("set ",),
    ),
    _Command(("xfreerdp\\d?", "wlfreerdp\\d?", "sdl-freerdp\\d?"), "[\"']?/g?p:", _GIVEN, within=(" /",)),
    _Command(("lftp",), rf"-u[ \t]{{0,3}}{_QUOTE}[^\s,\"']{{1,60}},", _PART, within=(" -u",)),
    _Command(("ssh-keygen",), "-[NP][ \\t]{1,3}", within=(" -n", " -p")),
    _Command(("ipmitool",), f"-P{_SPACE_OR_GLUED}", _GIVEN_BEFORE_VERB),
    _Command(
        ("snmp(?:bulk)?(?:walk|get|getnext|set|table|trap|inform|status|test|df|usm)",),
        "-[AX][ \\t]{1,3}",
        within=(" -a", " -x"),
    ),
    _Command(("kadmin(?:\\.local)?",), "-w[ \\t]{1,3}", _GIVEN_BEFORE_VERB, within=(" -w",)),
    _Command(("kadmin(?:\\.local)?",), "-pw[ \\t]{1,3}", _GIVEN, within=(" -pw",)),
    _Command(
        (
            "evil-winrm",
            "crackmapexec",
            "netexec",
            "nxc",
            "smbmap",
            "bloodhound-python",
            "certipy",
            "rdesktop",
        ),
        "-p[ \\t]{1,3}",
    ),
    _Command(("x11vnc",), "-(?:store)?passwd[ \\t]{1,3}", within=("passwd",)),
    _Command(
        ("impacket-[a-z0-9]{2,30}", *(f"{name}\\.py" for name in _OF_IMPACKET)),
        rf"{_QUOTE}(?:[^\s/:@\"']{{1,60}}/[^\s/:@\"']{{1,60}}:|[^\s/:@\"']{{1,60}}:(?=[^\s]{{3,200}}@)){_QUOTE}",
        r"(?P<given>[^\s\"'`\\|;<>]{3,100}?)",
        r"(?=@[\w.-][^\s@\"'`]{0,200}(?:[\"'`\s]|$)|[\"'`\s]|$)",
        within=("@", " -"),
    ),
    _Command(
        ("rabbitmqctl",),
        rf"(?:add_user|change_password|authenticate_user){_WHO}",
        _TOLD,
        within=("_user", "_pass"),
    ),
    _Command(
        ("mc alias set", "mcli alias set", "mc config host add"),
        rf"[\w-]{{1,60}}[ ]{{1,3}}[\"']?https?://[^\s]{{1,200}}{_WHO}",
        _GIVEN,
        words=2,
        within=("://",),
    ),
    _Command(
        ("poetry config", "composer config"), rf"http-basic\.[^\s]{{1,100}}{_WHO}", words=4, within=("basic",)
    ),
    _Command(
        ("composer config",),
        r"(?:github-oauth|gitlab-(?:oauth|token)|bearer)\.[^\s]{1,100}[ ]{1,3}",
        _KEY,
        words=4,
        within=("auth", "token", "bearer"),
    ),
    _Command(
        ("bundle(?:r)? config",),
        rf"{_QUOTE}(?:https?://)?[\w-]{{1,60}}(?:\.[\w-]{{1,40}}){{1,6}}[\w/.-]{{0,60}}{_QUOTE}[ ]{{1,3}}"
        rf"{_USER}(?!//)",
        _PART,
        words=4,
        within=("config",),
    ),
    _Command(
        ("wpa_passphrase",),
        r"(?:[\"'][^\"'\n]{1,40}[\"']|[^\s-][^\s]{0,40})[ \t]{1,3}",
        _TOLD.replace("6,400", "8,400"),
        words=0,
        within=("pass",),
    ),
    _Command(("rclone obscure",), "", _TOLD, words=0, within=("obscure",)),
    _Command(("chpasswd",), rf"<<<[ \t]{{0,3}}{_QUOTE}[^\s:\"'|]{{1,40}}:", _PART, within=("<<<",)),
)


_BEHIND_OPTION = LazyPattern(r"\[ \\t\](\{\d,\d\})")
"""What any option may have before its value: ``-p="…"``, too. None of it is the value's."""


def _shape(command: _Command) -> Shape:
    firsts = "".join(sorted({letter for name in command.programs for letter in (name[0], name[0].upper())}))
    names = "|".join(f"(?<=[{name[0]}{name[0].upper()}])(?i:{name[1:]})" for name in command.programs)
    option = command.option
    if option.startswith(("-", "(?:-")):
        option = _BEHIND_OPTION.sub(r"[ \\t=]\1+", option)
    word = rf"(?:(?!{option}){command.word}|{option}{_NONE})"
    secret = rf"(?!{_NONE}){command.secret}"
    if not option:  # others may stand before the secret
        word, secret = r"-[a-zA-Z\d]{1,20}", f"(?!-){secret}"
    pattern = (
        rf"[{firsts}](?<![\w.-][{firsts}])(?:{names})(?:\.exe)?"
        rf"(?:[ \t]{{1,3}}{word}){{0,{command.words}}}?[ \t]{{0,2}}[ ]{option}{secret}{command.end}"
    )
    kind = "COOKIE" if "<cookies>" in pattern else "SECRET"
    hints = tuple(name.partition("[")[0].partition("(")[0].partition("\\")[0] for name in command.programs)
    groups = tuple(group for group in _GROUPS if f"<{group}>" in pattern)
    return Shape(kind, hints, pattern, groups, command.within)


_PIPED = r"[ep](?<![\w.-][ep])(?:(?<=e)cho|(?<=p)rintf)(?:[ ]-[neE]{1,3})?[ ]" + _QUOTE
_PIPE = r"(?:\\{1,32}n)?" + _QUOTE + r"[ \t]{0,3}\|[ \t]{0,3}"

OPTIONS = (
    *map(_shape, _COMMANDS),
    Shape(  # echo 'bob:…' | chpasswd
        "SECRET",
        ("chpasswd",),
        rf"{_PIPED}[^\s:\"'|\\]{{1,40}}:{_PART}{_PIPE}(?:[^\s|;&]{{1,40}}[ ]){{0,3}}chpasswd",
        groups=("given",),
    ),
    Shape(  # echo … | docker login --password-stdin
        "SECRET",
        ("stdin", "--with-token", "sudo -s", "secret", "passwd", "kinit", "cryptsetup"),
        rf"{_PIPED}{_PART}{_PIPE}(?:sudo[ ]-S"
        r"|(?:[\w.-]{1,30}[ ]){1,3}?secrets?[ ](?:set|put|create|add|versions[ ]add)"
        r"|(?:sudo[ ])?(?:(?:smb|ht)?passwd[ ]-|vncpasswd|kinit|cryptsetup)"
        r"|[^\n|;&]{1,200}?[ ]--(?:(?:password-|passphrase-)?stdin|with-token))(?![\w-])",
        groups=("given",),
        within=("echo ", "printf "),
    ),
    Shape(  # printf '…\n…\n' | passwd bob: twice, as it asks
        "SECRET",
        ("passwd",),
        r"[ep](?<![\w.-][ep])(?:(?<=e)cho|(?<=p)rintf)(?:[ ]-[neE]{1,3})?[ ]"
        r"(?:[\"']?(?:%s\\{1,8}n){1,2}[\"']?[ ]{1,3})?"
        r"(?P<list>[^\s\"'`|;<>]{3,200}+(?:[ ][^\s\"'`|;<>]{3,200}+)?"
        r"|(?P<pair_mark>[\"'])[^\"'`|;<>]{3,400}+(?P=pair_mark))"
        r"[ ]{0,3}\|[ ]{0,3}(?:sudo[ ](?:-\w{1,3}[ ])?)?(?:smb)?passwd(?![\w.-])",
        groups=("list",),
        each=r"(?:\\{1,32}n)?(?P<given>[^\s\"'`\\|;<>%]{3,200}+)",
        within=("echo ", "printf "),
    ),
    Shape(  # any program … -u bob -p …
        "SECRET",
        (" -u", " --user"),
        rf"[ ](?:-[uU]|--user(?:name)?)[ \t=]{{1,3}}[^\s-][^\s]{{0,80}}(?:[ \t]{{1,3}}{_OPTION}){{0,4}}?"
        rf"[ \t]{{1,3}}-[pP][ \t=]{{1,3}}{_QUOTE}(?![\w.\[\]-]{{0,60}}:\d|[^\s]{{0,80}}\.\.)"
        rf"(?P<passing>[^\s\"'`\\|;<>]{{6,400}}+)",
        groups=("passing",),
        within=(" -p",),
    ),
    Shape(  # --password=…, -password …
        "SECRET",
        ("passw", "passphrase"),
        rf"-(?<![\w-]-)-?(?:[a-z]+-){{0,3}}{_NAME_OF_ONE}(?:={_GIVEN}|[ ]{_KEY})",
        groups=(*QUOTED, "assigned", "told"),
    ),
    Shape(  # -Dsonar.login=…, -PsigningPassword=…
        "SECRET",
        ("login", "passw", "passphrase", "secret", "token"),
        r"-[DP][\w.-]{0,120}?(?i:login|pass(?:word|phrase)|secret|token)="
        rf"{_GIVEN}",
        groups=(*QUOTED, "assigned"),
        within=("-d", "-p"),
    ),
    Shape(  # ["--password", "…"]
        "SECRET",
        ("passw", "passphrase", "token", "secret", "key"),
        rf"(?P<list_mark>\\{{0,32}}[\"'])--?(?:[a-z]{{1,20}}-){{0,3}}{NAME}(?P=list_mark)(?:\s|\\[nrt]){{0,20}},"
        rf"(?:\s|\\[nrt]){{0,20}}(?!\\{{0,32}}[\"']-){IN_QUOTES}",
        groups=QUOTED,
        within=('"-', "'-"),
    ),
    Shape(
        "COOKIE",
        ("cookie",),
        r"[Cc](?<![A-Za-z0-9_][Cc])(?<!et-[Cc])ookie(?:\\{0,32}[\"'*`]){0,2}[ \t]{0,3}[:=][ \t]{0,3}"
        rf"(?:\\{{0,32}}[\"'`])?{_COOKIES}",
        groups=("cookies",),
    ),
    Shape(
        "COOKIE",
        ("set-cookie",),
        r"[Ss]et-[Cc]ookie(?:\\{0,32}[\"'*`]){0,2}[ \t]{0,3}[:=][ \t]{0,3}(?:\\{0,32}[\"'`])?"
        rf"(?P<cookies>{_PAIR})",
        groups=("cookies",),
    ),
)
"""Shapes that the program gives away, the pipe behind the secret, or the header for cookies."""
