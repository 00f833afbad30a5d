"""The wheel names its platform, needs nothing but the C library, and its program works where it is installed.

Usage: wheel_test.py WHEEL
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path

WHEEL = Path(sys.argv[1]).resolve()
NEWEST_GLIBC = (2, 28)  # as README says
SHARED = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "ld-linux-x86-64.so.2"}
# By the package that has it; the linked libraries, the parts that are compiled in, and the genome.
LICENCES = {
    "bowtie-examples", "cuda", "genbank", "libbenchmark-dev", "libcli11-dev", "libdivsufsort-dev", "libfmt-dev", "libhwloc-dev", "libhwy-dev",
    "libre2-dev", "libsimdjson-dev", "libstdc++-12-dev", "libvalijson-dev", "libxxhash-dev", "nlohmann-json3-dev", "zlib1g-dev",
}
TINY = '{"name": "tiny", "probes": {"latency": {"footprint_bytes": [65536]}}}'


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.environment = cls.folder / "environment"
        venv.create(cls.environment, with_pip=True)
        cls.python = cls.environment / "bin/python"
        output(cls.python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", WHEEL)
        (cls.site,) = cls.environment.glob("lib/python*/site-packages")
        cls.share = cls.site / "gpuseq_bench/share/gpuseq-bench"
        cls.binary = cls.site / "gpuseq_bench/bin/gpuseq-bench"
        cls.variables = {key: value for key, value in os.environ.items() if not key.startswith(("GPUSEQ_", "CUDA_", "VIRTUAL_ENV"))}
        cls.variables["XDG_CACHE_HOME"] = str(cls.folder / "cache")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def program(self, *arguments):
        return subprocess.run([self.environment / "bin/gpuseq-bench", *arguments], cwd=self.folder, env=self.variables,
                              capture_output=True, text=True, check=False)  # fmt: skip

    def test_tag_is_of_an_old_system(self):
        self.assertRegex(WHEEL.name, r"^gpuseq_bench-[0-9.]+-py3-none-manylinux_\d+_\d+_x86_64\.whl$")
        glibc = tuple(map(int, re.findall(r"manylinux_(\d+)_(\d+)", WHEEL.name)[0]))
        self.assertLessEqual(glibc, NEWEST_GLIBC)

    def test_versions_agree(self):
        version = WHEEL.name.split("-")[1]
        self.assertTrue(self.program("--version").stdout.startswith(version + " ("))
        self.assertIn(f"\nversion: {version}\n", (self.site / "gpuseq_bench/share/doc/gpuseq-bench/CITATION.cff").read_text())

    def test_program_needs_only_the_c_library(self):
        needed = re.findall(r"NEEDED.*\[(.+)\]", output("readelf", "-d", self.binary))
        self.assertLessEqual(set(needed), SHARED)

    def test_metadata_names_no_dependency(self):
        with zipfile.ZipFile(WHEEL) as archive:
            (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            metadata = archive.read(name).decode()
        self.assertIn("Requires-Python: >=3.6\n", metadata)
        for line in re.findall("^Requires-Dist: .*", metadata, re.MULTILINE):
            self.assertRegex(line, r"extra == ['\"](report|cuda)['\"]")

    def test_licences_of_all_that_it_contains(self):
        found = {file.stem for file in (self.share / "licences").glob("*.txt")}
        self.assertEqual(found, LICENCES)

    def test_scripts_run_on_python_3_6(self):
        for script in [*(self.site / "gpuseq_bench").glob("*.py"), self.share / "reports/start.py"]:
            ast.parse(script.read_text(), feature_version=(3, 6))

    def test_other_machines_are_refused(self):
        other = "import platform, sys; platform.machine = lambda: 'aarch64'; import gpuseq_bench; sys.exit(gpuseq_bench.main())"
        done = subprocess.run([self.python, "-c", other], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("found linux on aarch64", done.stderr)

    @unittest.skipUnless(shutil.which("qemu-x86_64"), "qemu-user is not installed")
    def test_old_processors_are_refused(self):
        done = subprocess.run(["qemu-x86_64", "-cpu", "Conroe", self.binary, "list"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("SSE4.1", done.stderr)

    def test_runs_go_to_the_current_folder(self):
        (self.folder / "tiny.json").write_text(TINY)
        done = self.program("--config", "tiny.json", "--device", "cpu", "--no-report")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(self.folder.glob("runs/tiny-*/records.jsonl"))), 1)
        self.assertTrue((self.folder / "cache/gpuseq-bench").is_dir())

    def test_has_configs_data_and_sources(self):
        self.assertEqual(self.program("plan", "--device", "cpu").returncode, 0)
        self.assertTrue((self.share / "data/NC_008253.fna.gz").is_file())
        exported = self.program("export", "fm_index", "--variant", "scalar", "--default-points", "--output", "library")
        self.assertEqual(exported.returncode, 0, exported.stderr)

    def test_report_names_what_is_missing(self):
        (self.folder / "tiny.json").write_text(TINY)
        self.program("--config", "tiny.json", "--device", "cpu", "--no-report", "--output", "reported")
        done = self.program("report", "reported")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gpuseq-bench[report]" if sys.version_info >= (3, 11) else "Python 3.11", done.stderr)

    def test_nvrtc_next_to_the_package_comes_first(self):
        nvrtc = re.compile(r"^ok +NVRTC +[0-9.]+, (/.+)$", re.MULTILINE)
        toolkit = nvrtc.search(self.program("doctor").stdout)
        if toolkit is None:
            self.skipTest("no CUDA toolkit is here")
        library = self.site / "nvidia/cu13/lib/libnvrtc.so.13"
        library.parent.mkdir(parents=True)
        self.addCleanup(shutil.rmtree, self.site / "nvidia")
        library.symlink_to(toolkit[1])
        self.assertEqual(nvrtc.search(self.program("doctor").stdout)[1], str(library))

    def test_selftest_passes(self):
        done = self.program("selftest")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"cpu: \d+ right, 0 failed, \d+ skipped\n")
        print(done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
