"""Fails if a file that nobody can read as text stands where only text is expected: outside of the pictures of committed
results and of what tests read. What an install or a download leaves behind in a checkout is found here.

Usage: check_files.py ROOT
"""

import pathlib
import sys

from check_links import files_of

BINARY = {"results": {".png"}, "tests": None}  # by the first folder, the suffixes that may be binary; None: any
READ = 1 << 16


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
            yield name


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(misplaced(pathlib.Path(sys.argv[1]).resolve()))
    for name in found:
        print(f"{name}: is no text; only tests/ and pictures in results/ are")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
