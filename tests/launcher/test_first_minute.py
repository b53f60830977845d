"""What a person reads in the first minute, on machines where something is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from progress_plugin.core.packages.installer_faults import in_words

ROOT = Path(__file__).resolve().parents[2]
MAIN = ROOT / "progress_plugin/__main__.py"
PYTHON = getattr(sys, "_base_executable", sys.executable)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("[Errno -3] Temporary failure in name resolution", "there is no network"),
        ("dns error: failed to lookup address information", "there is no network"),
        ("ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403'))", "the proxy that HTTPS_PROXY"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "certificate is not trusted"),
        ("NewConnectionError: [Errno 111] Connection refused", "the package index does not answer"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "other files than the pinned"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("Error: [Errno 30] Read-only file system: '/x'", "cannot be written"),
        ("ERROR: No matching distribution found for click==8", "no wheels for this Python"),
        ("The virtual environment was not created: ensurepip is not available", "python3-venv"),
        ("Segmentation fault", ""),
    ],
)  # fmt: skip
def test_what_an_installer_prints_becomes_a_cause_that_somebody_can_mend(output: str, said: str) -> None:
    found = in_words(f"Collecting click\n{output}\nexit code 1\n".encode())
    assert said in found
    assert bool(found) == bool(said)


def _run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as the launcher does, with a Python that has none of the packages."""
    return subprocess.run(
        [PYTHON, "-I", "-S", "-X", "utf8", "-X", f"pycache_prefix={home}/pycache", str(MAIN), *words],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "AGENT_PROGRESS_NO_INSTALL": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_doctor_examines_a_machine_on_which_no_packages_can_be_had(tmp_path: Path) -> None:
    (tmp_path / "harbour/.git").mkdir(parents=True)
    (tmp_path / "harbour/prd.json").write_text(
        '{"userStories": [{"id": "A", "title": "Lamp", "passes": true}]}'
    )
    done = _run(tmp_path, "-C", str(tmp_path / "harbour"), "doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("1 thing needs mending; → says how.\n\nwrong  packages: not installed")
    assert "ok     session start: " in done.stdout


def test_doctor_reads_its_options_without_packages_and_leaves_others_to_the_whole_program(
    tmp_path: Path,
) -> None:
    (tmp_path / "harbour/.git").mkdir(parents=True)
    whole = _run(tmp_path, "-C", str(tmp_path / "harbour"), "doctor", "--verbose")
    assert "…" not in whole.stdout
    other = _run(tmp_path, "doctor", "--json")
    assert (other.returncode, other.stdout) == (3, "")
    assert other.stderr.count("\n") == 1
