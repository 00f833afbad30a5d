"""The phases of a record, from the data to the answers: of its samples, its side samples and its facts."""

from __future__ import annotations

from gpuseq.runs import Record, Report, list_at, number_at, word_at
from gpuseq.statistics import median

PHASE_NAMES = {
    "index": "tree", "words": "tables of words", "upload_index": "tree upload", "queries": "queries to the GPU",
    "kernel": "kernel", "locking": "locking of pages", "download": "download", "listing": "listing",
    "printing": "printing",
}  # fmt: skip
"""Phases in the order in which they happen, with the names that figures use. "locking": the additional time of the
first download, which pins the pages of its target."""

PARTS = {"index": "index", "words": "index", "upload_index": "transfers", "queries": "transfers",
         "locking": "transfers", "download": "transfers", "kernel": "kernel", "listing": "output",
         "printing": "output"}  # fmt: skip


def _samples(record: Record, name: str) -> list[float]:
    return list_at(record.data.get("side_samples_s"), name)


def _median_s(record: Record, name: str) -> float:
    samples = _samples(record, name)
    return median(samples) if samples else 0.0


class PhaseTimes:
    """Times of records by phase. The first case that needs tables of words builds them; every case that uses the tables
    is charged with that time, within a run and a device."""

    def __init__(self, report: Report) -> None:
        self._words_s: dict[tuple[str, ...], float] = {}
        for record in report.records:
            seconds, tables = _median_s(record, "words"), self._tables(record)
            if seconds > 0 and tables:
                self._words_s.setdefault(tables, seconds)

    @staticmethod
    def _tables(record: Record) -> tuple[str, ...] | None:
        if "prefix_letters" not in record.point or not record.on_gpu:
            return None
        problem, point = record.problem, record.point
        return (str(record.run), record.fingerprint, word_at(problem, "reference"), word_at(problem, "reference_bases"),
                word_at(point, "prefix_letters"), word_at(point, "filter_letters"))  # fmt: skip

    def words_of_another(self, record: Record) -> bool:
        """Whether the tables of words of a record were timed in another case."""
        return not _samples(record, "words") and self._tables(record) in self._words_s

    def of(self, record: Record) -> dict[str, float]:
        """Seconds by phase, in order; phases that are not known or take no time are left out. Compilation is."""
        facts, tables = record.facts, self._tables(record)
        index = _median_s(record, "tree") or number_at(facts, "tree_s") or 0
        if not index > 0:
            index = (number_at(facts, "build_s") or 0) + (number_at(facts, "index_build_s") or 0)
        downloads = _samples(record, "download")
        copying = locking = 0.0
        if downloads:
            copying = median(downloads[1:]) if len(downloads) > 1 else downloads[0]
            locking = max(0.0, downloads[0] - copying)
        shared = self._words_s.get(tables, 0.0) if tables else 0.0
        seconds = {
            "index": index,
            "words": _median_s(record, "words") or shared,
            "upload_index": _median_s(record, "upload_tree") + _median_s(record, "upload_index"),
            "queries": sum(_median_s(record, name) for name in ("strands", "sort", "upload")),
            "kernel": float(record.data["statistics"]["median_s"]),
            "locking": locking,
            "download": copying,
            "listing": _median_s(record, "listing"),
            "printing": _median_s(record, "printing"),
        }
        return {phase: value for phase, value in seconds.items() if value > 0}

    def waits(self, record: Record) -> dict[str, float] | str:
        """Seconds that a user waits for the answers by part (index, transfers, kernel, output), or why they are not
        known."""
        if reason := _why_not_all(record):
            return reason
        waits: dict[str, float] = {}
        for phase, seconds in self.of(record).items():
            waits[PARTS[phase]] = waits.get(PARTS[phase], 0) + seconds
        return waits


def _why_not_all(record: Record) -> str:
    if record.statistics is None:
        return "it has no samples"
    if record.kind != "kernel":
        return "it is not a kernel"
    if (number_at(record.facts, "gpus") or 0) > 0:
        return "copies to and from its GPUs are not timed"
    if record.on_gpu:
        for copy in ("upload", "download"):
            if not _samples(record, copy):
                return f"its {copy} was not timed"
        if (number_at(record.facts, "index_bytes") or 0) > 0 and not _samples(record, "upload_index"):
            return "the upload of its index was not timed"
    return ""
