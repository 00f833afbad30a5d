"""Fails if a source includes a folder that it must not stand on (see CONTRIBUTING.md, "Where things are").

Usage: check_includes.py ROOT
"""

import pathlib
import re
import sys

# folder -> folders that its sources may include
ALLOWED = {
    "runtime": {"runtime"},
    "kernels": {"kernels", "runtime"},
    "probes": {"probes", "runtime"},
    "results": {"results", "runtime"},
    "reports": {"reports", "results", "runtime"},
    "bench": {"bench", "kernels", "probes", "results", "reports", "runtime"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([a-z_]+)/([a-z_]+)?', re.MULTILINE)
SUFFIXES = {".cpp", ".hpp", ".cuh", ".h"}


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
                families = folder == "kernels" and target == "kernels"
                if families and match.group(2) != path.relative_to(root).parts[1]:
                    yield f"{path.relative_to(root)}: a family includes another, {match.group(2)}"


if __name__ == "__main__":
    found = list(wrong_includes(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every include follows the arrows")
    sys.exit(1 if found else 0)
