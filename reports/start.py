"""Starts the package gpuseq for gpuseq-bench, or prints the packages that this interpreter lacks. Runs on Python 3.6 and later.

Usage: start.py COMMAND ..., start.py --check
"""

import os
import platform
import runpy
import sys

OLDEST = (3, 11)
OF_CHECKOUT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "requirements.txt")
HOW_TO_GET = "pip install -r requirements.txt" if os.path.exists(OF_CHECKOUT) else "pip install 'gpuseq-bench[report]'"


def refuse(reason):
    sys.stderr.write("gpuseq-bench: {} ({}); records need no package\n".format(reason, sys.executable))
    sys.exit(2)


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        refuse("figures and pages need Python {}.{} or later, found {}".format(*OLDEST, platform.python_version()))
    try:
        runpy.run_module(
            "gpuseq.check" if sys.argv[1:] == ["--check"] else "gpuseq", run_name="__main__", alter_sys=True
        )
    except ModuleNotFoundError as error:
        refuse("figures and pages need the Python package {}; get it: {}".format(error.name, HOW_TO_GET))
