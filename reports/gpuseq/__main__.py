"""Commands of gpuseq-bench that explain records: `python -m gpuseq COMMAND`, called by `gpuseq-bench COMMAND`."""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from gpuseq.errors import UsageError
from gpuseq.print_options import add_print_options, print_options, source_root
from gpuseq.text import plural, say

FAILED, WRONG_USE = 1, 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog.removeprefix('gpuseq-bench ')}: {message.removeprefix('argument ')}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _Parser(prog="gpuseq-bench", description="Explains the records of gpuseq-bench.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_report(commands.add_parser("report", help="write plots and report.html of one or several runs"))
    _add_query(commands.add_parser("query", help="query the records of runs with SQL"))
    chart = commands.add_parser("chart")  # of the measuring program, as JSON on the standard input
    chart.add_argument("files", nargs="+", type=Path)
    words = list(sys.argv[1:] if arguments is None else arguments)
    run: dict[str, Callable[[argparse.Namespace], int]] = {"report": _report, "query": _query, "chart": _chart}
    if words and words[0] in ("compare", "gate", "history"):  # figures need not wait for what these import
        from gpuseq.verdicts.commands import COMMANDS

        add, run[words[0]] = COMMANDS[words[0]]
        add(commands.add_parser(words[0]))
    if words and words[0] in ("slurm", "slurm-shard"):
        from gpuseq.slurm.commands import COMMANDS as ON_CLUSTERS

        add, run[words[0]] = ON_CLUSTERS[words[0]]
        add(commands.add_parser(words[0]))
    if words and words[0] == "reproduce":
        from gpuseq.reproduce.commands import add_reproduce, run_reproduce

        add_reproduce(commands.add_parser("reproduce"))
        run["reproduce"] = run_reproduce
    try:
        given = parser.parse_args(words)
        return run[given.command](given)
    except UsageError as error:
        say(f"gpuseq-bench: {error}", sys.stderr)
        return WRONG_USE
    except OSError as error:
        say(f"gpuseq-bench: {error.filename}: {error.strerror}", sys.stderr)
        return WRONG_USE
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        if os.environ.get("GPUSEQ_TRACEBACK"):
            raise
        say(f"gpuseq-bench: the records are not as their schema says ({type(error).__name__}: {error}); "
            "`gpuseq-bench validate RUN` names the line", sys.stderr)  # fmt: skip
        return WRONG_USE


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dirs", nargs="*", type=Path, metavar="RUN", help="run folders; several make one report")
    parser.add_argument("--figure", action="extend", nargs="+", default=[], metavar="NAME",
                        help="only these figures (fm-index/fig8 suite/roofline ...), no page; 'list' lists them")  # fmt: skip
    add_print_options(parser)
    parser.add_argument("-o", "--output", "--out", type=Path, help="folder to write to; default: the first run")
    parser.add_argument("--over", action="append", default=[], type=Path, metavar="RUN",
                        help="run that figures are drawn over, in shared axes: its marks are hollow, behind")  # fmt: skip
    parser.add_argument("--published", action="extend", nargs="+", default=[], type=Path, metavar="FILE",
                        help="published values to draw (configs/published/), in addition to those of the runs")  # fmt: skip
    parser.add_argument("--by-model", action="store_true",
                        help="GPUs of one model, memory, driver and limits count as one device")  # fmt: skip
    parser.add_argument("--export-nvbench", type=Path, metavar="FILE", help="one run in NVBench's JSON; no page")
    parser.add_argument("--no-page", action="store_true", help="only the plots, no report.html")


def _add_query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sql", help="one SELECT statement over the table `records`, or 'columns' to list its columns")
    parser.add_argument("dirs", nargs="*", type=Path, metavar="RUN", help="run folders")
    parser.add_argument("--format", default="table", help="table (default), csv or parquet")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: the terminal")


def _require_folders(command: str, folders: list[Path]) -> None:
    if not folders:
        raise UsageError(f"{command}: give the folder of a run, or of several")
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{command} {folder}: is not a folder")


def _report(given: argparse.Namespace) -> int:
    from gpuseq.report import Loaded, recorded_published, say_result, write_plots

    # `report --figure fm-index/fig8 RUN`: an option with several values takes the folder behind them, too.
    names: list[str] = [name for name in given.figure if name == "list" or not Path(name).is_dir()]
    folders: list[Path] = [*given.dirs, *(Path(name) for name in given.figure if name not in names)]
    _require_folders("report", folders)
    if given.export_nvbench:
        return _export_nvbench(folders, given.export_nvbench)
    if given.over:
        _require_folders("report --over", given.over)
    options = print_options(given)
    root = source_root()
    published, remarks = recorded_published(folders, root)
    for file in given.published:
        here = root / "configs" / "published" / file
        published.append(here if not file.exists() and here.exists() else file)
    listing = names == ["list"]
    options.folders, options.output, options.over = folders, given.output, given.over
    options.figures, options.published, options.by_model = [] if listing else names, published, given.by_model
    loaded = Loaded(options)
    if listing:
        for figure, chart in loaded.drawings():
            reason = f"  [not drawn: {chart}]" if isinstance(chart, str) else ""
            say(f"{figure.name:20} {figure.title}{reason}")
        return 0
    scripts = None
    if not names and not given.no_page:
        from gpuseq.page.vega_scripts import VegaScripts

        scripts = VegaScripts()  # takes seconds, while this process reads and draws
    result, drawings = write_plots(options, loaded)
    if not names and not given.no_page:
        from gpuseq.page import write_page
        from gpuseq.page.commands import uses_of

        page = loaded.folder / "report.html"
        no_plots = write_page(
            loaded.report,
            loaded.published,
            drawings,
            page,
            root=root,
            scripts=scripts,
            exec_uses=uses_of(os.environ.get("GPUSEQ_EXEC_USES", "")),
        )
        for remark in result.remarks:
            say(remark)
        say(f"report: {page}")
        for remark in remarks:
            say(remark, sys.stderr)
        if no_plots:
            say(f"no plots on its page: {no_plots}")
        return 0
    say_result(result, remarks)
    return FAILED if names and not result.files else 0


def _export_nvbench(folders: list[Path], file: Path) -> int:
    from gpuseq.foreign.nvbench_export import export_nvbench
    from gpuseq.runs import load_runs

    if len(folders) > 1:
        raise UsageError(f"report --export-nvbench: found {len(folders)} runs; allowed: one")
    say(f"{file}: {plural(export_nvbench(load_runs(folders), file), 'case')}")
    return 0


def _chart(given: argparse.Namespace) -> int:
    from gpuseq.charts.read import line_chart
    from gpuseq.report import write_chart

    write_chart(line_chart(json.load(sys.stdin)), given.files)
    return 0


def _query(given: argparse.Namespace) -> int:
    from gpuseq.frames import COLUMNS
    from gpuseq.query import FORMATS, query

    if given.sql == "columns" and not given.dirs:
        for name, meaning in COLUMNS.items():
            print(f"{name:22} {meaning}")
        print("problem_<axis>, point_<axis>, fact_<name>: the axes and facts that the records have")
        return 0
    if given.format not in FORMATS:
        raise UsageError(f'query --format: found "{given.format}"; allowed: {", ".join(FORMATS)}')
    _require_folders("query", given.dirs)
    query(given.sql, given.dirs, given.format, given.output)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `gpuseq-bench query ... | head`
    gc.disable()  # records are millions of objects, of which none is in a cycle
    sys.exit(main())
