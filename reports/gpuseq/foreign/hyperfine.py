"""hyperfine's JSON (--export-json FILE)."""

from __future__ import annotations

from gpuseq.foreign.place import Place
from gpuseq.foreign.result import Result, ResultFile, of_aggregates

TOOL = "hyperfine"


def is_one(root: Place) -> bool:
    return root.has("results")


def read(root: Place) -> ResultFile:
    """A file of one command is compared with any other such file, as both may name two builds of one program."""
    rows = root.get("results").items()
    if len(rows) == 1:
        return ResultFile([_result(rows[0], "program", "time")], {"command": rows[0].get("command").text()})
    return ResultFile([_result(row, TOOL, row.get("command").text()) for row in rows])


def _result(row: Place, tool: str, name: str) -> Result:
    if row.has("times"):
        return Result(tool, name, row.get("times").numbers())
    count = len(row.get("exit_codes").items()) if row.has("exit_codes") else None
    mean = row.get("mean").number()
    moments, reason = of_aggregates(mean, row.number_at("stddev"), count, "hyperfine 1.7 and later write all times")
    return Result(tool, name, [mean], reason, moments)
