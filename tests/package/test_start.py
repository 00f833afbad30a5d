"""reports/start.py names the packages that an interpreter lacks, and ends with 2."""

import subprocess
import sys
from pathlib import Path

START = Path(__file__).resolve().parents[2] / "reports/start.py"


def refusal(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_old_python_is_named() -> None:
    old = f"import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path({str(START)!r}, run_name='__main__')"
    assert "need Python 3.11 or later, found" in refusal(sys.executable, "-c", old)


def test_missing_package_is_named() -> None:
    said = refusal(sys.executable, "-S", START, "--check")  # without site-packages
    assert "need the Python package" in said
    assert "get it: pip install" in said
