"""The rows of docs/results/reproduction.md: each obeys the rules, and the rules refuse the rows that an audit found wrong."""

from __future__ import annotations

from typing import Any

import pytest
from gpuseq.reproduce.claims import exact_match, fm_index, pairwise_distance, papara, profile_hmm, terms
from gpuseq.reproduce.claims.committed import NoRecord, Select, cases_of, fastest
from gpuseq.reproduce.claims.cut import planned, resolved
from gpuseq.reproduce.claims.document import DOCUMENT, PAPERS, document, kind_of, rows_of, summary, verdict
from gpuseq.reproduce.claims.published import SCHEMES, Published
from gpuseq.reproduce.claims.rows import (
    Claim,
    Count,
    Paper,
    Range,
    Reason,
    Row,
    Trial,
    Untested,
    Value,
    less_than,
    more_than,
)
from gpuseq.reproduce.claims.rules import RULES, complaints, counted, measured_sizes
from gpuseq.reproduce.claims.sizes import ordered, sizes_text
from gpuseq.reproduce.claims.terms import COUNTER, LEVEL, RESOURCE, SECONDS, WITH_TRANSFERS, Term
from gpuseq.reproduce.claims.words import spread

ROWS = [row for paper in PAPERS for row in rows_of(paper)]


def claim(*tests: Trial, states: str = "a statement", published: Any = "stated", **more: Any) -> Claim:
    return Claim(states, published, tests, more.pop("holds", more_than(1)), **more)


def ratio(over: Term, under: Term, size: str = "a size") -> Trial:
    return Trial(size, over, under)


def gpu(run: str, variant: str | tuple[str, ...], scheme: str = "", problem: Any = None, **point: Any) -> Term:
    names = (variant,) if isinstance(variant, str) else variant
    return Term(Select(run, names, "cuda", problem or {}, point), scheme=scheme)


def cpu(run: str, variant: str | tuple[str, ...], scheme: str = "", problem: Any = None, **point: Any) -> Term:
    names = (variant,) if isinstance(variant, str) else variant
    return Term(Select(run, names, "cpu", problem or {}, point), scheme=scheme)


def seconds(term: Term, quantity: str = SECONDS) -> Term:
    return Term(term.select, quantity, term.scheme)


BIG = {"reference_bases": 1_000_000_000}
COOPERATIVE = gpu("h200", "full_cooperative", problem=BIG, k=2, d=64, counters="alternate")
HMM_400 = {"filter": "msv", "model_length": 400}
L1 = COUNTER + "l1tex__t_sector_hit_rate.pct"
PLAIN = {"memory": "global", "text_order": "plain", "node_order": "breadth_first", "query_order": "as_given"}
ITS_LAYOUT = {"memory": "texture_2d", "text_order": "space_filling", "node_order": "hybrid"}
READS = {"query_bases": 400}


def local_row(filter_: str, length: int) -> Term:
    return gpu("h200-papers/profile-hmm-rows", "video_warp", problem={"filter": filter_, "models": "random", "model_length": length},
               row="local", compiled_by="nvrtc")  # fmt: skip


def below_half_a_gbase(*sizes: float) -> Claim:
    run = "h200-papers/titan"
    selects = (Select(run, ("task_parallel_split",), "cuda", point={"k": 1}),)
    tests = [ratio(*(gpu(run, "task_parallel_split", problem={"reference_bases": size}, k=1, d=d) for d in (64, 192)), f"{size:g}")
             for size in sizes]  # fmt: skip
    return claim(*tests, differ=("d",), ranges=(Range(selects, "reference_bases", high=499e6),))


# The old rows of the document, by the row of the audit, with the rule that refuses it.
WRONG: dict[str, tuple[str, Row]] = {
    "2 Gbases/s by another kernel than the published one": (
        "published_axes", claim(Trial("1 Gbases", Term(COOPERATIVE.select, scheme=fm_index.FULL)))),
    "kernels of titan.json as published": (
        "published_axes", claim(Trial("1 Gbases", gpu("h200-papers/fm-index", "task_parallel", fm_index.TASK, {"reference_bases": 3_000_000_000}, k=1, d=64, entry_reads="merged")))),
    "occupancy of memory-cooperative of a kernel with merged reads": (
        "published_axes", claim(Trial("d=448", Term(Select("h200-papers/fm-index", ("memory_cooperative",), "cuda", point={"k": 1, "d": 448}),
                                                   RESOURCE + "occupancy", fm_index.MEMORY)))),
    "as published in words only": ("published_axes", claim(Trial("1 Gbases", COOPERATIVE), states="2 Gbases/s as published")),
    "69 times a CPU that has a faster kernel": (
        "opponent_is_the_fastest",
        claim(ratio(COOPERATIVE, cpu("h200", "prefetch", problem=BIG, k=2)), holds=more_than(8),
              differ=("device", "variant", "counters"))),
    "smaller blocks are always faster, by one size": ("computed_verdict", below_half_a_gbase(100e6)),
    "0.7 Gbases not tested, with 0.5 and 1 Gbases measured": (
        "untested_is_unmeasured",
        Untested("d=192 is better at 0.7 Gbases", "0.3 and 1 Gbases were measured",
                 between=(Range((Select("h200-papers/titan", ("full_cooperative",), "cuda", point={"k": 1, "d": 192}),), "reference_bases"), 0.7e9))),
    "a verdict that is typed": ("computed_verdict", claim(Trial("1 Gbases", COOPERATIVE), states="about 2 Gbases/s: holds")),
    "a verdict of no size": ("computed_verdict", claim(Trial("", COOPERATIVE))),
    "SSE(4) by blocks of 8 bits with AVX-512 and 16 threads": (
        "published_axes", claim(Trial("10000 sites", cpu("h200-papers/papara-cpu", "blocked", "PaPaRa, SSE(4)", {"sites": 10000})))),
    "both as published, the CPU's side with AVX-512": (
        "published_axes", claim(ratio(papara.printed(), cpu("h200-papers/papara-cpu", "row_wise", "PaPaRa, SSE(4)", {"sites": 10000})),
                                differ=("commit", "device", "problem.sites", "run", "variant"))),
    "both as published, of other problems and runs": (
        "like_with_like", claim(ratio(papara.printed(), papara.sse(4, 5000)), differ=("device", "variant"))),
    "hybrid by three of its shapes": (
        "computed_verdict",
        claim(*(ratio(papara.hybrid(sites=sites), papara.gpu(sites=sites), f"{sites} sites") for sites in (500, 1000, 5000)),
              differ=("device", "variant"), ranges=(Range((Select(papara.RUN, ("hybrid",), "cpu"),), "sites"),))),
    "table 3 by a kernel with costs in shared memory": (
        "published_axes", claim(ratio(*(gpu("h200-papers/profile-hmm-rows", "video_warp", scheme, {"filter": "ssv", "model_length": 400}, row="shared")
                                        for scheme in (profile_hmm.NVRTC, profile_hmm.STATIC))))),
    "table 4 by 200 states without local bytes": (
        "local_memory", claim(Trial("200 states", Term(local_row("ssv", 200).select, L1)), states="L1 hit rate of local memory (table 4)")),
    "figure 10 by rows that stay in registers": (
        "local_memory", claim(Trial("100 states", local_row("ssv", 100)), states="SSV, rows in local memory (figure 10)")),
    "404 times one core, of two hosts": (
        "like_with_like", claim(ratio(gpu("h200", ("lane_groups",), problem={"filter": "msv"}), profile_hmm.hmmer("msv", 400, 1)),
                                differ=("device", "variant"))),
    "our AVX-512 as HMMER on several cores": (
        "published_axes", claim(Trial("400 states", cpu("h200", "striped", "HMMER", {"filter": "msv"})))),
    "all agree, of those that agree": (
        "counts_have_failures",
        Count("agree with the oracle", Select("h200", ("lane_groups", "video_warp"), "cuda"), profile_hmm.agrees)),
    "44 % by a folder without that counter": (
        "reasons_name_evidence",
        claim(Trial("400 states", gpu("h200", "lane_groups", problem=HMM_400)),
              reason=Reason("their pipe is what they wait for, {0}",
                            (Term(Select("h200", ("video_warp",), "cuda"), COUNTER + "smsp__warps_issue_stalled_wait.sum"),)))),
    "a reason with typed numbers": (
        "reasons_name_evidence",
        claim(Trial("400 states", gpu("h200", "lane_groups", problem=HMM_400)), reason=Reason("57 KB sit in the caches", ()))),
    "CUDAMPF's kernels on an H200 as published values": (
        "others_stand_apart",
        Value("figure 13: SSV", Published("profile-hmm", "CUDAMPF, SIMD intrinsics, 400 states", "profile-hmm/fig13"),
              Trial("400 states", profile_hmm.kernel("ssv", 400, profile_hmm.NVRTC)), "cells/s")),
    "the paper's value as one of others here": (
        "others_stand_apart",
        Value("figure 13: SSV", profile_hmm.fact("CUDAMPF, K40, up to", "profile-hmm/fig13"),
              Trial("400 states", profile_hmm.kernel("ssv", 400, profile_hmm.NVRTC)), "cells/s",
              others=(profile_hmm.fact("CUDAMPF, K40, up to", "profile-hmm/fig13"),))),
    "MUMmerGPU's kernel without its leaves and edge ends": (
        "published_axes", claim(Trial("400 bases", gpu("h200-papers/exact-match", "tree_gpu", exact_match.MUMMERGPU, READS, **ITS_LAYOUT, leaves="implicit")))),
    "plain memory, of implicit leaves": (
        "like_with_like",
        claim(ratio(gpu("h200-papers/exact-match", "tree_gpu", problem=READS, leaves="nodes", **ITS_LAYOUT),
                    gpu("h200-papers/exact-match", "tree_gpu", problem=READS, leaves="implicit", memory="global")),
              differ=("memory", "node_order", "text_order"))),
    "13.4 times MUMmer, a sum of phases over a process": (
        "like_with_like",
        claim(ratio(seconds(cpu("h200-papers/exact-match-table1", "mummer3_both_strands")), seconds(gpu("h200-papers/exact-match-table1", "tree_gpu"), WITH_TRANSFERS)),
              differ=("device", "variant"))),
    "a sum of phases as a total time": (
        "timing_is_as_named",
        claim(Trial("36 bases", seconds(gpu("h200-papers/exact-match-table1", "tree_gpu"), WITH_TRANSFERS)), states="total time")),
    "51 times MUMmer, of another run": (
        "like_with_like",
        claim(ratio(seconds(cpu("h200-papers/exact-match-table1", "mummer3_both_strands")), seconds(gpu("h200-papers/exact-match", "tree_gpu"))),
              differ=("variant",))),
    "reads of table 1 as of table 3": (
        "figures_are_named_right",
        Value("table 3: GPU", papara.fact("GPU", "papara/table1", sites=5000), Trial("5000 sites", papara.printed()), "cells/s")),
    "times of one launch that are of batches": (
        "timing_is_as_named", claim(Trial("112 x 512", pairwise_distance.step("shared")), states="times of one launch")),
    "44.9 s of doubtful unit": (
        "doubtful_units_stay_ratios",
        Value("figure 4: CPU", Published("pairwise-distance", "CPU", "pairwise-distance/fig4"), Trial("112 x 512", pairwise_distance.CPU), "s")),
    "not tested, without a reason": ("untested_is_unmeasured", Untested("energy", " ")),
    "not tested, with a record": ("untested_is_unmeasured", Untested("2 Gbases/s", "no record", (COOPERATIVE,))),
    "a difference that is none": ("like_with_like", claim(ratio(COOPERATIVE, COOPERATIVE), differ=("host",))),
    "records that are missing": ("has_records", claim(Trial("1 Gbases", gpu("h200", "none")))),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.states[:60])
def test_row_obeys_the_rules(row: Row) -> None:
    assert complaints(row) == []


@pytest.mark.parametrize("name", WRONG)
def test_audits_wrong_row_is_refused(name: str) -> None:
    rule, row = WRONG[name]
    assert any(text.startswith(f"{rule}: ") for text in complaints(row)), complaints(row)


def test_each_rule_refuses_a_row() -> None:
    assert {rule for rule, _ in WRONG.values()} == {rule.__name__ for rule in RULES}


def test_all_sizes_of_a_range_satisfy_the_rule() -> None:
    row = below_half_a_gbase(100e6, 250e6)
    assert complaints(row) == []
    assert measured_sizes(row.ranges[0]) == {100e6, 250e6}
    assert verdict(row) == "**holds at 1 of 2**: 1e+08"
    assert kind_of(row) == "some"


def test_count_has_failed_cases_in_its_total() -> None:
    select = Select("h200", ("lane_groups", "video_warp"), "cuda", statuses=())
    failing = Count("a count", select, lambda case: False, lambda case: True)
    skipped = sum(case.data["status"] == "skipped" for case in cases_of(select.run))
    assert skipped and counted(failing) == (0, len([case for case in cases_of(select.run) if select.matches(case)]))


def test_fastest_case_of_alike_data_sets_is_the_middle_one() -> None:
    select = Select("h200-papers/pairwise-distance", ("shared",), "cuda", pairwise_distance.PAPERS_SIZE)
    rates = sorted(case.data["statistics"]["rate"] for case in cases_of(select.run) if select.matches(case))
    assert fastest(select).data["statistics"]["rate"] == rates[len(rates) // 2]


def test_schemes_have_axes_of_their_variants() -> None:
    for name, scheme in SCHEMES.items():
        runs = {term.select.run for row in ROWS for term in row.terms() if term.scheme == name}
        for run in runs:
            case = next(case for case in cases_of(run) if case.variant == scheme.variant)
            assert scheme.point.keys() <= case.point.keys(), name


def test_selection_without_records_names_what_is_missing() -> None:
    with pytest.raises(NoRecord, match="h200 has no record of none on cuda"):
        fastest(Select("h200", ("none",), "cuda"))
    with pytest.raises(NoRecord, match="results/none has no records"):
        fastest(Select("none", ("none",), "cuda"))


def test_verdict_of_a_value_is_by_its_limit() -> None:
    assert less_than(0.9).admits(0.89) and not less_than(0.9).admits(0.9)
    assert more_than(2e9, "bases/s").text == "more than 2 Gbases/s"


def test_document_is_what_the_rows_say_and_begins_with_twelve_lines() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == document()
    lines = [line for line in summary() if line]
    assert len(lines) == 12
    assert text.split("\n\n")[1] == lines[0]


def test_cut_sizes_of_a_row_are_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    measured, cut = (papara.step(sites, elements="plain") for sites in (500, 5000))
    assert planned(cut.select)
    monkeypatch.setattr("gpuseq.reproduce.claims.cut._lacks", lambda term: term == cut)  # pyright: ignore
    tests = (ratio(papara.step(500), measured, "500 sites"), ratio(papara.step(5000), cut, "5000 sites"))
    kept, rest = resolved(Paper("a paper", "", (claim(*tests, differ=("elements",)),)))
    assert isinstance(kept, Claim) and [test.size for test in kept.tests] == ["500 sites"]
    assert verdict(kept) == "**does not hold** at 500 sites (1 cut)"
    assert isinstance(rest, Untested) and "papara-steps" in rest.reason
    (whole,) = resolved(Paper("a paper", "", (claim(tests[1], differ=("elements",)),)))
    assert isinstance(whole, Untested) and whole.states == "a statement (5000 sites)"


def test_case_that_no_config_has_is_missing_and_not_cut() -> None:
    none = gpu("h200-papers/titan", "none")
    assert not planned(none.select)
    (row,) = resolved(Paper("a paper", "", (claim(Trial("1 Gbases", none)),)))
    assert complaints(row)[0].startswith("has_records: ")
    assert not planned(gpu("h200", "full_cooperative").select)


def test_sizes_are_grouped_and_neighbours_joined() -> None:
    every = [f"d={d}, {size} Mbases" for d in (64, 192) for size in (100, 250, 500, 700)]
    assert sizes_text(every, every) == "d=64, d=192: 100 Mbases to 700 Mbases"
    assert sizes_text([every[0], every[1], every[3]], every) == "d=64: 100 Mbases, 250 Mbases, 700 Mbases"
    assert sizes_text(["globins", "kinase", "a"], ["globins", "kinase", "a"]) == "globins, kinase, a"


def test_sizes_and_values_have_one_order() -> None:
    sizes = ["d=64, 1 Gbases", "d=192, 1 Gbases", "d=448, 1 Gbases", "d=64, 3 Gbases"]
    assert sizes_text(sizes, sizes) == "d=64: 1 Gbases, 3 Gbases; d=192, d=448: 1 Gbases"
    assert ordered(sizes) == [0, 3, 1, 2]
    sizes = ["d=64, 1 Gbases", "d=192, 3 Gbases", "d=448, 1 Gbases"]
    assert sizes_text(sizes, sizes) == "d=64, d=448: 1 Gbases; d=192: 3 Gbases"
    assert ordered(sizes) == [0, 2, 1]


def test_few_values_keep_their_order_and_more_are_a_range() -> None:
    assert spread([3.0, 1.0, 2.0], "x") == "3, 1, 2 x"
    assert spread([3.0, 1.0, 2.0, 5.0, 4.0], "x") == "1 to 5 x, median 3 x"
    assert spread([5e8, 1e9, 2e9, 3e9, 4e9], "bases/s") == "500 Mbases/s to 4 Gbases/s, median 2 Gbases/s"
    assert spread([1.0] * 5, "x") == "1 x"
    assert spread([5e8, 2e9], "bases/s") == "500 Mbases/s, 2 Gbases/s"
    assert spread([1.0, 1.0, 1.0]) == "1"


def tlb(measured_bytes: float, after_ns: float, uncertain: bool = False) -> dict[str, Any]:
    return {"name": "TLB", "measured_bytes": measured_bytes, "uncertain": uncertain,
            "evidence": [{"before_ns": 1.0, "after_ns": 1.0}, {"before_ns": 1.0, "after_ns": after_ns}]}  # fmt: skip


@pytest.mark.parametrize(("levels", "value"), [
    ([tlb(1e9, 1.2), tlb(6e10, 9.0)], 6e10),
    ([tlb(1e9, 20, uncertain=True), tlb(6e10, 9.0)], 6e10),
    ([tlb(6e10, 9.0)], 6e10),
])  # fmt: skip
def test_the_certain_level_with_the_largest_rise_is_the_value(
    monkeypatch: pytest.MonkeyPatch, levels: list[dict[str, Any]], value: float
) -> None:
    monkeypatch.setattr(terms, "machine_of", lambda run: {"devices": {"cuda:0": {"levels": levels}}})
    assert Term(Select("h200", ("cuda",), "cuda", phases=("probe",)), LEVEL + "TLB").value() == value
