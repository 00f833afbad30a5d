"""Distances of all pairs of aligned sequences by hammingdist, as a square of numbers.

Usage: hammingdist_square FASTA OUT, or hammingdist_square --version

OMP_NUM_THREADS limits its threads. The seconds of the comparison are printed; reading the file is in them.
"""

import importlib.metadata
import pathlib
import sys
import time

import hammingdist


def main(fasta, out):
    begin = time.perf_counter()
    distances = hammingdist.from_fasta_large(fasta)  # up to 65535; the usual function ends at 255
    print(f"seconds {time.perf_counter() - begin:.9f}")
    distances.dump(out)
    square = pathlib.Path(out)
    square.write_text(square.read_text(encoding="ascii").replace(",", ""), encoding="ascii")


if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        print(f"hammingdist {importlib.metadata.version('hammingdist')}")
    else:
        main(*sys.argv[1:])
