"""The time of the warps of a kernel by state, from the counters of its record."""

from __future__ import annotations

from gpuseq.runs import Json, number_at

# Warp states of Nsight Compute, by the resource that they indicate.
WARP_STATES = {
    "Selected": ["selected"],
    "Not Selected": ["not_selected"],
    "Wait": ["wait"],
    "Long Scoreboard": ["long_scoreboard", "lg_throttle", "tex_throttle", "drain"],
    "Short Scoreboard": ["short_scoreboard", "mio_throttle"],
    "No Instruction": ["imc_miss", "no_instruction", "branch_resolving"],
    "Math Pipe Throttle": ["math_pipe_throttle", "dispatch_stall", "gmma"],
    "Barrier": ["barrier", "membar", "sleeping"],
    "Misc": ["misc"],
}
_WORTH_A_WORD = 0.1  # of the warps' time


def warp_times(counters: Json) -> dict[str, float]:
    """Shares of the time in which warps are resident; empty where their states were not counted."""
    if not counters:
        return {}

    def cycles(state: str) -> float:
        return max(number_at(counters, f"smsp__warps_issue_stalled_{state}.sum") or 0, 0)

    times = {name: sum(map(cycles, states)) for name, states in WARP_STATES.items()}
    total = sum(times.values())
    return {name: time / total for name, time in times.items() if time > 0}


def counter_words(counters: Json) -> str:
    """The causes that keep a kernel from its bound: its issue rate, stalls, cache hits, sectors per load, bank conflicts."""
    parts: list[str] = []
    issue = number_at(counters, "smsp__issue_active.avg.pct_of_peak_sustained_active")
    if issue is not None:
        parts.append(f"its multiprocessors issue in {issue:.0f} % of their cycles")
    stalls = {
        name: share for name, share in warp_times(counters).items() if name != "Selected" and share >= _WORTH_A_WORD
    }
    if stalls:
        words = [f"{name} {100 * share:.0f} %" for name, share in sorted(stalls.items(), key=lambda stall: -stall[1])]
        parts.append("stalls: " + ", ".join(words))
    sectors = number_at(counters, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio")
    if sectors:
        parts.append(f"a load of a warp takes {sectors:.3g} sectors")
    # Hits and accesses are counted in passes of their own: a quotient may come out above 1.
    for cache, metric in (("L1", "l1tex__t_sector_hit_rate.pct"), ("L2", "lts__t_sector_hit_rate.pct")):
        hits = number_at(counters, metric)
        if hits is not None:
            parts.append(f"{cache} hit rate {min(hits, 100):.0f} %")
    conflicts = number_at(counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum")
    wavefronts = number_at(counters, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")
    if conflicts is not None and wavefronts:
        parts.append(f"{100 * conflicts / wavefronts:.0f} % of shared-memory accesses are bank conflicts")
    return "; ".join(parts)
