"""How each figure is measured again: config, cases, and the committed run that it is drawn over."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import partial

from gpuseq.errors import UsageError
from gpuseq.reference.folders import folder_of
from gpuseq.runs import Record


@dataclass(frozen=True)
class Reproduction:
    figure: str  # "fm-index/fig8"
    config: str  # of configs/
    run: str  # committed, of results/; where it is gone, the folder that replaces it
    families: tuple[str, ...] = ()  # of kernels, of the config's
    probes: tuple[str, ...] = ()  # that the config lists, or the file that its "probes_of" names
    states: str = ""  # only these cases, as --benchmark_filter takes them; empty: all
    bounds: bool = False  # it draws bounds, so the probes that these need are measured
    counters: bool = False
    energy: bool = False
    # Whether the cases are configured as in the paper; None: the figure is not a paper's, or configures nothing.
    published: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "run", folder_of(self.run))

    def draws(self, record: Record) -> bool:
        """Whether a case is among those that are measured."""
        if record.kind == "probe":
            return self.bounds or record.family in self.probes
        return record.family in self.families and re.search(self.states, record.data["state"]) is not None


ALL_FAMILIES = ("fm_index", "papara", "profile_hmm", "pairwise_distance", "exact_match")
_FM, _PAPARA, _HMM, _PAIRS, _MATCH = ((family,) for family in ALL_FAMILIES)

_ALL = (*ALL_FAMILIES, "fm_locate", "fm_mismatch")

_reference = partial(Reproduction, config="reference.json", run="h200")
_titan = partial(Reproduction, config="titan.json", run="h200-papers/titan", probes=("random_access",), published=True)
_fm_paper = partial(Reproduction, config="titan.json", run="h200-papers/titan", families=_FM, published=True)
_fm_energy = partial(
    Reproduction, config="paper/fm-index-energy.json", run="h200-papers/fm-index-energy", families=_FM, energy=True
)
_papara_cpu = partial(Reproduction, config="paper/papara-cpu.json", run="h200-papers/papara-cpu", families=_PAPARA)
_papara_paper = partial(
    Reproduction, config="paper/papara.json", run="h200-papers/papara", families=_PAPARA, published=True
)
_hmm_rows = partial(Reproduction, config="paper/profile-hmm-rows.json", run="h200-papers/profile-hmm-rows", families=_HMM,
                    published=True)  # fmt: skip
_hmm_paper = partial(Reproduction, config="paper/profile-hmm.json", run="h200-papers/profile-hmm", families=_HMM,
                     published=True)  # fmt: skip
_match_paper = partial(Reproduction, config="paper/exact-match.json", run="h200-papers/exact-match", families=_MATCH)

# The cooperative kernels and the CPU's with counters at every d-th base.
_SAMPLED_ONE_STEP = "^fm_index/(scalar|prefetch|simd|full_coop)[^/]*/[^/]*/k=1,"
# The paper's loop and kernels and the two fastest later ones, over the number of instances.
_OVER_INSTANCES = ("^pairwise_distance/(appendix|naive|coalesced|char4|register|shared|register_tiled|tensor)/"
                   ".*data_set=0[,/]")  # fmt: skip
# The paper's kernel, whose scores have 32 bits, and those of the committed run, whose scores have 16.
_PAPARA_KERNELS = ("/(blocked|row_wise|sequential|blocked_registers)/{sizes}|"
                   "/blocked_shared/{sizes}.*/arithmetic=(s16x2,unroll=24,|s32,.*recurrence=printed,ends=square,)")  # fmt: skip


def _schemes(sizes: str = "", layout: str = "") -> str:
    """The schemes of the FM-index as published (kernels/fm_index/README.md)."""
    return (f"^fm_index/(task_parallel(_16b)?/{sizes}.*/{layout}.*entry_reads=separate,chunks=whole,|"
            f"(task_parallel|full_cooperative)_split/{sizes}.*/{layout}.*chunks=whole,|"
            f"memory_cooperative/{sizes}.*/{layout}.*entry_reads=separate,)")  # fmt: skip


def _cudampf(filters: str, compiled: str) -> str:
    """The kernel of CUDAMPF as published (kernels/profile_hmm/README.md)."""
    return f"/filter={filters},.*warps_per_block=32,.*stripes={compiled},assignment=static,"


def _over_hmmer(filter_: str, stripes: str) -> str:
    """The published kernel and HMMER's filters on the same proteins."""
    return (
        _cudampf(filter_, f"{stripes},order=file,compiled_by=nvrtc") + f"|^profile_hmm/hmmer_filter/filter={filter_},"
    )


REPRODUCTIONS = [
    _reference("suite/devices", families=_ALL),
    Reproduction("suite/sizes", "quick.json", "h100-first-look", ALL_FAMILIES),
    _reference("suite/roofline", families=_ALL, probes=("random_access",), bounds=True),
    _reference("suite/why", families=_ALL, bounds=True, counters=True),
    _fm_energy("suite/energy"),
    _reference("suite/surface", probes=("random_access",)),
    _reference("random-access/lines", probes=("random_access",)),
    _reference("latency", probes=("latency",)),
    _reference("probes/loaded-latency", probes=("loaded_latency",)),
    Reproduction("probes/occupancy", "quick.json", "h100-first-look", probes=("random_access",)),
    _reference("sequential", probes=("sequential",)),
    _reference("probes/transfer", probes=("transfer",)),
    Reproduction("probes/peer-access", "machine/quick.json", "h200-x2/neighbours", probes=("peer_access",)),
    _titan("probes/knees", probes=("random_access",), published=None),
    _reference("probes/instruction_throughput", probes=("instruction_throughput",)),
    _fm_paper("fm-index/ladder", config="paper/fm-index.json", run="h200-papers/fm-index"),
    _reference("fm-index/memory", families=_FM),
    _reference("fm-index/table1", probes=("sequential",)),
    _fm_paper("fm-index/fig2", states=_schemes("[^/]*reference_bases=250000000,")),
    _titan("fm-index/fig3"),
    _fm_paper("fm-index/fig5", states=_schemes() + "|^fm_index/prefetch/"),
    _fm_paper("fm-index/fig6", states=_schemes(layout="k=1,d=64,")),
    _fm_paper("fm-index/fig7", states=_schemes(layout="k=1,")),
    _fm_paper("fm-index/fig8", states=_SAMPLED_ONE_STEP),
    _fm_paper("fm-index/fig9"),
    _titan("fm-index/fig10", states="block_bytes=128,"),
    _fm_energy("fm-index/fig11", published=False),
    _fm_paper("fm-index/table2", states=_schemes(), counters=True),
    _reference("fm-index/ceiling", families=_FM, probes=("random_access",), bounds=True),
    _reference("fm-locate/rates", families=("fm_locate",), bounds=True),
    _papara_paper("papara/table1", states=_PAPARA_KERNELS.format(sizes="[^/]*query_count=1250,")),
    _papara_paper("papara/table2",
                  states=_PAPARA_KERNELS.format(sizes="[^/]*references=320,sites=5000,")),
    _reference("papara/table3", families=_PAPARA, published=False),
    _papara_cpu("papara/arithmetic", states="/(blocked|row_wise|sequential)"),
    _papara_paper("papara/ladder", config="paper/papara-steps.json", run="h200-papers/papara-steps",
                  states="/(blocked_shared|blocked_registers).*references=320,sites=50*,query_count=1250,"),
    Reproduction("profile-hmm/fig2", "paper/profile-hmm-pipeline.json", "x86-cpu-papers/profile-hmm-pipeline", _HMM,
                 states="^profile_hmm/hmmsearch", published=True),
    _hmm_paper("profile-hmm/fig13", states=_over_hmmer("ssv", "constant")),
    _hmm_paper("profile-hmm/fig12", states=_over_hmmer("msv", "constant")),
    _hmm_paper("profile-hmm/fig14", states=_over_hmmer("viterbi", "variable")),
    _hmm_paper("profile-hmm/table3", states=_cudampf("(ssv|msv)", "[^/]*")),
    _hmm_paper("profile-hmm/table4", states=_cudampf("viterbi", "[^/]*")),
    _hmm_rows("profile-hmm/fig10", states="/filter=ssv,"),
    _hmm_rows("profile-hmm/fig9", states="/filter=msv,"),
    _hmm_rows("profile-hmm/fig11", states="/filter=viterbi,"),
    _hmm_paper("profile-hmm/ladder", states="^profile_hmm/video_warp/"),
    _hmm_rows("profile-hmm/table2", counters=True),
    Reproduction("pairwise-distance/fig4", "paper/pairwise-distance.json", "h200-papers/pairwise-distance", _PAIRS,
                 ("launch",), "^launch/|instance_count=112,", published=True),
    Reproduction("pairwise-distance/ladder", "paper/pairwise-distance-steps.json", "h200-papers/pairwise-distance-steps", _PAIRS,
                 states="^pairwise_distance/(naive|coalesced|char4|register|shared)/", published=True),
    _reference("pairwise-distance/rates", families=_PAIRS),
    Reproduction("pairwise-distance/sizes", "paper/pairwise-distance.json", "h200-papers/pairwise-distance", _PAIRS,
                 states=_OVER_INSTANCES),
    _match_paper("exact-match/speedup", published=False),
    _match_paper("exact-match/phases", config="paper/exact-match-table1.json", run="h200-papers/exact-match-table1"),
    _reference("exact-match/rates", families=_MATCH),
    Reproduction("exact-match/ladder", "paper/exact-match-ladder.json", "h200-papers/exact-match-ladder", _MATCH,
                 published=True),
    _reference("exact-match/layouts", families=_MATCH, states="_gpu/"),
]  # fmt: skip


def reproduction_of(figure: str) -> Reproduction:
    """Raises UsageError for a figure that one run cannot draw, with the nearest one and all others."""
    rows = {row.figure: row for row in REPRODUCTIONS}
    if figure in rows:
        return rows[figure]
    nearest = difflib.get_close_matches(figure, rows, n=1)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else "."
    raise UsageError(f"reproduce {figure}: it cannot be measured again, or `report` draws it from runs of several "
                     f"machines{hint} Allowed: list, {', '.join(rows)}")  # fmt: skip
