#!/usr/bin/env python3
"""Writes the generated blocks of README.md and docs/ from the folders that results/folders.json names.

Usage: pages.py [--check] PROGRAM     PROGRAM: gpuseq-bench, whose summary is quoted; with --check: exit code 1 if a page
                                      differs from the records and the program

reports/gpuseq/reference/pages.py describes the blocks.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "reports"))


def main() -> int:
    from gpuseq.errors import UsageError
    from gpuseq.reference.pages import Source, pages, written

    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    source = Source(program=Path(arguments[0]).resolve())
    differ = []
    for page in pages():
        try:
            text = written(page, source)
        except UsageError as error:
            raise SystemExit(f"{page.relative_to(ROOT)}: {error}") from None
        if text == page.read_text(encoding="utf-8"):
            continue
        differ.append(str(page.relative_to(ROOT)))
        if "--check" not in sys.argv[1:]:
            page.write_text(text, encoding="utf-8")
    if differ:
        print(
            f"{', '.join(differ)}: {'differ from the records: run reports/pages.py' if '--check' in sys.argv[1:] else 'written'}"
        )
    return 1 if differ and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
