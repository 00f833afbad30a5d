"""The installed tree runs wherever it is moved to; its manual and completion agree with the program.

Usage: install_test.py CMAKE BUILD_FOLDER
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, BUILD = sys.argv[1], sys.argv[2]


def output(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first, cls.tree = Path(cls.folder.name, "first"), Path(cls.folder.name, "moved here")
        output([CMAKE, "--install", BUILD, "--prefix", str(first)])
        first.rename(cls.tree)
        cls.program = str(cls.tree / "bin" / "gpuseq-bench")
        cls.environment = {key: value for key, value in os.environ.items() if not key.startswith("GPUSEQ_")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_program(self, *arguments):
        return output([self.program, *arguments], env=self.environment, cwd="/")

    def complete(self, *words):
        script = (f"source '{self.tree}/share/bash-completion/completions/gpuseq-bench'\n"
                  'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpuseq_bench; printf "%s\\n" "${COMPREPLY[@]}"')
        return output(["bash", "-c", script, "bash", "gpuseq-bench", *words]).split()

    def test_finds_its_configs_beside_itself(self):
        (self.tree / "share/gpuseq-bench/configs/quick.json").write_text(
            '{"name": "moved", "probes": {"latency": {"footprint_bytes": [65536]}}}')
        self.assertIn("1 states (1 of probes, 0 of kernels)", self.run_program("plan", "--device", "cpu"))

    def test_has_the_device_sources(self):
        folder = self.tree / "include" / "gpuseq-bench"
        for source in folder.rglob("*.cuh"):
            for included in re.findall(r'#include "([^"]+)"', source.read_text()):
                self.assertTrue((folder / included).exists(), f"{source}: {included}")
        self.assertTrue((folder / "kernels/fm_index/cuda/search.cuh").exists())

    def test_has_the_sources_of_exported_libraries(self):
        folder = Path(self.folder.name, "exported")
        for family, variant in (("fm_index", "scalar"), ("exact_match", "tree")):
            self.run_program("export", family, "--variant", variant, "--default-points", "--output", str(folder / family))
            self.assertTrue((folder / family / "src/kernels" / family / "library/api.cpp").exists())

    def test_manual_has_every_command_and_option(self):
        manual = (self.tree / "share/man/man1/gpuseq-bench.1").read_text().replace("\\-", "-")
        commands = re.findall(r"^  (\w+) +\w", self.run_program("--help").split("Subcommands:")[1], re.M)
        self.assertIn("gate", commands)
        self.assertNotIn("worker", commands)
        for command in commands:
            section = manual.split(f'.SS "{command}"')[1].split(".SS ")[0]
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", self.run_program(command, "--help"), re.M):
                if option != "--help":
                    self.assertIn(f"\\fB{option}\\fR", section, command)
        self.assertIn('.SS "exec papara"', manual)

    def test_completes_commands_options_and_their_words(self):
        self.assertEqual(self.complete("va"), ["validate"])
        self.assertEqual(self.complete("list", "var"), ["variants"])
        self.assertEqual(self.complete("exec", "pap"), ["papara"])
        self.assertEqual(self.complete("help", "mach"), ["machine"])
        self.assertEqual(sorted(self.complete("run", "--color", "a")), ["always", "auto"])
        self.assertIn("--variant", self.complete("exec", "papara", "--"))
        self.assertIn("--resume", self.complete("run", "--re"))
        self.assertEqual(self.complete("run", "--config", "x"), [])  # a file: left to the shell
        self.assertNotIn("worker", self.complete(""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
