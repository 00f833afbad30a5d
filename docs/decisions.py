"""Tables of docs/results from committed records: FM-index layouts by memory and size of the reference, and TLB reach of GPUs."""

import json
import pathlib

import gpuseq
import polars as pl

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUDGETS = [1, 2, 4, 8, 16, 32, 64, 140]
REFERENCES = {"100 Mbases": (98e6, 100e6), "1 Gbase": (1e9, 1e9), "3 Gbases": (3e9, 3.1e9)}
PLAIN = {"problem_query_bases": 100, "problem_occurring_percent": 100, "problem_kmer_bases": 0, "problem_query_order": "as_given",
         "problem_query_count": 4194304, "problem_n_percent": 0, "problem_shortest_query_bases": 0, "problem_strains": 1,
         "point_index_on": "one", "point_device_order": "as_given"}
AXES = {"k": "k", "d": "d", "line_bytes": "line", "row_bytes": "row", "counters": "counters", "windows": "windows"}


def records():
    runs = sorted(path.parent for path in (ROOT / "results").glob("h200-fm-index*/records.jsonl"))
    table = pl.concat([gpuseq.records(str(run)) for run in runs], how="diagonal_relaxed")
    kept = pl.col("settled") & (pl.col("family") == "fm_index") & (pl.col("kind") == "kernel") & (pl.col("status") == "ok")
    for column, value in PLAIN.items():
        kept &= pl.col(column).is_null() | (pl.col(column) == value)
    return table.filter(kept)


def words(row):
    """A layout with the axes that decide its memory."""
    shown = [f"{word}={row[f'point_{axis}']}" for axis, word in AXES.items()
             if row.get(f"point_{axis}") is not None and not (axis == "counters" and row["point_counters"] == "full")]
    return f"`{row['variant']}` " + " ".join(shown)


def best(table, device, limit, reference):
    low, high = REFERENCES[reference]
    fitting = table.filter(pl.col("device").str.starts_with(device) & pl.col("fact_reference_bases").is_between(low, high)
                           & (pl.col("memory_bytes") <= limit * 1e9)).sort("rate", descending=True)
    if fitting.is_empty():
        return "-"
    row = fitting.row(0, named=True)
    return f"{words(row)}: **{row['rate'] / 1e9:.3g}** ({row['memory_bytes'] / 1e9:.3g} GB)"


def matrix(table, device):
    lines = ["| memory | " + " | ".join(REFERENCES) + " |", "|--:|" + "---|" * len(REFERENCES)]
    before = ""
    for budget in BUDGETS:
        cells = " | ".join(best(table, device, budget, reference) for reference in REFERENCES)
        if cells != before:  # more memory alone changes nothing
            lines.append(f"| {budget} GB | {cells} |")
        before = cells
    return "\n".join(lines)


def decisions():
    table = records()
    runs = ", ".join(f"[{run}](../../results/{run})" for run in sorted(table["folder"].map_elements(lambda p: pathlib.Path(p).name, pl.String).unique()))
    return (f"Records: {runs}. These are several GPUs of one model, which differ by up to 11 %.\n\n**H200**\n\n{matrix(table, 'cuda')}\n\n"
            f"**16 vCPUs of its host**\n\n{matrix(table, 'cpu')}\n")


def tlb_reach():
    lines = ["| GPU | run | TLB reach (95 %) |", "|---|---|---|"]
    for path in sorted((ROOT / "results").glob("*/run.json")):
        run = json.loads(path.read_text(encoding="utf-8"))
        for device, found in run.get("levels", {}).items():
            for level in found.get("levels", []) if isinstance(found, dict) else found:
                reach, low, high = (level[key] / 2**30 for key in ("measured_bytes", "low_bytes", "high_bytes"))
                if device != "cpu" and level["name"] == "TLB" and reach > 1:  # below, a rise at the L2 was named so
                    folder = path.parent.name
                    lines.append(f"| {run['devices'][device]['name']} | [{folder}](../../results/{folder}) | {reach:.1f} GiB ({low:.1f} to {high:.1f}) |")
    return "\n".join(lines) + "\n"
