"""The measuring program gpuseq-bench, which is a binary, and the script that starts it. Runs on Python 3.6 and later.

The analysis of its records is the package gpuseq, which needs Python 3.11 and the extra gpuseq-bench[report].
"""

import os
import platform
import sys

OLDEST_ANALYSIS = (3, 11)
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gpuseq-bench")


def refuse(reason):
    sys.stderr.write("gpuseq-bench: " + reason + "\n")
    return 2


def main():
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        return refuse(
            f"found {sys.platform} on {platform.machine()}; allowed: Linux on x86_64, no other program is built"
        )
    # The commands that call the analysis find it in the environment that this script was installed in.
    os.environ.setdefault("GPUSEQ_PYTHON", sys.executable)
    os.execv(PROGRAM, [PROGRAM] + sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
