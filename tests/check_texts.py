"""Fails if tests/golden/texts keeps texts of a test, or a document names a test, that no source in tests/ has.

Usage: check_texts.py ROOT
"""

import pathlib
import re
import sys

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
HEADING = re.compile(r"^## (?:\w+/)?(\w+)\.(\w+)", re.MULTILINE)
ADDED = re.compile(r"\bNAME (\w+)\.([\w${}]+)")
PYTHON = re.compile(r"^ *def (test_\w+)", re.MULTILINE)
NAMED = re.compile(r"`(?:([A-Z]\w+)\.([A-Z]\w*\*?|\*)|(test_\w+))`")


def read(folder, pattern):
    return ((path, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob(pattern)))


def is_test(name, known, python):
    suite, test, function = name
    if function:
        return function in python
    begin = test.removesuffix("*")
    return any(one == suite and (other == test or test.endswith("*") and other.startswith(begin)) for one, other in known)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1]).resolve()
    tests = root / "tests"
    known = {test for _, text in read(tests, "*.cpp") for test in TEST.findall(text)}
    stale = [f"{path.relative_to(root)}: {'.'.join(test)} is no test; remove its texts"
             for path, text in read(tests / "golden/texts", "*.txt") for test in HEADING.findall(text) if test not in known]
    known |= {test for _, text in read(tests, "CMakeLists.txt") for test in ADDED.findall(text)}
    python = {test for _, text in read(tests, "*.py") for test in PYTHON.findall(text)} | {path.stem for path in tests.rglob("test_*.py")}
    documents = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "kernels").glob("*/*.md")]
    stale += [f"{path.relative_to(root)}: {name[2] or '.'.join(name[:2])} is no test"
              for path in sorted(documents) if path.name != "CHANGELOG.md"
              for name in NAMED.findall(path.read_text(encoding="utf-8")) if not is_test(name, known, python)]
    print("".join(line + "\n" for line in stale), end="")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
