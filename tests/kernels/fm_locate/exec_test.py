"""The output of `exec fm_locate` has the places of its queries, by trying every place and as bowtie says.

Usage: exec_test.py PROGRAM
"""

import gzip
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
E_COLI = pathlib.Path("/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz")  # Debian's bowtie-examples


def random_bases(count, generator):
    return "".join(generator.choices("ACGT", k=count))


def fasta(records, width):
    return "".join(f">{name}\n" + "".join(f"{letters[i:i + width]}\n" for i in range(0, len(letters), width))
                   for name, letters in records)


def on_strands(letters, strands):
    """The letters as they are searched for, by strand."""
    reverse = letters.upper()[::-1].translate(str.maketrans("ACGT", "TGCA"))
    return {"+": letters.upper(), "-": reverse} if strands == "both" else {"+": letters.upper()}


def hits_by_trying(records, queries, strands="forward"):
    """(query, record, place from 1, strand) of all; a place overlaps its neighbour's."""
    return sorted((query, record, found.start() + 1, strand) for query, letters in queries if letters
                  for strand, sought in on_strands(letters, strands).items()
                  for record, of_record in records
                  for found in re.finditer(f"(?={sought})", of_record.upper()))


class Exec(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_locate_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def located(self, reference, queries, *more):
        out = self.folder / "hits.tsv"
        done = subprocess.run([PROGRAM, "exec", "fm_locate", "--data", f"reference={reference}", "--data",
                               f"queries={queries}", "--out", out, "--cache-dir", self.folder / "cache", *more],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        header, *lines = out.read_text().splitlines()
        self.assertEqual(header, "query\trecord\tposition\tstrand")
        rows = [line.split("\t") for line in lines]
        return [(query, record, int(position), strand) for query, record, position, strand in rows]

    def write(self, name, records):
        path = self.folder / name
        # Bowtie takes the first line of a read.
        path.write_text(fasta(records, 10**6 if name.startswith("q") else 70))
        return path

    def repeats(self):
        generator = random.Random(7)
        unit = random_bases(40, generator)
        records = [("unique", random_bases(3000, generator)), ("tandem", unit * 30), ("lower", unit.lower() * 3),
                   ("ns", unit + "NNNN" + unit + "R" + unit), ("short", "AC"), ("homopolymer", "A" * 500)]
        text = "".join(letters for _, letters in records)
        queries = [(f"q{i}", text[at:at + length]) for i, (at, length) in
                   enumerate((at, length) for at in range(0, len(text) - 60, 61) for length in (1, 2, 12, 50))]
        queries += [("joined", records[0][1][-9:] + unit[:9]), ("none", random_bases(40, generator)), ("empty", "")]
        return records, [(name, letters) for name, letters in queries if set(letters.upper()) <= set("ACGT")]

    def test_finds_what_trying_every_place_finds(self):
        records, queries = self.repeats()
        expected = hits_by_trying(records, queries)
        reference, sought = self.write("r.fa", records), self.write("q.fa", queries)
        for point in ("sa_rate=1", "sa_rate=8", "sa_rate=8,sa_sampling=rows", "sa_rate=128"):
            for variant in ("scalar", "interleaved", "simd"):
                found = self.located(reference, sought, "--variant", variant, "--point", point, "--problem", "max_hits=0")
                self.assertEqual(sorted(found), expected, f"{variant} {point}")
        found = self.located(reference, sought, "--problem", "max_hits=0,strands=both")
        self.assertEqual(sorted(found), hits_by_trying(records, queries, "both"))

    def test_takes_all_of_its_hits_from_the_records(self):
        records, queries = self.repeats()
        reference, sought = self.write("r.fa", records), self.write("q.fa", queries)
        all_hits, found = hits_by_trying(records, queries), self.located(reference, sought, "--problem", "max_hits=5")
        self.assertLessEqual(set(found), set(all_hits))
        self.assertEqual(len(found), len(set(found)))
        by_query = [sum(query == name for query, *_ in found) for name, _ in queries]
        self.assertLessEqual(max(by_query), 5)

    def test_says_what_is_wrong_with_a_file(self):
        (self.folder / "broken.fa").write_text(">a\nACGT\nAC-T\n")
        queries = self.write("q.fa", [("q", "ACG")])
        done = subprocess.run([PROGRAM, "exec", "fm_locate", "--data", f"reference={self.folder / 'broken.fa'}",
                               "--data", f"queries={queries}", "--out", self.folder / "o"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("broken.fa:3", done.stderr)
        self.assertFalse((self.folder / "o").exists())

    def bowtie(self, reference, queries, strands):
        for program in ("bowtie", "bowtie-build"):
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")
        index = self.folder / "index"
        subprocess.run(["bowtie-build", "--quiet", reference, index], check=True, capture_output=True)
        only = [] if strands == "both" else ["--norc"]
        done = subprocess.run(["bowtie", "-v", "0", "-a", *only, "-f", "--quiet", "-x", index, queries],
                              check=True, capture_output=True, text=True)
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        return sorted((row[0], row[2].split()[0], int(row[3]) + 1, row[1]) for row in rows)

    def test_finds_what_bowtie_finds(self):
        records, queries = self.repeats()
        # bowtie takes no reads of fewer than four bases, nor records as short.
        records = [(name, letters) for name, letters in records if name != "short"]
        queries = [(name, letters) for name, letters in queries if len(letters) > 4]
        reference, sought = self.write("r.fa", records), self.write("q.fa", queries)
        for strands in ("forward", "both"):
            self.assertEqual(sorted(self.located(reference, sought, "--problem", f"max_hits=0,strands={strands}")),
                             self.bowtie(reference, sought, strands))

    def test_finds_in_e_coli_what_bowtie_finds(self):
        if not E_COLI.exists():
            self.skipTest(f"{E_COLI} is not here; the package bowtie-examples has it")
        reference = self.folder / "ecoli.fa"
        reference.write_bytes(gzip.decompress(E_COLI.read_bytes()))
        genome = "".join(reference.read_text().split("\n")[1:])
        generator = random.Random(3)
        lengths = [12, 20, 36, 100]
        queries = [(f"q{i}", genome[at:at + lengths[i % 4]]) for i, at in
                   enumerate(generator.randrange(len(genome) - 100) for _ in range(2000))]
        queries.append(("palindrome", "TTTTGCAAAA"))
        sought = self.write("q.fa", [(name, letters) for name, letters in queries if set(letters) <= set("ACGT")])
        for strands, point in (("forward", "sa_rate=32"), ("both", "sa_rate=16,sa_sampling=rows")):
            expected = self.bowtie(reference, sought, strands)
            self.assertGreater(len(expected), 2000)
            found = self.located(reference, sought, "--point", point, "--problem", f"max_hits=0,strands={strands}")
            self.assertEqual(sorted(found), expected)


if __name__ == "__main__":
    unittest.main()
