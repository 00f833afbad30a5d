#!/usr/bin/env python3
"""Counts the lines and tokens of the source at a commit, by top-level folder.

Source is every file that git tracks outside tests/ with one of the endings below or the name CMakeLists.txt. Markdown,
JSON, records, pictures, templates (*.in), scripts without an ending and symbolic links are not counted.
A line is a newline, as `wc -l` counts it: comments and blank lines are lines.
A token is a run of letters, digits and underscores, or any other single character that is not white space; words and
marks of comments and strings are tokens, too.
"""

import argparse
import collections
import re
import subprocess
import sys

ENDINGS = (".c", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".py", ".js", ".css", ".sh", ".cmake", "CMakeLists.txt")
TOKEN = re.compile(r"\w+|[^\w\s]")


def git(*arguments: str, text: str = "") -> bytes:
    return subprocess.run(["git", *arguments], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


def source_files(commit: str) -> dict[str, str]:
    """Object names by path, relative to the top of the tree."""
    files: dict[str, str] = {}
    for entry in git("ls-tree", "-r", "-z", "--full-tree", commit).decode().split("\0")[:-1]:
        attributes, path = entry.split("\t")
        mode, _, name = attributes.split()
        if mode.startswith("100") and path.endswith(ENDINGS) and not path.startswith("tests/"):
            files[path] = name
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", default="HEAD", help="the commit to count (default: HEAD)")
    commit = parser.parse_args().commit
    try:
        files = source_files(commit)
    except subprocess.CalledProcessError:
        sys.exit(f"error: no commit {commit} here")
    counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0])
    contents = git("cat-file", "--batch", text="".join(name + "\n" for name in files.values()))
    for path in files:
        head, contents = contents.split(b"\n", 1)
        size = int(head.split()[2])
        text, contents = contents[:size].decode(), contents[size + 1 :]
        folder = path.split("/")[0] if "/" in path else "."
        for key in (folder, "sum"):
            for i, count in enumerate((1, text.count("\n"), len(TOKEN.findall(text)))):
                counts[key][i] += count
    print(f"{'folder':<10}{'files':>8}{'lines':>10}{'tokens':>12}")
    for key in [*sorted(counts.keys() - {"sum"}), "sum"]:
        files_of, lines, tokens = counts[key]
        print(f"{key:<10}{files_of:>8}{lines:>10}{tokens:>12}")


if __name__ == "__main__":
    main()
