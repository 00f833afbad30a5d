"""Verdicts about sides."""

from __future__ import annotations

import copy

import pytest
import sides
from gpuseq.errors import UsageError
from gpuseq.runs import PHASES
from gpuseq.verdicts.certificate import certify
from gpuseq.verdicts.compare import Certificate, Comparison, Options, Verdict, compare
from gpuseq.verdicts.differences import Allowed, device_hash, differences
from gpuseq.verdicts.sides import Measured, Side
from sides import case, disturbed_processes, one_process, processes, record, without_number

STEADY = [1.0, 1.0, 1.0, 1.0]


def compared(base: Side, new: Side, **options: object) -> Comparison:
    return compare(base, new, Options(**options))  # type: ignore[arg-type]


def test_finds_what_is_slower_faster_and_the_same() -> None:
    found = compared(processes({"scalar": 1, "simd": 1, "prefetch": 1}, 1),
                     processes({"scalar": 1.1, "simd": 0.9, "prefetch": 1}, 2))  # fmt: skip
    scalar, same = case(found, "scalar"), case(found, "prefetch")
    assert scalar.verdict is Verdict.regressed
    assert scalar.numbers
    assert scalar.numbers.ratio == pytest.approx(1.1, abs=0.01)
    assert scalar.rates
    assert scalar.rates[0] / scalar.rates[1] == pytest.approx(1.1, abs=0.01)
    assert case(found, "simd").verdict is Verdict.improved
    assert same.verdict is Verdict.same
    assert same.numbers
    assert (same.numbers.base.unit, len(same.numbers.base.seconds)) == ("process", 8)
    assert found.cases[0] is scalar, "worst first"
    assert found.exit_code() == 1


def test_a_case_of_before_an_axis_was_there_is_the_one_with_its_default() -> None:
    base, new = processes({"scalar": 1}, 1), processes({"scalar": 1.1}, 2)
    for process in new.processes:
        process[0].problem["query_order"] = "as_given"
        process[0].point["early_exit"] = "none"
        ordered = copy.deepcopy(process[0])
        ordered.problem["query_order"] = "sorted"
        process[:] = [sides.named(process[0]), sides.named(ordered)]
    assert compared(base, new).count(Verdict.missing) == 1, "without a run.json nobody knows"
    new.defaults.update({"defaults": {"fm_index": {"problem": {"query_order": "as_given"},
                                                   "variants": {"scalar": {"early_exit": "none"}}}}})  # fmt: skip
    found = compared(base, new)
    assert [case.verdict for case in found.cases] == [Verdict.regressed, Verdict.new]


def test_a_slowdown_within_the_smallest_effect_is_no_regression() -> None:
    base, new = processes({"scalar": 1}, 1), processes({"scalar": 1.05}, 2)
    assert compared(base, new, min_effect=0.1).cases[0].verdict is Verdict.same
    assert compared(base, new, min_effect=0.02).cases[0].verdict is Verdict.regressed


def test_is_inconclusive_where_the_base_differs_as_much_from_itself() -> None:
    found = compared(processes({"scalar": 1}, 1, 8, 0.5), processes({"scalar": 1.08}, 2, 8, 0.5))
    scalar = found.cases[0]
    assert scalar.verdict is Verdict.inconclusive
    assert scalar.numbers
    assert scalar.numbers.threshold == scalar.numbers.noise_floor > 0.03
    assert "noise floor" in scalar.reason
    assert "is above 3 %" in scalar.reason
    assert found.exit_code() == 3


def test_corrects_for_many_cases_and_says_when_processes_are_too_few_for_them() -> None:
    base = {f"v{i}": 1.0 for i in range(30)}
    new = base | {"v0": 1.2}
    few = case(compared(processes(base, 1, 4), processes(new, 2, 4)), "v0")
    assert few.verdict is Verdict.inconclusive
    assert "4 and 4 processes cannot decide about one of 30 cases" in few.reason
    assert case(compared(processes(base, 1), processes(new, 2)), "v0").verdict is Verdict.regressed


def _left_out(comparison: Comparison) -> list[tuple[int, bool]]:
    numbers = comparison.cases[0].numbers
    assert numbers
    return [(len(side.seconds), side.left_out) for side in (numbers.base, numbers.new)]


def test_leaves_processes_out_that_neighbours_disturbed() -> None:
    base = disturbed_processes(1, 1, 6, 4)
    same = compared(base, disturbed_processes(1, 2, 5, 5))
    assert same.cases[0].verdict is Verdict.same
    assert _left_out(same) == [(6, True), (5, True)]
    assert "4 processes of the base and 5 of the new side: left out" in same.cases[0].reason
    assert compared(base, disturbed_processes(1.1, 2, 6, 2)).cases[0].verdict is Verdict.regressed


def test_knows_a_side_that_neighbours_seldom_disturbed_from_one_that_is_faster() -> None:
    found = compared(disturbed_processes(1, 1, 10, 0), disturbed_processes(1, 2, 4, 6))
    assert found.cases[0].verdict is Verdict.same


def test_judges_a_case_by_its_own_loop_and_no_moment_of_a_high_clock() -> None:
    both = [processes({"scalar": 1, "simd": 1}, seed) for seed in (1, 2)]
    for side in both:
        for process in side.processes:
            process[0].loop, process[1].loop = (1, 40e-6), (1, 52e-6)  # wide vectors lower the clock
    both[0].processes[0][0].loop = (1, 30e-6 * 4 / 3)
    found = compared(*both)
    assert all(case.numbers and not case.numbers.base.left_out for case in found.cases)


def test_keeps_disturbed_processes_where_a_side_has_too_few_others() -> None:
    found = compared(disturbed_processes(1, 1, 3, 7), disturbed_processes(1, 2, 8, 2))
    assert _left_out(found) == [(10, False), (10, False)]
    assert "7 processes of the base and 2 of the new side: kept" in found.cases[0].reason


def test_leaves_no_process_out_where_one_does_not_say_how_its_loop_ran() -> None:
    new = disturbed_processes(1, 2, 6, 4)
    new.processes[-1][0].loop = None
    found = compared(disturbed_processes(1, 1, 6, 4), new)
    assert _left_out(found) == [(10, False), (10, False)]
    assert found.cases[0].verdict is Verdict.inconclusive, "two speeds on both sides"


def test_needs_four_values_a_side() -> None:
    found = compared(processes({"scalar": 1}, 1, 3), processes({"scalar": 1}, 2, 8))
    assert found.cases[0].verdict is Verdict.inconclusive
    assert "only 3 processes on one side: at least 4" in found.cases[0].reason


def test_never_passes_missing_or_failed_cases_silently() -> None:
    base = one_process(record("gone", STEADY), record("skipped", STEADY), record("broken", STEADY),
                       without_number("broken before", "failed", "crash: signal 11"),
                       without_number("gone before", "failed", "crash: signal 11"))  # fmt: skip
    new = one_process(without_number("skipped", "skipped", "does_not_fit: needs 9 GB"),
                      without_number("broken", "failed", "wrong_result: query 3"),
                      without_number("broken before", "failed", "crash: signal 6"))  # fmt: skip
    found = compared(base, new)
    for variant in ("gone", "gone before", "skipped"):
        assert case(found, variant).verdict is Verdict.missing
    assert "does_not_fit: needs 9 GB" in case(found, "skipped").reason
    assert case(found, "broken").verdict is Verdict.failed
    assert case(found, "broken").reason == "failed: wrong_result: query 3"
    assert "the base failed as well" in case(found, "broken before").reason
    assert found.exit_code() == 1


def test_a_case_that_crashes_keeps_the_label_of_its_problem() -> None:
    base = one_process(record("a", STEADY, label="1 Mbases"))
    crashed = without_number("a", "failed", "crash: signal 11")
    assert crashed.label != "1 Mbases"
    assert compared(base, one_process(crashed)).cases[0].label == "1 Mbases"
    assert compared(base, one_process(record("a", STEADY, label="1 Mbases"), crashed)).cases[0].label == "1 Mbases"


def test_accepts_missing_cases_where_told_to_but_not_failed_ones() -> None:
    base = one_process(record("a", STEADY), record("gone", STEADY))
    without = one_process(record("a", STEADY))
    assert compared(base, without).exit_code() == 1
    lenient = compared(base, without, allow_missing=True)
    assert (lenient.exit_code(), lenient.count(Verdict.missing)) == (0, 1)
    failing = one_process(record("a", STEADY), without_number("gone", "failed", "crash: signal 6"))
    assert compared(base, failing, allow_missing=True).exit_code() == 1


def test_what_was_deleted_on_purpose_is_no_failure_and_nothing_else_is_excused() -> None:
    base = one_process(*(record(variant, STEADY) for variant in ("a", "gone", "gone2")))
    told = {"deleted": ["fm_index/gone"]}
    found = compared(base, one_process(record("a", STEADY), record("gone2", STEADY)), **told)
    assert case(found, "gone").verdict is Verdict.deleted
    assert found.exit_code() == 0
    more = compared(base, one_process(record("a", STEADY)), **told)
    assert case(more, "gone2").verdict is Verdict.missing
    assert more.exit_code() == 1
    skips = one_process(record("a", STEADY), record("gone2", STEADY),
                        without_number("gone", "skipped", "does_not_fit: needs 9 GB"))  # fmt: skip
    assert case(compared(base, skips, **told), "gone").verdict is Verdict.missing


def test_counts_what_both_skipped_and_shows_what_only_the_new_side_has() -> None:
    skipped = without_number("big", "skipped", "does_not_fit: needs 9 GB")
    found = compared(one_process(record("a", STEADY), skipped),
                     one_process(record("a", STEADY), skipped, record("b", STEADY)))  # fmt: skip
    assert (found.skipped_on_both, len(found.cases), found.exit_code()) == (1, 2, 0)
    assert case(found, "b").verdict is Verdict.new


def test_fails_a_case_that_failed_in_one_process_only() -> None:
    new = processes({"scalar": 1}, 2)
    new.processes[5][0] = without_number("scalar", "failed", "timeout: 60 s")
    assert compared(processes({"scalar": 1}, 1), new).cases[0].verdict is Verdict.failed


def test_remarks_on_processes_that_lack_a_case() -> None:
    new = processes({"scalar": 1, "simd": 1}, 2)
    new.processes[5].pop()
    found = compared(processes({"scalar": 1, "simd": 1}, 1), new)
    assert case(found, "simd").reason == "measured in 7 of 8 processes of the new side"
    assert case(found, "scalar").reason == ""


def test_takes_samples_of_one_process_and_repetitions_where_there_are_enough() -> None:
    many = [record("scalar", [1 + i * 1e-4, 1.0002 + i * 1e-4]) for i in range(4)]
    for base, unit, count in ((many[:3], "sample", 6), (many, "repetition", 4)):
        numbers = compared(one_process(*base), one_process(*many)).cases[0].numbers
        assert numbers
        assert (numbers.base.unit, len(numbers.base.seconds)) == (unit, count)


def test_compares_the_phase_that_both_sides_reached() -> None:
    sweep, tuned = record("scalar", STEADY), record("scalar", [2.0] * 4, phase=PHASES.index("tune"))
    both = compared(one_process(sweep, tuned), one_process(sweep, tuned)).cases[0].numbers
    one = compared(one_process(sweep, tuned), one_process(sweep)).cases[0].numbers
    assert both
    assert one
    assert (both.base_median, one.ratio) == (2, 1)


def test_does_not_miss_footprints_that_each_run_refines_by_itself() -> None:
    def refined(footprint: int) -> Measured:
        return record(
            "cpu", STEADY, family="latency", point={"footprint_bytes": footprint}, phase=PHASES.index("refine")
        )

    a = record("a", STEADY)
    found = compared(one_process(a, refined(1)), one_process(a, refined(2)))
    assert (len(found.cases), found.refined_on_one_side, found.exit_code()) == (1, 2, 0)
    stopped = compared(one_process(a, refined(1)), one_process(a))
    assert stopped.exit_code() == 1, "a side that refined nothing misses what the other refined"


def test_matches_cases_whatever_the_order_of_their_axes() -> None:
    other = record("a", STEADY, point={"d": 64, "k": 2})
    assert len(compared(one_process(record("a", STEADY)), one_process(other)).cases) == 1


def test_refuses_other_devices_drivers_and_problems_naming_them() -> None:
    base, other = one_process(record("a", STEADY)), record("a", STEADY, problem_hash="fedcba9876543210")
    other.provenance["device"] |= {"name": "Intel Xeon", "driver_version": "580"}
    with pytest.raises(UsageError) as refused:
        compared(base, one_process(other))
    for part in ("device cpu/name: AMD EPYC in the base, Intel Xeon in", "--allow device,driver,problem",
                 "problem_hash of fm_index/reference_bases=1000000/cpu: 0123456789abcdef"):  # fmt: skip
        assert part in str(refused.value)
    with pytest.raises(UsageError, match="problem_hash") as narrower:
        compared(base, one_process(other), allowed=Allowed(device=True))
    assert "Xeon" not in str(narrower.value)
    assert len(compared(base, one_process(other), allowed=Allowed(True, True, True)).cases) == 1


def test_refuses_another_driver_of_the_same_device() -> None:
    base, new = (record("a", STEADY) for _ in range(2))
    base.provenance["device"]["driver_version"], new.provenance["device"]["driver_version"] = "570", "580"
    with pytest.raises(UsageError, match="driver_version: 570 in the base, 580 in the new side"):
        compared(one_process(base), one_process(new))
    assert compared(one_process(base), one_process(new), allowed=Allowed(driver=True)).exit_code() == 0


def test_lists_what_else_differs_and_leaves_out_what_changes_by_itself() -> None:
    other = record("a", STEADY, date="2026-11-21T10:00:00Z")
    other.provenance["program"]["commit"] = "bbbb"
    other.provenance["config_hash"] = "f00"
    other.provenance["host"]["kernel"] = "Linux 6.2"
    other.provenance["device"]["clock_mhz"] = 3100
    other.provenance["device"]["memory_bytes"] = 25276500000  # another kernel keeps a little more for itself
    found = compared(one_process(record("a", STEADY)), one_process(other)).differences
    assert [each.field for each in found] == ["config_hash", "host/kernel", "program/commit"]
    assert not any(each.refuses for each in found)


def _with_quota(quota: float | None) -> Measured:
    made = record("a", STEADY)
    made.provenance["host"]["cpu_quota"] = quota
    return made


def test_a_quota_of_processors_is_listed_where_it_differs() -> None:
    for base, new, texts in ((_with_quota(None), _with_quota(0.5), ("no limit", "0.5")),
                             (_with_quota(2.5), _with_quota(None), ("2.5", "no limit")),
                             (record("a", STEADY), _with_quota(1), ("not recorded", "1"))):  # fmt: skip
        (found,) = differences(one_process(base), one_process(new), Allowed())
        assert (found.field, found.base, found.new, found.refuses) == ("host/cpu_quota", *texts, False)
    assert not differences(one_process(record("a", STEADY)), one_process(_with_quota(None)), Allowed())
    assert device_hash(record("a", [1])) == device_hash(_with_quota(None)) != device_hash(_with_quota(0.5))


def test_mixed_data_of_a_side_is_refused() -> None:
    alone = one_process(record("a", STEADY))
    mixed = one_process(record("a", STEADY), record("b", STEADY, problem_hash="fedcba9876543210"))
    for base, new in ((mixed, mixed), (mixed, alone), (alone, mixed)):
        with pytest.raises(UsageError, match="0123456789abcdef and fedcba9876543210"):
            compared(base, new)


def test_refuses_a_side_without_records() -> None:
    with pytest.raises(UsageError, match=r"empty \(the base\) holds no record"):
        compared(one_process(name="empty"), one_process(record("a", [1])))


def test_fails_an_ok_record_without_numbers() -> None:
    base = one_process(record("a", STEADY))
    for samples in ([], [1.0, 0.0], [1.0, float("inf")]):
        assert compared(base, one_process(record("a", samples))).cases[0].verdict is Verdict.failed


def test_judges_a_case_alike_whatever_else_is_compared() -> None:
    base, new = processes({"scalar": 1}, 1), processes({"scalar": 1.04}, 2)
    alone = compared(base, new).cases[0].numbers
    for side in (base, new):
        for process in side.processes:
            process.insert(0, record("other", STEADY))
    together = case(compared(base, new), "scalar").numbers
    assert alone
    assert together
    assert (alone.low, alone.high, alone.noise_floor) == (together.low, together.high, together.noise_floor)


def _machine(noise: float) -> Side:
    """Processes of two variants whose medians differ by `noise` (standard deviation) from one to the next."""
    import random

    draw = random.Random(3)
    return Side("base", [[record(variant, [1 + noise * (sum(draw.random() for _ in range(3)) - 1.5) * 2] * 6)
                          for variant in "ab"] for _ in range(12)])  # fmt: skip


def _certificate(noise: float, **options: float) -> Certificate:
    certificate = certify(_machine(noise), 12, Options(**options))
    assert isinstance(certificate, Certificate)
    return certificate


def test_certificate_of_a_quiet_machine_catches_what_lies_just_beyond_the_smallest_effect() -> None:
    quiet = _certificate(0.001)
    assert quiet.false_alarms == 0
    assert quiet.false_alarm_bound == pytest.approx(0.0149, abs=1e-4)
    assert quiet.smallest_caught == 0.04  # 3 % is the smallest effect itself
    assert _certificate(0.001, min_effect=0.01).smallest_caught == 0.02
    assert (_certificate(0.05).smallest_caught or 9) > 0.04


def test_there_is_no_certificate_of_few_processes() -> None:
    few = _machine(0.001)
    del few.processes[3:]
    assert certify(few, 12, Options()) == "a side has fewer than 4 processes"
