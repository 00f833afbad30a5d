"""Random-access bandwidth over the accesses in flight."""

from __future__ import annotations

from dataclasses import dataclass

from gpuseq.runs import Record, number_at, text_at, word_at

_FEWEST_NUMBERS = 3


@dataclass(frozen=True)
class InFlight:
    """A record by the accesses that are in flight at any time."""

    record: Record
    workers: float  # threads; on a GPU warps per multiprocessor
    per_worker: float  # accesses per thread; on a GPU loads per lane
    per_core: float  # accesses per thread; on a GPU per multiprocessor
    accesses: float  # of the whole device

    def latency_s(self, block_bytes: float) -> float:
        """Time of an access by Little's law: accesses in flight over accesses that end per second."""
        return self.accesses * block_bytes / self.record.rate


@dataclass(frozen=True)
class Occupancy:
    """Random-access bandwidth over the accesses in flight, at one footprint."""

    block_bytes: float
    access: str  # independent, dependent
    of_warps: bool  # of a GPU
    points: list[InFlight]  # ascending accesses


_Points = dict[tuple[float, float], InFlight]


def _positive(record: Record, key: str) -> float | None:
    value = number_at(record.facts, key)
    return value if value is not None and value > 0 else None


def _in_flight(record: Record) -> InFlight | None:
    """None where the facts do not give the accesses in flight."""
    accesses, multiprocessors = _positive(record, "accesses_in_flight"), _positive(record, "multiprocessors")
    if accesses is None:
        return None
    if multiprocessors is not None:
        warps, loads = _positive(record, "warps_per_sm"), _positive(record, "loads_per_lane")
        return InFlight(record, warps, loads, accesses / multiprocessors, accesses) if warps and loads else None
    threads = _positive(record, "threads")
    return InFlight(record, threads, accesses / threads, accesses / threads, accesses) if threads else None


def occupancies(records: list[Record]) -> list[Occupancy]:
    """By size of block and kind of access, of records of one device: at the footprint with the most points, the larger
    of two. Fewer than three numbers of accesses in flight make none."""
    found: dict[tuple[str, float, str], dict[float, _Points]] = {}
    for record in records:
        point = record.point
        footprint, block = number_at(point, "footprint_bytes"), number_at(point, "block_bytes")
        one = _in_flight(record)
        if footprint is None or block is None or "access" not in point or one is None:
            continue
        points = found.setdefault((record.device, block, text_at(point, "access")), {}).setdefault(footprint, {})
        kept = points.setdefault((one.workers, one.per_worker), one)
        if kept.record.rate < record.rate:
            points[one.workers, one.per_worker] = one
    result: list[Occupancy] = []
    for (_, block, access), footprints in sorted(found.items()):
        widest = footprints[max(footprints, key=lambda footprint: (len(footprints[footprint]), footprint))]
        points = [widest[key] for key in sorted(widest)]
        if len({one.accesses for one in points}) >= _FEWEST_NUMBERS:
            of_warps = word_at(points[0].record.facts, "multiprocessors") != ""
            result.append(Occupancy(block, access, of_warps, sorted(points, key=lambda one: one.accesses)))
    return result
