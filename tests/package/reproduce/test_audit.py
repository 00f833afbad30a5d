"""The rows that an audit of the reproduction found wrong, inflated or missing: where each of its rows is now.

ROW: the document tests the statement, or lists it as cut by a budget. REFUSED: a rule refuses the old row (`WRONG` of
test_claims.py). UNTESTED: it is listed with its reason. FIGURE: a picture of the papers' runs shows it.
"""

from __future__ import annotations

import pytest
from gpuseq.reproduce.claims.document import PAPERS, rows_of
from gpuseq.reproduce.claims.rows import Untested
from test_claims import WRONG
from test_committed_figures import RESULTS

ROW, REFUSED, UNTESTED, FIGURE = "row", "refused", "untested", "figure"
AUDIT: dict[str, tuple[str, str]] = {
    # Chacón et al.
    "fig. 5: bars by scheme and k": (FIGURE, "titan/plots/fm-index-fig5.png"),
    "fig. 6: schemes as published": (FIGURE, "titan/plots/fm-index-fig6.png"),
    "fig. 7: optimal occupancy at d=448": (ROW, "Task-parallel peaks with few threads"),
    "fig. 9: d=192 with alternate counters left out": (ROW, "2 steps with d=192 and alternate counters are the best"),
    "fig. 11: energy of the CPU": (UNTESTED, "bases per joule as the CPU"),
    "8 x a multi-core CPU, inflated": (REFUSED, "69 times a CPU that has a faster kernel"),
    "alternate counters on the CPU": (ROW, "2 steps with alternate counters are faster than 1 on the CPU"),
    "3 to 5 x NVBIO": (UNTESTED, "NVBIO's FM-index"),
    "below 0.5 G always smaller d": (REFUSED, "smaller blocks are always faster, by one size"),
    "at 0.7 G d=192 beats 64": (REFUSED, "0.7 Gbases not tested, with 0.5 and 1 Gbases measured"),
    "GRCh37, reads by Mason": (UNTESTED, "GRCh37 with simulated reads"),
    "several low-end GPUs": (UNTESTED, "low-end ones too"),
    "the authors' k-step FM-index": (UNTESTED, "own k-step FM-index"),
    # Alachiotis et al.
    "effect of unrolling": (ROW, "Unrolled columns improve"),
    "effect of compression": (ROW, "Compressed references improve"),
    "straightforward kernel with 32 bits": (ROW, "Blocks in shared memory are faster than rows"),
    "table 1, Seq and SSE(4) at seven lengths": (ROW, "SSE4.1 brings 9 times on a core at the seven lengths"),
    "table 1, SSE(4) by another kernel": (REFUSED, "SSE(4) by blocks of 8 bits with AVX-512 and 16 threads"),
    "table 1, needs long references": (ROW, "Short references cost the GPU"),
    "table 2, Seq and SSE(4)": (UNTESTED, "Table 2, columns Seq and SSE(4)"),
    "table 3, T_all": (ROW, "Scoring takes most of the whole program's time"),
    "CPU and GPU alike, as published, 5.87 x": (REFUSED, "both as published, the CPU's side with AVX-512"),
    "hybrid, selective": (REFUSED, "hybrid by three of its shapes"),
    "AMD GPU, overclocking": (UNTESTED, "Slow on an AMD GPU"),
    "OpenCL": (UNTESTED, "portability by OpenCL"),
    "PaPaRa itself": (UNTESTED, "The authors' program"),
    # Jiang and Ganesan
    "table 3 of another kernel": (REFUSED, "table 3 by a kernel with costs in shared memory"),
    "table 4 without local memory": (REFUSED, "table 4 by 200 states without local bytes"),
    "table 4, read-only hit rates": (ROW, "Read-only hit rates of model parameters"),
    "figs. 9 and 10 of registers": (REFUSED, "figure 10 by rows that stay in registers"),
    "large rows into local memory": (ROW, "MSV: large rows belong into local memory"),
    "over one core, 404 x": (REFUSED, "404 times one core, of two hosts"),
    "over HMMER in one run": (ROW, "MSV is faster than HMMER on one core"),
    "fig. 12, unlike things": (REFUSED, "our AVX-512 as HMMER on several cores"),
    "100 % accuracy, vacuous": (REFUSED, "all agree, of those that agree"),
    "figs. 12 to 14, published kernel": (FIGURE, "profile-hmm/plots/profile-hmm-fig12.png"),
    # Schatz et al.
    "its kernel and layout": (REFUSED, "MUMmerGPU's kernel without its leaves and edge ends"),
    "textures, 0.502 x": (REFUSED, "plain memory, of implicit leaves"),
    "textures of the published kernel": (ROW, "Cached textures and reordered data"),
    "3 x MUMmer, 13.4 x": (REFUSED, "13.4 times MUMmer, a sum of phases over a process"),
    "table 1 as table 3": (REFUSED, "reads of table 1 as of table 3"),
    "table 1, both strands, index built": (ROW, "The whole program is over 3 times as fast as MUMmer"),
    "phases of real sets": (FIGURE, "exact-match-table1/plots/exact-match-phases.png"),
    "reads of table 1": (UNTESTED, "S. suis, L. monocytogenes and C. briggsae"),
    "MUMmer 4": (UNTESTED, "MUMmer 4"),
    # Payne et al.
    "times of one launch": (REFUSED, "times of one launch that are of batches"),
    "44.9 s, caveat withheld": (REFUSED, "44.9 s of doubtful unit"),
    "ladder figure": (FIGURE, "pairwise-distance-steps/plots/pairwise-distance-ladder.png"),
    "counters of each step": (ROW, "Coalescing is the first step"),
    "authors' programs": (UNTESTED, "all-pairsgpu"),
}


@pytest.mark.parametrize("name", AUDIT)
def test_row_of_the_audit_has_its_place(name: str) -> None:
    kind, text = AUDIT[name]
    rows = [row for paper in PAPERS for row in rows_of(paper)]
    untested = [row for row in rows if isinstance(row, Untested)]
    if kind == REFUSED:
        assert text in WRONG
    elif kind == FIGURE:
        assert (RESULTS / "h200-papers" / text).exists()
    else:
        among = untested if kind == UNTESTED else rows
        assert any(text in row.states for row in among)
