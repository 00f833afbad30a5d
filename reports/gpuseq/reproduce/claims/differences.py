"""In which respects two cases differ, besides the measured values."""

from __future__ import annotations

from gpuseq.reproduce.claims.committed import Case
from gpuseq.reproduce.claims.terms import Term, timing_of

_HOST = ("cpu", "available_cpus", "kernel", "operating_system")


def differences(over: Term, under: Term) -> set[str]:
    """The names of the differences: run, host, GPU, commit, phase, device, variant, timing, axes of problem and point.
    An axis that only one of two variants has is a part of the variant."""
    one, other = over.case(), under.case()
    found = {name for name, (left, right) in _origins(one, other).items() if left != right}
    if timing_of(one, over.quantity) != timing_of(other, under.quantity):
        found.add("timing")
    # A problem axis that only one has was added between the two commits. Among data sets, `fastest` takes the middle one.
    axes = (one.problem.keys() & other.problem.keys()) - {"data_set"}
    found |= {f"problem.{axis}" for axis in axes if one.problem[axis] != other.problem[axis]}
    same_variant = one.variant == other.variant
    axes = one.point.keys() | other.point.keys() if same_variant else one.point.keys() & other.point.keys()
    return found | {axis for axis in axes if one.point.get(axis) != other.point.get(axis)}


def _origins(one: Case, other: Case) -> dict[str, tuple[object, object]]:
    origins: dict[str, tuple[object, object]] = {
        "run": (one.run, other.run),
        "host": (_host(one), _host(other)),
        "commit": (_commit(one), _commit(other)),
        "phase": (one.data["phase"], other.data["phase"]),
        "device": (one.on_gpu, other.on_gpu),
        "variant": (one.variant, other.variant),
    }
    if one.on_gpu and other.on_gpu:
        origins["GPU"] = (_gpu(one), _gpu(other))
    return origins


def _host(case: Case) -> list[object]:
    return [case.provenance.get("host", {}).get(key) for key in _HOST]


def _commit(case: Case) -> object:
    return case.provenance.get("program", {}).get("commit")


def _gpu(case: Case) -> object:
    return case.provenance.get("device", {}).get("uuid")
