"""Reports about FASTA, FASTQ and gzip, and about matches and places in them."""

from __future__ import annotations

import gzip
import random
import zlib
from collections.abc import Callable, Sequence

from case import REFUSED, Case, Report, fasta, fastq, maybe_gzip, planted, random_bases
from oracles import counted, located, maximal_matches

Named = list[tuple[str, str]]


def inputs(generator: random.Random, records: int = 3, bases: int = 300, reads: int = 12) -> tuple[Named, Named]:
    reference = [(f"chr{i + 1}", random_bases(generator, generator.randint(60, bases))) for i in range(generator.randint(1, records))]
    queries = [(f"read{i + 1}", letters) for i, letters in enumerate(planted(generator, [text for _, text in reference], reads))]
    return reference, queries


def search(generator: random.Random, reference: Named, queries: Named, reference_text: bytes, query_text: bytes,
           may_refuse: bool = False, right: str | None = None) -> Case:
    """The files searched by one of three families, on one thread or two."""
    files = {"reference.fa": reference_text, "queries.fa": query_text}
    both = generator.random() < 0.5
    family = generator.choice(["fm_index", "fm_locate", "exact_match"])
    arguments = ["exec", family, "--data", "reference=reference.fa", "--data", "queries=queries.fa"]
    if family == "fm_index":
        check = counted(reference, queries)
        arguments += ["--variant", generator.choice(["scalar", "prefetch", "simd", "one_hot_simd", "elias_fano_prefetch"])]
    elif family == "fm_locate":
        check = located(reference, queries, both)
        arguments += ["--problem", f"max_hits=0,strands={'both' if both else 'forward'}"]
    else:
        shortest = generator.randint(6, 14)
        check = maximal_matches(reference, queries, shortest, both, unique=False)
        arguments += ["--min-length", str(shortest), "--four-columns", *(["--both-strands"] if both else [])]
    return Case(files, arguments, right or check, may_refuse)


def text_case(change: Callable[[random.Random, str], str], both_files: bool = True, may_refuse: bool = False,
              ) -> Callable[[random.Random], Case]:
    """FASTA files whose text is changed in a way that must not change the answer."""
    def make(generator: random.Random) -> Case:
        reference, queries = inputs(generator)
        width = generator.choice([7, 60, 1000])
        reference_text, query_text = fasta(reference, width), fasta(queries, width)
        reference_text = change(generator, reference_text)
        if both_files:
            query_text = change(generator, query_text)
        return search(generator, reference, queries, maybe_gzip(generator, reference_text.encode()),
                      maybe_gzip(generator, query_text.encode()), may_refuse)

    return make


def mixed_ends(generator: random.Random, text: str) -> str:
    return "".join(line + generator.choice(["\n", "\r\n"]) for line in text.splitlines())


def blank_lines(generator: random.Random, text: str) -> str:
    return "".join(line + "\n" * generator.choice([1, 1, 1, 2, 3]) for line in text.splitlines())


def soft_masked(generator: random.Random, text: str) -> str:
    return "\n".join(line if line.startswith(">") or generator.random() < 0.5 else line.lower() for line in text.splitlines()) + "\n"


def described(generator: random.Random, text: str) -> str:
    return "\n".join(line + generator.choice([" length=5 >x", "\tclone", "", " 1:N:0:ATGCCT"]) if line.startswith(">") else line
                     for line in text.splitlines())  # and no newline at the end


def fastq_queries(wrap: bool, quality: str) -> Callable[[random.Random], Case]:
    def make(generator: random.Random) -> Case:
        reference, queries = inputs(generator)

        def record(name: str, letters: str) -> str:
            marks = generator.choice(quality) + "".join(generator.choices(quality + "IIFF", k=len(letters) - 1))
            width = generator.randint(3, 15) if wrap else 10**6
            lines = [letters[i:i + width] for i in range(0, len(letters), width)]
            width = generator.randint(3, 15) if wrap else 10**6
            marked = [marks[i:i + width] for i in range(0, len(marks), width)]
            plus = "+" + (name if generator.random() < 0.3 else "")
            return "\n".join([f"@{name}", *lines, plus, *marked]) + "\n"

        text = "".join(record(name, letters) for name, letters in queries)
        return search(generator, reference, queries, fasta(reference).encode(), maybe_gzip(generator, text.encode()), may_refuse=wrap)

    return make


BGZF_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")


def bgzf_block(piece: bytes) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    body = deflate.compress(piece) + deflate.flush()
    size = (len(body) + 25).to_bytes(2, "little")
    return (bytes.fromhex("1f8b08040000000000ff060042430200") + size + body + zlib.crc32(piece).to_bytes(4, "little")
            + len(piece).to_bytes(4, "little"))


def members(generator: random.Random) -> Case:
    """Gzip members one behind the other, cut anywhere, with empty ones between."""
    reference, queries = inputs(generator)
    blocked = generator.random() < 0.5

    def pack(text: bytes) -> bytes:
        cuts = sorted(generator.sample(range(1, len(text)), generator.randint(1, 6)))
        packed = b""
        for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
            packed += bgzf_block(text[begin:end]) if blocked else gzip.compress(text[begin:end])
            if generator.random() < 0.4:
                packed += BGZF_END if blocked else gzip.compress(b"")
        return packed

    return search(generator, reference, queries, pack(fasta(reference).encode()), pack(fastq(queries).encode()))


def cut_gzip(generator: random.Random) -> Case:
    reference, queries = inputs(generator)
    packed = gzip.compress(fastq(queries).encode())
    packed = packed[:generator.randint(2, len(packed) - 1)]
    return search(generator, reference, queries, fasta(reference).encode(), packed, right=REFUSED)


def short_quality(generator: random.Random) -> Case:
    reference, queries = inputs(generator)
    at = generator.randrange(len(queries))
    lacks = generator.choice([-1, -2, 1, 3])
    text = "".join(fastq([query], lambda letters, more=lacks if i == at else 0: "I" * (len(letters) + more))
                   for i, query in enumerate(queries))
    return search(generator, reference, queries, fasta(reference).encode(), text.encode(), right=REFUSED)


def runs_of_n(generator: random.Random) -> Case:
    """Runs of N in one record change nothing in the others, and match nothing."""
    reference, queries = inputs(generator, records=4)
    reference = [(name, text[:20] + "N" * generator.randint(1, 200) + text[20:] if generator.random() < 0.5 else text)
                 for name, text in reference]
    queries = [(name, letters[:5] + "N" + letters[5:] if generator.random() < 0.2 else letters) for name, letters in queries]
    files = fasta(reference).encode(), fasta(queries).encode()
    shortest, both = generator.randint(6, 14), generator.random() < 0.5
    return Case({"reference.fa": files[0], "queries.fa": files[1]},
                ["exec", "exact_match", "--data", "reference=reference.fa", "--data", "queries=queries.fa", "--min-length",
                 str(shortest), "--four-columns", *(["--both-strands"] if both else [])],
                maximal_matches(reference, queries, shortest, both, unique=False))


def many_short_records(generator: random.Random) -> Case:
    """Unitigs whose ends overlap: no match goes beyond its record."""
    genome = random_bases(generator, 1500)
    length = generator.randint(25, 60)
    reference = [(f"unitig{i}", genome[i:i + length]) for i in range(0, 1400, length - generator.randint(5, 20))]
    queries = [(f"read{i}", genome[at:at + 120]) for i, at in enumerate(generator.choices(range(1300), k=6))]
    return search(generator, reference, queries, fasta(reference).encode(), fasta(queries).encode())


def unique_matches(generator: random.Random) -> Case:
    """Strings that several references have are no unique matches of any."""
    common = random_bases(generator, generator.randint(10, 25))
    reference = [(f"r{i}", random_bases(generator, 30) + common + random_bases(generator, 30)) for i in range(generator.randint(1, 4))]
    queries = [("q1", common), ("q2", random_bases(generator, 5) + common), ("q3", reference[0][1][10:50])]
    shortest, both = generator.randint(4, 9), generator.random() < 0.5
    return Case({"reference.fa": fasta(reference).encode(), "queries.fa": fasta(queries).encode()},
                ["exec", "exact_match", "--data", "reference=reference.fa", "--data", "queries=queries.fa", "--min-length",
                 str(shortest), "--mode", "mumreference", "--four-columns", *(["--both-strands"] if both else [])],
                maximal_matches(reference, queries, shortest, both, unique=True))


def one_name(generator: random.Random) -> Case:
    reference, queries = inputs(generator)
    queries = [("read/1" if generator.random() < 0.5 else name, letters) for name, letters in queries]
    return search(generator, reference, queries, fasta(reference).encode(), fasta(queries).encode())


def equal_ends(generator: random.Random) -> Case:
    """The sequence itself and its ends as queries: matches reach the first and the last letter."""
    end = random_bases(generator, generator.randint(20, 60))
    text = end + random_bases(generator, generator.randint(50, 200)) + end
    reference, queries = [("contig", text)], [("self", text), ("end", end), ("turned", end[::-1])]
    return search(generator, reference, queries, fasta(reference).encode(), fasta(queries).encode())


REPORTS: Sequence[Report] = (
    Report("https://github.com/xflouris/libpll/issues/71", "FASTA with CR LF", text_case(lambda _, text: text.replace("\n", "\r\n"))),
    Report("https://github.com/arq5x/bedtools/issues/156", "FASTA with mixed line ends", text_case(mixed_ends)),
    Report("https://github.com/mdshw5/pyfaidx/issues/141", "FASTA with CR only",
           text_case(lambda _, text: text.replace("\n", "\r"), may_refuse=True)),
    Report("https://github.com/scikit-bio/scikit-bio/issues/781", "blank lines in FASTA", text_case(blank_lines)),
    Report("https://github.com/haowenz/chromap/issues/187", "soft-masked reference", text_case(soft_masked)),
    Report("https://github.com/torognes/vsearch/issues/370", "descriptions behind names, no last newline", text_case(described)),
    Report("https://github.com/BioFSharp/BioFSharp/issues/143", "qualities that begin with @ # ; + >", fastq_queries(False, "@#;+>")),
    Report("https://github.com/isovic/racon/issues/67", "FASTQ over several lines", fastq_queries(True, "IF")),
    Report("https://github.com/BioJulia/FASTX.jl/issues/78", "FASTQ over several lines, @ in qualities", fastq_queries(True, "@+")),
    Report("https://github.com/OpenGene/fastp/issues/711", "gzip members, BGZF end blocks between", members),
    Report("https://github.com/OpenGene/fastp/issues/264", "gzip that is cut", cut_gzip),
    Report("https://github.com/ksahlin/strobealign/pull/560", "qualities of another number", short_quality),
    Report("https://github.com/mummer4/mummer/issues/82", "runs of N in other records", runs_of_n),
    Report("https://github.com/mummer4/mummer/issues/73", "many short records that overlap", many_short_records),
    Report("https://github.com/mummer4/mummer/issues/137", "matches that are not unique", unique_matches),
    Report("https://github.com/marbl/MUMmer3/issues/2", "reads with one name", one_name),
    Report("https://github.com/mummer4/mummer/issues/110", "ends that are equal", equal_ends),
)
