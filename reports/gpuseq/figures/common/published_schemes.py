"""Whether a record is of a kernel as its paper describes it."""

from __future__ import annotations

from gpuseq.reproduce.claims.published import SCHEMES
from gpuseq.runs import Record

AS_PUBLISHED = ", as published"


def is_published(record: Record, *papers: str) -> bool:
    """Whether the record has the axis values of a scheme that begins with one of these names, as in "PaPaRa, GPU"."""
    return any(
        not scheme.lacks(record.variant, record.point) for name, scheme in SCHEMES.items() if name.startswith(papers)
    )


def as_published(name: str, record: Record, *papers: str) -> str:
    """The name of a series: "blocked_shared, as published"."""
    return name + (AS_PUBLISHED if is_published(record, *papers) else "")
