"""What a run of a check is called, and which run covers which: `pytest` has run `pytest tests/a.py`.

Two runs have one name only if they check the same: place, arguments, and options that make less of it count.
"""

from collections.abc import Sequence

from progress_plugin.text.bounds import head
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.redact import redact, redact_value

_LONGEST = 200
_FLAGS_TOLD = """
--lf --last-failed --sw --stepwise --testmon --only-failures --onlyFailures --onlyChanged --changed
--failed --lib --doc --bins --examples --test --quick -short -DskipTests -DskipITs
"""
_FLAGS = frozenset(_FLAGS_TOLD.split())
"""Options that make less of a run."""
_VALUED_TOLD = """
-k -m -C -p -w --ignore --ignore-glob --deselect --exclude --skip --filter --package --manifest-path
--rootdir --prefix --workspace --project --cwd --dir --directory --testNamePattern --testPathPattern
--changedSince --grep --tests --only --shard --bin --example --test --file -run -skip -Dtest -Dit.test
-Dmaven.test.skip
"""
_VALUED = frozenset(_VALUED_TOLD.split())
"""Options whose value chooses what is run; behind a blank the value is a word like any other."""
_PLACED = ("--directory", "--project", "--package", "--prefix", "--cwd", "--chdir", "-C", "-p")
"""Options of wrappers that say where the command behind them runs: `uv run --directory api pytest`."""
_CONTAINERS = ("docker", "docker-compose", "podman", "podman-compose")
_WHOLE_TOLD = """
pytest py.test nose2 nosetests unittest doctest jest mocha ava rspec phpunit pest bats busted vitest
playwright cypress tox nox ctest prove ginkgo stestr trial green mypy dmypy pyright basedpyright pytype
flake8 pylint eslint oxlint stylelint rubocop standardrb bandit pycodestyle pydocstyle yamllint ruff
biome black isort ty go cargo dotnet mix swift flutter dart deno bun npm pnpm yarn rails forge hardhat
manage.py artisan pre-commit
"""
_WHOLE = frozenset(_WHOLE_TOLD.split())
"""Programs that run all where nothing is named. A bare `make` does not run its other targets."""
_KEYED = ("--key", "--record-key")
"""Options of runners that are followed by a key, though elsewhere one so called is followed by anything."""
_HIDDEN = "[REDACTED:SECRET]"
_ENDING = LazyPattern(r"\.(?:exe|cmd|bat|phar)$")


def program_of(word: str) -> str:
    """Return the name of a program as it is called, without its folder and Windows' ending."""
    name = word.replace("\\", "/").rpartition("/")[2]
    return _ENDING.sub("", name) if "." in name else name


def without_secrets(words: Sequence[str]) -> list[str]:
    """Return the words of a command without secrets: a check's name has no longer what tells one.

    A secret is known by the option before it, or by the command as a whole.
    """
    safe: list[str] = redact_value(list(words))[0]
    safe = [
        _HIDDEN if before in _KEYED and not word.startswith("-") else word
        for before, word in zip(("", *safe), safe, strict=False)
    ]
    line = " ".join(safe)
    redacted, count = redact(line)
    return [word if word in redacted else _HIDDEN for word in safe] if count and redacted != line else safe


def check_name(program: str, words: Sequence[str], wrapper: Sequence[str] = ()) -> str:
    """Return the name of a check: its program, and of its words those that choose what it checks.

    The words are `without_secrets`.
    """
    own, _, passed_on = _parted(words)
    kept = [word for word in own if not word.startswith("-") or _chooses(word)]
    if program in ("npm", "pnpm", "yarn", "bun"):
        kept += [word for word in passed_on if not word.startswith("-") or _chooses(word)]
    name = " ".join([program, *kept] if program else kept)
    name = head(name, _LONGEST) or name[:_LONGEST]
    return placed(name, _wrappers_place(wrapper))


def placed(name: str, place: str) -> str:
    """Return the name of a check with where it ran; `place` is empty at the project's root."""
    return f"{name} (in {place.replace('(', '').replace(')', '')})" if place else name


def covers(whole: str, part: str) -> bool:
    """Return whether a check that passed has run all that another one runs."""
    if whole == part:
        return True
    (whole, here), (part, there) = _split(whole), _split(part)
    if here != there or whole.partition(" ")[0] not in _WHOLE:
        return False
    if any(_chooses(word) for word in whole.split(" ")):
        return False
    return part.startswith((f"{whole} ", f"{whole}/", f"{whole}::"))


def _split(name: str) -> tuple[str, str]:
    check, mark, place = name.rpartition(" (in ")
    return (check, place) if mark and place.endswith(")") else (name, "")


def _chooses(word: str) -> bool:
    option, equals, _ = word.partition("=")
    return option in _FLAGS or (bool(equals) and option in _VALUED)


def _parted(words: Sequence[str]) -> tuple[Sequence[str], str, Sequence[str]]:
    at = words.index("--") if "--" in words else len(words)
    return words[:at], "--", words[at + 1 :]


def _wrappers_place(wrapper: Sequence[str]) -> str:
    """Return where a wrapper says that a command runs: a folder, or a container."""
    for at, word in enumerate(wrapper):
        option, equals, value = word.partition("=")
        if option in _PLACED and (equals or at + 1 < len(wrapper)):
            return value if equals else wrapper[at + 1]
    if not any(program_of(word) in _CONTAINERS for word in wrapper):
        return ""
    at = next((at for at, word in enumerate(wrapper) if word in ("exec", "run")), len(wrapper))
    named = [word for word in wrapper[at + 1 :] if not word.startswith("-")]
    return f"container {named[0]}" if named else ""
