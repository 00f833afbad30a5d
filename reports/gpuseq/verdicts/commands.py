"""The commands compare, gate and history."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpuseq.errors import UsageError
from gpuseq.runs import new_folder, require_regular
from gpuseq.seconds import seconds_of, seconds_text
from gpuseq.text import plural, printable, say, without_commands
from gpuseq.verdicts.certificate import certify
from gpuseq.verdicts.compare import Comparison, Options, compare
from gpuseq.verdicts.gate import Gate, GateOptions
from gpuseq.verdicts.history import append_history, history_series, load_history, to_text
from gpuseq.verdicts.outputs import to_annotations, to_json, to_junit, to_markdown, to_table
from gpuseq.verdicts.programs import Program, ProgramGate
from gpuseq.verdicts.sides import Side, load_side
from gpuseq.verdicts.words import units

REGRESSED, UNDECIDED, INTERRUPTED = 1, 3, 130
_BASELINES = Path("runs/baselines")
_PLOTS = (".vl.json", ".svg", ".png", ".pdf")


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"found {text}; allowed: between 0 and 1")
    return value


def _allowed(text: str) -> list[str]:
    names = text.split(",")
    if not set(names) <= {"device", "driver", "problem"}:
        raise argparse.ArgumentTypeError(f"found {text}; allowed: device, driver, problem")
    return names


def _value(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text, re.MULTILINE)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"found {text}, no regular expression: {error}") from None
    if not pattern.groups:
        raise argparse.ArgumentTypeError(
            f"found {text}; allowed: a regular expression with a group, such as time: ([0-9.]+)"
        )
    return pattern


def _plot(text: str) -> Path:
    if not text.endswith(_PLOTS):
        raise argparse.ArgumentTypeError(f"found {text}; allowed: a name that ends in {', '.join(_PLOTS)}")
    return Path(text)


def add_compare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", type=Path, help="run or journal to compare with")
    parser.add_argument("new", type=Path, help="run or journal that is judged")
    _add_judging(parser)


def add_gate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-cmd", default="", help="the program to compare with, in words of a shell")
    parser.add_argument("--new-cmd", default="", help="the program that is judged")
    parser.add_argument("-o", "--output", type=Path, help="folder of all records; default runs/gate-<UTC time>")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of four processes before the first verdict")
    parser.add_argument("--budget", type=seconds_of, default=600.0,
                        help="time for all rounds (600, 10min); the first process of a side may exceed it")  # fmt: skip
    parser.add_argument("--probes", action="store_true", help="judge the config's probes as well")
    parser.add_argument("--save", default="", metavar="NAME", help="keep the new side as a baseline")
    parser.add_argument("--baseline", default="", metavar="NAME", help="compare with a baseline, instead of --base-cmd")
    parser.add_argument("--require-decided", action="store_true", help="exit code 1 for cases that are not decided")
    parser.add_argument("--plugin", action="append", default=[], dest="plugins", metavar="LIBRARY",
                        help="given twice, the base first: libraries whose kernels are judged")  # fmt: skip
    parser.add_argument("--command", action="append", default=[], dest="commands", metavar="COMMAND",
                        help="given twice, the base first: any two programs, each a line for /bin/sh -c")  # fmt: skip
    parser.add_argument("--prepare", default="", metavar="COMMAND", help="before each measurement, not timed")
    parser.add_argument("--value", type=_value, metavar="REGEX", help="its first group is the value, not the wall time")
    parser.add_argument("--value-is", choices=("seconds", "rate"), help="the quantity that --value finds")
    parser.add_argument("arguments", nargs="*", help="arguments of every process")
    _add_judging(parser)


def add_history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="history (history.jsonl)")
    parser.add_argument("--add", action="extend", nargs="+", default=[], type=Path, metavar="RUN",
                        help="run folders or journals to append first")  # fmt: skip
    parser.add_argument("--plot", type=_plot, help="draw it: .vl.json, .svg, .png or .pdf")
    parser.add_argument("--state", default="", help="only cases in whose names this regular expression is found")
    parser.add_argument("--confidence", type=_share, default=0.99, help="confidence of a step")


def _add_judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--min-effect", type=_share, default=0.03, help="a slowdown within it is no regression")
    parser.add_argument(
        "--confidence", type=_share, default=0.95, help="confidence of the intervals and the noise floor"
    )
    parser.add_argument("--fdr", type=_share, default=0.05, help="false discovery rate over all cases")
    parser.add_argument("--allow", action="extend", type=_allowed, default=[], help="device, driver, problem")
    parser.add_argument("--allow-missing", action="store_true", help="missing cases are no failure")
    parser.add_argument("--deleted", type=Path, help="file of the cases that were deleted on purpose, one per line")
    for name in ("markdown", "junit", "json"):
        parser.add_argument(f"--{name}", default="", metavar="FILE", help="- is the standard output")
    parser.add_argument("--history", type=Path, metavar="FILE", help="append the new side to a history")
    parser.add_argument("--plot", type=_plot, metavar="FILE", help="draw the values of both sides")
    parser.add_argument(
        "--annotations", action="store_true", help="print the failed cases as errors and warnings of GitHub Actions"
    )
    parser.add_argument("--all", action="store_true", help="show cases that are the same in the table as well")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _options(given: argparse.Namespace) -> Options:
    options = Options(given.min_effect, given.confidence, given.fdr, allow_missing=given.allow_missing)
    for name in given.allow:
        setattr(options.allowed, name, True)
    if given.deleted:
        options.deleted = list(_deleted(given.deleted))
    if [given.markdown, given.junit, given.json].count("-") > 1:
        raise UsageError("standard output (-) takes one of --markdown, --junit and --json at a time")
    return options


def _deleted(file: Path) -> list[str]:
    """The names in a file of the cases that were deleted on purpose, a line each."""
    require_regular(file)
    names: list[str] = []
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
        name = line.split("#")[0].rstrip()
        if name and ("/" not in name or re.search(r"\s", name)):
            raise UsageError(f'{file}:{number}: found "{printable(name)}"; allowed: family/variant or the whole name of a '
                             "case")  # fmt: skip
        if name:
            names.append(name)
    return names


def run_compare(given: argparse.Namespace) -> int:
    options = _options(given)
    base, new = load_side(given.base), load_side(given.new)
    comparison = compare(base, new, options)
    if len(base.processes) > 1:
        comparison.certificate = certify(base, len(new.processes), options)
    _write(given, comparison, new)
    return comparison.exit_code()


def _write(given: argparse.Namespace, comparison: Comparison, new: Side) -> None:
    from gpuseq.report import write_atomically, write_chart

    outputs: list[tuple[str, Callable[[Comparison], str]]] = [
        (given.markdown, to_markdown), (given.junit, to_junit), (given.json, to_json)]  # fmt: skip
    for place, text_of in outputs:
        if place and place != "-":
            write_atomically(Path(place), text_of(comparison))
    if given.history:
        append_history(given.history, new, comparison)
    if given.plot:
        from gpuseq.verdicts.distributions import draw_distributions

        write_chart(draw_distributions(comparison), [given.plot])
    printed = [text_of for place, text_of in outputs if place == "-"]
    text = printed[0](comparison) if printed else to_table(comparison, given.all, _has_colour(given.color))
    _print(text)
    if given.annotations:
        sys.stdout.write(to_annotations(comparison))
    sys.stdout.flush()


def _print(text: str) -> None:
    sys.stdout.writelines(map(without_commands, text.splitlines(keepends=True)))


def _has_colour(choice: str) -> bool:
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return choice == "always" or (choice == "auto" and not plain)


def run_history(given: argparse.Namespace) -> int:
    for run in given.add:
        say(f"{run}: {plural(append_history(given.file, load_side(run), None), 'line')} added")
    series = history_series(load_history(given.file), given.state, given.confidence)
    for line in to_text(series):
        say(line)
    if given.plot:
        from gpuseq.report import write_chart
        from gpuseq.verdicts.history_figure import draw_history

        specification = given.plot.with_suffix("").with_suffix(".vl.json")
        write_chart(draw_history(series), list(dict.fromkeys([specification, given.plot])))
        say(f"plot: {given.plot}")
    return 0


def _baseline(name: str) -> Path:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise UsageError(f'baseline: found "{printable(name)}"; allowed: letters, digits, ".", "_" and "-"')
    return _BASELINES / name


def run_gate_command(given: argparse.Namespace) -> int:
    judging = _options(given)
    plugins = _plugins(given)
    _take_programs(given)
    if bool(given.base_cmd) + bool(given.baseline) != 1 and not (given.save and not given.base_cmd):
        raise UsageError("gate: give the base as --base-cmd COMMAND or --baseline NAME, or --plugin or --command twice")
    if not 1 <= given.rounds <= 1000:
        raise UsageError(f"gate --rounds: found {given.rounds}; allowed: 1 to 1000")
    base = load_side(_baseline(given.baseline)) if given.baseline else None
    saved = _baseline(given.save) if given.save else None
    output = given.output or new_folder("gate")
    output = _made(output.absolute())
    options = GateOptions(given.base_cmd, given.new_cmd, given.arguments, output, given.rounds, given.budget,
                          given.probes, judging, base, plugins)  # fmt: skip
    program = Program(given.prepare, given.value, given.value_is == "rate")
    gate = ProgramGate(options, program, _report) if given.commands else Gate(options, _report)
    say(f"results: {output}", sys.stderr)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return _gate(given, gate, saved)
    except KeyboardInterrupt:
        say("", sys.stderr)
        if gate.base.processes and gate.new.processes:
            _print(to_table(gate.judged(), True, _has_colour(given.color)))
        say(f"interrupted; the measured part: gpuseq-bench compare {output}/base {output}/new", sys.stderr)
        return INTERRUPTED


def _plugins(given: argparse.Namespace) -> dict[str, str]:
    """The libraries of the sides "base" and "new". The programs that load them are this one unless they are given."""
    if not given.plugins:
        return {}
    if given.commands or given.probes:
        raise UsageError("gate --plugin: takes no --command or --probes")
    one = bool(given.baseline or (given.save and len(given.plugins) == 1))
    if len(given.plugins) != 2 - one or not all(given.plugins):
        raise UsageError(f"gate --plugin: found {len(given.plugins)}; allowed: 2, or 1 with --baseline or --save")
    program = shlex.quote(os.environ["GPUSEQ_PROGRAM"])
    given.new_cmd = given.new_cmd or program
    if not one:
        given.base_cmd = given.base_cmd or program
    return dict(zip(("new",) if one else ("base", "new"), given.plugins, strict=True))


def _take_programs(given: argparse.Namespace) -> None:
    """Takes --command as --base-cmd and --new-cmd."""
    if not given.commands:
        for name in ("prepare", "value", "value_is"):
            if getattr(given, name):
                raise UsageError(f"gate --{name.replace('_', '-')}: goes with --command")
        if not given.new_cmd:
            raise UsageError(
                "gate: give the program that is judged as --new-cmd COMMAND, or --plugin or --command twice"
            )
        return
    if given.base_cmd or given.new_cmd or given.arguments or given.probes:
        raise UsageError("gate --command: takes no --base-cmd, --new-cmd, --probes or arguments")
    if given.value_is and not given.value:
        raise UsageError("gate --value-is: goes with --value")
    if len(given.commands) > 2 or not all(given.commands):
        raise UsageError(f"gate --command: found {len(given.commands)}; allowed: 2, or 1 with --baseline or --save")
    *base, given.new_cmd = given.commands
    given.base_cmd = "".join(base)


def _report(line: str) -> None:
    say(line, sys.stderr)


def _gate(given: argparse.Namespace, gate: Gate, saved: Path | None) -> int:
    code = 0
    if not (given.base_cmd or given.baseline):
        gate.first_rounds()
    else:
        result = gate.run()
        _write(given, result.comparison, result.new)
        _report(f"{plural(result.rounds, 'round')}, {len(gate.new.processes)} processes per side, "
                f"{seconds_text(result.elapsed_s)}")  # fmt: skip
        if given.baseline:
            _report("the baseline was measured earlier, so later changes of this machine are in the difference")
        code = result.comparison.exit_code()
        if result.cut:
            _report("the budget is spent before all rounds were measured")
            code = code or UNDECIDED
        if code == UNDECIDED and given.require_decided:
            _report("not all cases are decided, which --require-decided asks for")
            code = REGRESSED
    if saved:
        shutil.rmtree(saved, ignore_errors=True)
        shutil.copytree(gate.options.output / "new", saved, ignore=shutil.ignore_patterns("*.log", "*.err"))
        count = len(gate.new.processes)
        _report(f"baseline: {saved} ({count} {units('process', count)})")
    return code


def _made(output: Path) -> Path:
    """Makes the folder. Raises UsageError if it is not empty or another gate uses it."""
    try:
        output.mkdir(parents=True, exist_ok=True)
        if any(output.iterdir()):
            raise UsageError(f"--output {output}: is not empty")
        (output / "base").mkdir()  # of two gates in one folder the second fails
    except OSError as error:
        raise UsageError(f"--output {output}: cannot be made: {error.strerror}") from None
    return output


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


COMMANDS = {
    "compare": (add_compare, run_compare),
    "gate": (add_gate, run_gate_command),
    "history": (add_history, run_history),
}
