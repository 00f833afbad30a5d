"""Fails if tests/golden/texts keeps texts of a test that no source in tests/ has.

Usage: check_texts.py ROOT
"""

import pathlib
import re
import sys

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
HEADING = re.compile(r"^## (?:\w+/)?(\w+)\.(\w+)", re.MULTILINE)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    tests = pathlib.Path(sys.argv[1]).resolve() / "tests"
    known = {test for path in tests.rglob("*.cpp") for test in TEST.findall(path.read_text(encoding="utf-8"))}
    stale = [f"{path.relative_to(tests.parent)}: {'.'.join(test)} is no test; remove its texts"
             for path in sorted((tests / "golden/texts").glob("*.txt"))
             for test in HEADING.findall(path.read_text(encoding="utf-8")) if test not in known]
    print("".join(line + "\n" for line in stale), end="")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
