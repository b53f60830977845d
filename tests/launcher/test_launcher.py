"""The launcher, started as the clients start it, with nothing on PATH unless a test needs it (B4)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from progress_plugin.core.packages import environment
from progress_plugin.core.paths import user_cache
from tests.launcher.tiny_plugin import HASH, Plugin, make_plugin, old_python, path_of

SHELLS = [
    (found, *rest)
    for name, *rest in (("sh",), ("dash",), ("bash",), ("busybox", "sh"))
    if (found := shutil.which(name))
]


@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: Path(shell[0]).name)
def test_a_standing_environment_is_entered_without_starting_any_other_program(
    plugin: Plugin, shell: tuple[str, ...]
) -> None:
    plugin.shell = shell
    site = plugin.environment()
    plugin.cache.joinpath("pycache").mkdir(parents=True)
    assert plugin.door("hook", "PostToolUse") == {
        "door": "__main__.py",
        "arguments": ["hook", "PostToolUse"],
        "python": environment.interpreter(),
        "site": str(site),
        "isolated": 1,
        "no_site": 1,
        "utf8": 1,
        "writes_bytecode": True,
        "pycache_prefix": str(plugin.cache / "pycache"),
    }


@pytest.mark.parametrize(
    ("words", "door", "arguments"),
    [
        (["hook", "SessionStart"], "__main__.py", ["hook", "SessionStart"]),
        (["hook", "SessionStart", "codex"], "__main__.py", ["hook", "SessionStart", "codex"]),
        (["hook", "Stop"], "__main__.py", ["hook", "Stop"]),
        (["statusline"], "__main__.py", ["statusline"]),
        (["mcp"], "mcp.py", ["mcp"]),
        (["mcp", "--help"], "__main__.py", ["mcp", "--help"]),
        (["statusline", "--help"], "__main__.py", ["statusline", "--help"]),
        (["hook", "--help"], "__main__.py", ["hook", "--help"]),
        (["status", "--json"], "__main__.py", ["status", "--json"]),
        (["-C", "a dir", "log", "x  y", "*"], "__main__.py", ["-C", "a dir", "log", "x  y", "*"]),
        ([], "__main__.py", []),
    ],
)
def test_hooks_enter_through_their_doors_and_the_rest_through_the_command_line(
    plugin: Plugin, words: list[str], door: str, arguments: list[str]
) -> None:
    plugin.environment()
    seen = plugin.door(*words)
    assert (seen["door"], seen["arguments"]) == (door, arguments)


def test_a_link_on_path_leads_to_the_plugin(plugin: Plugin, tmp_path: Path) -> None:
    plugin.environment()
    folder = tmp_path / "somewhere"
    folder.mkdir()
    (folder / "first").symlink_to(plugin.root / "bin" / "agent-progress")
    (folder / "agent-progress").symlink_to("first")
    done = subprocess.run(
        ["agent-progress", "status"],
        env={**plugin.variables, "PATH": path_of(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["door"] == "__main__.py"


@pytest.mark.parametrize(
    ("folder", "name"), [("", "bin/agent-progress"), ("bin", "./agent-progress"), ("bin", "agent-progress")]
)
def test_a_relative_call_finds_the_plugin(plugin: Plugin, folder: str, name: str) -> None:
    site = plugin.environment()
    done = subprocess.run(
        ["/bin/sh", name, "x"],
        cwd=plugin.root / folder,
        env=plugin.variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["site"] == str(site)


@pytest.mark.parametrize(
    "variables", [{}, {"XDG_DATA_HOME": "{}/data", "XDG_CACHE_HOME": "{}/cache"}, {"XDG_DATA_HOME": "x"}]
)
def test_launcher_and_package_look_in_the_same_directories(
    plugin: Plugin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        plugin.variables[name] = value.format(tmp_path)
        monkeypatch.setenv(name, value.format(tmp_path))
    data, cache = environment.homes()
    site = plugin.environment(home=Path(cache))
    assert plugin.door("hook", "Stop")["site"] == str(site)
    site = plugin.environment(home=Path(data))
    seen = plugin.door("hook", "Stop", PATH="/usr/bin:/bin")
    assert seen["site"] == str(site)
    assert seen["pycache_prefix"] == f"{user_cache()}/pycache"


def test_an_environment_of_another_version_of_the_plugin_is_not_entered(
    plugin: Plugin, pythons: Path
) -> None:
    plugin.environment("fedcba9876543210-3.11")
    assert plugin.door("status", PATH=path_of(pythons / "good"))["site"] == ""


def test_an_environment_whose_python_is_gone_is_passed_over(plugin: Plugin) -> None:
    plugin.environment(f"{HASH}-3.11", python="/gone/python3.11")
    site = plugin.environment(f"{HASH}-3.12")
    assert plugin.door("hook", "Stop")["site"] == str(site)


def test_without_an_environment_a_python_is_searched_once_and_remembered(
    plugin: Plugin, pythons: Path
) -> None:
    calls = old_python(pythons / "old")
    first = plugin.door("hook", "Stop", PATH=path_of(pythons / "old", pythons / "good"))
    assert (first["python"], first["site"]) == (environment.interpreter(), "")
    assert calls.read_text() == "started\n"
    assert plugin.door("hook", "Stop")["python"] == environment.interpreter()
    assert calls.read_text() == "started\n"


def test_a_remembered_python_that_is_gone_is_searched_again(plugin: Plugin, pythons: Path) -> None:
    plugin.data.mkdir(parents=True)
    (plugin.data / "python").write_text("/gone/python3\n")
    assert plugin.door("hook", "Stop", PATH=path_of(pythons / "good"))["python"] == environment.interpreter()
    assert (plugin.data / "python").read_text() == f"{environment.interpreter()}\n"


def test_a_version_managers_shim_is_not_started_while_there_is_another_python(
    plugin: Plugin, pythons: Path
) -> None:
    calls = old_python(pythons / "shims")
    plugin.door("status", PATH=path_of(pythons / "shims", pythons / "good"))
    assert not calls.exists()


def test_a_shim_is_resolved_to_the_python_behind_it(plugin: Plugin, pythons: Path) -> None:
    (pythons / "shims").mkdir()
    shim = pythons / "shims" / "python3"
    shim.write_text(f'#!/bin/sh\nexec "{environment.interpreter()}" "$@"\n')
    shim.chmod(0o755)
    plugin.door("status", PATH=path_of(pythons / "shims"))
    assert (plugin.data / "python").read_text() == f"{environment.interpreter()}\n"


def test_a_python_of_the_working_directory_is_never_started(plugin: Plugin, pythons: Path) -> None:
    calls = old_python(pythons / "project")
    done = subprocess.run(
        ["/bin/sh", str(plugin.root / "bin" / "agent-progress"), "status"],
        cwd=pythons / "project",
        env={**plugin.variables, "PATH": f".::{path_of(pythons / 'good')}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["python"] == environment.interpreter()
    assert not calls.exists()


def no_python(plugin: Plugin, pythons: Path) -> Path:
    """Leave nothing but a Python that is too old; return the file that counts its starts."""
    if Path("/usr/local/bin/python3").exists() or Path("/opt/homebrew/bin/python3").exists():
        pytest.skip(
            "THIS MACHINE HAS A PYTHON WHERE THE LAUNCHER ALWAYS LOOKS: cannot show how it is without one"
        )
    calls = old_python(pythons / "old")
    plugin.variables["PATH"] = path_of(pythons / "old")
    return calls


def test_without_python_a_session_start_tells_the_user_once_a_day_and_succeeds(
    plugin: Plugin, pythons: Path
) -> None:
    no_python(plugin, pythons)
    first = plugin.start("hook", "SessionStart")
    assert (first.returncode, first.stderr) == (0, "")
    assert list(json.loads(first.stdout)) == ["systemMessage"]
    assert "Python 3.11 or newer was not found" in first.stdout
    again = plugin.start("hook", "SessionStart")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    (plugin.data / "no-python").write_text("2020-01-01\n")
    assert plugin.start("hook", "SessionStart").stdout == first.stdout


def test_without_python_other_hooks_are_silent_and_search_no_more(plugin: Plugin, pythons: Path) -> None:
    calls = no_python(plugin, pythons)
    plugin.start("hook", "SessionStart")
    started = calls.read_text()
    done = plugin.start("hook", "PostToolUse")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert calls.read_text() == started


def test_without_python_a_command_says_so_in_one_line_and_exits_3(plugin: Plugin, pythons: Path) -> None:
    no_python(plugin, pythons)
    done = plugin.start("status")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "agent-progress: Python 3.11 or newer was not found; "
        "install it from python.org or with: uv python install 3.12\n"
    )


def test_a_python_installed_later_is_found_at_the_next_start(plugin: Plugin, pythons: Path) -> None:
    no_python(plugin, pythons)
    plugin.start("hook", "SessionStart")
    seen = plugin.door("hook", "SessionStart", PATH=path_of(pythons / "old", pythons / "good"))
    assert seen["python"] == environment.interpreter()
    assert not (plugin.data / "no-python").exists()


def test_an_empty_store_alias_is_started_once_and_then_only_by_setup(plugin: Plugin, pythons: Path) -> None:
    no_python(plugin, pythons)
    calls = old_python(pythons / "WindowsApps")
    path = path_of(pythons / "WindowsApps")
    for words in (["hook", "SessionStart"], ["hook", "SessionStart"], ["status"], ["mcp"], ["hook", "Stop"]):
        plugin.start(*words, PATH=path)
    assert calls.read_text() == "started\n"
    plugin.start("setup", PATH=path)
    assert calls.read_text() == "started\n" * 2


@pytest.mark.parametrize("home", ["/proc/nothing", None, "", "relative"])
def test_without_a_home_to_write_to_it_runs_and_leaves_nothing_behind(
    plugin: Plugin, pythons: Path, home: str | None
) -> None:
    seen = plugin.door("hook", "SessionStart", PATH=path_of(pythons / "good"), HOME=home)
    assert seen["door"] == "__main__.py"
    assert (seen["site"], seen["writes_bytecode"], seen["pycache_prefix"]) == ("", False, None)


@pytest.mark.parametrize(("value", "silent"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_switched_off_it_starts_no_python_for_a_hook(plugin: Plugin, value: str, silent: bool) -> None:
    plugin.environment()
    done = plugin.start("hook", "SessionStart", AGENT_PROGRESS_DISABLED=value)
    assert (done.returncode, done.stdout == "") == (0, silent)
    assert plugin.door("status", AGENT_PROGRESS_DISABLED=value)["door"] == "__main__.py"


def test_a_damaged_lock_file_does_not_stop_a_hook(plugin: Plugin, pythons: Path) -> None:
    (plugin.root / "requirements.lock").write_text("")
    assert plugin.door("hook", "Stop", PATH=path_of(pythons / "good"))["site"] == ""


def installed(tmp_path: Path, home: Path, version: str) -> Plugin:
    """Return a plugin in the `site-packages` of a Python that is in no folder on PATH."""
    prefix = tmp_path / "venv"
    site = prefix / "lib" / version / "site-packages"
    (site / "click").mkdir(parents=True)
    (site / "click" / "__init__.py").touch()
    (prefix / "bin").mkdir()
    (prefix / "bin" / version).symlink_to(environment.interpreter())
    return make_plugin(site / "progress_plugin" / "plugin", home, path_of(tmp_path / "nothing"))


def test_an_installed_plugin_enters_the_python_it_was_installed_for(tmp_path: Path, home: Path) -> None:
    ours = installed(tmp_path, home, "python3.11")
    seen = ours.door("hook", "SessionStart")
    assert (seen["python"], seen["site"]) == (environment.interpreter(), str(ours.root.parents[1]))
    assert not (ours.data / "python").exists(), "another copy of the plugin may not belong to this Python"


def test_an_installed_plugin_without_its_packages_searches_like_any_other(
    tmp_path: Path, home: Path, pythons: Path
) -> None:
    ours = installed(tmp_path, home, "python3.11")
    (ours.root.parents[1] / "click" / "__init__.py").unlink()
    assert ours.door("status", PATH=path_of(pythons / "good"))["site"] == ""
