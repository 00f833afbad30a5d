"""Commands that the page offers: to measure a winner again, and to run it on files of one's own."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.page.html import value_text
from gpuseq.runs import Json, Record, Run, dict_at, list_at, point_text, read_json, text_at

_PROGRAM = "gpuseq-bench"


@dataclass(frozen=True)
class ExecUse:
    """How `gpuseq-bench exec` takes a family. The program knows; records do not."""

    roles: list[str]  # of --data, each with a file
    variants: list[str]
    options: dict[str, bool]  # axis of the problem: whether its option is a flag, given for "yes"


def uses_of(text: str) -> dict[str, ExecUse]:
    """The uses of families as the program passes them, as JSON; none for an empty text."""
    given: Json = json.loads(text) if text else {}
    return {family: ExecUse(use["roles"], use["variants"], use["options"]) for family, use in given.items()}


def literal(text: str) -> str:
    """A regular expression (RE2) that matches the text only."""
    return re.sub(r"[^\w/:=,\-\u0080-\U0010ffff]", r"\\\g<0>", text)


def case_expression(record: Record, run: Run) -> str:
    """A regular expression for the benchmark case, in newer programs too, which may have added axes to it. The size of a
    problem is left out where the run itself searched for it."""

    def axes(point: dict[str, Json]) -> str:
        values = "(,|,[^/]*,)".join(literal(f"{axis}={value}") for axis, value in point.items())
        return f"(|[^/]*,){values}(|,[^/]*)" if values else "[^/]*"

    searched = {text_at(size, "axis") for size in list_at(run.summary, "sizes")
                if text_at(size, "family") == record.family}  # fmt: skip
    problem = {axis: value for axis, value in record.data["problem"].items() if axis not in searched}
    return f"^{literal(f'{record.family}/{record.variant}')}/{axes(problem)}/{axes(record.data['point'])}/"


def config_of(run: Run, root: Path) -> str:
    """The config by which a command measures a run again: its name below configs/ if that file describes the families
    as the run did, else the run.json. Empty where the run does not name a config."""
    source = text_at(run.summary, "config_source")
    if not source:
        return ""
    configs, recorded = (root / "configs").resolve(), dict_at(run.summary, "config")
    file = (root / source).resolve()
    if file.is_relative_to(configs) and file.is_file():
        try:
            today: Json = read_json(file)
        except UsageError:
            today = None
        if all(dict_at(today, key) == dict_at(recorded, key) for key in ("families", "data")):
            return str(file.relative_to(configs))
    return str(_below(run.folder, root) / "run.json")


def _below(folder: Path, root: Path) -> Path:
    """The path from the root of the checkout, where the folder is in it."""
    absolute = folder.resolve()
    return absolute.relative_to(root.resolve()) if absolute.is_relative_to(root.resolve()) else folder


def measure_line(record: Record | None, run: Run, root: Path) -> str:
    """A command that measures a benchmark case again, from the root of a checkout; empty without a record of it."""
    config = config_of(run, root)
    if record is None or not config:
        return ""
    given = dict_at(run.summary, "invocation")
    words = [str(word) for word in list_at(given, "command") or ["run"]]
    line = [_PROGRAM, *([] if words == ["run"] else words), "--config", config]
    for file in list_at(given, "data"):
        line += ["--data", str(file)]
    if config.endswith("run.json") and "output" in dict_at(run.summary, "config"):
        line += ["--output", f"runs/{run.name}-again"]  # the folder of the config holds the run
    return shlex.join([*line, "--device", record.device, f"--benchmark_filter={case_expression(record, run)}"])


def exec_line(tuned: Json, record: Record | None, uses: dict[str, ExecUse]) -> str:
    """A command that runs a winner on files of one's own, which are in capitals; empty where exec does not take it."""
    family, variant = text_at(tuned, "family"), text_at(tuned, "variant")
    use = uses.get(family)
    if use is None or variant not in use.variants:
        return ""
    line = [_PROGRAM, "exec", family, "--variant", variant]
    point = record.data["point"] if record else dict_at(tuned, "point")
    if point:
        line += ["--point", point_text({axis: value_text(value) for axis, value in point.items()})]
    problem = dict_at(tuned, "problem")
    for axis, is_flag in use.options.items():
        if axis not in problem or (is_flag and problem[axis] != "yes"):
            continue
        line += ["--" + axis.replace("_", "-"), *([] if is_flag else [value_text(problem[axis])])]
    for role in use.roles:
        line += ["--data", f"{role}={role.upper()}"]
    return shlex.join([*line, "--device", text_at(tuned, "device"), "--out", "ANSWERS"])
