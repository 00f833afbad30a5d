"""Fails if a source includes a folder that it must not stand on (see CONTRIBUTING.md, "Where things are").

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
# bench/'s folders, each of which may include those before it
BENCH_LAYERS = [
    "base", "peers", "config", "plan", "contest", "size", "tune", "ceiling", "measure", "cards", "winners", "predict", "export", "terminal", "run", "options", "commands"
]
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
                if folder == target == "bench" and match.group(2) in BENCH_LAYERS:
                    own = path.relative_to(root).parts[1]
                    if own in BENCH_LAYERS and BENCH_LAYERS.index(match.group(2)) > BENCH_LAYERS.index(own):
                        yield f"{path.relative_to(root)}: bench/{own} includes bench/{match.group(2)}, which stands on it"
                families = folder == "kernels" and target == "kernels"
                own = path.relative_to(root).parts[1]
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
