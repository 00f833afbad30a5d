"""The output of `export` is built and used as a stranger would, without our tree, and its answers are right.

Usage: export_test.py PROGRAM CMAKE
"""
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM, CMAKE = sys.argv[1], sys.argv[2]
NVCC = shutil.which("nvcc") or next((p for p in ["/usr/local/cuda/bin/nvcc"] if os.path.exists(p)), None)


def random_bases(count, generator):
    return "".join(generator.choices("ACGT", k=count))


def fasta(path, records):
    path.write_text("".join(f">{i}\n" + "".join(f"{r[j:j + 70]}\n" for j in range(0, len(r), 70))
                            for i, r in enumerate(records)))


def occurrences(text, query):
    found, at = 0, text.find(query)
    while at >= 0:
        found, at = found + 1, text.find(query, at + 1)
    return found


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSEQ_")}
        # Compiled once however often the tests run, where there is a compiler cache.
        cls.environment.update(CCACHE_BASEDIR=str(cls.folder), CCACHE_NOHASHDIR="1")  # as paths relative to the build's folder
        generator = random.Random(3)
        cls.reference = [random_bases(9000, generator) + "NNNN" + "ACAC" * 200, random_bases(7000, generator).lower()]
        text = re.sub("[^ACGT]", "", "".join(cls.reference).upper())
        cls.queries = ["ACAC" * 5, "A", "N", "GATTACAN"]
        cls.queries += [text[i:i + length] for i in range(0, 15000, 500) for length in (3, 8, 21, 77)]
        cls.queries += [random_bases(length, generator) for length in (4, 6, 9, 30) for _ in range(20)]
        cls.counts = [occurrences(text, query) for query in cls.queries]
        fasta(cls.folder / "reference.fa", cls.reference)
        fasta(cls.folder / "queries.fa", cls.queries)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def program(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=self.environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def command(self, *arguments, **options):
        done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, env=self.environment, **options)
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
        return done.stdout

    def export(self, name, *arguments):
        folder = self.folder / name / "library"
        self.program("export", *arguments, "--output", folder)
        for path in folder.rglob("*"):  # the tree that we come from is nowhere to be found
            self.assertNotRegex(str(path.relative_to(folder)), r"src/(bench|reports|results|probes|tests)/")
        self.assertFalse(re.findall(r"@[A-Z_]+@", "".join(p.read_text() for p in folder.iterdir() if p.is_file())))
        return folder

    def build(self, source, *options):
        build = source.parent / "build"
        options = [*options, "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0 -Wall -Wextra -Werror"]
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        if shutil.which("ccache"):
            options += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_CUDA_COMPILER_LAUNCHER=ccache"]
        self.command(CMAKE, "-S", source, "-B", build, *options)
        self.command(CMAKE, "--build", build, "-j", "2")
        return build

    def check_counts(self, example):
        printed = self.command(example, self.folder / "reference.fa", self.folder / "queries.fa", cwd=self.folder)
        self.assertEqual([int(line) for line in printed.split()], self.counts)

    def test_interleaved_search_of_a_cpu(self):
        folder = self.export("prefetch", "fm_index", "--variant", "prefetch", "--point",
                             "k=2,d=128,counters=alternate,prefix_symbols=3")
        build = self.build(folder, "-DBUILD_SHARED_LIBS=ON", f"-DCMAKE_INSTALL_PREFIX={self.folder / 'installed'}")
        self.check_counts(build / "gpuseq_fm_index_example")
        self.assertIn("prefetch k=2,d=128,counters=alternate", (folder / "README.md").read_text())
        self.read_by_its_description()
        self.installed(build, folder)
        symbols = self.command("nm", "-DC", "--defined-only", build / "libgpuseq_fm_index.so")
        shown = [line.split()[-1] for line in symbols.splitlines() if " T " in line]
        self.assertEqual(sorted(shown), sorted(f"gpuseq_fm_index_{name}" for name in
                                               ["build", "open", "search", "close", "bases", "message", "point"]))

    def read_by_its_description(self):
        """A reader that knows FORMAT.md and nothing else counts the same in the file that the example left."""
        file = (self.folder / "example.index").read_bytes()
        magic, version, sections, size, fields = struct.unpack_from("<8sIIQQ", file)
        self.assertEqual((magic, version, sections, size, fields), (b"GSQFMIDX", 1, 3, len(file), 32))
        kind, k, d, line, wide, rows, symbols = struct.unpack_from("<7Q", file, 40)
        self.assertEqual((kind, k, d, line, wide, symbols), (1, 2, 128, 0, 0, 3))
        dollars = list(zip(struct.unpack_from("<4Q", file, 96), struct.unpack_from("<4Q", file, 128)))[:k]
        start, words = struct.unpack_from("<Q", file, 296)[0], 4 ** k
        bitmap = (words // 2 * 4 + 15) // 16 * 16
        entry_bytes = (bitmap + d // 64 * k * 16 + 31) // 32 * 32

        def word_at(row):
            chunk = start + row // d * entry_bytes + bitmap + row % d // 64 * k * 16
            planes = struct.unpack_from(f"<{2 * k}Q", file, chunk)
            return sum((planes[i] >> row % 64 & 1) << i for i in range(2 * k))

        def lf(word, position):
            entry, upper = position // d, word >= words // 2
            at = entry if upper == (entry % 2 == 1) else entry + 1
            counter = struct.unpack_from("<I", file, start + at * entry_bytes + word % (words // 2) * 4)[0]
            counted = range(entry * d, position) if at == entry else range(position, (entry + 1) * d)
            counter += (1 if at == entry else -1) * sum(word_at(row) == word for row in counted)
            return counter - sum(stored == word and row < position for row, stored in dollars)

        for query, count in list(zip(self.queries, self.counts))[::9]:
            if len(query) % k or "N" in query:
                continue
            low, high = 0, rows
            for end in range(len(query), 0, -k):
                word = sum("ACGT".index(query[end - 1 - j]) << 2 * j for j in range(k))
                low, high = lf(word, low), lf(word, high)
            self.assertEqual(high - low, count, query)

    def installed(self, build, folder):
        """The installed library is found by another project, in C."""
        self.command(CMAKE, "--install", build)
        user = self.folder / "user" / "source"
        user.mkdir(parents=True)
        shutil.copy(folder / "example.c", user)
        (user / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.18)\nproject(user LANGUAGES C CXX)\n"
            "find_package(gpuseq_fm_index REQUIRED)\nadd_executable(user example.c)\n"
            "target_link_libraries(user PRIVATE gpuseq_fm_index)\n"
            "set_target_properties(user PROPERTIES LINKER_LANGUAGE CXX)\n")
        self.check_counts(self.build(user, f"-DCMAKE_PREFIX_PATH={self.folder / 'installed'}") / "user")

    def variants(self, family="fm_index"):
        listed = json.loads(self.program("list", "variants", "--json"))
        return [v["name"] for f in listed["families"] if f["name"] == family for v in f["variants"]]

    def build_for_gpu(self, name, family, variant, point):
        """Builds a CUDA variant's library for sm_90 and returns its example."""
        if variant not in self.variants(family):
            self.skipTest("the program was built without CUDA")
        folder = self.export(name, family, "--variant", variant, "--point", point)
        self.assertFalse(list((folder / "src").rglob(f"kernels/{family}/cpu/*")))
        build = self.build(folder, "-DCMAKE_CUDA_ARCHITECTURES=90", f"-DCMAKE_CUDA_COMPILER={NVCC}")
        return build / f"gpuseq_{family}_example"

    def skip_without_gpu(self):
        if subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode if shutil.which("nvidia-smi") else 1:
            self.skipTest("compiled for sm_90, not run: no GPU")

    @unittest.skipUnless(NVCC, "no CUDA toolkit")
    def test_kernels_of_a_gpu(self):
        example = self.build_for_gpu("one_hot", "fm_index", "one_hot", "k=2,d=224")
        self.skip_without_gpu()
        self.check_counts(example)

    @unittest.skipUnless(NVCC, "no CUDA toolkit")
    def test_suffix_tree_of_a_gpu(self):
        examples = [self.build_for_gpu("words_gpu", "exact_match", "tree_words_gpu",
                                       "node_order=hybrid,prefix_letters=6,filter_letters=8,lanes=4"),
                    self.build_for_gpu("texture_2d", "exact_match", "tree_gpu",
                                       "memory=texture_2d,text_order=space_filling,leaves=nodes,edge_ends=compared,"
                                       "query_order=sorted,result=slots")]
        self.skip_without_gpu()
        for example in examples:
            self.check_matches(example)

    def test_suffix_tree_of_a_cpu(self):
        folder = self.export("tree_words", "exact_match", "--variant", "tree_words", "--point",
                             "node_order=hybrid,prefix_letters=6,filter_letters=8,in_flight=8")
        build = self.build(folder)
        self.assertFalse(list((folder / "src").rglob("cuda_engine.cpp")))
        self.check_matches(build / "gpuseq_exact_match_example")

    def check_matches(self, example):
        printed = self.command(example, self.folder / "reference.fa", self.folder / "queries.fa", "12", cwd=self.folder)
        found = [tuple(map(int, line.split())) for line in printed.splitlines()]
        self.assertEqual(sorted(found), self.matches_of_length(12))
        self.assertEqual(len(set(found)), len(found))

    def matches_of_length(self, least):
        """All maximal matches by looking at every pair of places that have `least` letters in common."""
        matches = []
        for number, query in enumerate(self.queries, 1):
            for sequence, reference in enumerate(map(str.upper, self.reference), 1):
                for at in range(len(query) - least + 1):
                    word, place = query[at:at + least], -1
                    while "N" not in word and (place := reference.find(word, place + 1)) >= 0:
                        if at and place and query[at - 1] == reference[place - 1] != "N":
                            continue
                        length = least
                        while (at + length < len(query) and place + length < len(reference) and
                               query[at + length] == reference[place + length] != "N"):
                            length += 1
                        matches.append((number, sequence, place + 1, at + 1, length))
        return sorted(matches)

    def test_only_what_a_point_needs_is_written(self):
        folder = self.export("scalar", "fm_index", "--variant", "scalar")
        kernels = {path.name for path in (folder / "src/kernels/fm_index/cpu").iterdir()}
        self.assertIn("scalar.cpp", kernels)
        self.assertFalse(kernels & {"simd.cpp", "psi.cpp", "one_hot.cpp", "variants.cpp", "session.cpp"})
        self.assertFalse(list((folder / "src").rglob("*.cuh")) == [])
        self.assertNotIn("nlohmann", "".join(path.read_text() for path in (folder / "src").rglob("*.?pp")))
        self.assertNotIn("hwloc.h", "".join(path.read_text() for path in (folder / "src").rglob("*.?pp")))

    def test_every_point_of_every_variant_has_its_sources(self):
        self.assertIn("scalar", self.variants())
        self.assertIn("tree_words", self.variants("exact_match"))
        for family, variant in [(f, v) for f in ("fm_index", "exact_match") for v in self.variants(f)]:
            # Their indexes have no file format, one_hot_routed asks the machine, and a library has one GPU.
            if variant.startswith(("verify", "elias_fano", "one_hot_routed", "tree_words_gpus")):
                self.assertRegex(self.program("export", family, "--variant", variant, "--output",
                                              os.path.join(self.folder, "none"), code=2), "no library of it; allowed: (scalar|tree)")
                continue
            folder = self.export("all_" + variant, family, "--variant", variant, "--default-points")
            sources = re.search(rf"add_library\(gpuseq_{family}\n(.*?)\)", (folder / "CMakeLists.txt").read_text(), re.S)[1]
            for source in sources.split():
                self.assertTrue((folder / source).is_file(), source)
            for path in (folder / "src").rglob("*"):
                for included in re.findall(r'#include "([^"]+)"', path.read_text() if path.is_file() else ""):
                    if included.split("/")[0] in ("kernels", "runtime"):
                        self.assertTrue((folder / "src" / included).is_file(), f"{path}: {included}")

    def test_says_what_is_wrong_and_what_is_allowed(self):
        there = self.folder / "there"
        there.mkdir()
        (there / "file").touch()
        out = ["--output", self.folder / "refused"]
        self.assertIn("allowed: fm_index, exact_match", self.program("export", "papara", *out, code=2))
        self.assertIn("trees: found 4, allowed in a library: 1",
                      self.program("export", "exact_match", "--variant", "tree", "--point", "trees=4", *out, code=2))
        self.assertRegex(self.program("export", "fm_indx", *out, code=2), "fm_index")
        self.assertIn("--output is required", self.program("export", "fm_index", code=2))
        self.assertIn("family is required", self.program("export", *out, code=2))
        self.assertRegex(self.program("export", "fm_index", "--variant", "simple", *out, code=2), "simple.*scalar")
        self.assertRegex(self.program("export", "fm_index", "--variant", "scalar", "--point", "k=5", *out, code=2),
                         "k.*5.*allowed: 1")
        self.assertRegex(self.program("export", "fm_index", "--variant", "scalar", "--point", "e=5", *out, code=2), "'?e'?")
        self.assertIn("needs --variant; allowed: scalar",
                      self.program("export", "fm_index", "--cache-dir", self.folder / "no-winners", *out, code=2))
        self.assertIn("is there already", self.program("export", "fm_index", "--variant", "scalar", "--point", "k=1",
                                                       "--output", there, code=2))
        self.assertFalse((self.folder / "refused").exists())

    def test_takes_what_won_on_this_machine(self):
        cache = self.folder / "cache"
        cache.mkdir(mode=0o700)
        config = {"name": "small", "devices": "cpu", "cache_dir": str(cache), "probe_budget_s": 0,
                  "sampling": {"max_samples": 6, "max_seconds": 0.1}, "tune": {"rounds": 3},
                  "families": {"fm_index": {"problems": [{"reference_bases": 20000, "query_count": 500, "query_bases": 30}],
                                            "variants": {"scalar": {"k": [1, 2]}}}}}
        (self.folder / "small.json").write_text(json.dumps(config))
        self.program("run", "--config", self.folder / "small.json", "--no-report", "--output", self.folder / "tuned")
        won = json.loads((self.folder / "tuned/tuned.json").read_text())["winners"][0]
        folder = self.export("won", "fm_index", "--cache-dir", cache, "--device", "cpu")
        kept = json.loads((folder / "tuned.json").read_text())
        self.assertEqual(kept["winners"][0]["point"], won["point"])
        self.assertIn(kept["winners"][0]["machine"], kept["machines"])
        readme = (folder / "README.md").read_text()
        self.assertIn(f"scalar k={won['point']['k']},d={won['point']['d']}", readme)
        self.assertRegex(readme, r"It won on the machine \w+ \(cpu\), tuned .*bases/s, .* with 95 % confidence")

    def test_takes_what_won_in_a_run(self):
        problem = {"reference_bases": 20000, "query_bases": 30}
        config = {"name": "two", "devices": "cpu", "probe_budget_s": 0, "sampling": {"max_samples": 6, "max_seconds": 0.1},
                  "families": {"fm_index": {"problems": [problem | {"query_count": 500}, problem | {"query_count": 900}],
                                            "variants": {"scalar": {"k": [1, 2]}}}}}
        (self.folder / "two.json").write_text(json.dumps(config))
        run = self.folder / "two"
        self.program("run", "--config", self.folder / "two.json", "--no-report", "--output", run)
        won = json.loads((run / "tuned.json").read_text())["winners"]
        out = ["--output", self.folder / "of-two"]
        for number in ([], ["--problem", "3"], ["--problem", "query_count=900"]):
            said = self.program("export", "fm_index", "--from", run, *number, *out, code=2)
            self.assertRegex(said, "--problem N selects one of its winners: 1: scalar .*; 2: scalar .*")
        self.assertIn("no winner of exact_match", self.program("export", "exact_match", "--from", run, *out, code=2))
        self.assertIn("tuned.json", self.program("export", "fm_index", "--from", self.folder, *out, code=2))
        folder = self.export("of-two", "fm_index", "--from", run, "--problem", "2")
        kept = json.loads((folder / "tuned.json").read_text())
        self.assertEqual(kept["winners"][0]["point"], won[1]["point"])
        self.assertEqual(kept["winners"][0]["problem_label"], won[1]["problem_label"])
        self.assertIn(kept["winners"][0]["machine"], kept["machines"])

    EXACT_MATCH = ["export", "exact_match", "--variant", "tree_words", "--default-points", "--output"]

    def names(self, folder):
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))

    def test_one_that_is_killed_is_whole_or_absent_and_hinders_no_other(self):
        folder = self.folder / "killed"
        folder.mkdir()
        self.program(*self.EXACT_MATCH, folder / "whole")
        whole, generator = self.names(folder / "whole"), random.Random(5)
        absent = 0
        for attempt in range(30):
            target = folder / f"{attempt}"
            if attempt % 3 == 0:
                target.mkdir()
            process = subprocess.Popen([PROGRAM, *self.EXACT_MATCH, target], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(generator.uniform(0, 0.12))
            process.send_signal(generator.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]))
            process.wait()
            found = self.names(target) if target.exists() else []
            self.assertIn(found, ([], whole))
            absent += found == []
            if not found:
                self.program(*self.EXACT_MATCH, target)
                self.assertEqual(self.names(target), whole)
        self.assertGreater(absent, 0)
        self.program(*self.EXACT_MATCH, folder / "last")
        self.assertEqual([path.name for path in folder.iterdir() if path.name.startswith(".")], [])

    def test_one_without_room_is_absent(self):
        folder = self.folder / "no_room"
        folder.mkdir()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

        done = subprocess.run([PROGRAM, *self.EXACT_MATCH, folder / "library"], env=self.environment, preexec_fn=limit,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(list(folder.iterdir()), [])
        self.program(*self.EXACT_MATCH, folder / "library")

    def test_one_is_written_into_an_empty_current_folder(self):
        folder = self.folder / "current"
        folder.mkdir()
        done = subprocess.run([PROGRAM, *self.EXACT_MATCH, "."], env=self.environment, cwd=folder, capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertTrue((folder / "CMakeLists.txt").exists())
        self.program(*self.EXACT_MATCH, folder, code=2)  # it is not empty any more


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
