#!/usr/bin/env python3
"""Simulates Illumina reads with errors: fragments of a reference, sequenced by mason_frag_sequencing.

Usage: simulate_reads.py REFERENCE COUNT BASES OUTPUT     REFERENCE: one FASTA record, plain or gzip; OUTPUT: FASTA

    python3 configs/tools/simulate_reads.py /usr/share/doc/vt/examples/ref/20.fa.gz 1000000 100 build/data/chr20-reads.fa

Debian's seqan-apps has mason_frag_sequencing, which reads as mason_simulator does, but not mason_simulator itself.
Fragments lie at random on the forward strand (seed 1), without N.
"""

import gzip
import pathlib
import random
import sys
import tempfile

from compiled import refuse, run

MASON = "mason_frag_sequencing"
SPARE = 30  # bases of a fragment beyond its read, which deletions take
SEED = 1


def sequence_of(file):
    """The bases of the one record, in capitals."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt") as lines:
        if not next(lines).startswith(">"):
            refuse(f"found no FASTA in {file}")
        text = lines.read()
    if ">" in text:
        refuse(f"found several records in {file}; allowed: one")
    return text.replace("\n", "").upper()


def write_fragments(sequence, count, bases, file):
    choice, written = random.Random(SEED), 0
    with open(file, "w") as output:
        for _ in range(100 * count):
            begin = choice.randrange(len(sequence) - bases)
            fragment = sequence[begin : begin + bases]
            if "N" not in fragment:
                written += 1
                output.write(f">{written}\n{fragment}\n")
            if written == count:
                return
    refuse(f"found {written} fragments of {bases} bases without N; wanted {count}")


def main(reference, count, bases, output):
    sequence, count, bases = sequence_of(pathlib.Path(reference)), int(count), int(bases)
    if len(sequence) <= bases + SPARE:
        refuse(f"found {len(sequence)} bases; wanted more than {bases + SPARE}")
    pathlib.Path(output).parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        fragments = pathlib.Path(scratch) / "fragments.fa"
        write_fragments(sequence, count, bases + SPARE, fragments)
        run([MASON, "-q", "-i", fragments, "-o", output, "--illumina-read-length", bases, "--seed", SEED,
             "--seq-strands", "forward", "--force-single-end"])
    print(output)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        refuse("wants REFERENCE COUNT BASES OUTPUT")
    main(*sys.argv[1:])
