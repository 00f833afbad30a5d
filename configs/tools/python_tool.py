"""Shared by the scripts that install external tools of PyPI: a virtual environment for one program."""

import pathlib
import shlex
import shutil
import sys
import tempfile

from compiled import FOLDER, HERE, publish, run


def install(name, requirement):
    """Puts a package into an environment of its own, and a program NAME that runs NAME.py next to this file by it."""
    environment = FOLDER / "environments" / name
    shutil.rmtree(environment, ignore_errors=True)
    run([sys.executable, "-m", "venv", environment])
    run([environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement])
    words = shlex.join([str(environment / "bin/python"), str(HERE / f"{name}.py")])
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / name
        made.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        made.chmod(0o755)
        publish(made, name)
