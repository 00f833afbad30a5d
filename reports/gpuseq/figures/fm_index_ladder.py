"""From the published schemes of the FM-index to ours."""

from __future__ import annotations

from gpuseq.drawing import Figure
from gpuseq.figures.common.ablation import Ablation, AblationFigure, Settings, Step, rates
from gpuseq.figures.fm_index_words import HEADING, layout_of
from gpuseq.runs import Record, number_at
from gpuseq.words import axis_text, problem_name, reference_bases, with_point_words

# The lanes that read an entry together: one per piece of 16 bytes, rounded down to a power of two; or fewer.
LANES, ONE_PER_PIECE, FEWER = "lanes", "one per piece", "fewer"


def value_of(record: Record, axis: str) -> str:
    if axis != LANES:
        return axis_text(record, axis)
    per = "lanes_per_query" if record.variant == "full_cooperative" else "lanes_per_entry"
    lanes, entry_bytes = number_at(record.point, per), number_at(record.facts, "entry_bytes")
    if not lanes or not entry_bytes:
        return ""
    return FEWER if 2 * 16 * lanes <= entry_bytes else ONE_PER_PIECE


def has_chunks(record: Record) -> bool:
    """An entry of one chunk of 64 rows is needed as a whole."""
    return layout_of(record).d > 64


def scheme(name: str, variant: str, published: Settings, *steps: Step) -> Ablation:
    fixed = {"variant": variant, "active_threads": "0", "queries_in_flight": "1", "entry_loads": "cached"}
    return Ablation(published | fixed, [*steps], name, f"{name}: {variant}")


SEPARATE, WHOLE = {"entry_reads": "separate"}, {"chunks": "whole"}
NEEDED = Step("needed chunks", {"chunks": "needed"}, has_chunks)
MERGED = Step("merged reads", {"entry_reads": "merged"})

# In the order of section 4 and figure 6 of the paper.
SCHEMES = [
    scheme("naive", "task_parallel", SEPARATE | WHOLE, NEEDED, MERGED),
    scheme("16 bytes", "task_parallel_16b", SEPARATE | WHOLE, NEEDED, MERGED),
    scheme("improved", "task_parallel_split", WHOLE, NEEDED),
    scheme("memory", "memory_cooperative", SEPARATE, MERGED),
    scheme("full", "full_cooperative_split", WHOLE | {LANES: ONE_PER_PIECE}, NEEDED,
           Step("lanes a query", {"variant": "full_cooperative"}), Step("fewer lanes", {LANES: FEWER})),
]  # fmt: skip


def layout_place(record: Record) -> tuple[str, str]:
    """A panel per layout: entries of different layouts have different sizes."""
    layout = layout_of(record)
    return f"{layout.k} {layout.alternate} {layout.d:5}", layout.text


LADDER = Figure("fm-index/ladder", "From the published schemes to ours", HEADING,
                "The gain of each difference between a published scheme and ours of the same name on this GPU, by "
                "layout, and the fastest scheme as published and of ours.",
                AblationFigure("fm_index", SCHEMES, rates("G query bases per second"), place=layout_place,
                               value=value_of, worth=lambda record: reference_bases(record) or 0, factor=1e-9,
                               about=lambda record: with_point_words(problem_name(record), record),
                               notes=["Needed chunks: only the chunks of an entry up to the position are read (chunks)."
                                      " Merged reads: an entry that l and h share is read once (entry_reads). Lanes a "
                                      "query: lanes follow one query, instead of owning LF mappings that all lanes "
                                      "read in turn (full_cooperative)."]).draw)  # fmt: skip
