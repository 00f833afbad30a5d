"""Fails if a file that is no text lies where only text is expected: outside of the pictures of committed
results and of the data of tests; or if a fuzz target's corpus holds files that libFuzzer wrote there, named by their hash:
inputs that are kept have names. Remains of an install or a download in a checkout are found here.

Usage: check_files.py ROOT
"""

import pathlib
import re
import sys

from check_links import files_of

BINARY = {"results": {".png"}, "tests": None}  # by the first folder, the suffixes that may be binary; None: any
READ = 1 << 16
LIBFUZZERS = re.compile(r"tests/fuzz/corpus/.*/[0-9a-f]{40}")


def is_text(path):
    with path.open("rb") as file:
        start = file.read(READ)
    if b"\0" in start:
        return False
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and len(start) == READ  # cut within a character
    return True


def misplaced(root):
    for path in sorted(files_of(root)):
        name = path.relative_to(root)
        suffixes = BINARY.get(name.parts[0], set())
        if suffixes is not None and path.suffix not in suffixes and not is_text(path):
            yield f"{name}: is no text; only tests/ and pictures in results/ are"
        if LIBFUZZERS.fullmatch(name.as_posix()):
            yield f"{name}: is an input that libFuzzer made; allowed: those that have a name"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(misplaced(pathlib.Path(sys.argv[1]).resolve()))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
