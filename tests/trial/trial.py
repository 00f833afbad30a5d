"""Runs the program on inputs drawn from public reports and says where it is wrong.

Usage: trial.py PROGRAM [--inputs N] [--seed S] [--table FILE] [--keep FOLDER]

N is of each report (all that it has, unless told). Wrong are: another answer than the oracle's, exit 0 or 1 where the input
must be refused, a refusal where it must not be, a signal, 30 s without an end. Exit code 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import model_reports
import sequence_reports
import table_reports
from case import REFUSED, Case, Report


RIGHT, REFUSAL = "right", "refused"


def verdict(program: str, case: Case, folder: Path, threads: int) -> str:
    """RIGHT, REFUSAL where that is allowed, or the error in the program's answer to a case."""
    for name, text in case.files.items():
        (folder / name).write_bytes(text)
    command = [program, *case.arguments, "--out", "out"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "OMP_NUM_THREADS": str(threads)}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return "no end after 30 s"
    said = done.stderr.decode(errors="replace")
    if done.returncode == 2 and (case.right == REFUSED or case.may_refuse):
        told = any(line.startswith("gpuseq-bench: ") for line in said.splitlines())
        return REFUSAL if told and not (folder / "out").exists() else "refused without a message: " + said[:200]
    if done.returncode != 0 or case.right == REFUSED:
        return f"exit code {done.returncode}: {said[:300]}"
    assert not isinstance(case.right, str)
    return case.right(folder, done.stdout.decode(errors="replace") + said) or RIGHT


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    reports = [*sequence_reports.REPORTS, *table_reports.REPORTS, *model_reports.reports(options.program)]

    def one(report: Report, number: int) -> str:
        case = report.make(random.Random(f"{options.seed}/{report.source}/{number}"))
        with tempfile.TemporaryDirectory(prefix="gpuseq-trial-") as folder:
            found = verdict(options.program, case, Path(folder), 1 + number % 2)
            if found not in (RIGHT, REFUSAL) and options.keep:
                kept = options.keep / f"{reports.index(report)}-{number}"
                kept.mkdir(parents=True, exist_ok=True)
                for name, text in case.files.items():
                    (kept / name).write_bytes(text)
                (kept / "command").write_text(" ".join(case.arguments) + f"\n{found}\n")
        return found

    counts: dict[str, collections.Counter[str]] = {report.source: collections.Counter() for report in reports}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        cases = [(report, number) for report in reports for number in range(options.inputs or report.variations)]
        for (report, number), found in zip(cases, pool.map(lambda case: one(*case), cases), strict=True):
            counts[report.source][found if found in (RIGHT, REFUSAL) else "wrong"] += 1
            if found not in (RIGHT, REFUSAL):
                print(f"{report.source} ({report.kind}), input {number}: {found}")
    lines = ["| source | kind | inputs | right answers | refused, as is right | wrong |", "|---|---|---|---|---|---|"]
    for report in reports:
        of = counts[report.source]
        name = "/".join(report.source.split("/")[3:5]) + "#" + report.source.split("/")[-1]
        lines.append(f"| [{name}]({report.source}) | {report.kind} | {of.total()} | {of[RIGHT]} | {of[REFUSAL]} | {of['wrong']} |")
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    wrong = sum(of["wrong"] for of in counts.values())
    print(f"{sum(of.total() for of in counts.values())} inputs of {len(reports)} reports, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
