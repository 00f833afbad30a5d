"""Builds the wheel with scikit-build-core, and gives it the tag that auditwheel reads from its program.

pip calls these functions (PEP 517): `python3 -m pip wheel --no-deps .`
"""

import pathlib
import subprocess
import sys
import tempfile

from scikit_build_core import build

get_requires_for_build_wheel = build.get_requires_for_build_wheel
prepare_metadata_for_build_wheel = build.prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        name = build.build_wheel(folder, config_settings, metadata_directory)
        audit = [sys.executable, "-m", "auditwheel", "repair", "--only-plat", "--wheel-dir", wheel_directory]
        before = set(pathlib.Path(wheel_directory).glob("*.whl"))
        subprocess.run([*audit, str(pathlib.Path(folder, name))], check=True)
    (made,) = set(pathlib.Path(wheel_directory).glob("*.whl")) - before
    return made.name
