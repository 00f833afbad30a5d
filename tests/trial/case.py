"""One input of the trial: files, a command, and the right result."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# The errors that a check finds in the outputs in a folder, or None.
Check = Callable[[Path, str], str | None]

REFUSED = "refused"


@dataclass(frozen=True)
class Case:
    """Files (name to bytes), the arguments of `exec`, and a check of its outputs; or REFUSED where exit code 2 is right."""

    files: Mapping[str, bytes]
    arguments: Sequence[str]
    right: Check | str
    may_refuse: bool = False  # a clear refusal is as right as the answer


@dataclass(frozen=True)
class Report:
    """A public report that a kind of input is drawn from."""

    source: str
    kind: str
    make: Callable[[random.Random], Case]
    variations: int = field(default=72)


def random_bases(generator: random.Random, count: int) -> str:
    return "".join(generator.choices("ACGT", k=count))


def reverse_complement(letters: str) -> str:
    return letters.upper()[::-1].translate(str.maketrans("ACGT", "TGCA"))


def planted(generator: random.Random, records: Sequence[str], count: int, shortest: int = 8, longest: int = 40) -> list[str]:
    """Reads of which most are pieces of the records, some reversed, some random."""
    reads = []
    for _ in range(count):
        text = generator.choice([record for record in records if len(record) >= shortest])
        length = generator.randint(shortest, min(longest, len(text)))
        begin = generator.randint(0, len(text) - length)
        read = text[begin:begin + length]
        reads.append(generator.choice([read, read, reverse_complement(read), random_bases(generator, length)]))
    return reads


def fasta(records: Sequence[tuple[str, str]], width: int = 60, end: str = "\n") -> str:
    lines = []
    for name, letters in records:
        lines.append(f">{name}")
        lines.extend(letters[i:i + width] for i in range(0, len(letters), width))
    return end.join(lines) + end


def fastq(records: Sequence[tuple[str, str]], quality: Callable[[str], str] = lambda letters: "I" * len(letters)) -> str:
    return "".join(f"@{name}\n{letters}\n+\n{quality(letters)}\n" for name, letters in records)


def maybe_gzip(generator: random.Random, text: bytes) -> bytes:
    return gzip.compress(text) if generator.random() < 0.3 else text
