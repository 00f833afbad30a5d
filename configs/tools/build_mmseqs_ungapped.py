#!/usr/bin/env python3
"""Puts mmseqs_ungapped, the external tool that runs MMseqs2's ungapped prefilter, into build/tools of the checkout: a shell script."""

import pathlib
import shutil
import tempfile

from compiled import HERE, publish

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        publish(shutil.copy(HERE / "mmseqs_ungapped.sh", pathlib.Path(scratch) / "mmseqs_ungapped"), "mmseqs_ungapped")
