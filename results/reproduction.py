#!/usr/bin/env python3
"""Writes the page of the reproduction (DOCUMENT): statements of the papers, and the committed records next to them.

Usage: reproduction.py [--check]     with --check: exit code 1 if the document differs from the records

The rows and the rules that they obey are in reports/gpuseq/reproduce/claims/.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "reports"))


def main() -> None:
    from gpuseq.reproduce.claims.document import DOCUMENT, document

    text = document()
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif DOCUMENT.read_text(encoding="utf-8") != text:
        raise SystemExit(f"{DOCUMENT.relative_to(ROOT)} differs from the records: run results/reproduction.py")


if __name__ == "__main__":
    main()
