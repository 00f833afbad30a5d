#!/usr/bin/env python3
"""Takes folders out of results/, and keeps rows of each variant and problem of their machine: the fastest
configurations by memory.

    reports/retire.py --references [FOLDER...]             which documents, tests, claims and figures name each folder
    reports/retire.py MACHINE FOLDER... [--by FOLDER]      writes MACHINE below configs/machine, removes the folders
    reports/retire.py - FOLDER... [--by FOLDER]            removes the folders without rows

The folders of MACHINE are of one machine, or of GPUs of one model and their hosts. A folder that a document, test, claim or figure
names is refused, unless --by names the folder that has its records from now on: results/folders.json then replaces its name in
claims and figures, and documents and tests remain to be changed. Rows of the golden sets leave with their folder. Run
reports/pages.py afterwards.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "reports"))

from gpuseq.errors import UsageError
from gpuseq.reference.folders import FILE
from gpuseq.reference.retire import drop_golden_rows, references, write_rows


def say_references(names):
    found = references(names)
    for name in sorted(names, key=lambda name: (bool(found[name]), name)):
        places = "; ".join(f"{kind}: {', '.join(files)}" for kind, files in sorted(found[name].items()))
        print(f"{name}: {places or 'nothing names it'}")


def record_replacement(names, by):
    data = json.loads(FILE.read_text(encoding="utf-8"))
    data["complete"] = [name for name in data["complete"] if name not in names]
    if by:
        data["pages"] = {key: by if name in names else name for key, name in data["pages"].items()}
        data["replaced_by"].update({name: by for name in sorted(names)})
    FILE.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def retire(machine, names, by):
    folders = [ROOT / "results" / name for name in names]
    for folder in folders:
        if not (folder / "records.jsonl").is_file():
            raise UsageError(f"{folder} has no records.jsonl; allowed: folders of results/ with a run")
    if by and not (ROOT / "results" / by / "records.jsonl").is_file():
        raise UsageError(f"--by {by}: results/{by} has no records.jsonl")
    named = {name: places for name, places in references(names).items() if places}
    if named and not by:
        first, places = next(iter(named.items()))
        raise UsageError(
            f"{first} is named by {', '.join(file for files in places.values() for file in files)}; "
            "change these, or name the folder that replaces it with --by"
        )
    if machine != "-":
        target = ROOT / "configs" / "machine" / machine
        print(f"{target.relative_to(ROOT)}: {write_rows(folders, target)} rows")
    for folder in folders:
        shutil.rmtree(folder)
    print(f"golden sets: {drop_golden_rows(names, ROOT / 'tests' / 'golden')} rows removed")
    record_replacement(names, by)
    for name, places in named.items():
        print(f"to change: {name} in {', '.join(file for files in places.values() for file in files)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--references", action="store_true")
    parser.add_argument("--by", metavar="FOLDER")
    parser.add_argument("words", nargs="*", metavar="MACHINE FOLDER...")
    given = parser.parse_args()
    try:
        if given.references:
            say_references(given.words or sorted(file.parent.name for file in ROOT.glob("results/*/records.jsonl")))
        elif len(given.words) < 2:
            parser.error("name the machine and at least one folder")
        else:
            retire(given.words[0], given.words[1:], given.by)
    except UsageError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
