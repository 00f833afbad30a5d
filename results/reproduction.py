#!/usr/bin/env python3
"""Writes docs/reproduction.md: what the papers print beside what the committed records say.

Usage: reproduction.py [--check]     with --check: exit code 1 if the document is not what the records say

Published values are those of configs/published/ where these have them. Ours are the medians of the fastest point of the
sweep that a row asks for. A paper each is in reproductions/.
"""

import sys

from reproductions.exact_match import exact_match
from reproductions.fm_index import fm_index
from reproductions.pairwise_distance import pairwise_distance
from reproductions.papara import papara
from reproductions.profile_hmm import profile_hmm
from reproductions.tables import ROOT

DOCUMENT = ROOT / "docs" / "reproduction.md"


def document():
    lines = ["# The papers' numbers beside ours", "",
             "Written by [results/reproduction.py](../results/reproduction.py) from committed records and the published values; a test",
             "compares. *Ratio* is how many times as fast or as large (of times: as short) ours is. A gain is *gone* where it is between 0.9 and 1.1. What the figures of the papers print as curves only is",
             "drawn in the folders of the records, not here. From a published kernel to ours a step at a time go the figures",
             "[fm-index/ladder](../results/h200-fm-index-schemes/plots/fm-index-ladder-1.png), [papara/ladder](../results/h200-papara-ladder/plots/papara-ladder.png)",
             "and [profile-hmm/ladder](../results/h200-profile-hmm-ladder/plots/profile-hmm-ladder-1.png).", ""]
    for section in (fm_index, papara, profile_hmm, pairwise_distance, exact_match):
        lines += section()
    return "\n".join(lines).rstrip() + "\n"


def main():
    text = document()
    if "--check" in sys.argv[1:]:
        if DOCUMENT.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{DOCUMENT.relative_to(ROOT)} is not what the records say: run results/reproduction.py")
        return
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
