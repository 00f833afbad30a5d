"""The output of `exec fm_mismatch` has the places of its queries, by trying every place and as bowtie says.

Usage: exec_test.py PROGRAM
"""

import gzip
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
E_COLI = pathlib.Path("/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz")  # Debian's bowtie-examples


def random_bases(count, generator):
    return "".join(generator.choices("ACGT", k=count))


def changed(letters, count, generator):
    """The letters with so many others in their place."""
    result = list(letters)
    for at in generator.sample(range(len(letters)), min(count, len(letters))):
        result[at] = generator.choice([base for base in "ACGT" if base != result[at].upper()])
    return "".join(result)


def reverse_complement(letters):
    return letters[::-1].translate(str.maketrans("ACGT", "TGCA"))


def hits_by_trying(records, queries, mismatches, strands):
    """(query, record, place from 1, strand, mismatches) of all."""
    hits = []
    for query, letters in queries:
        sought = {"+": letters.upper()}
        if strands == "both":
            sought["-"] = reverse_complement(letters.upper())
        for strand, bases in sought.items():
            for record, of_record in records:
                for at in range(len(of_record) - len(bases) + 1 if bases else 0):
                    here = of_record[at:at + len(bases)].upper()
                    if set(here) <= set("ACGT"):
                        differ = sum(a != b for a, b in zip(here, bases))
                        if differ <= mismatches:
                            hits.append((query, record, at + 1, strand, differ))
    return sorted(hits)


class Exec(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_mismatch_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def found(self, reference, queries, mismatches, strands, *more):
        out = self.folder / "hits.tsv"
        done = subprocess.run([PROGRAM, "exec", "fm_mismatch", "--data", f"reference={reference}", "--data",
                               f"queries={queries}", "--out", out, "--cache-dir", self.folder / "cache",
                               "--problem", f"mismatches={mismatches},strands={strands}", *more],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        header, *lines = out.read_text().splitlines()
        self.assertEqual(header, "query\trecord\tposition\tstrand\tmismatches")
        rows = [line.split("\t") for line in lines]
        return sorted((query, record, int(position), strand, int(differ))
                      for query, record, position, strand, differ in rows)

    def write(self, name, records):
        path = self.folder / name
        path.write_text("".join(f">{name}\n{letters}\n" for name, letters in records))
        return path

    def repeats(self):
        generator = random.Random(7)
        unit = random_bases(25, generator)
        records = [("unique", random_bases(600, generator)), ("tandem", unit * 12), ("lower", unit.lower() * 2),
                   ("ns", unit + "NNNN" + unit + "R" + unit), ("homopolymer", "A" * 90)]
        text = "".join(letters for _, letters in records)
        pieces = [text[at:at + length].upper() for at in range(0, len(text) - 40, 37) for length in (5, 12, 30)]
        queries = [(f"q{i}", changed(piece if i // 4 % 2 else reverse_complement(piece), i % 4, generator))
                   for i, piece in enumerate(pieces) if set(piece) <= set("ACGT")]
        queries += [("joined", records[0][1][-9:] + unit[:9]), ("none", random_bases(30, generator))]
        return records, queries

    def test_finds_what_trying_every_place_finds(self):
        records, queries = self.repeats()
        queries += [("empty", ""), ("one", "C"), ("two", "CG"), ("other", "ACGNACG")]
        reference, sought = self.write("r.fa", records), self.write("q.fa", queries)
        tried = [(name, letters) for name, letters in queries if name != "other"]
        for mismatches in (0, 1, 2):
            for strands in ("forward", "both"):
                expected = hits_by_trying(records, tried, mismatches, strands)
                for variant in ("scalar", "interleaved"):
                    for symbols in (0, 4, 9):
                        found = self.found(reference, sought, mismatches, strands, "--variant", variant,
                                           "--point", f"prefix_symbols={symbols}")
                        self.assertEqual(found, expected, f"{variant} {mismatches} {strands}, table of {symbols}")

    def test_says_what_is_wrong_with_a_file(self):
        (self.folder / "broken.fa").write_text(">a\nACGT\nAC-T\n")
        queries = self.write("q.fa", [("q", "ACG")])
        done = subprocess.run([PROGRAM, "exec", "fm_mismatch", "--data", f"reference={self.folder / 'broken.fa'}",
                               "--data", f"queries={queries}", "--out", self.folder / "o"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("broken.fa:3", done.stderr)
        self.assertFalse((self.folder / "o").exists())

    def bowtie(self, reference, queries, mismatches, strands):
        for program in ("bowtie", "bowtie-build"):
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")
        index = self.folder / "index"
        if not index.with_suffix(".1.ebwt").exists():
            subprocess.run(["bowtie-build", "--quiet", reference, index], check=True, capture_output=True)
        only = [] if strands == "both" else ["--norc"]
        done = subprocess.run(["bowtie", "-v", str(mismatches), "-a", *only, "-f", "--quiet", "-x", index, queries],
                              check=True, capture_output=True, text=True)
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return sorted((row[0], row[2].split()[0], int(row[3]) + 1, row[1], row[7].count(">")) for row in rows)

    def assert_as_bowtie(self, reference, queries, at_least):
        for mismatches in (0, 1, 2):
            for strands in ("forward", "both"):
                expected = self.bowtie(reference, queries, mismatches, strands)
                self.assertGreater(len(expected), at_least)
                for symbols in (0, 10):
                    found = self.found(reference, queries, mismatches, strands, "--variant", "interleaved",
                                       "--point", f"prefix_symbols={symbols}")
                    self.assertEqual(found, expected, f"-v {mismatches}, {strands}, table of {symbols}")

    def test_finds_what_bowtie_finds(self):
        records, queries = self.repeats()
        # bowtie takes no reads of fewer than four bases, and finds none with two mismatches in so few.
        queries = [(name, letters) for name, letters in queries if len(letters) > 5]
        self.assert_as_bowtie(self.write("r.fa", records), self.write("q.fa", queries), 20)

    def test_finds_in_e_coli_what_bowtie_finds(self):
        if not E_COLI.exists():
            self.skipTest(f"{E_COLI} is not here; the package bowtie-examples has it")
        reference = self.folder / "ecoli.fa"
        reference.write_bytes(gzip.decompress(E_COLI.read_bytes()))
        genome = "".join(reference.read_text().split("\n")[1:])
        generator = random.Random(3)
        pieces = [genome[at:at + (20, 36, 100)[i % 3]] for i, at in
                  enumerate(generator.randrange(len(genome) - 100) for _ in range(1500))]
        queries = [(f"q{i}", changed(piece if i // 4 % 2 else reverse_complement(piece), i % 4, generator))
                   for i, piece in enumerate(pieces) if set(piece) <= set("ACGT")]
        self.assert_as_bowtie(reference, self.write("q.fa", queries), 150)


if __name__ == "__main__":
    unittest.main()
