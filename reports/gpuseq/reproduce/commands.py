"""The command reproduce: plans, measures and draws one figure."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.figures import find_figures
from gpuseq.print_options import add_print_options, print_options, source_root
from gpuseq.published import Published
from gpuseq.report import Loaded, Options, chart_of, recorded_published, say_result, write_plots
from gpuseq.reproduce.measuring import Measuring, Plan, measure, plan, run_name
from gpuseq.reproduce.table import REPRODUCTIONS, Reproduction, reproduction_of
from gpuseq.runs import Report, load_runs, new_folder
from gpuseq.seconds import seconds_of, seconds_text
from gpuseq.text import plural, say

FINE, FAILED = 0, 1
_LEAST_BUDGET_S = 1.0  # of the measuring, which then measures a case of each problem


def add_reproduce(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("figure", help="fm-index/fig8 ...; 'list' prints them, with the run of each")
    parser.add_argument(
        "--over",
        type=Path,
        metavar="RUN",
        help="run to draw over; default: the listed one; an installed program has none",
    )
    parser.add_argument(
        "-c", "--config", type=Path, metavar="FILE", help="description of the run; default: the listed one"
    )
    parser.add_argument("--set", action="append", default=[], metavar="TEXT", help="override a.b.c=JSON of the config")
    parser.add_argument("--device", default="", metavar="DEVICES", help="cpu, cuda:N, all, auto or a list")
    parser.add_argument("--budget", type=seconds_of, help="time for the whole command (90, 2min, 1h)")
    parser.add_argument("-o", "--output", "--out", type=Path, metavar="FOLDER",
                        help="folder of plots/ and of the run; default runs/reproduce-<figure>-<UTC time>")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="the list as JSON")
    parser.add_argument("--benchmark-flag", action="append", default=[], help="a flag of Google Benchmark")
    add_print_options(parser)


def run_reproduce(given: argparse.Namespace) -> int:
    start = time.monotonic()
    if given.figure == "list":
        _list(given.json)
        return FINE
    row = reproduction_of(given.figure)
    options = print_options(given)
    root = source_root()
    committed = _committed(given, row, root)
    config = given.config or root / "configs" / row.config
    measuring = Measuring(row, config, given.set, given.device, given.benchmark_flag)
    planned = plan(measuring)
    if not isinstance(planned, Plan):
        return planned
    if not planned.states:
        for remark in planned.remarks:
            say(remark, sys.stderr)
        records = f"; {committed} has the committed records, which `report` draws" if committed else ""
        raise UsageError(f"reproduce {row.figure}: nothing that it draws can be measured here with {config}{records}")
    behind, drawing_s = _behind(row, committed) if committed else (None, 0.0)
    rest = given.budget and max(_LEAST_BUDGET_S, given.budget - (time.monotonic() - start) - drawing_s)
    _say_plan(planned, rest)
    output = given.output or new_folder(run_name(row))
    code = measure(measuring, output / "run", rest)
    if code not in (FINE, FAILED):
        return code
    if not any(record.data["status"] == "ok" for record in load_runs([output / "run"]).only(row.draws).records):
        say(f"reproduce {row.figure}: no case was measured, so nothing is drawn; give a larger --budget, or smaller problems "
            "by --set", sys.stderr)  # fmt: skip
        return FAILED
    options.folders, options.output, options.figures = [output / "run"], output, [row.figure]
    options.over = [committed] if committed else []
    return _draw(options, behind, root) or code


def _list(as_json: bool) -> None:
    if as_json:
        keys = ("figure", "config", "run", "families", "probes", "states", "bounds", "published")
        print(json.dumps([{key: getattr(row, key) for key in keys} for row in REPRODUCTIONS], indent=1))
        return
    for row in REPRODUCTIONS:
        say(f"{row.figure:30} {row.config:30} over results/{row.run}")


def _committed(given: argparse.Namespace, row: Reproduction, root: Path) -> Path | None:
    """The run to draw over; None for an installed program, which has no committed runs. Raises UsageError if it has no
    records."""
    if not given.over and not (root / "results").is_dir():
        say(
            f"results/{row.run} is in a checkout only: the figure will have this machine alone; --over RUN draws over a run",
            sys.stderr,
        )
        return None
    folder: Path = given.over or root / "results" / row.run
    if not os.path.lexists(folder / "records.jsonl"):
        raise UsageError(f"reproduce {row.figure}: {folder} has no records.jsonl; --over names the run to draw over")
    return folder


def _behind(row: Reproduction, committed: Path) -> tuple[Report, float]:
    """The same cases of the committed run, and the seconds that reading and drawing them took, which the figure of both
    takes again."""
    start = time.monotonic()
    report = load_runs([committed])
    behind = report.only(row.draws)
    (figure,) = find_figures([row.figure])
    chart_of(figure, behind, Published())
    return behind, time.monotonic() - start


def _say_plan(planned: Plan, rest: float | None) -> None:
    typical, most = seconds_text(planned.typical_s), seconds_text(planned.most_s)
    cases = plural(round(planned.states), "case")
    say(f"plan: {cases}, about {typical} on a quiet machine, at most {most} on a busy one", sys.stderr)
    if rest is not None and planned.typical_s > rest:
        say(f"--budget leaves {seconds_text(rest)} for measuring, less than {typical}: cases that do not fit are left out",
            sys.stderr)  # fmt: skip
    sys.stderr.flush()


def _draw(options: Options, behind: Report | None, root: Path) -> int:
    """The figure of the run, over the committed one if there is one."""
    options.published, remarks = recorded_published(options.folders, root)
    result, _ = write_plots(options, Loaded(options, behind))
    say_result(result, remarks)
    return FINE if result.files else FAILED
