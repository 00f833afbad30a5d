"""The findings of a report, in sentences: devices compared on each problem, warnings on a winner and on a whole run."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from gpuseq.page.winners import CONFIDENCE, Winner, point_words, problem_words
from gpuseq.runs import FEWEST_SAMPLES, Json, Report, Run, dict_at, list_at, number_at, text_at
from gpuseq.text import plural
from gpuseq.units import Unit, format_value, rate_text, with_decimal_prefix
from gpuseq.words import thread_words

VIOLATED = 1.02  # a rate above so much of its bound: the bound is too low
_ALIKE = 1.05  # ratios up to it are called equal
_WIDE_INTERVAL = 0.1  # half of it over the rate
_LOAD_SHOWS = 0.02  # of the processors' time
_MOST_AXES = 3  # of a winner's words


@dataclass(frozen=True)
class Warning:
    """The reasons that limit the trust in a winner's rate."""

    winner: Winner
    word: str  # "tie"
    sentence: str


@dataclass
class Finding:
    """A problem and objective: its winners, the best first, one per device, and sentences about them."""

    winners: list[Winner]
    sentences: list[str] = field(default_factory=list[str])
    warnings: list[Warning] = field(default_factory=list["Warning"])


def findings(report: Report, winners: list[Winner]) -> list[Finding]:
    """In the order of the winners. A device that has several winners of one problem counts with its best."""
    groups: list[list[Winner]] = []
    for winner in winners:
        if not math.isfinite(winner.score):
            continue
        group = next((group for group in groups if _is_same_problem(group[0], winner)), None)
        if group is None:
            groups.append([winner])
        else:
            group.append(winner)
    return [_finding(_best_per_device(group), winners, report) for group in groups]


def _is_same_problem(one: Winner, other: Winner) -> bool:
    return (one.family, one.problem_of_any_size, one.metric) == (
        other.family,
        other.problem_of_any_size,
        other.metric,
    )


def _best_per_device(group: list[Winner]) -> list[Winner]:
    sign = 1 if group[0].minimised else -1
    best: dict[str, Winner] = {}
    for winner in sorted(group, key=lambda winner: sign * winner.score):
        best.setdefault(winner.device_name, winner)
    return list(best.values())


def _finding(group: list[Winner], winners: list[Winner], report: Report) -> Finding:
    best, *others = group
    share = ""
    if best.metric == "rate" and (fraction := number_at(best.tuned, "fraction_of_bound")) and not _violates(best):
        bound_by = text_at(best.tuned, "bound_by")
        share = f", {format_value(round(fraction, 2), Unit.share)} of its bound{f' ({bound_by})' if bound_by else ''}"
    verb = "reaches" if best.metric == "rate" else "comes to"
    finding = Finding(group)
    finding.sentences.append(
        f"{best.family}, {problem_words(winners, best)}: {device_words(winners, best)} {verb} {_value(best)} "
        f"({_words(best)}){share}."
    )
    for other in others:
        value = with_decimal_prefix(other.score, "").rstrip()
        finding.sentences.append(f"{_capital(device_words(winners, other))} {verb} {value} ({_words(other)})"
                                 f"{_at_size(other, best)}, {_against(other.score, best.score, best.minimised)}.")  # fmt: skip
    waits = [words for winner in group if (words := _wait(winner, device_words(winners, winner)))]
    if waits:
        finding.sentences.append(f"With files, index, transfers and output a user waits: {'; '.join(waits)}.")
    finding.sentences += _sizes(best, report.runs[best.run])
    for winner in group:
        finding.warnings += winner_warnings(winner, device_words(winners, winner))
    return finding


def _at_size(winner: Winner, best: Winner) -> str:
    """ " at 512 reads", where the other winner is of another size."""
    size, of_best = dict_at(winner.tuned, "size"), dict_at(best.tuned, "size")
    return f" at {size['value']} {size['noun']}" if size and size != of_best else ""


def device_words(winners: list[Winner], winner: Winner) -> str:
    """ "the GPU" where no other GPU has winners; else its name."""
    on_cpu = text_at(winner.tuned, "device") == "cpu"
    names = {other.device_name for other in winners if (text_at(other.tuned, "device") == "cpu") == on_cpu}
    return ("the CPU" if on_cpu else "the GPU") if len(names) == 1 else winner.device_name


def device_legend(winners: list[Winner]) -> str:
    """ "The GPU is NVIDIA H200; the CPU is AMD EPYC 9R45."; empty where devices are called by their names."""
    named = {device_words(winners, winner): winner.device_name for winner in winners}
    words = [f"{words} is {named[words]}" for words in sorted(named, reverse=True) if words != named[words]]
    return f"{_capital('; '.join(words))}." if words else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text.startswith("the ") else text


def winner_words(tuned: Json) -> str:
    """ "one_hot, k = 2, d = 224": the variant, and the axes in which the runners-up differ, three at most."""
    point = dict_at(tuned, "point")
    others = [dict_at(other, "point") for other in list_at(tuned, "runners_up")]
    differing = [axis for axis in sorted(point) if any(other.get(axis, point[axis]) != point[axis] for other in others)]
    words = [thread_words(str(point[axis])) if axis == "threads" else f"{axis} = {point[axis]}" for axis in differing]
    return ", ".join([text_at(tuned, "variant"), *words[:_MOST_AXES]])


def _words(winner: Winner) -> str:
    memory = number_at(dict_at(winner.tuned, "memory"), "bytes")
    return winner_words(winner.tuned) + (f"; {with_decimal_prefix(memory, 'B')}" if memory else "")


def _value(winner: Winner) -> str:
    unit = text_at(winner.tuned, "rate_unit")
    if winner.metric == "rate":
        return rate_text(winner.score, unit)
    if winner.metric == "work_per_joule":
        return rate_text(winner.score, re.sub("/s$", "", unit) + "/J")
    return f"{format_value(winner.score, Unit.number)} ({winner.objective_words})"


def _against(value: float, best: float, minimised: bool) -> str:
    """ "30 times less", "about as much"."""
    ratio = (value / best if minimised else best / value) if value and best else math.inf
    if not ratio > _ALIKE:
        return "about as much"
    return f"{format_value(float(f'{ratio:.2g}'), Unit.number)} times {'more' if minimised else 'less'}"


def _wait(winner: Winner, subject: str) -> str:
    """ "the GPU 336 ms (mostly index)"; empty where the run did not measure it."""
    waits = dict_at(winner.tuned, "waits")
    total = number_at(waits, "total_s") or 0
    if total <= 0:
        return ""
    parts = dict_at(waits, "parts")
    most = [f" (mostly {name})" for name in sorted(parts) if (number_at(parts, name) or 0) > total / 2]
    return f"{subject} {format_value(total, Unit.seconds)}{most[0] if most else ''}"


def _sizes(winner: Winner, run: Run) -> list[str]:
    """The sentences of run.json on other sizes of the problem."""
    name = (winner.family, winner.problem_of_any_size)
    return [sentence for problem in list_at(run.summary, "sizes")
            if (text_at(problem, "family"), dict_at(problem, "problem")) == name
            for sentence in list_at(problem, "sentences") if isinstance(sentence, str)]  # fmt: skip


def _violates(winner: Winner) -> bool:
    return (number_at(winner.tuned, "fraction_of_bound") or 0) > VIOLATED


def winner_warnings(winner: Winner, subject: str) -> list[Warning]:
    tuned = winner.tuned
    found: list[tuple[str, str]] = []
    if tied := list_at(tuned, "tied_with"):
        names = [f"{text_at(other, 'variant')} ({point_words(other.get('point'))})" for other in tied]
        found.append(("tie", f"A tie on {subject}: the race did not separate the winner from {'; '.join(names)}."))
    samples = number_at(tuned, "samples")
    if samples is not None and samples < FEWEST_SAMPLES and (number_at(tuned, "confidence") or 0) < CONFIDENCE:
        found.append(("few samples", f"The rate of {subject} comes from {plural(int(samples), 'sample')}, too few for "
                      "an interval of 95 %."))  # fmt: skip
    low, high = number_at(tuned, "rate_low"), number_at(tuned, "rate_high")
    if low is not None and high is not None and (high - low) / 2 > _WIDE_INTERVAL * winner.rate:
        interval = " to ".join(with_decimal_prefix(end, "").rstrip() for end in (low, high))
        found.append(("wide interval", f"The rate of {subject} is uncertain: {interval}."))
    filling = dict_at(tuned, "fills_device")
    if filling.get("fills") is False:
        reason = text_at(filling, "reason")
        found.append(("small problem", f"The problem is too small to fill {subject}{f': {reason}' if reason else ''}."))
    if _violates(winner):
        share = format_value(number_at(tuned, "fraction_of_bound") or 0, Unit.share)
        found.append(("bound violated", f"The rate of {subject} is {share} of its bound: the bound is too low."))
    return [Warning(winner, word, sentence) for word, sentence in found]


def run_warnings(run: Run) -> list[str]:
    """The reasons that limit the trust in a whole run: load of the host, probes on which no two passes agree, cases left out."""
    warnings: list[str] = []
    load, devices = dict_at(run.summary, "host_load"), dict_at(run.summary, "devices")
    for key, takers in (("others_share", "other processes"), ("steal_share", "other guests of the host")):
        if (share := number_at(load, key) or 0) > _LOAD_SHOWS:
            warnings.append(f"Disturbed: {takers} took {100 * share:.0f} % of the processors' time. Rates of the CPU may "
                            "be too low.")  # fmt: skip
    if (quota := number_at(dict_at(devices, "cpu"), "cpu_quota")) is not None:
        warnings.append(f"CPU quota: a control group granted {quota:.3g} vCPUs to the run.")
    for one in list_at(run.summary, "no_rate"):
        problem = text_at(one, "problem_label") or point_words(one.get("problem"))
        warnings.append(f"No winner of {text_at(one, 'family')} on {text_at(one, 'device')}, {problem}: "
                        f"{text_at(one, 'reason')}.")  # fmt: skip
    for cut in list_at(dict_at(run.summary, "budget"), "cut"):
        if (cases := number_at(cut, "states")) is not None:
            warnings.append(f"Not measured, because the budget ended: {cases:.0f} of {text_at(cut, 'what')}.")
    for device, points in sorted(dict_at(run.summary, "probe_points").items()):
        if disturbed := len(list_at(points, "disturbed")):
            name = text_at(dict_at(devices, device), "name") or device
            warnings.append(f"Disturbed: no two passes agree on {disturbed} of {number_at(points, 'measured') or 0:.0f} probe "
                            f"points of {name}. Its bounds are less certain.")  # fmt: skip
    return warnings


def report_warnings(report: Report) -> list[str]:
    """Warnings on runs, and on properties that many records share."""
    warnings = [f"Run {run.name}: {warning}" if len(report.runs) > 1 else warning
                for run in report.runs for warning in run_warnings(run)]  # fmt: skip
    if synthetic := sum(record.synthetic for record in report.records):
        warnings.append(f"{plural(synthetic, 'record')} searched a synthetic reference (a generated BWT), marked in tables "
                        "and plots.")  # fmt: skip
    bounds = [record.bound for record in report.records if record.bound]
    if violated := sum((number_at(bound, "fraction") or 0) > VIOLATED for bound in bounds):
        warnings.append(f"Bounds violated: {violated} of {plural(len(report.records), 'record')} are faster than their "
                        "bounds. Their notes say so.")  # fmt: skip
    made = [text_at(bound["profile"], "made") for bound in bounds if bound.get("profile")]
    if made:
        warnings.append(f"Bounds of {plural(len(made), 'record')} come from the machine profile of "
                        f"{', '.join(sorted(set(made)))}, which a spot check of the run agreed with.")  # fmt: skip
    return warnings
