"""Plants the faults of faults.toml in a throwaway checkout, and runs the tests that shall notice them (README.md)."""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

FAULTS = Path(__file__).resolve().parent / "faults.toml"
AREAS = {"kernels": 28, "sampler": 10, "bounds": 12, "verdicts": 10}
TIMEOUT_S = 600.0

HEADER = """#pragma once
#include <cstdlib>

/// Whether the fault of that number is active.
inline bool planted(int number) {
  static const int active = [] {
    const char* const text = std::getenv("GPUSEQ_PLANTED");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return number == active;
}
"""
INCLUDE, PYTHON_HEAD = '#include "build/planted.hpp"\n', "from __future__ import annotations\n"
PYTHON_HELPER = 'import os as _os; planted = lambda number: _os.environ.get("GPUSEQ_PLANTED") == str(number)\n'


@dataclass(frozen=True)
class Fault:
    number: int
    area: str
    what: str
    file: str
    find: str
    plant: str
    tests: tuple[str, ...]  # names of programs, patterns of such, or files of pytest


def read_faults() -> list[Fault]:
    rows = enumerate(tomllib.loads(FAULTS.read_text("utf-8"))["fault"], 1)
    return [Fault(number, **row | {"tests": tuple(row["tests"])}) for number, row in rows]


def planted_texts(root: Path, faults: list[Fault]) -> tuple[dict[Path, str], list[str]]:
    """The changed files, and the errors of rows."""
    texts: dict[Path, str] = {}
    problems: list[str] = []
    for fault in faults:
        path = root / fault.file
        text = texts.get(path) or (path.read_text("utf-8") if path.is_file() else "")
        if (count := text.count(fault.find)) != 1:
            problems.append(f"row {fault.number}, {fault.file}: its text occurs {count} times")
        texts[path] = text.replace(fault.find, fault.plant.replace("{n}", str(fault.number)))
    return texts, problems


def with_helper(path: Path, text: str) -> str:
    behind, line = (PYTHON_HEAD, PYTHON_HELPER) if path.suffix == ".py" else ("#pragma once\n", INCLUDE)
    return text.replace(behind, behind + line, 1) if behind in text else line + text


def plant(root: Path, faults: list[Fault]) -> int:
    texts, problems = planted_texts(root, faults)
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 2
    for path, text in texts.items():
        path.write_text(with_helper(path, text), "utf-8")
    (root / "build").mkdir(exist_ok=True)
    (root / "build" / "planted.hpp").write_text(HEADER, "utf-8")
    print(f"{len(faults)} faults in {len(texts)} files")
    return 0


@dataclass
class Run:
    code: int
    output: str
    seconds: float
    timed_out: bool

    def failed(self) -> list[str]:
        """The tests that failed, in the words of GoogleTest or pytest."""
        failed = r"^(?:\[  FAILED  \]|FAILED|ERROR) ([^\s,]+(?:\.|::)[^\s,]+)"
        return list(dict.fromkeys(re.findall(failed, self.output, re.MULTILINE)))


@dataclass
class Program:
    """A test program, or a file of pytest."""

    name: str
    command: list[str]
    is_python: bool
    left_out: list[str] = field(default_factory=list[str])  # tests that fail without a fault
    usual_s: float = 0.0
    works: bool = True

    def run(self, root: Path, number: int, limit_s: float, only: str = "") -> Run:
        """Fault 0 is none; then the program goes on after a test that fails. `only`: the test that is run."""
        command = list(self.command)
        if self.is_python:
            command = [*command[:-1], only or command[-1], *(["-x"] if number else [])]
            command += [f"--deselect={test}" for test in self.left_out]
        else:
            command += ["--gtest_brief=1", *(["--gtest_fail_fast"] if number else [])]
            command += [f"--gtest_filter={only or '-' + ':'.join(self.left_out)}"]
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="planted-", ignore_cleanup_errors=True) as own:
            folder = Path(own)
            (folder / "tmp").mkdir()
            variables = {"GPUSEQ_PLANTED": str(number), "CUDA_VISIBLE_DEVICES": "", "TMPDIR": f"{folder}/tmp",
                         "XDG_CACHE_HOME": f"{folder}/cache"}  # fmt: skip
            if self.is_python:
                variables["PYTHONPATH"] = str(root / "reports")
            elif self.name.startswith("bench_"):
                variables["GPUSEQ_PYTHON"] = "/nonexistent"  # as in tests/CMakeLists.txt: no page is drawn
            with (folder / "output").open("wb") as output:
                child = subprocess.Popen(command, cwd=root if self.is_python else folder / "tmp", stdout=output,
                                         stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                                         env=os.environ | variables)  # fmt: skip
                timed_out = False
                try:
                    child.wait(limit_s)
                except subprocess.TimeoutExpired:
                    timed_out = True
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)  # and what it left behind
                child.wait()
            text = (folder / "output").read_text("utf-8", "replace")
        return Run(child.returncode, text, time.monotonic() - start, timed_out)

    def try_without_fault(self, root: Path) -> str:
        """The part left out of the check, and why; empty: nothing."""
        run = self.run(root, 0, 3 * TIMEOUT_S)
        self.usual_s = run.seconds
        if run.code == 0:
            return ""
        self.left_out = run.failed()
        again = self.run(root, 0, 3 * TIMEOUT_S) if self.left_out and not run.timed_out else run
        self.works = again.code == 0
        if self.works:
            return f"{self.name}: {', '.join(self.left_out)}"
        lines = again.output.strip().splitlines() or ["it printed nothing"]
        return f"{self.name}: all of it ({'time limit' if again.timed_out else f'code {again.code}'}: {lines[-1]})"


def programs_of(fault: Fault, root: Path, folder: Path, python: str, known: dict[str, Program]) -> list[Program]:
    """Those that shall notice a fault, the ones with the name of its file first."""
    present = sorted(path.name for path in folder.glob("*_test") if path.is_file())
    names: list[str] = []
    for pattern in fault.tests:
        names += [pattern] if pattern.endswith(".py") else fnmatch.filter(present, pattern)
    for name in names:
        is_python = name.endswith(".py")
        command = ([python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", name] if is_python
                   else [str(folder / name)])  # fmt: skip
        known.setdefault(name, Program(name, command, is_python))
    stem = Path(fault.file).stem.removesuffix("-inl")
    return [known[name] for name in sorted(dict.fromkeys(names), key=lambda name: stem not in name)]


def check(fault: Fault, programs: list[Program], root: Path) -> list[str]:
    """A line of the results: number, area, `what`, outcome, first failing test, seconds."""
    waiting = [program for program in programs if program.works]
    outcome, first, start = "missed" if waiting else "untested", "", time.monotonic()
    while waiting and outcome == "missed":
        program = waiting.pop(0)
        limit_s = max(TIMEOUT_S, 2 * program.usual_s)
        run = program.run(root, fault.number, limit_s)
        failed = [] if run.timed_out else run.failed()[:1]
        if failed and program.run(root, fault.number, limit_s, failed[0]).code == 0:  # it had failed by chance
            waiting.insert(0, replace(program, left_out=program.left_out + failed))
        elif run.timed_out or run.code:
            outcome = "timeout" if run.timed_out else "caught" if failed else "crash"
            first = f"{program.name}: {failed[0] if failed else f'code {run.code}'}"
    return [str(fault.number), fault.area, fault.what, outcome, first, f"{time.monotonic() - start:.1f}"]


def shares(rows: list[list[str]]) -> Iterator[str]:
    for area in [*AREAS, ""]:
        tested = [row[3] for row in rows if row[1].startswith(area) and row[3] != "untested"]
        if tested:
            noticed = sum(outcome != "missed" for outcome in tested)
            yield f"{area or 'all'} {noticed} of {len(tested)} ({100 * noticed / len(tested):.0f} %)"


def run_all(options: argparse.Namespace, faults: list[Fault]) -> int:
    root, known = options.root.resolve(), dict[str, Program]()
    folder = (options.programs or root / "build/release/tests").resolve()
    first, _, last = options.rows.partition("-")
    chosen = [fault for fault in faults if int(first) <= fault.number <= int(last or first)]
    programs = {fault: programs_of(fault, root, folder, options.python, known) for fault in chosen}
    rows: dict[int, list[str]] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for said in pool.map(lambda program: program.try_without_fault(root), known.values()):
            if said:
                print(f"fails without a fault and is left out: {said}", file=sys.stderr, flush=True)
        waiting = [pool.submit(check, fault, programs[fault], root) for fault in chosen]
        for done in as_completed(waiting):
            row = done.result()
            rows[int(row[0])] = row
            print("\t".join(row), file=sys.stderr, flush=True)
            ordered = [rows[number] for number in sorted(rows)]
            lines = [*map("\t".join, ordered), "# " + "; ".join(shares(ordered))]
            options.output.write_text("\n".join(lines) + "\n", "utf-8")
    print("; ".join(shares(list(rows.values()))))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("plant", "run"):
        command = commands.add_parser(name)
        command.add_argument("root", type=Path, help="a throwaway checkout")
        if name == "run":
            command.add_argument("--programs", type=Path, help="folder of the test programs")
            command.add_argument("--jobs", type=int, default=1, help="rows at a time")
            command.add_argument("--rows", default=f"1-{sum(AREAS.values())}", help="A-B")
            command.add_argument("--output", type=Path, default=Path("results.tsv"))
            command.add_argument("--python", default=sys.executable, help="that has pytest and the package's needs")
    options = parser.parse_args()
    faults = read_faults()
    return plant(options.root.resolve(), faults) if options.command == "plant" else run_all(options, faults)


if __name__ == "__main__":
    sys.exit(main())
