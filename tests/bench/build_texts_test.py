"""Two builds of the same sources have their code at the same places, whatever folder and commit they are of: else a loop
may be slower in one of them, and a gate calls it a regression.

Usage: build_texts_test.py ROOT COMPILER
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2]
del sys.argv[1:]
TEXTS = "bench/config/build_texts.cpp"
OF_A_BUILD = re.compile(r"\bGPUSEQ_(SOURCE_DIR|COMMIT)\b|gpuseq_commit\.hpp")


def layout(folder, source_dir, commit):
    """Sizes and alignments of the sections that the texts of a build become."""
    (folder / "gpuseq_commit.hpp").write_text(f'#define GPUSEQ_COMMIT "{commit}"\n')
    texts = {"VERSION": "1", "COMPILER": "c", "FLAGS": "-O3", "BUILD_TYPE": "Release", "SOURCE_DIR": source_dir}
    subprocess.run([COMPILER, "-std=c++20", "-O3", "-c", f"-I{ROOT}", f"-I{folder}", ROOT / TEXTS, "-o", folder / "texts.o",
                    *(f'-DGPUSEQ_{name}="{text}"' for name, text in texts.items())], check=True)
    sections = subprocess.run(["readelf", "-SW", folder / "texts.o"], check=True, capture_output=True, text=True).stdout
    # Name, size and alignment of the program's loaded sections.
    return re.findall(r"\] (\.(?:text|rodata|data)\S*) +\S+ +\S+ +\S+ +(\S+) .* (\d+)$", sections, re.MULTILINE)


class BuildTexts(unittest.TestCase):
    def test_take_as_much_room_in_every_build(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            here = layout(folder, "/a", "unknown")
            there = layout(folder, "/a/folder/far/below/the/other" * 20, "5756589e151777c73da802bc3f3ace33164527b4+changes")
        self.assertIn(".rodata", [section for section, _, _ in here])
        self.assertEqual(here, there)

    def test_are_known_to_one_file_alone(self):
        knowing = [path for path in (ROOT / "bench").rglob("*.[ch]pp") if OF_A_BUILD.search(path.read_text())]
        self.assertEqual(knowing, [ROOT / TEXTS])


if __name__ == "__main__":
    unittest.main()
