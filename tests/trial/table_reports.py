"""Reports about genotypes, tables and aligned sequences whose distances are taken."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from case import REFUSED, Case, Report, fasta, maybe_gzip
from oracles import distances

Rows = list[list[float | None]]

# Copies of A1 as PLINK 1 packs them; None is missing.
BITS = {2: 0b00, None: 0b01, 1: 0b10, 0: 0b11}


def genotypes(generator: random.Random, samples: int) -> Rows:
    snps = generator.randint(1, 30)
    return [[generator.choice([0, 1, 2, 0, 1, 2, None]) for _ in range(snps)] for _ in range(samples)]


def bed(rows: Rows, padding: Callable[[], int] = lambda: 0) -> bytes:
    packed = bytearray(b"\x6c\x1b\x01")
    for column in zip(*rows, strict=True):
        codes = [BITS[value] for value in column]
        while len(codes) % 4:
            codes.append(padding())
        packed.extend(codes[i] | codes[i + 1] << 2 | codes[i + 2] << 4 | codes[i + 3] << 6 for i in range(0, len(codes), 4))
    return bytes(packed)


def plink_files(rows: Rows, packed: bytes) -> dict[str, bytes]:
    fam = "".join(f"F{i} S{i} 0 0 0 -9\n" for i in range(len(rows)))
    bim = "".join(f"1\trs{i}\t0\t{i + 1}\tA\tG\n" for i in range(len(rows[0])))
    return {"x.bed": packed, "x.bim": bim.encode(), "x.fam": fam.encode()}


def plink(change: Callable[[random.Random, Rows], bytes], right: str | None = None, samples: Callable[[int], int] = lambda n: n,
          may_refuse: bool = False) -> Callable[[random.Random], Case]:
    def make(generator: random.Random) -> Case:
        rows = genotypes(generator, samples(generator.randint(2, 21)))
        metric = generator.choice(["hamming", "manhattan", "ibs"])
        names = [f"S{i}" for i in range(len(rows))]
        return Case(plink_files(rows, change(generator, rows)),
                    ["exec", "pairwise_distance", "--data", "instances=x.bed", "--metric", metric],
                    right or distances(names, rows, metric), may_refuse)

    return make


def cut_or_longer(generator: random.Random, rows: Rows) -> bytes:
    packed = bed(rows)
    more = generator.choice([-1, 1, 2, 7])
    return packed[:more] if more < 0 else packed + bytes(more)


def other_magic(generator: random.Random, rows: Rows) -> bytes:
    packed = bytearray(bed(rows))
    packed[generator.randrange(3)] ^= generator.randint(1, 255)
    return bytes(packed)


def aligned(letters: str, missing: str, fold: bool) -> Callable[[random.Random], Case]:
    """Aligned FASTA by Hamming's distance: columns in which either is missing do not count."""
    def make(generator: random.Random) -> Case:
        columns = generator.randint(3, 90)
        ancestor = [generator.choice(letters) for _ in range(columns)]
        rows = [[generator.choice(letters) if generator.random() < 0.2 else generator.choice(missing) if generator.random() < 0.15
                 else letter for letter in ancestor] for _ in range(generator.randint(2, 12))]
        names = [f"isolate_{i}" for i in range(len(rows))]
        codes: Rows = [[None if letter in missing else float(ord(letter)) for letter in row] for row in rows]
        records = [(name, "".join(letter.lower() if fold and generator.random() < 0.3 else letter for letter in row))
                   for name, row in zip(names, rows, strict=True)]
        text = fasta(records, width=generator.choice([7, 60, 1000]), end=generator.choice(["\n", "\r\n"]))
        return Case({"x.fa": maybe_gzip(generator, text.encode())},
                    ["exec", "pairwise_distance", "--data", "instances=x.fa", "--metric", "hamming"],
                    distances(names, codes, "hamming"))

    return make


def ragged(generator: random.Random) -> Case:
    """Aligned FASTA of which one row has another length."""
    records = [(f"s{i}", "".join(generator.choices("ACGT-", k=20))) for i in range(5)]
    at = generator.randrange(5)
    records[at] = (records[at][0], records[at][1] + "A" if generator.random() < 0.5 else records[at][1][:-1])
    return Case({"x.fa": fasta(records).encode()},
                ["exec", "pairwise_distance", "--data", "instances=x.fa", "--metric", "hamming"], REFUSED)


def expression(generator: random.Random) -> Case:
    """Named rows of real numbers, as R and pandas write them, tabs or commas, exponents, missing values."""
    columns, count = generator.randint(2, 12), generator.randint(2, 9)
    names = [f"sample_{chr(65 + i)}" for i in range(count)]
    rows: Rows = [[None if generator.random() < 0.1 else round(generator.gauss(0, 10 ** generator.randint(-3, 3)), 6)
                   for _ in range(columns)] for _ in range(count)]
    mark = generator.choice(["\t", ","])
    quote = generator.choice(["", '"'])
    missing = generator.choice(["NA", ""]) if mark == "," else "NA"

    def number(value: float | None) -> str:
        return missing if value is None else generator.choice([repr(value), f"{value:.8e}", f"{value:+.7f}"])

    lines = [mark.join([generator.choice(["name", "sample", "id"]), *(f"{quote}gene{i}{quote}" for i in range(columns))])]
    lines += [mark.join([quote + name + quote, *map(number, row)]) for name, row in zip(names, rows, strict=True)]
    return Case({"x.csv": ("\n".join(lines) + "\n").encode()},
                ["exec", "pairwise_distance", "--data", "instances=x.csv", "--metric", "euclidean"],
                distances(names, rows, "euclidean"))


REPORTS: Sequence[Report] = (
    Report("https://github.com/molgenis/systemsgenetics/issues/69", ".bed of 4 n + 1 samples",
           plink(lambda _, rows: bed(rows), samples=lambda n: 4 * (n // 4) + 1 if n >= 4 else 5)),
    Report("https://github.com/molgenis/systemsgenetics/issues/480", "data in a .bed's padding bits",
           plink(lambda generator, rows: bed(rows, lambda: generator.randrange(4)), may_refuse=True)),
    Report("https://github.com/choishingwan/PRSice/issues/226", ".bed of another size than .bim and .fam say",
           plink(cut_or_longer, REFUSED)),
    Report("https://github.com/privefl/bigsnpr/issues/101", ".bed with other magic bytes", plink(other_magic, REFUSED)),
    Report("https://github.com/OchoaLab/genio/issues/9", "genotypes of any number of samples", plink(lambda _, rows: bed(rows))),
    Report("https://github.com/tseemann/snp-dists/issues/17", "missing bases in aligned FASTA", aligned("ACGT", "N-?", fold=False)),
    Report("https://github.com/tseemann/snp-dists/issues/29", "columns of gaps, letters of either case", aligned("ACGT", "-", fold=True)),
    Report("https://github.com/ddarriba/modeltest/issues/11", "an alignment's row of another length", ragged),
    Report("https://github.com/cggh/scikit-allel/issues/370", "tables with missing values", expression),
)
