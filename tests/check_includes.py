"""Fails if a source includes a folder that it must not use (see CONTRIBUTING.md, "Where things are").

Usage: check_includes.py ROOT
"""

import collections
import pathlib
import re
import sys

# folder -> folders that its sources may include
ALLOWED = {
    "runtime": {"runtime"},
    "kernels": {"kernels", "runtime"},
    "probes": {"probes", "runtime"},
    "results": {"results", "runtime"},
    "bench": {"bench", "kernels", "probes", "results", "runtime"},
}
# folder of bench/ -> those that it may include; each uses those above it
BENCH = {
    "config": set(),
    "plugin": {"config"},
    "tools": {"config", "plugin"},
    "bound": {"config"},
    "export": {"config"},
    "plan": {"config"},
    "measure": {"config", "bound", "plan"},
    "profile": {"config", "bound", "plan"},
    "phases": {"config", "bound", "plan", "profile"},
    "run": {"config", "plugin", "tools", "bound", "export", "plan", "measure", "profile", "phases"},
    "commands": {"config", "plugin", "tools", "bound", "export", "plan", "measure", "profile", "phases", "run"},
}
# A family on another's text, queries and transform; no other family includes one
FAMILIES_BELOW = {"fm_locate": {"fm_index"}, "fm_mismatch": {"fm_index", "fm_locate"}}
MOST_FILES = 30  # of a source folder
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([a-z_]+)/([a-z_]+)?', re.MULTILINE)
SUFFIXES = {".cpp", ".cu", ".cuh", ".h", ".hpp"}


def wrong_includes(root):
    for folder, allowed in ALLOWED.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            text = path.read_text(encoding="utf-8")
            if folder != "bench" and re.search(r"#\s*include\s*<benchmark/", text):
                yield f"{path.relative_to(root)}: only bench/ includes Google Benchmark"
            for match in INCLUDE.finditer(text):
                target = match.group(1)
                if target in ALLOWED and target not in allowed:
                    yield f"{path.relative_to(root)}: includes {target}/, allowed: {', '.join(sorted(allowed))}"
                own = path.relative_to(root).parts[1]
                if folder == target == "bench" and own in BENCH:
                    if match.group(2) not in BENCH[own] | {own}:
                        yield f"{path.relative_to(root)}: bench/{own} includes bench/{match.group(2)}"
                families = folder == "kernels" and target == "kernels"
                if families and match.group(2) not in {own, "common"} | FAMILIES_BELOW.get(own, set()):
                    yield f"{path.relative_to(root)}: a family includes another, {match.group(2)}"


def crowded_folders(root):
    sources = [path for folder in [*ALLOWED, "tests"] for path in (root / folder).rglob("*")
               if path.suffix in SUFFIXES | {".py", ".js", ".css"} and "__pycache__" not in path.parts]
    for folder, count in sorted(collections.Counter(path.parent for path in sources).items()):
        if count > MOST_FILES:
            yield f"{folder.relative_to(root)}: {count} source files, allowed: {MOST_FILES}"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1])
    found = [*wrong_includes(root), *crowded_folders(root)]
    print("\n".join(found) or "every include follows the arrows, and no folder is crowded")
    sys.exit(1 if found else 0)
