"""What an environment is called, where it may stand, and how often it is tried."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from progress_plugin.core.errors import AgentProgressError, BadInput, Busy
from progress_plugin.core.fast.install_attempts import Attempts
from progress_plugin.core.lock import FileLock
from progress_plugin.core.packages import environment
from progress_plugin.core.packages.installers import installer_environment, installers
from progress_plugin.usecases import setup

NOON = 1_800_000_000.0
HOUR, DAY = 3600.0, 86400.0


def silent(line: str) -> None:
    raise AssertionError(f"nothing was to be reported, but: {line}")


def test_an_environment_is_named_by_the_lock_file_and_the_python() -> None:
    assert re.fullmatch(r"[0-9a-f]{16}-3\.\d+t?", environment.identity())
    assert environment.identity().startswith(environment.locked_hash())


def test_the_interpreter_is_no_link_and_no_virtual_environment() -> None:
    found = Path(environment.interpreter())
    assert found == found.resolve()
    assert not (found.parent.parent / "pyvenv.cfg").exists()


def test_an_environment_stands_once_it_names_its_python(home: Path) -> None:
    place = home / ".local/share/agent-progress/env" / environment.identity()
    (place / "site-packages").mkdir(parents=True)
    assert environment.installed_site() is None
    (place / "python").write_text(f"{sys.executable}\n")
    assert environment.installed_site() == str(place / "site-packages")


def test_where_data_cannot_be_written_the_cache_holds_the_environment(home: Path) -> None:
    (home / ".local").write_text("a file where the directory would be")
    assert environment.writable_home() == str(home / ".cache/agent-progress/env")


def test_without_any_home_there_is_no_place_and_a_line_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/proc/nothing")
    assert environment.writable_home() is None
    assert setup.start_in_background(NOON) is None
    with pytest.raises(AgentProgressError, match=r"neither .* can be written; make one writable"):
        setup.build(silent, now=NOON, timeout=0)


@pytest.mark.parametrize(
    ("failures", "waited", "too_soon"),
    [
        (0, 0, False),
        (1, 0, True),
        (1, HOUR - 1, True),
        (1, HOUR, False),
        (2, HOUR, True),
        (2, DAY - 1, True),
        (2, DAY, False),
        (5, DAY, False),
        (1, -HOUR, False),
    ],
)
def test_after_a_failure_it_waits_an_hour_then_a_day(
    tmp_path: Path, failures: int, waited: float, too_soon: bool
) -> None:
    for _ in range(failures):
        Attempts(str(tmp_path)).failed(NOON, "no\nnetwork")
    assert Attempts(str(tmp_path)).too_soon(NOON + waited) is too_soon


def test_a_failure_is_kept_with_its_reason_until_the_environment_stands(tmp_path: Path) -> None:
    attempts = Attempts(str(tmp_path))
    attempts.failed(NOON, "no\n network ")
    assert attempts.read() == (1, NOON, "no network")
    attempts.forget()
    assert attempts.read() == (0, 0.0, "")


def test_a_damaged_record_of_failures_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / f"{environment.identity()}.failed").write_bytes(b"\xff\x00 what")
    assert Attempts(str(tmp_path)).read() == (0, 0.0, "")


def test_while_another_process_builds_a_second_one_gives_up_in_one_line() -> None:
    home = environment.writable_home()
    assert home
    with (
        FileLock(f"{home}/build.lock", 0),
        pytest.raises(Busy, match=r"^another process is building the environment; try again in a minute$"),
    ):
        setup.build(silent, now=NOON, timeout=0)


def test_a_build_that_runs_is_announced_and_not_started_again() -> None:
    place = environment.writable_home()
    assert place
    with FileLock(f"{place}/build.lock", 0):
        line = setup.start_in_background(NOON)
    assert line is not None
    assert place in line
    assert "AGENT_PROGRESS_NO_INSTALL=1" in line
    assert {path.name for path in Path(place).iterdir()} == {"build.lock"}


def test_a_home_that_turns_out_unusable_is_one_line_and_no_obstacle_to_a_start(home: Path) -> None:
    place = environment.writable_home()
    assert place
    Path(place, "build.log").mkdir()
    reported: list[str] = []
    with pytest.raises(AgentProgressError, match=r"the environment cannot be built in .*: Is a directory"):
        setup.build(reported.append, now=NOON, timeout=0)
    assert setup.last_failure()
    assert setup.start_in_background(NOON + 2 * DAY) is None
    assert "Is a directory" in (home / ".cache" / "agent-progress" / "swallowed.log").read_text()


def test_nothing_is_started_where_the_user_forbade_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PROGRESS_NO_INSTALL", "1")
    assert setup.start_in_background(NOON) is None
    assert list(home.iterdir()) == []


def test_nothing_is_started_shortly_after_a_failure() -> None:
    home = environment.writable_home()
    assert home
    Attempts(home).failed(NOON, "no network")
    assert setup.start_in_background(NOON + 60) is None
    assert setup.last_failure() == "no network"


def test_waiting_ends_at_once_where_the_environment_stands(home: Path) -> None:
    place = home / ".local/share/agent-progress/env" / environment.identity()
    place.mkdir(parents=True)
    (place / "site-packages").mkdir()
    (place / "python").write_text(f"{sys.executable}\n")
    before = time.monotonic()
    assert setup.wait_for_environment(3600) == str(place / "site-packages")
    assert time.monotonic() - before < 3600
    assert setup.wait_for_environment(0) == str(place / "site-packages")


def test_every_installer_pins_by_hash_takes_wheels_only_and_goes_to_the_target() -> None:
    ways = list(installers(sys.executable, "the.lock", "/target", "/scratch"))
    assert ways
    for way in ways:
        command = " ".join(way.commands[-1])
        assert command.endswith(
            "--target /target --require-hashes --no-deps --only-binary :all: --requirement the.lock"
        )


@pytest.mark.environment
@pytest.mark.slow
def test_where_there_is_neither_uv_nor_pip_a_virtual_environment_lends_its_pip(tmp_path: Path) -> None:
    bare, lock, target = tmp_path / "bare", tmp_path / "one.lock", tmp_path / "target"
    text = Path(environment.LOCK_FILE).read_text("utf-8")
    lock.write_text(text[text.index("tomli-w==") : text.index("truststore==")], "utf-8")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    python = str(bare / "bin" / "python")
    ways = {way.name: way for way in installers(python, str(lock), str(target), str(tmp_path / "venv"))}
    if not ways.keys() - {"uv"}:
        pytest.skip("THIS PYTHON HAS NO ensurepip: cannot show the way that needs it")
    assert ways.keys() - {"uv"} == {"pip of a virtual environment"}
    for command in ways["pip of a virtual environment"].commands:
        subprocess.run(command, env=installer_environment(), cwd="/", check=True, stdout=subprocess.DEVNULL)
    assert (target / "tomli_w" / "__init__.py").is_file()


def test_a_wheelhouse_takes_the_place_of_every_index(tmp_path: Path) -> None:
    for way in installers(sys.executable, "requirements.lock", "target", str(tmp_path), "/media/wheels"):
        last = way.commands[-1]
        assert last[last.index("--no-index") + 1 :][:2] == ("--find-links", "/media/wheels")
        assert "--require-hashes" in last


def test_a_wheelhouse_without_wheels_is_one_line_and_counts_as_no_failure(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "gone"):
        with pytest.raises(
            BadInput, match=rf"^{re.escape(str(place))}: no wheels here; docs/install.md says"
        ):
            setup.build(silent, now=NOON, timeout=0, wheelhouse=str(place))
    assert setup.last_failure() is None


def test_variables_that_could_add_packages_do_not_reach_an_installer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "PIP_REQUIREMENT",
        "PIP_CONFIG_FILE",
        "UV_CONFIG_FILE",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "PIP_TARGET",
    ):
        monkeypatch.setenv(name, "/project/evil")
    for name in ("PIP_USER", "PIP_NO_BINARY", "PIP_CONSTRAINT", "PIP_LOG", "UV_PROJECT", "UV_TARGET"):
        monkeypatch.setenv(name, "/project/evil")
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    monkeypatch.setenv("UV_INDEX_MIRROR_PASSWORD", "kept")
    seen = installer_environment()
    assert "/project/evil" not in seen.values()
    assert seen["PIP_INDEX_URL"] == "https://mirror.example/simple"
    assert seen["UV_INDEX_MIRROR_PASSWORD"] == "kept"
    assert seen["PATH"]
